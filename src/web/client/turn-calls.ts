import { readEventStream } from './event-stream.ts';
import type { ServerCalls } from './server-calls.ts';
import { newMessageId } from './surroundings.ts';
import type { AskedTurn, TurnTransport } from './transport.ts';
import type { TurnEvent } from './turn-event.ts';
import { streamTurn, type StreamOptions } from './turn-stream.ts';

export type OutgoingMessage = { message: string; clientMessageId?: string };

/** Turns of lessons or of conversations: streamed, followed and stopped below one path. */
export type TurnCalls = {
  /** Begins a turn with a request of its own. */
  readonly begin: (
    sessionId: string,
    request: (signal: AbortSignal) => Promise<Response>,
    options?: StreamOptions,
  ) => AsyncIterable<TurnEvent>;
  /** Posts what is said to `path`. With the same `clientMessageId` a repeat never says it twice. */
  readonly say: (
    sessionId: string,
    path: string,
    message: OutgoingMessage & { options?: StreamOptions | undefined },
  ) => AsyncIterable<TurnEvent>;
  /** Streams a turn from `after` (a sequence number, 0 for all) on. */
  readonly follow: (
    sessionId: string,
    turnId: string,
    options?: StreamOptions & { after?: number },
  ) => AsyncIterable<TurnEvent>;
  /** Ends a turn; its followers get `done` with `stopped`. Harmless when it has ended already. */
  readonly stop: (sessionId: string, turnId: string) => Promise<void>;
};

export type TurnCallsOptions = {
  server: ServerCalls;
  /** Where a session or conversation is found. */
  pathOf: (id: string) => string;
  transport?: TurnTransport | undefined;
};

type Following = StreamOptions & { turnId?: string; after?: number };

export function createTurnCalls({ server, pathOf, transport }: TurnCallsOptions): TurnCalls {
  const turnPath = (sessionId: string, turnId: string) => `${pathOf(sessionId)}/turns/${encodeURIComponent(turnId)}`;
  const events = (sessionId: string, turnId: string, init: { after: number; signal: AbortSignal }) =>
    server.send(`${turnPath(sessionId, turnId)}/events`, {
      headers: {
        Accept: 'text/event-stream',
        ...(init.after > 0 ? { 'Last-Event-ID': `${turnId}:${init.after}` } : {}),
      },
      signal: init.signal,
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
            : readEventStream({ ...rest, begin, resume }, place, server.surroundings),
      },
      server.surroundings,
    );
  };

  return {
    begin: turn,
    say(sessionId, path, { message, clientMessageId = newMessageId(), options }) {
      const body = { message, client_message_id: clientMessageId };
      const live = { message: { text: message, clientMessageId } };
      return turn(sessionId, (signal) => server.send(path, { body, signal }), { ...options, live });
    },
    follow: (sessionId, turnId, init) =>
      turn(sessionId, (signal) => events(sessionId, turnId, { after: init?.after ?? 0, signal }), {
        ...init,
        turnId,
        live: { message: null },
      }),
    async stop(sessionId, turnId) {
      if (await transport?.stop(sessionId, turnId)) return;
      await server.call(`${turnPath(sessionId, turnId)}/stop`, { method: 'POST' });
    },
  };
}
