import { type Context, Hono } from 'hono';
import { isoTime } from '../core/clock.ts';
import type { CartridgeLibrary, ServedCompanion } from '../engine/ports/library.ts';
import type { MemoryItemRecord, PreparedStore } from '../engine/ports/prepared-store.ts';
import type { Owner } from '../engine/ports/store.ts';
import type { ProjectMemory } from '../engine/project-memory.ts';
import { type AppEnv, requireRole } from './authentication.ts';
import { readBody } from './body.ts';
import { limitUse } from './limit-use.ts';
import { readPage, viewPage } from './paging.ts';
import { analysisRequest, memoryItemRequest, memoryItemsDelete, memoryItemsQuery } from './prepared-protocol.ts';
import { HttpProblem } from './problem.ts';
import { type ProfileRouteParts, profileRoutes } from './profile-routes.ts';
import { readQuery } from './read-query.ts';

export type PreparedRouteParts = ProfileRouteParts & {
  prepared: PreparedStore;
  projects: ProjectMemory;
  cartridges: CartridgeLibrary;
};

/** A project's typed memory (seed 004), profiles and objectives (seed 000), below `/api`. */
export function preparedRoutes(parts: PreparedRouteParts): Hono<AppEnv> {
  const { prepared, projects, cartridges, clock } = parts;
  const app = new Hono<AppEnv>();
  app.route('/', profileRoutes(parts));

  app.get('/memories', async (c) => {
    const owner = ownerOf(c);
    const { project_id: projectId, type } = readQuery(c, memoryItemsQuery);
    const page = readPage(c);
    const { offset, limit } = page;
    const request = { projectId, ...(type ? { type } : {}), now: clock.now(), offset, limit };
    const { items, total } = await prepared.items(owner, request);
    return c.json({ items: items.map(viewItem), pagination: viewPage(page, total) });
  });

  app.post('/memories', async (c) => {
    const owner = ownerOf(c);
    const { project_id: projectId, type, key, value } = await readBody(c, memoryItemRequest);
    await limitUse(parts, 'memories', owner);
    const policy = typedCompanion(null)?.memory.typed;
    return c.json(viewItem(await projects.remember(owner, { projectId, type, key, value }, policy)), 201);
  });

  app.delete('/memories', async (c) => {
    const owner = ownerOf(c);
    const { project_id: projectId, type, key } = readQuery(c, memoryItemsDelete);
    const which = { projectId, ...(type ? { type } : {}), ...(key === undefined ? {} : { key }) };
    return c.json({ deleted: await prepared.deleteItems(owner, which) });
  });

  app.post('/context/analysis', async (c) => {
    const owner = ownerOf(c);
    const { project_id: projectId, message, cartridge_id: cartridgeId, language } = await readBody(c, analysisRequest);
    const companion = typedCompanion(cartridgeId ?? null);
    if (cartridgeId && !companion) throw new HttpProblem('NOT_FOUND');
    const { terms, memories, analysis } = await projects.choose(owner, {
      projectId,
      message,
      policy: companion?.memory.typed,
      language: language ?? companion?.language ?? 'en',
    });
    return c.json({
      project_id: projectId,
      terms,
      memories: memories.map(({ record, relevanceScore }) => {
        const { id, type, key, value, timestamp } = viewItem(record);
        return { id, type, key, value, timestamp, relevance_score: relevanceScore };
      }),
      ...analysis,
    });
  });

  /** The active companion named, where it keeps typed memory; of none named, the first that does. */
  function typedCompanion(cartridgeId: string | null): ServedCompanion['cartridge'] | undefined {
    return cartridges
      .companions()
      .map(({ cartridge }) => cartridge)
      .filter(({ status, memory }) => status === 'active' && memory.typed !== undefined)
      .find(({ id }) => cartridgeId === null || id === cartridgeId);
  }

  return app;
}

function ownerOf(c: Context<AppEnv>): Owner {
  const { schoolId, userId } = requireRole(c, 'student', 'teacher', 'facilitator', 'admin');
  return { schoolId, userId };
}

function viewItem({ id, projectId, type, key, value, createdAt, expiresAt }: MemoryItemRecord) {
  return {
    id,
    project_id: projectId,
    type,
    key,
    value: JSON.parse(value) as unknown,
    timestamp: isoTime(createdAt),
    expires_at: isoTime(expiresAt),
  };
}
