import type { CartridgeSummary, InvestigationView, Joined, Me, SessionView } from '../protocol-types.ts';
import { readEventStream } from './event-stream.ts';
import { ConnectionLostError, readProblem } from './problem.ts';
import { newMessageId, systemClock, systemConnectivity, type Surroundings } from './surroundings.ts';
import type { AskedTurn, Transport } from './transport.ts';
import type { TurnEvent } from './turn-event.ts';
import { streamTurn, type StreamOptions } from './turn-stream.ts';

export { webSocket } from './live-transport.ts';
export { ConnectionLostError, ProblemError } from './problem.ts';
export type { TurnEvent } from './turn-event.ts';
export type { ConnectionState, StreamOptions } from './turn-stream.ts';

export type ClientOptions = Partial<Surroundings> & {
  /** `https://school.example`; empty (the default) in a page that the server itself serves. */
  baseUrl?: string;
  /** A bearer token; without one the browser's cookie is used. */
  token?: string;
  /** `webSocket()`: turns come over one WebSocket together. Without it each comes by an event stream of its own. */
  transport?: Transport;
};

type CallOptions = { signal?: AbortSignal | undefined };

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

export type OutgoingMessage = { message: string; clientMessageId?: string };

/** A client for one server. */
export function createClient(options: ClientOptions = {}): Client {
  const surroundings: Surroundings = {
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    connectivity: options.connectivity ?? systemConnectivity,
  };
  const baseUrl = (options.baseUrl ?? '').replace(/\/$/u, '');
  const authorization = options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` };

  const send = (path: string, { method, body, headers, signal }: Sending = {}) =>
    surroundings.fetch(`${baseUrl}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...authorization, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
      cache: 'no-store',
    });

  const call = async (path: string, sending: Sending = {}): Promise<Response> => {
    const response = await send(path, sending).catch((cause: unknown) => {
      sending.signal?.throwIfAborted();
      throw new ConnectionLostError(cause);
    });
    if (!response.ok) throw await readProblem(response, surroundings.clock.now());
    return response;
  };
  // The one place where the server's word is taken for its shape: the client checks nothing that the server has.
  const json = async <T>(path: string, sending?: Sending): Promise<T> => (await call(path, sending)).json() as T;

  const session = (id: string) => `/api/sessions/${encodeURIComponent(id)}`;
  const events = (sessionId: string, turnId: string, init: { after: number; signal: AbortSignal }) =>
    send(`${session(sessionId)}/turns/${encodeURIComponent(turnId)}/events`, {
      headers: {
        Accept: 'text/event-stream',
        ...(init.after > 0 ? { 'Last-Event-ID': `${turnId}:${init.after}` } : {}),
      },
      signal: init.signal,
    });
  const transport = options.transport?.({
    baseUrl,
    hasToken: options.token !== undefined,
    ticket: async () => (await json<{ ticket: string }>('/api/tickets', { method: 'POST' })).ticket,
    surroundings,
  });
  const turn = (
    sessionId: string,
    begin: (signal: AbortSignal) => Promise<Response>,
    { live, ...rest }: Following & { live?: Pick<AskedTurn, 'message'> } = {},
  ) => {
    const resume = (turnId: string, after: number, signal: AbortSignal) => events(sessionId, turnId, { after, signal });
    return streamTurn(
      {
        ...rest,
        connect: (place) =>
          transport && live && !transport.isBlocked
            ? transport.read({ ...rest, ...live, sessionId }, place)
            : readEventStream({ ...rest, begin, resume }, place, surroundings),
      },
      surroundings,
    );
  };

  return {
    async me(init) {
      const response = await send('/api/me', init).catch((cause: unknown) => {
        throw new ConnectionLostError(cause);
      });
      if (response.status === 401) return null;
      if (!response.ok) throw await readProblem(response, surroundings.clock.now());
      return response.json() as Promise<Me>;
    },
    join: (code, displayName) =>
      json('/api/join', { body: { code, ...(displayName ? { display_name: displayName } : {}) } }),
    cartridges: async (init) => (await json<{ items: CartridgeSummary[] }>('/api/cartridges', init)).items,
    createSession: (cartridgeId, language) =>
      json('/api/sessions', { body: { cartridge_id: cartridgeId, ...(language ? { language } : {}) } }),
    session: (sessionId, init) => json(session(sessionId), init),
    choose: (sessionId, way) =>
      json(`${session(sessionId)}/choice`, {
        body: 'choice' in way ? { choice: way.choice } : { target_phase: way.targetPhase },
      }),
    investigate: (sessionId, query, init) => json(`${session(sessionId)}/investigate`, { ...init, body: { query } }),
    respond(sessionId, { message, clientMessageId = newMessageId() }, init) {
      const body = { message, client_message_id: clientMessageId };
      const live = { message: { text: message, clientMessageId } };
      return turn(sessionId, (signal) => send(`${session(sessionId)}/respond`, { body, signal }), { ...init, live });
    },
    debrief: (sessionId, init) => turn(sessionId, (signal) => send(`${session(sessionId)}/debrief`, { signal }), init),
    follow: (sessionId, turnId, init) =>
      turn(sessionId, (signal) => events(sessionId, turnId, { after: init?.after ?? 0, signal }), {
        ...init,
        turnId,
        live: { message: null },
      }),
    async stop(sessionId, turnId) {
      if (await transport?.stop(sessionId, turnId)) return;
      await call(`${session(sessionId)}/turns/${encodeURIComponent(turnId)}/stop`, { method: 'POST' });
    },
    close: () => transport?.close(),
  };
}

type Sending = {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
};
type Following = StreamOptions & { turnId?: string; after?: number };
