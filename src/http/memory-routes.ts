import { type Context, Hono } from 'hono';
import { newId } from '../core/ids.ts';
import type { Random } from '../core/random.ts';
import type { Conversations } from '../engine/conversations.ts';
import type { MemoryDesk } from '../engine/memory-desk.ts';
import type { CompanionStore } from '../engine/ports/companion-store.ts';
import type { RollingRequest } from '../engine/rolling-memories.ts';
import { type AppEnv, requireRole } from './authentication.ts';
import { readBody } from './body.ts';
import { learnerRequest, memoryEdit, memoryRequest } from './conversation-protocol.ts';
import { limitUse, type LimitParts } from './limit-use.ts';
import { readPage } from './paging.ts';
import { HttpProblem, raise } from './problem.ts';

export type MemoryRouteParts = LimitParts & {
  conversations: Conversations;
  desk: MemoryDesk;
  companions: CompanionStore;
  random: Random;
};

const longestSearch = 500;

/** Rolling memory by the routes of seed 001, and whom it is about, below `/api`. */
export function memoryRoutes(parts: MemoryRouteParts): Hono<AppEnv> {
  const { conversations, desk, companions, clock, random } = parts;
  const app = new Hono<AppEnv>();

  app.get('/conversation-memory', async (c) => {
    const { search } = c.req.query();
    const request = requestOf(c, conversations, c.req.query());
    if (search === undefined) return c.json({ success: true, conversation_update: await desk.read(request) });
    if (search.trim() === '' || search.length > longestSearch)
      throw invalid('search', `must be a text of 1 to ${longestSearch} characters`);
    const { limit, offset } = readPage(c);
    const found = await desk.search(request, {
      text: search,
      ...(c.req.query('learner_id') ? { learnerId: request.learnerId } : {}),
      includeArchive: c.req.query('include_archive') === 'true',
      limit,
      offset,
    });
    return c.json({ success: true, ...found });
  });

  app.post('/conversation-memory', async (c) => {
    const body = await readBody(c, memoryRequest);
    const anew = body.force_regenerate ?? false;
    if (body.conversation_turns.length === 0 && !anew)
      throw invalid('conversation_turns', 'must hold at least one turn, unless force_regenerate is true');
    const request = requestOf(c, conversations, body);
    await limitUse(parts, 'summaries', request.owner);
    const update = await desk.write(request, { turns: body.conversation_turns, anew });
    return c.json({ success: true, conversation_update: update });
  });

  app.put('/conversation-memory', async (c) => {
    const body = await readBody(c, memoryEdit);
    const edited = await desk.rewrite(requestOf(c, conversations, body), body.summary);
    return edited.kind === 'refused' ? raise(edited) : c.json({ success: true, conversation_update: edited.view });
  });

  app.delete('/conversation-memory', async (c) => {
    const archived = await desk.clear(requestOf(c, conversations, c.req.query()));
    return c.json({ success: true, archived });
  });

  app.get('/learners', async (c) => {
    const identity = requireRole(c, 'facilitator', 'teacher', 'admin');
    const learners = await companions.learners(identity);
    return c.json({ items: learners.map(({ id, name }) => ({ id, name })) });
  });

  app.post('/learners', async (c) => {
    const identity = requireRole(c, 'facilitator', 'teacher', 'admin');
    const { id: given, name } = await readBody(c, learnerRequest);
    await limitUse(parts, 'learners', identity);
    const learner = { id: given ?? newId(random), name: name ?? '', createdAt: clock.now() };
    await companions.keepLearner(identity, learner);
    return c.json({ id: learner.id, name: learner.name }, 201);
  });

  return app;
}

type Asked = { cartridge_id?: string | null | undefined; learner_id?: string | null | undefined };

/** Which memory is meant: of the companion named, or else of the first that keeps one for the caller's role. */
function requestOf(c: Context<AppEnv>, conversations: Conversations, asked: Asked): RollingRequest {
  const identity = c.get('identity');
  const offered = conversations.offered(identity).filter(({ cartridge }) => cartridge.memory.rolling !== undefined);
  const isMentor = offered.find(({ cartridge }) => cartridge.memory.rolling?.update === 'exchange');
  const found = asked.cartridge_id
    ? offered.find(({ cartridge }) => cartridge.id === asked.cartridge_id)
    : (isMentor ?? offered[0]);
  if (!found) throw new HttpProblem('NOT_FOUND');
  const { cartridge } = found;
  const { schoolId, userId } = identity;
  const learner = asked.learner_id;
  // The seed's clients write `null` into the query where no learner is chosen.
  const learnerId = !learner || learner === 'null' ? null : learner;
  return { owner: { schoolId, userId }, companion: cartridge, learnerId, language: cartridge.language };
}

function invalid(path: string, message: string): HttpProblem {
  return new HttpProblem('INVALID_REQUEST', { errors: [{ path, message }] });
}
