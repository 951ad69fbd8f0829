import type { Migration } from '../sqlite/migrate.ts';

/**
 * Who was erased, by a hash alone; an erasure that is under way names its person until it is done. The indexes find what
 * is kept about a learner, a guardian or a member, and the words of lessons, which leave their index as they are emptied.
 */
export const privacy: Migration = {
  name: '0007-privacy',
  sql: `
    CREATE TABLE erased_people (
      hash TEXT NOT NULL PRIMARY KEY,
      erased_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE open_erasures (
      school_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      begun_at INTEGER NOT NULL,
      PRIMARY KEY (school_id, user_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX open_erasures_by_time ON open_erasures (begun_at);

    CREATE INDEX class_members_by_user ON class_members (school_id, user_id);
    CREATE INDEX conversations_by_learner ON conversations (school_id, learner_id) WHERE learner_id <> '';
    CREATE INDEX rolling_memories_by_learner ON rolling_memories (school_id, learner_id) WHERE learner_id <> '';
    CREATE INDEX memory_archives_by_learner ON memory_archives (school_id, learner_id) WHERE learner_id <> '';
    CREATE INDEX memory_turns_by_archive ON memory_turns (archive_id) WHERE archive_id IS NOT NULL;
    CREATE INDEX facts_by_learner ON facts (school_id, learner_id) WHERE learner_id <> '';
    CREATE INDEX learners_by_id ON learners (school_id, id);
    CREATE INDEX consents_by_user ON consents (school_id, by_user);

    CREATE INDEX exchanges_with_words ON exchanges (created_at)
      WHERE content <> '' AND redacted = 0 AND role IN ('student', 'trickster');
    CREATE INDEX turns_with_words ON turns (started_at) WHERE text <> '' AND kind IN ('dialogue', 'debrief');
  `,
};
