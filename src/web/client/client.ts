import type { CartridgeSummary, InvestigationView, Joined, Me, SessionView } from '../protocol-types.ts';
import { fetchCartridges, fetchMe } from './common-calls.ts';
import { type CallOptions, createServerCalls, type ServerOptions } from './server-calls.ts';
import type { Transport } from './transport.ts';
import { createTurnCalls, type OutgoingMessage } from './turn-calls.ts';
import type { TurnEvent } from './turn-event.ts';
import type { StreamOptions } from './turn-stream.ts';

export { type CompanionClient, createCompanionClient } from './companion-client.ts';
export { webSocket } from './live-transport.ts';
export { ConnectionLostError, ProblemError } from './problem.ts';
export type { OutgoingMessage } from './turn-calls.ts';
export type { TurnEvent } from './turn-event.ts';
export type { ConnectionState, StreamOptions } from './turn-stream.ts';

export type ClientOptions = ServerOptions & {
  /** `webSocket()`: turns come over one WebSocket together. Without it each comes by an event stream of its own. */
  transport?: Transport;
};

/**
 * The lesson routes of protocol.md. Plain calls resolve with the server's JSON; streams give typed events and mend
 * themselves. All of them throw `ProblemError` where the server refuses and `ConnectionLostError` where it cannot be
 * reached.
 */
export interface Client {
  /** Who the caller is; null for nobody. */
  me(options?: CallOptions): Promise<Me | null>;
  join(code: string, displayName?: string): Promise<Joined>;
  cartridges(options?: CallOptions): Promise<CartridgeSummary[]>;
  createSession(cartridgeId: string, language?: string): Promise<SessionView>;
  session(sessionId: string, options?: CallOptions): Promise<SessionView>;
  /** Takes a way on: a button by its index, or the phase where one way alone leads there. */
  choose(sessionId: string, way: { choice: number } | { targetPhase: string }): Promise<SessionView>;
  investigate(sessionId: string, query: string, options?: CallOptions): Promise<InvestigationView>;
  /** Says something and streams the reply. With the same `clientMessageId` a repeat never says it twice. */
  respond(sessionId: string, message: OutgoingMessage, options?: StreamOptions): AsyncIterable<TurnEvent>;
  debrief(sessionId: string, options?: StreamOptions): AsyncIterable<TurnEvent>;
  /** Streams a turn from `after` (a sequence number, 0 for all) on. */
  follow(sessionId: string, turnId: string, options?: StreamOptions & { after?: number }): AsyncIterable<TurnEvent>;
  /** Ends a turn; its followers get `done` with `stopped`. Harmless when it has ended already. */
  stop(sessionId: string, turnId: string): Promise<void>;
  /** Lets go of the WebSocket, if there is one, once no turn is read: otherwise it is kept for half a minute. */
  close(): void;
}

/** A client for one server. */
export function createClient(options: ClientOptions = {}): Client {
  const server = createServerCalls(options);
  const { json, send } = server;
  const session = (id: string) => `/api/sessions/${encodeURIComponent(id)}`;
  const transport = options.transport?.({
    ...server,
    ticket: async () => (await json<{ ticket: string }>('/api/tickets', { method: 'POST' })).ticket,
  });
  const turns = createTurnCalls({ server, pathOf: session, transport });

  return {
    me: (init) => fetchMe(server, init),
    join: (code, displayName) =>
      json('/api/join', { body: { code, ...(displayName ? { display_name: displayName } : {}) } }),
    cartridges: (init) => fetchCartridges(server, init),
    createSession: (cartridgeId, language) =>
      json('/api/sessions', { body: { cartridge_id: cartridgeId, ...(language ? { language } : {}) } }),
    session: (sessionId, init) => json(session(sessionId), init),
    choose: (sessionId, way) =>
      json(`${session(sessionId)}/choice`, {
        body: 'choice' in way ? { choice: way.choice } : { target_phase: way.targetPhase },
      }),
    investigate: (sessionId, query, init) => json(`${session(sessionId)}/investigate`, { ...init, body: { query } }),
    respond: (sessionId, message, init) =>
      turns.say(sessionId, `${session(sessionId)}/respond`, { ...message, options: init }),
    debrief: (sessionId, init) =>
      turns.begin(sessionId, (signal) => send(`${session(sessionId)}/debrief`, { signal }), init),
    follow: turns.follow,
    stop: turns.stop,
    close: () => transport?.close(),
  };
}
