import type { Migration } from '../sqlite/migrate.ts';

/** Alerts (never a learner's words), and what a class's board is read by. */
export const classBoard: Migration = {
  name: '0002-class-board',
  sql: `
    CREATE TABLE alerts (
      ordinal INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      school_id TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      class_id TEXT,
      session_id TEXT NOT NULL REFERENCES sessions (id),
      turn_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      severity INTEGER NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX alerts_by_class ON alerts (school_id, class_id, created_at);
    CREATE INDEX sessions_by_class ON sessions (school_id, class_id, updated_at);
  `,
};
