import { Hono } from 'hono';
import type { Clock } from '../core/clock.ts';
import { viewBoardAlert, viewBoardSession } from '../engine/class-board.ts';
import type { ClassEvent, ClassFeed, ClassFollower } from '../engine/ports/class-feed.ts';
import type { Store } from '../engine/ports/store.ts';
import { type AppEnv, requireRole } from './authentication.ts';
import { type EventStreams, streamResponse } from './event-stream.ts';
import { HttpProblem } from './problem.ts';

export type ClassStreamParts = { store: Store; feed: ClassFeed; streams: EventStreams; clock: Clock };

/** How far back the first event of a board shows sessions and alerts. */
const boardHours = 24;

/**
 * `GET /classes/{id}/events`: one stream for a whole class, turn by turn and without a word of what is said. It begins
 * with a `snapshot` of how everything stands; resumed with `Last-Event-ID`, it goes on from there where it still can.
 */
export function classStreamRoute({ store, feed, streams, clock }: ClassStreamParts): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/classes/:id/events', async (c) => {
    const owner = requireRole(c, 'teacher', 'admin');
    const classId = c.req.param('id');
    const since = clock.now() - boardHours * 3_600_000;
    // Followed before the state is read, so that nothing falls between; what is in both says the same twice.
    const early: ClassEvent[] = [];
    let send: ClassFollower = (events) => void early.push(...events);
    const { isWhole, subscription } = feed.follow(classId, c.req.header('last-event-id') ?? null, (events) =>
      send(events),
    );
    try {
      const [sessions, alerts] = await Promise.all([
        store.classSessions(owner, classId, since),
        store.classAlerts(owner, classId, since),
      ]);
      if (!sessions || !alerts) throw new HttpProblem('NOT_FOUND');
      if (c.req.method === 'HEAD') {
        subscription[Symbol.dispose]();
        return c.body(null, 200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
      }
      const connection = streams.open(c, {});
      connection.hold(subscription);
      if (!isWhole) {
        const snapshot = { sessions: sessions.map(viewBoardSession), alerts: alerts.map(viewBoardAlert) };
        connection.send(`event: snapshot\ndata: ${JSON.stringify(snapshot)}\n\n`);
      }
      send = (events) => connection.send(events.map(frameOf).join(''));
      send(early);
      return streamResponse;
    } catch (error) {
      subscription[Symbol.dispose]();
      throw error;
    }
  });
}

function frameOf({ id, name, data }: ClassEvent): string {
  return `id: ${id}\nevent: ${name}\ndata: ${data}\n\n`;
}
