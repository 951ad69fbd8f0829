import type { TurnLog } from '../engine/ports/turn-log.ts';
import type { TurnRecord } from '../engine/ports/store.ts';
import { settledEvents } from '../engine/settled-events.ts';
import type { Context } from 'hono';
import type { AppEnv } from './authentication.ts';
import { type EventStreams, streamResponse, TurnFrames } from './event-stream.ts';

export type FollowParts = { log: TurnLog; streams: EventStreams };

export type Followed = {
  turnId: string;
  /** The last event that the client has. */
  after: number;
  /** What was kept of the turn, asked for where its log is gone. */
  kept: () => Promise<TurnRecord | null>;
};

/** Answers with a turn's events from `after` on: from its log, or where that is gone, from what was kept of it. */
export async function followTurn(
  c: Context<AppEnv>,
  { log, streams }: FollowParts,
  followed: Followed,
): Promise<Response> {
  const { turnId, after } = followed;
  if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
  if (after > 0 && (await hasEnd(log, followed))) return nothingMore(c, turnId);
  const connection = streams.open(c, { 'X-Turn-Id': turnId });
  const frames = new TurnFrames(connection, turnId);
  const subscription = await log.follow(turnId, after, frames);
  if (subscription) {
    connection.hold(subscription);
    return streamResponse;
  }
  const turn = await followed.kept();
  frames.replay(turn ? settledEvents(turn, after) : []);
  return streamResponse;
}

/** Whether the client has the terminal event already. */
async function hasEnd(log: TurnLog, { turnId, after, kept }: Followed): Promise<boolean> {
  const endedAt = await log.endedAt(turnId);
  if (endedAt !== null) return after >= endedAt;
  const turn = await kept();
  return turn !== null && settledEvents(turn, after).length === 0;
}

/** The client has the terminal event: 204 is what makes an `EventSource` stop asking. */
function nothingMore(c: Context<AppEnv>, turnId: string): Response {
  return c.body(null, 204, { 'X-Turn-Id': turnId });
}

/** The sequence number in `Last-Event-ID` (`<turn_id>:<seq>`) or `?after=`; 0 where there is none that fits this turn. */
export function lastSeen(c: Context<AppEnv>, turnId: string): number {
  const given = c.req.header('last-event-id') ?? c.req.query('after') ?? '';
  const [, turn, seq] = /^(?:(.+):)?(\d{1,9})$/u.exec(given.trim()) ?? [];
  return seq === undefined || (turn !== undefined && turn !== turnId) ? 0 : Number(seq);
}
