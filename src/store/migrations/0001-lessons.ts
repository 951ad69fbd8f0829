import type { Migration } from '../sqlite/migrate.ts';

/**
 * Schools, people, classes, cartridge versions, sessions with their exchanges, turns and traces, prompt texts and rate
 * windows. `ordinal` is the order in which rows were made. Rows that belong to someone carry `school_id` and the owner.
 */
export const lessons: Migration = {
  name: '0001-lessons',
  sql: `
    CREATE TABLE schools (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE users (
      school_id TEXT NOT NULL REFERENCES schools (id),
      id TEXT NOT NULL,
      role TEXT NOT NULL,
      display_name TEXT,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (school_id, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE classes (
      ordinal INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      school_id TEXT NOT NULL,
      teacher_id TEXT NOT NULL,
      title TEXT NOT NULL,
      join_code TEXT NOT NULL UNIQUE,
      cartridge_ids TEXT,
      is_first INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      FOREIGN KEY (school_id, teacher_id) REFERENCES users (school_id, id)
    ) STRICT;
    CREATE INDEX classes_by_teacher ON classes (school_id, teacher_id, created_at);
    CREATE UNIQUE INDEX first_class ON classes (is_first) WHERE is_first = 1;

    CREATE TABLE class_members (
      class_id TEXT NOT NULL REFERENCES classes (id),
      school_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      joined_at INTEGER NOT NULL,
      PRIMARY KEY (class_id, user_id),
      FOREIGN KEY (school_id, user_id) REFERENCES users (school_id, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE cartridge_versions (
      hash TEXT NOT NULL PRIMARY KEY,
      cartridge_id TEXT NOT NULL,
      text TEXT NOT NULL,
      kept_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE prompt_texts (
      hash TEXT NOT NULL PRIMARY KEY,
      text TEXT NOT NULL
    ) STRICT;

    CREATE TABLE sessions (
      ordinal INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      school_id TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      owner_role TEXT NOT NULL,
      class_id TEXT,
      kind TEXT NOT NULL,
      cartridge_id TEXT NOT NULL,
      cartridge_hash TEXT NOT NULL,
      language TEXT NOT NULL,
      status TEXT NOT NULL,
      frozen INTEGER NOT NULL,
      phase TEXT NOT NULL,
      outcome TEXT,
      state TEXT NOT NULL,
      prompts TEXT,
      version INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      ended_at INTEGER,
      FOREIGN KEY (school_id, owner_id) REFERENCES users (school_id, id)
    ) STRICT;
    CREATE INDEX sessions_by_owner ON sessions (school_id, owner_id, ended_at);

    CREATE TABLE exchanges (
      ordinal INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      school_id TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      session_id TEXT NOT NULL REFERENCES sessions (id),
      turn_id TEXT NOT NULL,
      role TEXT NOT NULL,
      phase TEXT NOT NULL,
      redacted INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      content TEXT NOT NULL
    ) STRICT;
    CREATE INDEX exchanges_by_session ON exchanges (session_id);

    CREATE TABLE turns (
      ordinal INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      school_id TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      session_id TEXT NOT NULL REFERENCES sessions (id),
      kind TEXT NOT NULL,
      status TEXT NOT NULL,
      client_message_id TEXT,
      exchange_id TEXT,
      started_at INTEGER NOT NULL,
      settled_at INTEGER,
      terminal_name TEXT,
      terminal_data TEXT,
      retryable INTEGER,
      provider TEXT,
      model TEXT,
      input_tokens INTEGER,
      output_tokens INTEGER,
      token_lengths BLOB,
      text TEXT
    ) STRICT;
    CREATE INDEX turns_by_kind ON turns (session_id, kind);
    CREATE INDEX turns_by_client_message ON turns (session_id, client_message_id) WHERE client_message_id IS NOT NULL;
    CREATE UNIQUE INDEX live_turn ON turns (session_id) WHERE status = 'streaming';

    CREATE TABLE traces (
      turn_id TEXT NOT NULL PRIMARY KEY REFERENCES turns (id),
      school_id TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      session_id TEXT NOT NULL,
      trace TEXT NOT NULL
    ) STRICT;

    CREATE TABLE rate_windows (
      key TEXT NOT NULL,
      starts_at INTEGER NOT NULL,
      ends_at INTEGER NOT NULL,
      uses INTEGER NOT NULL,
      PRIMARY KEY (key, starts_at)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX rate_windows_by_end ON rate_windows (ends_at);
  `,
};
