import type { Migration } from '../sqlite/migrate.ts';

/**
 * What characters that come prepared keep. `memory_item_terms` is the index that a project's items are searched by:
 * `scope` and `term` are numbers made from the project and from a stem, so that no word of anyone's stands in it, and a
 * project's part of it lies together and is taken out together. `stems` stays with the item to take it out by itself.
 */
export const prepared: Migration = {
  name: '0006-prepared',
  sql: `
    CREATE TABLE memory_items (
      ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL,
      school_id TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      project_id TEXT NOT NULL,
      type TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      text TEXT NOT NULL,
      stems TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX memory_items_by_key ON memory_items (school_id, owner_id, project_id, type, key);
    CREATE INDEX memory_items_by_time ON memory_items (school_id, owner_id, project_id, created_at);
    CREATE INDEX memory_items_by_expiry ON memory_items (expires_at);

    CREATE TABLE memory_item_terms (
      scope INTEGER NOT NULL,
      term INTEGER NOT NULL,
      item INTEGER NOT NULL,
      weight INTEGER NOT NULL,
      PRIMARY KEY (scope, term, item)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE workflows (
      school_id TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      project_id TEXT NOT NULL,
      state TEXT NOT NULL,
      updated_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      PRIMARY KEY (school_id, owner_id, project_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX workflows_by_expiry ON workflows (expires_at);

    CREATE TABLE profiles (
      school_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      profile TEXT NOT NULL,
      narrative TEXT,
      version INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      updated_by TEXT NOT NULL,
      PRIMARY KEY (school_id, user_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE objectives (
      school_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      cartridge_id TEXT NOT NULL,
      objectives TEXT NOT NULL,
      reason TEXT NOT NULL,
      generated_at INTEGER NOT NULL,
      PRIMARY KEY (school_id, user_id, cartridge_id)
    ) STRICT, WITHOUT ROWID;
  `,
};
