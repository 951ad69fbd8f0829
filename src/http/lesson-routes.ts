import { type Context, Hono } from 'hono';
import { summariseCompanion } from '../engine/companion-summary.ts';
import type { Conversations } from '../engine/conversations.ts';
import type { LessonTurns } from '../engine/lesson-turns.ts';
import type { Lessons, Learner } from '../engine/lessons.ts';
import type { Store } from '../engine/ports/store.ts';
import type { AppEnv } from './authentication.ts';
import { readBody } from './body.ts';
import { raise } from './problem.ts';
import { choiceRequest, investigateRequest, messageRequest, sessionRequest } from './protocol.ts';
import { lastSeen } from './turn-follow.ts';
import { answerWithTurn, turnRoutes, type TurnRouteParts } from './turn-routes.ts';

export type LessonRouteParts = TurnRouteParts & {
  lessons: Lessons;
  conversations: Conversations;
  turns: LessonTurns;
  store: Store;
};

/** The lesson routes of the protocol, below `/api`. */
export function lessonRoutes(parts: LessonRouteParts): Hono<AppEnv> {
  const { lessons, turns } = parts;
  const app = new Hono<AppEnv>();

  app.get('/cartridges', async (c) => {
    const learner = learnerOf(c);
    const offered = await lessons.offered(learner);
    const companions = parts.conversations.offered(learner).map(({ cartridge }) => summariseCompanion(cartridge));
    const items = offered.map(({ cartridge }) => ({
      id: cartridge.task_id,
      kind: 'lesson',
      title: cartridge.title,
      description: cartridge.description,
      language: cartridge.language,
      available_languages: cartridge.available_languages,
      task_type: cartridge.task_type,
      difficulty: cartridge.difficulty,
      time_minutes: cartridge.time_minutes,
    }));
    return c.json({ items: [...items, ...companions] });
  });

  app.post('/sessions', async (c) => {
    const { cartridge_id: cartridgeId, language } = await readBody(c, sessionRequest);
    const begun = await lessons.begin(learnerOf(c), { cartridgeId, language: language ?? undefined });
    return begun.kind === 'refused' ? raise(begun) : c.json(begun.view, 201);
  });

  app.get('/sessions/:id', async (c) => {
    const seen = await lessons.view(learnerOf(c), c.req.param('id'));
    return seen.kind === 'refused' ? raise(seen) : c.json(seen.view);
  });

  app.post('/sessions/:id/choice', async (c) => {
    const body = await readBody(c, choiceRequest);
    const choice = 'choice' in body ? { index: body.choice } : { targetPhase: body.target_phase };
    const chosen = await lessons.choose(learnerOf(c), c.req.param('id'), choice);
    return chosen.kind === 'refused' ? raise(chosen) : c.json(chosen.view);
  });

  app.post('/sessions/:id/investigate', async (c) => {
    const { query } = await readBody(c, investigateRequest);
    const found = await lessons.investigate(learnerOf(c), c.req.param('id'), query);
    return found.kind === 'refused' ? raise(found) : c.json(found.body);
  });

  app.post('/sessions/:id/respond', async (c) => {
    const { message, client_message_id: clientMessageId } = await readBody(c, messageRequest);
    const sessionId = c.req.param('id');
    const asked = await turns.respond(learnerOf(c), sessionId, { message, clientMessageId: clientMessageId ?? null });
    return asked.kind === 'refused'
      ? raise(asked)
      : answerWithTurn(c, { ...parts, turns }, { ...asked.turn, after: 0 });
  });

  app.get('/sessions/:id/debrief', async (c) => {
    // A HEAD starts nothing, so it only says whether the session is there.
    if (c.req.method === 'HEAD') {
      const seen = await lessons.view(learnerOf(c), c.req.param('id'));
      return seen.kind === 'refused'
        ? raise(seen)
        : c.body(null, 200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    }
    const asked = await turns.debrief(learnerOf(c), c.req.param('id'));
    return asked.kind === 'refused'
      ? raise(asked)
      : answerWithTurn(c, { ...parts, turns }, { ...asked.turn, after: lastSeen(c, asked.turn.id) });
  });

  app.route('/sessions', turnRoutes(parts, turns));
  return app;
}

function learnerOf(c: Context<AppEnv>): Learner {
  const { schoolId, userId, role, classId } = c.get('identity');
  return { schoolId, userId, role, classId };
}
