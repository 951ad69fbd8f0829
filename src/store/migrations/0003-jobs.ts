import type { Migration } from '../sqlite/migrate.ts';

/**
 * The queue. `due_at` is when a job may be taken: its time while it waits, the end of its lease while it runs. Of one
 * that failed it is when it did, of one that is done when it may be forgotten.
 */
export const jobs: Migration = {
  name: '0003-jobs',
  sql: `
    CREATE TABLE jobs (
      ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
      key TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      school_id TEXT,
      owner_id TEXT,
      payload TEXT NOT NULL,
      status TEXT NOT NULL,
      due_at INTEGER NOT NULL,
      attempts INTEGER NOT NULL,
      max_attempts INTEGER NOT NULL,
      remember_ms INTEGER NOT NULL,
      generation INTEGER NOT NULL,
      error_code TEXT
    ) STRICT;
    CREATE INDEX jobs_due ON jobs (due_at) WHERE status IN ('waiting', 'running');
    CREATE INDEX jobs_by_status ON jobs (status, due_at);
    CREATE INDEX jobs_by_owner ON jobs (school_id, owner_id);
  `,
};
