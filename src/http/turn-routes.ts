import { type Context, Hono } from 'hono';
import type { Refusal } from '../engine/outcome.ts';
import type { Owner, Store, TurnRecord } from '../engine/ports/store.ts';
import { type AppEnv, requireRole } from './authentication.ts';
import { HttpProblem, raise } from './problem.ts';
import { followTurn, type FollowParts, lastSeen } from './turn-follow.ts';

/** What is done with turns alike, whatever they are turns of. */
export type TurnsOf = {
  turn(owner: Owner, sessionId: string, turnId: string): Promise<TurnRecord | null>;
  stop(owner: Owner, sessionId: string, turnId: string): Promise<Refusal | { kind: 'stopping' }>;
};

export type TurnRouteParts = FollowParts & { store: Pick<Store, 'trace'> };

/** Following, stopping and tracing a session's turns, below the path of all sessions. */
export function turnRoutes(parts: TurnRouteParts, turns: TurnsOf): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.get('/:id/turns/:turn/events', async (c) => {
    const { id: sessionId, turn: turnId } = c.req.param();
    if (!(await turns.turn(ownerOf(c), sessionId, turnId))) throw new HttpProblem('NOT_FOUND');
    return answerWithTurn(c, { ...parts, turns }, { id: turnId, sessionId, after: lastSeen(c, turnId) });
  });

  app.post('/:id/turns/:turn/stop', async (c) => {
    const { id: sessionId, turn: turnId } = c.req.param();
    const stopped = await turns.stop(ownerOf(c), sessionId, turnId);
    return stopped.kind === 'refused' ? raise(stopped) : c.json({ turn_id: turnId, status: 'stopping' }, 202);
  });

  app.get('/:id/turns/:turn/trace', async (c) => {
    const { id: sessionId, turn: turnId } = c.req.param();
    const { schoolId } = requireRole(c, 'teacher', 'facilitator', 'admin');
    const trace = await parts.store.trace(schoolId, sessionId, turnId);
    if (trace === null) throw new HttpProblem('NOT_FOUND');
    return c.body(trace, 200, { 'Content-Type': 'application/json' });
  });

  return app;
}

/** Answers with a turn's events, from `after` on. */
export function answerWithTurn(
  c: Context<AppEnv>,
  { turns, ...parts }: FollowParts & { turns: TurnsOf },
  { id: turnId, sessionId, after }: { id: string; sessionId: string; after: number },
): Promise<Response> {
  const kept = () => turns.turn(ownerOf(c), sessionId, turnId);
  return followTurn(c, parts, { turnId, after, kept });
}

function ownerOf(c: Context<AppEnv>): Owner {
  const { schoolId, userId } = c.get('identity');
  return { schoolId, userId };
}
