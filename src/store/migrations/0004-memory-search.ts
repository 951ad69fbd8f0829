import type { Migration } from '../sqlite/migrate.ts';

/**
 * What can be searched, and its full-text index. The index holds no text of its own; `words` and `stems` are kept to
 * take a document out of it again, which needs exactly what was put in. FTS5's `secure-delete` makes taking out mean
 * that the bytes go, as `PRAGMA secure_delete` does for tables. Blanks alone separate tokens but for ASCII punctuation,
 * which no analysed word contains.
 */
export const memorySearch: Migration = {
  name: '0004-memory-search',
  sql: `
    CREATE TABLE search_documents (
      ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
      school_id TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      id TEXT NOT NULL,
      cartridge_id TEXT NOT NULL,
      learner_id TEXT,
      kind TEXT NOT NULL,
      is_archived INTEGER NOT NULL,
      at INTEGER NOT NULL,
      text TEXT NOT NULL,
      words TEXT NOT NULL,
      stems TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX search_documents_by_owner ON search_documents (school_id, owner_id, id);
    CREATE INDEX search_documents_by_learner ON search_documents (school_id, learner_id) WHERE learner_id IS NOT NULL;

    CREATE VIRTUAL TABLE search_index USING fts5 (scope, words, stems, content = '', tokenize = 'ascii');
    INSERT INTO search_index (search_index, rank) VALUES ('secure-delete', 1);
    CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab (search_index, 'col');
  `,
};
