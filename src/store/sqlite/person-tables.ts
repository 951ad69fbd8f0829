/**
 * Where a person is in the database: for each table, which of its rows go with them, as SQL over `@schoolId` and
 * `@userId`. A table that names people and is missing here, or in the export, fails `privacy.test.ts`.
 */
export type PersonTable = {
  name: string;
  /** The columns that tell its rows apart. */
  key: string;
  held: string;
};

const owned = 'school_id = @schoolId AND owner_id = @userId';
const theirs = 'school_id = @schoolId AND user_id = @userId';
const about = `school_id = @schoolId AND learner_id = @userId AND learner_id <> ''`;
const ownedOrAbout = `(${owned}) OR (${about})`;

/** Sessions that go with a person: their own, and what facilitators talked over about them. */
export const heldSessions = `SELECT id FROM sessions WHERE ${owned}
  UNION ALL SELECT session_id FROM conversations WHERE ${about}`;

const inSession = `session_id IN (${heldSessions})`;

/** In the order in which rows can go, so that none points at one that is gone. Sessions and people come after all. */
export const personTables: readonly PersonTable[] = [
  {
    name: 'jobs',
    key: 'ordinal',
    held: `school_id = @schoolId AND (owner_id = @userId OR json_extract(payload, '$.learner_id') = @userId
      OR json_extract(payload, '$.user_id') = @userId OR json_extract(payload, '$.session_id') IN (${heldSessions}))`,
  },
  { name: 'traces', key: 'turn_id', held: `turn_id IN (SELECT id FROM turns WHERE ${inSession})` },
  { name: 'alerts', key: 'ordinal', held: inSession },
  { name: 'exchanges', key: 'ordinal', held: inSession },
  { name: 'turns', key: 'ordinal', held: inSession },
  { name: 'session_parts', key: 'session_id, part', held: inSession },
  { name: 'parent_notes', key: 'ordinal', held: `(${owned}) OR ${inSession}` },
  {
    name: 'memory_turns',
    key: 'ordinal',
    held: `(${owned}) OR memory_id IN (SELECT id FROM rolling_memories WHERE ${about})
      OR archive_id IN (SELECT id FROM memory_archives WHERE ${about})`,
  },
  { name: 'memory_archives', key: 'ordinal', held: ownedOrAbout },
  { name: 'rolling_memories', key: 'id', held: ownedOrAbout },
  { name: 'facts', key: 'ordinal', held: ownedOrAbout },
  {
    name: 'learners',
    key: 'school_id, owner_id, id',
    held: `(${owned}) OR (school_id = @schoolId AND id = @userId)`,
  },
  { name: 'workflows', key: 'school_id, owner_id, project_id', held: owned },
  { name: 'profiles', key: 'school_id, user_id', held: theirs },
  { name: 'objectives', key: 'school_id, user_id, cartridge_id', held: theirs },
  {
    name: 'consents',
    key: 'school_id, student_id, kind',
    held: `(school_id = @schoolId AND student_id = @userId) OR (school_id = @schoolId AND by_user = @userId)`,
  },
  {
    name: 'guardians',
    key: 'school_id, guardian_id, student_id',
    held: `(school_id = @schoolId AND guardian_id = @userId) OR (school_id = @schoolId AND student_id = @userId)`,
  },
  { name: 'class_members', key: 'class_id, user_id', held: theirs },
  {
    name: 'rate_windows',
    key: 'key, starts_at',
    held: `key IN (${['turns', 'tokens', 'tickets', 'exports', 'memories', 'summaries', 'refreshes', 'conversations', 'profiles', 'learners'].map((kind) => `'${kind}:' || @schoolId || ':' || @userId`).join(', ')})`,
  },
];
