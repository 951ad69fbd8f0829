import { Hono } from 'hono';
import { isoTime } from '../core/clock.ts';
import { preparedCompanions } from '../engine/objectives-job.ts';
import type { CartridgeLibrary } from '../engine/ports/library.ts';
import type { Store } from '../engine/ports/store.ts';
import { type AppEnv, requireRole } from './authentication.ts';
import { readPage, viewPage } from './paging.ts';
import { HttpProblem } from './problem.ts';

export type StudentRouteParts = { store: Store; cartridges: CartridgeLibrary };

/** Which students there are: a class's for its teacher, one for whoever may know of them. Below `/api`. */
export function studentRoutes({ store, cartridges }: StudentRouteParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.get('/classes/:id/students', async (c) => {
    const teacher = requireRole(c, 'teacher', 'admin');
    const page = readPage(c);
    const found = await store.classStudents(teacher, c.req.param('id'), page);
    if (!found) throw new HttpProblem('NOT_FOUND');
    const items = found.items.map(({ userId, displayName, joinedAt }) => ({
      user_id: userId,
      display_name: displayName,
      joined_at: isoTime(joinedAt),
    }));
    return c.json({ items, pagination: viewPage(page, found.total) });
  });

  app.get('/students/:id', async (c) => {
    const { schoolId, userId, role } = requireRole(c, 'teacher', 'facilitator', 'admin');
    const student = await store.student(schoolId, c.req.param('id'));
    const classes = student?.classes.filter(({ teacherId }) => teacherId === userId) ?? [];
    if (!student || (role === 'teacher' && classes.length === 0)) throw new HttpProblem('NOT_FOUND');
    return c.json({
      user_id: student.userId,
      display_name: student.displayName,
      classes: classes.map(({ id, title, joinedAt }) => ({ id, title, joined_at: isoTime(joinedAt) })),
      companions: preparedCompanions(cartridges).map(({ id, title, language }) => ({ id, title, language })),
    });
  });

  return app;
}
