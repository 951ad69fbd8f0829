import { type Context, Hono } from 'hono';
import { type Clock, isoTime } from '../core/clock.ts';
import { newId } from '../core/ids.ts';
import type { Random } from '../core/random.ts';
import type { Settings } from '../core/settings.ts';
import type { CompanionStore, GuardianLink, ParentNoteRecord } from '../engine/ports/companion-store.ts';
import type { PreparedStore } from '../engine/ports/prepared-store.ts';
import type { Owner, Store } from '../engine/ports/store.ts';
import { type AppEnv, requireRole } from './authentication.ts';
import { readBody } from './body.ts';
import { guardianRequest, parentNotesQuery } from './me-protocol.ts';
import { ownOrigin } from './own-origin.ts';
import { readPage, viewPage } from './paging.ts';
import { HttpProblem } from './problem.ts';
import { readQuery } from './read-query.ts';
import type { Tokens } from './tokens.ts';

export type GuardianRouteParts = {
  store: Store;
  companions: CompanionStore;
  prepared: PreparedStore;
  tokens: Tokens;
  clock: Clock;
  random: Random;
  settings: Settings;
};

/** Guardians: how a teacher brings them in, and the notes they may read. */
export function guardianRoutes(parts: GuardianRouteParts): Hono<AppEnv> {
  const { store, companions, prepared, tokens, clock, random, settings } = parts;
  const app = new Hono<AppEnv>();

  app.post('/classes/:id/guardians', async (c) => {
    const teacher = requireRole(c, 'teacher', 'admin');
    const { student_id: studentId, display_name: displayName, guardian_id: known } = await readBody(c, guardianRequest);
    const [found, isTaught] = await Promise.all([
      store.classOf(teacher, c.req.param('id')),
      prepared.teaches(teacher, studentId),
    ]);
    if (!found || !isTaught) throw new HttpProblem('NOT_FOUND');
    const { schoolId } = teacher;
    if (known && !(await isGuardianOfTheirs(teacher, known))) throw new HttpProblem('NOT_FOUND');
    const guardianId = known ?? newId(random);
    const guardianName = displayName ?? null;
    const createdAt = clock.now();
    await companions.keepGuardian(schoolId, { guardianId, guardianName, studentId, studentName: null, createdAt });
    const identity = { userId: guardianId, role: 'guardian' as const, schoolId, classId: null };
    const signed = await tokens.sign({ ...identity, displayName: guardianName }, settings.tokenHours.guardian);
    const link = `${ownOrigin(c)}/guardian?token=${signed.token}`;
    return c.json({ guardian_id: guardianId, student_id: studentId, link }, 201);
  });

  app.get('/students/:id/guardians', async (c) => {
    const { schoolId, id } = await taughtStudent(c);
    const guardians = await companions.guardiansOf(schoolId, id);
    return c.json({ items: guardians.map(viewGuardian) });
  });

  app.delete('/students/:id/guardians/:guardian', async (c) => {
    const { schoolId, id: studentId } = await taughtStudent(c);
    const guardianId = c.req.param('guardian');
    const guardians = await companions.guardiansOf(schoolId, studentId);
    if (!guardians.some((each) => each.guardianId === guardianId)) throw new HttpProblem('NOT_FOUND');
    await companions.removeGuardian(schoolId, { guardianId, studentId });
    return c.body(null, 204);
  });

  /** The student of the path: a teacher's own, or any of an admin's school. */
  async function taughtStudent(c: Context<AppEnv, '/students/:id/*'>): Promise<{ schoolId: string; id: string }> {
    const staff = requireRole(c, 'teacher', 'admin');
    const id = c.req.param('id');
    if (staff.role === 'teacher' && !(await prepared.teaches(staff, id))) throw new HttpProblem('NOT_FOUND');
    return { schoolId: staff.schoolId, id };
  }

  /** Whether somebody has a student of the teacher's in their care already. */
  async function isGuardianOfTheirs(teacher: Owner, guardianId: string): Promise<boolean> {
    const children = await companions.childrenOf({ schoolId: teacher.schoolId, userId: guardianId });
    const taught = await Promise.all(children.map(({ studentId }) => prepared.teaches(teacher, studentId)));
    return taught.includes(true);
  }

  app.get('/parent-notes', async (c) => {
    const guardian = requireRole(c, 'guardian');
    const page = readPage(c);
    const { student_id: studentId } = readQuery(c, parentNotesQuery);
    const { offset, limit } = page;
    const { items, total } = await companions.parentNotes(guardian, {
      ...(studentId === undefined ? {} : { studentId }),
      offset,
      limit,
    });
    return c.json({ items: items.map(viewNote), pagination: viewPage(page, total) });
  });

  app.post('/parent-notes/:id/viewed', async (c) => {
    const guardian = requireRole(c, 'guardian');
    const note = await companions.viewParentNote(guardian, c.req.param('id'), clock.now());
    if (!note) throw new HttpProblem('NOT_FOUND');
    return c.json(viewNote(note));
  });

  return app;
}

function viewGuardian({ guardianId, guardianName, createdAt }: GuardianLink) {
  return { guardian_id: guardianId, display_name: guardianName, linked_at: isoTime(createdAt) };
}

function viewNote(note: ParentNoteRecord) {
  return {
    id: note.id,
    student_id: note.studentId,
    student_name: note.studentName,
    cartridge_id: note.cartridgeId,
    subject: note.subject,
    duration_minutes: note.durationMinutes,
    summary: note.summary,
    highlights: note.highlights,
    concerns: note.concerns,
    suggestions: note.suggestions,
    generated_at: isoTime(note.generatedAt),
    viewed_at: note.viewedAt === null ? null : isoTime(note.viewedAt),
  };
}
