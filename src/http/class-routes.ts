import { Hono } from 'hono';
import { type Clock, isoTime } from '../core/clock.ts';
import { newId, newJoinCode, normaliseJoinCode } from '../core/ids.ts';
import type { Random } from '../core/random.ts';
import type { Settings } from '../core/settings.ts';
import { type ControlParts, controlClass } from '../engine/class-control.ts';
import type { ClassRecord, Store } from '../engine/ports/store.ts';
import { type AppEnv, isOwnOrigin, keepToken, requireRole } from './authentication.ts';
import { readBody } from './body.ts';
import { HttpProblem, raise } from './problem.ts';
import { studentRoutes, type StudentRouteParts } from './student-routes.ts';
import { type ClassView, classRequest, controlRequest, joinRequest } from './protocol.ts';
import type { Tokens } from './tokens.ts';

export type ClassRouteParts = ControlParts &
  StudentRouteParts & {
    store: Store;
    tokens: Tokens;
    clock: Clock;
    random: Random;
    settings: Settings;
    joinsPerMinute: number;
    allowedOrigins: ReadonlySet<string>;
  };

/** `POST /join`: open to anyone with a class's code; limited by address, so that codes cannot be tried out. */
export function joinRoute(parts: ClassRouteParts): Hono<AppEnv> {
  const { store, tokens, clock, random } = parts;
  return new Hono<AppEnv>().post('/join', async (c) => {
    // From another site's page it would put somebody else into this browser.
    if (!isOwnOrigin(c, parts.allowedOrigins)) throw new HttpProblem('UNAUTHENTICATED');
    const { code, display_name: displayName } = await readBody(c, joinRequest);
    const now = clock.now();
    const address = c.env.incoming.socket.remoteAddress ?? 'unknown';
    const use = await store.countUse({ key: `joins:${address}`, limit: parts.joinsPerMinute, windowMs: 60_000, now });
    if (use.kind === 'limited') throw new HttpProblem('RATE_LIMITED', { retryAfterSeconds: use.retryAfterSeconds });
    const student = { id: newId(random), displayName: displayName ?? null, createdAt: now };
    const joined = await store.joinClass(normaliseJoinCode(code), student);
    if (!joined) throw new HttpProblem('NOT_FOUND', { detail: 'No class has this code. Check it with your teacher.' });
    const { id: classId, schoolId, title } = joined.class;
    const signed = await tokens.sign(
      { userId: student.id, role: 'student', schoolId, classId, displayName: student.displayName },
      parts.settings.tokenHours.student,
    );
    keepToken(c, signed);
    return c.json({
      token: signed.token,
      expires_at: isoTime(signed.expiresAt),
      role: 'student',
      user_id: student.id,
      display_name: student.displayName,
      class: { id: classId, title },
    });
  });
}

/** The teacher's classes, and who the caller is. */
export function classRoutes(parts: ClassRouteParts): Hono<AppEnv> {
  const { store, clock, random } = parts;
  const app = new Hono<AppEnv>();
  app.route('/', studentRoutes(parts));

  app.get('/me', (c) => {
    const { userId, role, schoolId, classId, displayName } = c.get('identity');
    return c.json({ user_id: userId, role, school_id: schoolId, class_id: classId, display_name: displayName });
  });

  app.post('/classes', async (c) => {
    const { userId: teacherId, schoolId } = requireRole(c, 'teacher', 'admin');
    const { title, cartridge_ids: cartridgeIds } = await readBody(c, classRequest);
    for (;;) {
      const record: ClassRecord = {
        id: newId(random),
        schoolId,
        teacherId,
        title: title.trim(),
        joinCode: newJoinCode(random),
        cartridgeIds: cartridgeIds ?? null,
        createdAt: clock.now(),
      };
      if ((await store.createClass(record)) === 'created') return c.json(viewClass(record), 201);
    }
  });

  app.get('/classes', async (c) => {
    const owner = requireRole(c, 'teacher', 'admin');
    return c.json({ items: (await store.classesOf(owner)).map(viewClass) });
  });

  app.get('/classes/:id', async (c) => {
    const owner = requireRole(c, 'teacher', 'admin');
    const found = await store.classOf(owner, c.req.param('id'));
    if (!found) throw new HttpProblem('NOT_FOUND');
    return c.json(viewClass(found));
  });

  app.post('/classes/:id/control', async (c) => {
    const owner = requireRole(c, 'teacher', 'admin');
    const { action, session_id: sessionId, phase } = await readBody(c, controlRequest);
    const request = { classId: c.req.param('id'), action, sessionId: sessionId ?? null, phase: phase ?? null };
    const controlled = await controlClass(parts, owner, request);
    return controlled.kind === 'refused' ? raise(controlled) : c.json({ action, session_ids: controlled.sessionIds });
  });

  return app;
}

function viewClass({ id, title, joinCode, cartridgeIds, createdAt }: ClassRecord): ClassView {
  return {
    id,
    title,
    join_code: joinCode,
    cartridge_ids: cartridgeIds && [...cartridgeIds],
    created_at: isoTime(createdAt),
  };
}
