import type { Context } from 'hono';
import { isoTime } from '../core/clock.ts';
import type { LessonCartridge } from '../engine/ports/library.ts';
import type { Store } from '../engine/ports/store.ts';
import { type AppEnv, identify } from './authentication.ts';
import { ownOrigin } from './own-origin.ts';
import type { Tokens } from './tokens.ts';

export type TeacherFinding = { severity: 'error' | 'warning'; cartridge_id: string; place: string; text: string };

export type TeacherViewParts = {
  store: Store;
  tokens: Tokens;
  allowedOrigins: ReadonlySet<string>;
  /** The lessons that are served now, and what is wrong with what is on disk. */
  lessons: () => readonly LessonCartridge[];
  findings: () => readonly TeacherFinding[];
  /** The companions that are there for a role. */
  companionsFor: (role: string) => readonly unknown[];
  ai: 'model' | 'offline';
  timeZone: string;
};

/** How many students the class page lists: those who joined last. */
const mostStudents = 300;

/** What the class page shows its teacher: their first class; null where the caller is no teacher or has no class. */
export async function viewForTeacher(c: Context<AppEnv>, parts: TeacherViewParts) {
  const identity = await identify(c, parts.tokens, parts.allowedOrigins);
  if (identity?.role !== 'teacher' && identity?.role !== 'admin') return null;
  const classes = await parts.store.classesOf(identity);
  const first = classes.at(-1);
  if (!first) return null;
  const students = await parts.store.classStudents(identity, first.id, { offset: 0, limit: mostStudents });
  const lessons = parts
    .lessons()
    .filter((lesson) => lesson.status === 'active' && (first.cartridgeIds?.includes(lesson.task_id) ?? true));
  return {
    class: { title: first.title, join_code: first.joinCode },
    join_url: ownOrigin(c),
    lessons: lessons.map(({ title, description, language, time_minutes, task_type, technique }) => ({
      title,
      description,
      language,
      time_minutes,
      task_type,
      technique,
    })),
    students: (students?.items ?? []).map(({ userId, displayName, joinedAt }) => ({
      user_id: userId,
      display_name: displayName,
      joined_at: isoTime(joinedAt),
    })),
    student_count: students?.total ?? 0,
    findings: parts.findings(),
    companions: parts.companionsFor(identity.role).length,
    ai: parts.ai,
    time_zone: parts.timeZone,
  };
}
