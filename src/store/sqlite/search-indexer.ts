import type { Database } from 'better-sqlite3';
import type { SearchDocument } from '../../engine/ports/memory-search.ts';
import type { Owner } from '../../engine/ports/store.ts';
import { keptText } from '../kept-text.ts';
import { tokensOf } from './search-tokens.ts';

type Row = Omit<SearchDocument, 'isArchived'> & { isArchived: number };
type KeptRow = Row & { ordinal: number };

/** Keeps what can be searched, inside the transaction of whoever writes what it is made of. */
export type SearchIndexer = {
  /** Puts a document in; one of the same id of the same owner gives way to it. */
  put(document: SearchDocument): void;
  /** Takes documents out, so that their bytes go. Says how many there were. */
  remove(owner: Owner, ids: readonly string[]): number;
  /** Documents that from now on are found only where the archive is searched too. */
  archive(owner: Owner, ids: readonly string[]): number;
  /** Takes out at most `limit` of a person's documents; less than that: none is left. */
  removeOwner(owner: Owner, limit: number): number;
  /** The same for what any owner of the school has about a learner. */
  removeLearner(schoolId: string, learnerId: string, limit: number): number;
};

const columns = `ordinal, school_id AS schoolId, owner_id AS ownerId, id, cartridge_id AS cartridgeId,
  learner_id AS learnerId, kind, is_archived AS isArchived, at, text, words, stems`;

export function searchIndexer(db: Database): SearchIndexer {
  const byId = db.prepare<[string, string, string], KeptRow>(
    `SELECT ${columns} FROM search_documents WHERE school_id = ? AND owner_id = ? AND id = ?`,
  );
  const ofOwner = db.prepare<[string, string, number], KeptRow>(
    `SELECT ${columns} FROM search_documents WHERE school_id = ? AND owner_id = ? LIMIT ?`,
  );
  const ofLearner = db.prepare<[string, string, number], KeptRow>(
    `SELECT ${columns} FROM search_documents WHERE school_id = ? AND learner_id = ? LIMIT ?`,
  );
  const insert = db.prepare<Row>(
    `INSERT INTO search_documents (school_id, owner_id, id, cartridge_id, learner_id, kind, is_archived, at, text, words,
       stems)
     VALUES (@schoolId, @ownerId, @id, @cartridgeId, @learnerId, @kind, @isArchived, @at, @text, @words, @stems)`,
  );
  const markArchived = db.prepare<[number, string, string]>(
    'UPDATE search_documents SET is_archived = 1 WHERE ordinal = ? AND school_id = ? AND owner_id = ?',
  );
  const erase = db.prepare<[number, string, string]>(
    'DELETE FROM search_documents WHERE ordinal = ? AND school_id = ? AND owner_id = ?',
  );
  const insertTokens = db.prepare<[number | bigint, string, string, string]>(
    'INSERT INTO search_index (rowid, scope, words, stems) VALUES (?, ?, ?, ?)',
  );
  const deleteTokens = db.prepare<[number, string, string, string]>(
    `INSERT INTO search_index (search_index, rowid, scope, words, stems) VALUES ('delete', ?, ?, ?, ?)`,
  );

  function index(ordinal: number | bigint, row: Row): void {
    const { scope, words, stems } = tokensOf({ ...row, isArchived: row.isArchived === 1 });
    insertTokens.run(ordinal, scope, words, stems);
  }
  function unindex(row: KeptRow): void {
    const { scope, words, stems } = tokensOf({ ...row, isArchived: row.isArchived === 1 });
    deleteTokens.run(row.ordinal, scope, words, stems);
  }
  function removeRow(row: KeptRow): void {
    unindex(row);
    erase.run(row.ordinal, row.schoolId, row.ownerId);
  }
  /** The documents of the ids, each once, oldest first: the index deletes in that order without a flush between. */
  function rowsOf({ schoolId, userId }: Owner, ids: readonly string[]): KeptRow[] {
    const rows = [...new Set(ids)].flatMap((id) => byId.get(schoolId, userId, id) ?? []);
    return rows.sort((one, other) => one.ordinal - other.ordinal);
  }
  function removeAll(rows: readonly KeptRow[]): number {
    for (const row of rows) removeRow(row);
    return rows.length;
  }

  return {
    put(document) {
      const before = byId.get(document.schoolId, document.ownerId, document.id);
      if (before) removeRow(before);
      const row: Row = {
        ...document,
        isArchived: document.isArchived ? 1 : 0,
        text: keptText(document.text),
        words: keptText(document.words),
        stems: keptText(document.stems),
      };
      index(insert.run(row).lastInsertRowid, row);
    },
    remove: (owner, ids) => removeAll(rowsOf(owner, ids)),
    archive(owner, ids) {
      const rows = rowsOf(owner, ids).filter((row) => row.isArchived === 0);
      for (const row of rows) {
        unindex(row);
        markArchived.run(row.ordinal, row.schoolId, row.ownerId);
        index(row.ordinal, { ...row, isArchived: 1 });
      }
      return rows.length;
    },
    removeOwner: ({ schoolId, userId }, limit) => removeAll(ofOwner.all(schoolId, userId, limit)),
    removeLearner: (schoolId, learnerId, limit) => removeAll(ofLearner.all(schoolId, learnerId, limit)),
  };
}
