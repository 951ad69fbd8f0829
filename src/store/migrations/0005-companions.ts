import type { Migration } from '../sqlite/migrate.ts';

/**
 * What companions keep. `learner_id` is '' where a memory is about no learner. `closes_at` is when an active
 * conversation ends by itself; null once it is over.
 */
export const companions: Migration = {
  name: '0005-companions',
  sql: `
    CREATE TABLE conversations (
      session_id TEXT NOT NULL PRIMARY KEY REFERENCES sessions (id),
      school_id TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      cartridge_id TEXT NOT NULL,
      learner_id TEXT NOT NULL,
      project_id TEXT,
      title TEXT,
      entry_context TEXT,
      idle_ms INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      touched_at INTEGER NOT NULL,
      last_message_at INTEGER,
      closes_at INTEGER,
      ended_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX conversations_by_owner ON conversations (school_id, owner_id, touched_at);
    CREATE INDEX conversations_by_end ON conversations (school_id, owner_id, cartridge_id, learner_id, ended_at);
    CREATE INDEX conversations_to_close ON conversations (closes_at) WHERE closes_at IS NOT NULL;

    CREATE INDEX alerts_by_session ON alerts (session_id);

    CREATE TABLE session_parts (
      session_id TEXT NOT NULL REFERENCES sessions (id),
      part TEXT NOT NULL,
      school_id TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      status TEXT NOT NULL,
      content TEXT NOT NULL,
      made_at INTEGER NOT NULL,
      PRIMARY KEY (session_id, part)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX session_parts_by_owner ON session_parts (school_id, owner_id);

    CREATE TABLE rolling_memories (
      id TEXT NOT NULL PRIMARY KEY,
      school_id TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      cartridge_id TEXT NOT NULL,
      learner_id TEXT NOT NULL,
      summary TEXT NOT NULL,
      turn_count INTEGER NOT NULL,
      summarised INTEGER NOT NULL,
      archives INTEGER NOT NULL,
      version INTEGER NOT NULL,
      failure TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      UNIQUE (school_id, owner_id, cartridge_id, learner_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE memory_turns (
      ordinal INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      school_id TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      memory_id TEXT NOT NULL,
      archive_id TEXT,
      session_id TEXT,
      role TEXT NOT NULL,
      content TEXT NOT NULL,
      said_at INTEGER NOT NULL,
      UNIQUE (school_id, owner_id, id)
    ) STRICT;
    CREATE INDEX memory_turns_by_memory ON memory_turns (memory_id, archive_id);

    CREATE TABLE memory_archives (
      ordinal INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      school_id TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      cartridge_id TEXT NOT NULL,
      learner_id TEXT NOT NULL,
      summary TEXT NOT NULL,
      turn_count INTEGER NOT NULL,
      reason TEXT NOT NULL,
      archived_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX memory_archives_by_owner ON memory_archives (school_id, owner_id, cartridge_id, learner_id);

    CREATE TABLE facts (
      ordinal INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      school_id TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      cartridge_id TEXT NOT NULL,
      learner_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      text TEXT NOT NULL,
      session_id TEXT,
      exchange_id TEXT,
      learned_at INTEGER NOT NULL,
      superseded_at INTEGER,
      superseded_by TEXT,
      cleared_at INTEGER,
      UNIQUE (school_id, owner_id, id)
    ) STRICT;
    CREATE INDEX facts_by_owner ON facts (school_id, owner_id, cartridge_id, learner_id);

    CREATE TABLE parent_notes (
      ordinal INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      school_id TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      session_id TEXT NOT NULL UNIQUE,
      cartridge_id TEXT NOT NULL,
      subject TEXT NOT NULL,
      duration_minutes INTEGER NOT NULL,
      summary TEXT NOT NULL,
      highlights TEXT NOT NULL,
      concerns TEXT,
      suggestions TEXT,
      generated_at INTEGER NOT NULL,
      viewed_at INTEGER
    ) STRICT;
    CREATE INDEX parent_notes_by_owner ON parent_notes (school_id, owner_id, generated_at);

    CREATE TABLE learners (
      school_id TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      id TEXT NOT NULL,
      name TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (school_id, owner_id, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE guardians (
      school_id TEXT NOT NULL,
      guardian_id TEXT NOT NULL,
      student_id TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (school_id, guardian_id, student_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX guardians_by_student ON guardians (school_id, student_id);

    CREATE TABLE consents (
      school_id TEXT NOT NULL,
      student_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      is_granted INTEGER NOT NULL,
      by_user TEXT NOT NULL,
      changed_at INTEGER NOT NULL,
      PRIMARY KEY (school_id, student_id, kind)
    ) STRICT, WITHOUT ROWID;
  `,
};
