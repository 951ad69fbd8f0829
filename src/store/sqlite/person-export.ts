import type { Database } from 'better-sqlite3';
import type { ExportedRow, PersonExport } from '../../engine/ports/privacy-store.ts';
import type { Owner } from '../../engine/ports/store.ts';

type Section = { name: string; columns: string; from?: string; where: string };

const owned = 'school_id = @schoolId AND owner_id = @userId';
const theirs = 'school_id = @schoolId AND user_id = @userId';
const ofTheirs = `session_id IN (SELECT id FROM sessions WHERE ${owned})`;
const about = `school_id = @schoolId AND learner_id = @userId AND learner_id <> '' AND owner_id <> @userId`;

/** A person's own rows, section by section: each is named like its table. */
const sections: readonly Section[] = [
  {
    name: 'users',
    columns: 'id, school_id, role, display_name, created_at',
    where: 'school_id = @schoolId AND id = @userId',
  },
  {
    name: 'classes',
    columns: 'id, title, join_code, cartridge_ids, created_at',
    where: 'school_id = @schoolId AND teacher_id = @userId',
  },
  { name: 'class_members', columns: 'class_id, joined_at', where: theirs },
  {
    name: 'sessions',
    columns:
      'id, class_id, kind, cartridge_id, language, status, frozen, phase, outcome, state, created_at, updated_at, ended_at',
    where: owned,
  },
  {
    name: 'exchanges',
    columns: 'id, session_id, turn_id, role, phase, redacted, created_at, content',
    where: ofTheirs,
  },
  {
    name: 'turns',
    columns: `id, session_id, kind, status, client_message_id, exchange_id, started_at, settled_at, terminal_name,
      terminal_data, provider, model, input_tokens, output_tokens,
      CASE WHEN status IN ('redacted', 'streaming') THEN NULL ELSE text END AS text`,
    where: ofTheirs,
  },
  { name: 'traces', columns: 'turn_id, trace', where: `turn_id IN (SELECT id FROM turns WHERE ${ofTheirs})` },
  { name: 'alerts', columns: 'id, session_id, turn_id, class_id, kind, severity, created_at', where: ofTheirs },
  {
    name: 'conversations',
    columns: `session_id, cartridge_id, learner_id, project_id, title, entry_context, created_at, touched_at,
      last_message_at, ended_at`,
    where: owned,
  },
  { name: 'session_parts', columns: 'session_id, part, status, content, made_at', where: owned },
  {
    name: 'rolling_memories',
    columns: 'id, cartridge_id, learner_id, summary, turn_count, created_at, updated_at',
    where: owned,
  },
  { name: 'memory_turns', columns: 'id, memory_id, archive_id, session_id, role, content, said_at', where: owned },
  {
    name: 'memory_archives',
    columns: 'id, cartridge_id, learner_id, summary, turn_count, reason, archived_at',
    where: owned,
  },
  {
    name: 'facts',
    columns: `id, cartridge_id, learner_id, kind, text, session_id, exchange_id, learned_at, superseded_at,
      superseded_by, cleared_at`,
    where: owned,
  },
  {
    name: 'parent_notes',
    columns: `id, session_id, cartridge_id, subject, duration_minutes, summary, highlights, concerns, suggestions,
      generated_at, viewed_at`,
    where: owned,
  },
  { name: 'learners', columns: 'id, name, created_at', where: owned },
  {
    name: 'guardians',
    columns: 'guardian_id, student_id, created_at',
    where: '(school_id = @schoolId AND guardian_id = @userId) OR (school_id = @schoolId AND student_id = @userId)',
  },
  {
    name: 'consents',
    columns: 'student_id, kind, is_granted, by_user, changed_at',
    where: '(school_id = @schoolId AND student_id = @userId) OR (school_id = @schoolId AND by_user = @userId)',
  },
  { name: 'memory_items', columns: 'id, project_id, type, key, value, text, created_at, expires_at', where: owned },
  { name: 'workflows', columns: 'project_id, state, updated_at, expires_at', where: owned },
  { name: 'profiles', columns: 'profile, version, updated_at, updated_by', where: theirs },
  { name: 'objectives', columns: 'cartridge_id, objectives, reason, generated_at', where: theirs },
  // What can be found are copies of what stands above; which there are is enough.
  { name: 'search_documents', columns: 'id, cartridge_id, learner_id, kind, at', where: owned },
  { name: 'jobs', columns: 'key, kind, payload, status, due_at, attempts', where: owned },
];

const othersSections: readonly Section[] = [
  {
    name: 'learners',
    columns: 'name, created_at',
    where: 'school_id = @schoolId AND id = @userId AND owner_id <> @userId',
  },
  { name: 'rolling_memories', columns: 'cartridge_id, summary, created_at, updated_at', where: about },
  { name: 'memory_archives', columns: 'cartridge_id, summary, reason, archived_at', where: about },
  { name: 'facts', columns: 'cartridge_id, kind, text, learned_at, superseded_at, cleared_at', where: about },
];

/** Reads everything held about a person; only reads. */
export function personExporter(db: Database): (owner: Owner) => PersonExport {
  const readerOf = ({ name, columns, where }: Section) => {
    const select = db.prepare<Owner, ExportedRow>(`SELECT ${columns} FROM ${name} WHERE ${where}`);
    return { name, read: ({ schoolId, userId }: Owner) => select.all({ schoolId, userId }) };
  };
  const own = sections.map(readerOf);
  const others = othersSections.map(readerOf);
  return (owner) => ({
    sections: Object.fromEntries(own.map(({ name, read }) => [name, read(owner)])),
    keptByOthers: Object.fromEntries(others.map(({ name, read }) => [name, read(owner)])),
  });
}
