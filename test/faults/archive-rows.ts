import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { archivePlaces, turnText } from './archive-facts.ts';

type TurnRow = { id: string; content: string; memoryId: string | null; archiveId: string | null; isArchived: number };
type ArchiveRow = { id: string; summary: string; size: number; reason: string };
type FactRow = { id: string; isCleared: number; isArchived: number };

/** What a database keeps in one place, read from its tables: ids of turns and facts, and texts of summaries. */
export type KeptPlace = {
  current: Set<string>;
  archives: Map<string, { turns: Set<string>; size: number; reason: string }>;
  summaries: string[];
  facts: Set<string>;
  clearedFacts: Set<string>;
};

const inPlace =
  'school_id = @schoolId AND owner_id = @userId AND cartridge_id = @cartridgeId AND learner_id = @learner';
const turnColumns = `t.id, t.content, d.is_archived AS isArchived FROM memory_turns t
  JOIN search_documents d ON d.school_id = t.school_id AND d.owner_id = t.owner_id AND d.id = 'turn:' || t.id
    AND d.text = t.content`;

/** Throws where anything in a database is not as it must be, whatever moment its process died at. */
export function readArchives(file: string): KeptPlace[] {
  const db = new Database(file);
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.pragma('foreign_key_check')).toEqual([]);
    // The index fits what it keeps of itself, and has one entry for each document.
    db.exec(`INSERT INTO search_index (search_index) VALUES ('integrity-check')`);
    const ordinals = (table: string, column: string) => db.prepare(`SELECT ${column} FROM ${table} ORDER BY 1`).pluck();
    expect(ordinals('search_index_docsize', 'id').all()).toEqual(ordinals('search_documents', 'ordinal').all());
    const places = archivePlaces.map(({ owner, scope }) =>
      readPlace(db, { ...owner, cartridgeId: scope.cartridgeId, learner: scope.learnerId ?? '' }),
    );
    const count = (sql: string) => db.prepare<[], number>(`SELECT count(*) FROM ${sql}`).pluck().get();
    const turns = places.flatMap(({ current, archives }) => [
      current,
      ...[...archives.values()].map((one) => one.turns),
    ]);
    const total = turns.reduce((sum, { size }) => sum + size, 0);
    // None is anywhere else, or without a document, and no document is without its turn or fact.
    expect([count('memory_turns'), count(`search_documents WHERE kind = 'turn'`)]).toEqual([total, total]);
    expect(count('facts')).toBe(count(`search_documents WHERE kind = 'fact'`));
    expect(count('memory_archives')).toBe(places.reduce((sum, { archives }) => sum + archives.size, 0));
    expectWholeBatches(turns.flatMap((ids) => [...ids]));
    return places;
  } finally {
    db.close();
  }
}

type PlaceValues = { schoolId: string; userId: string; cartridgeId: string; learner: string };

function readPlace(db: Database.Database, values: PlaceValues): KeptPlace {
  const memory = db
    .prepare<PlaceValues, ArchiveRow>(
      `SELECT id, summary, turn_count AS size, '' AS reason FROM rolling_memories WHERE ${inPlace}`,
    )
    .get(values);
  const archived = db
    .prepare<PlaceValues, ArchiveRow>(
      `SELECT id, summary, turn_count AS size, reason FROM memory_archives WHERE ${inPlace}`,
    )
    .all(values);
  const current = db
    .prepare<[string], TurnRow>(`SELECT ${turnColumns} WHERE t.memory_id = ? AND t.archive_id IS NULL`)
    .all(memory?.id ?? '');
  const ofArchive = db.prepare<[string], TurnRow>(`SELECT ${turnColumns} WHERE t.archive_id = ?`);
  expect(current).toHaveLength(memory?.size ?? 0);
  const archives = archived.map(({ id, size, reason }) => {
    const turns = ofArchive.all(id);
    expect(turns, id).toHaveLength(size);
    return [id, { turns: idsOf(turns, 1), size, reason }] as const;
  });
  const facts = db
    .prepare<PlaceValues, FactRow>(
      `SELECT f.id, f.cleared_at IS NOT NULL AS isCleared, d.is_archived AS isArchived FROM facts f
       JOIN search_documents d USING (school_id, owner_id, cartridge_id)
       WHERE ${inPlace.replaceAll('learner_id', 'f.learner_id')} AND d.id = 'fact:' || f.id`,
    )
    .all(values);
  expect(facts.filter(({ isCleared, isArchived }) => isCleared !== isArchived)).toEqual([]);
  const factsThat = (isCleared: number) =>
    new Set(facts.filter((fact) => fact.isCleared === isCleared).map((fact) => fact.id));
  return {
    current: idsOf(current, 0),
    archives: new Map(archives),
    summaries: [...(memory ? [memory.summary] : []), ...archived.map(({ summary }) => summary)],
    facts: factsThat(0),
    clearedFacts: factsThat(1),
  };
}

/** The ids of turns, which are to the letter what was said and are found where they are. */
function idsOf(turns: readonly TurnRow[], isArchived: number): Set<string> {
  const others = turns.filter((turn) => turn.content !== turnText(turn.id) || turn.isArchived !== isArchived);
  expect(others).toEqual([]);
  return new Set(turns.map(({ id }) => id));
}

/** An id says how many turns came in with its own: all of them are there, or none. */
function expectWholeBatches(ids: readonly string[]): void {
  const batches = Map.groupBy(ids, (id) => id.slice(0, id.lastIndexOf('.')));
  const torn = [...batches].filter(([batch, members]) => members.length !== Number(batch.split('.')[3]));
  expect(torn).toEqual([]);
}
