import { type Context, Hono } from 'hono';
import type { ConversationTurns } from '../engine/conversation-turns.ts';
import type { Conversations, Talker } from '../engine/conversations.ts';
import type { Store } from '../engine/ports/store.ts';
import type { AppEnv } from './authentication.ts';
import { readBody } from './body.ts';
import { conversationRequest, widgetRequest } from './conversation-protocol.ts';
import { limitUse, type LimitParts } from './limit-use.ts';
import { readPage, viewPage } from './paging.ts';
import { HttpProblem, raise } from './problem.ts';
import { messageRequest } from './protocol.ts';
import { answerWithTurn, turnRoutes, type TurnRouteParts } from './turn-routes.ts';

export type ConversationRouteParts = TurnRouteParts &
  LimitParts & {
    conversations: Conversations;
    conversationTurns: ConversationTurns;
    store: Store;
  };

/** The routes of conversations with companions, below `/api`. */
export function conversationRoutes(parts: ConversationRouteParts): Hono<AppEnv> {
  const { conversations, conversationTurns: turns } = parts;
  const app = new Hono<AppEnv>();

  app.post('/conversations', async (c) => {
    const body = await readBody(c, conversationRequest);
    const entry = readEntry(body.entry_context);
    await limitUse(parts, 'conversations', talkerOf(c));
    const begun = await conversations.begin(talkerOf(c), {
      cartridgeId: body.cartridge_id,
      learnerId: body.learner_id ?? null,
      projectId: body.project_id ?? entry.projectId,
      title: body.title ?? null,
      entryContext: entry.text,
      language: body.language ?? null,
    });
    return begun.kind === 'refused' ? raise(begun) : c.json(begun.view, 201);
  });

  app.get('/conversations', async (c) => {
    const page = readPage(c);
    const cartridgeId = c.req.query('cartridge_id');
    const active = c.req.query('active');
    if (active !== undefined && active !== 'true' && active !== 'false')
      throw new HttpProblem('INVALID_REQUEST', { errors: [{ path: 'active', message: 'must be true or false' }] });
    const { items, total } = await conversations.list(talkerOf(c), {
      ...(cartridgeId ? { cartridgeId } : {}),
      ...(active === undefined ? {} : { isActive: active === 'true' }),
      offset: page.offset,
      limit: page.limit,
    });
    return c.json({ items, pagination: viewPage(page, total) });
  });

  app.get('/conversations/memory', async (c) => {
    const { cartridge } = companionOf(c, conversations);
    return c.json(await conversations.memory(talkerOf(c), cartridge, c.req.query('learner_id') || null));
  });

  app.get('/conversations/greeting', async (c) => {
    const { cartridge } = companionOf(c, conversations);
    const name = c.req.query('name') ?? c.get('identity').displayName;
    const language = c.req.query('language');
    const learnerId = c.req.query('learner_id') || null;
    const options = { name, learnerId, ...(language ? { language } : {}) };
    return c.json(await conversations.greet(talkerOf(c), cartridge, options));
  });

  app.get('/conversations/:id', async (c) => {
    const seen = await conversations.view(talkerOf(c), c.req.param('id'));
    return seen.kind === 'refused' ? raise(seen) : c.json(seen.view);
  });

  app.post('/conversations/:id/end', async (c) => {
    const conversationId = c.req.param('id');
    const ended = await conversations.end(talkerOf(c), conversationId);
    return ended.kind === 'refused' ? raise(ended) : c.json({ conversation_id: conversationId, status: 'ended' }, 202);
  });

  app.post('/conversations/:id/widgets/:widget', async (c) => {
    const { id, widget: widgetId } = c.req.param();
    const { status, value } = await readBody(c, widgetRequest);
    const answered = await conversations.answerWidget(talkerOf(c), id, { widgetId, status, value });
    return answered.kind === 'refused' ? raise(answered) : c.json(answered.view);
  });

  app.post('/conversations/:id/messages', async (c) => {
    const { message, client_message_id: clientMessageId } = await readBody(c, messageRequest);
    const asked = await turns.respond(talkerOf(c), c.req.param('id'), {
      message,
      clientMessageId: clientMessageId ?? null,
    });
    return asked.kind === 'refused'
      ? raise(asked)
      : answerWithTurn(c, { ...parts, turns }, { ...asked.turn, after: 0 });
  });

  app.route('/conversations', turnRoutes(parts, turns));
  return app;
}

/** The companion that `?cartridge_id` (or the seed's `maestroId`) names; 404 where it is not for the caller. */
function companionOf(c: Context<AppEnv>, conversations: Conversations) {
  const cartridgeId = c.req.query('cartridge_id') || c.req.query('maestroId');
  if (!cartridgeId)
    throw new HttpProblem('INVALID_REQUEST', { errors: [{ path: 'cartridge_id', message: 'must name a companion' }] });
  const served = conversations.find(c.get('identity'), cartridgeId);
  if (!served) throw new HttpProblem('NOT_FOUND');
  return served;
}

type Entry = { text: string | null; projectId: string | null };

function readEntry(
  given:
    | string
    | null
    | undefined
    | { source?: string | null | undefined; query?: string | null | undefined; project_id?: string | null | undefined },
): Entry {
  if (given === null || given === undefined) return { text: null, projectId: null };
  if (typeof given === 'string') return { text: given, projectId: null };
  const text = [given.source, given.query && `First question: ${given.query}`].filter(Boolean).join('. ');
  return { text: text === '' ? null : text, projectId: given.project_id ?? null };
}

function talkerOf(c: Context<AppEnv>): Talker {
  const { schoolId, userId, role, classId } = c.get('identity');
  return { schoolId, userId, role, classId };
}
