import { upgradeWebSocket } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { WebSocket } from 'ws';
import { isoTime } from '../core/clock.ts';
import { type AppEnv, cookieName, identify } from './authentication.ts';
import { LiveHandler, type LiveParts } from './live-handler.ts';
import { limitUse, type LimitParts } from './limit-use.ts';
import type { LiveSockets } from './live-sockets.ts';
import { HttpProblem } from './problem.ts';
import type { Caller, Tickets } from './tickets.ts';
import type { Tokens } from './tokens.ts';

export type LiveRouteParts = LiveParts & {
  sockets: LiveSockets;
  tickets: Tickets;
  tokens: Tokens;
  allowedOrigins: ReadonlySet<string>;
};

export type TicketRouteParts = Pick<LiveRouteParts, 'tickets' | 'tokens' | 'allowedOrigins'> & LimitParts;

/**
 * `GET /live`: the upgrade to a WebSocket, refused with 401 where nobody can be told from it. To be mounted before
 * whatever writes to Node's response: an upgrade has none.
 */
export function liveRoute(parts: LiveRouteParts): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/live', async (c) => {
    if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
      c.header('Upgrade', 'websocket');
      throw new HttpProblem('INVALID_REQUEST', { status: 426, detail: 'This is a WebSocket: ask for the upgrade.' });
    }
    const { socket: stream } = c.env.incoming;
    const caller = await admit(c, parts);
    if (!caller) {
      // A refusal ends our half of the connection alone; the other half would stay for as long as its client likes.
      stream.once('finish', () => stream.destroy());
      throw new HttpProblem('UNAUTHENTICATED');
    }
    let handler: LiveHandler | null = null;
    return upgradeWebSocket(
      c,
      {
        onOpen(_, { raw }) {
          if (!(raw instanceof WebSocket)) return;
          handler = new LiveHandler(parts, { socket: parts.sockets.open(raw, stream, caller), caller });
        },
        onMessage: ({ data }) => handler?.receive(data),
      },
      {
        onError: (error) =>
          parts.logger.error('live_socket_failed', { error: error instanceof Error ? error.name : 'unknown' }),
      },
    );
  });
}

/** `POST /tickets`: a single-use ticket for `GET /live?ticket=…`. */
export function ticketRoute(parts: TicketRouteParts): Hono<AppEnv> {
  return new Hono<AppEnv>().post('/tickets', async (c) => {
    const caller = await callerOf(c, parts);
    if (!caller) throw new HttpProblem('UNAUTHENTICATED');
    await limitUse(parts, 'tickets', caller.identity);
    const { ticket, expiresAt } = parts.tickets.issue(caller);
    return c.json({ ticket, expires_at: isoTime(expiresAt) }, 201);
  });
}

/** Who a socket is for: by a ticket, by a bearer's token, or by the cookie of a page whose origin counts. */
async function admit(c: Context<AppEnv>, parts: LiveRouteParts): Promise<Caller | null> {
  const ticket = c.req.query('ticket');
  if (ticket !== undefined) return parts.tickets.redeem(ticket);
  // A browser always says which page asks for a WebSocket; a cookie from who does not say it counts for nothing.
  if (c.req.header('authorization') === undefined && c.req.header('origin') === undefined) return null;
  return callerOf(c, parts);
}

type Credentials = Pick<LiveRouteParts, 'tokens' | 'allowedOrigins'>;

/** Who calls, and until when the token says so; null where nobody can be told. */
async function callerOf(c: Context<AppEnv>, { tokens, allowedOrigins }: Credentials): Promise<Caller | null> {
  if (!(await identify(c, tokens, allowedOrigins))) return null;
  const token = c.req.header('authorization')?.split(/\s+/u, 2)[1] ?? getCookie(c, cookieName);
  return token === undefined ? null : tokens.check(token);
}
