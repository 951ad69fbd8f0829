import { ConnectionLostError, isTransient, ProblemError, readProblem } from './problem.ts';
import { SseParser, type SseFrame } from './sse.ts';
import type { Surroundings } from './surroundings.ts';
import { parseTurnEvent, placeOf, type TurnEvent } from './turn-event.ts';
import { backoffMs, pause, whenOnline } from './waiting.ts';

/** What a turn's connection is doing, for a page to show. */
export type ConnectionState =
  | { kind: 'connecting' }
  /** The server answers; `turn_id` is what `stop` takes. */
  | { kind: 'open'; turn_id: string | null }
  /** The line broke or the server asked to wait; the next attempt is in `retry_in_ms`. */
  | { kind: 'waiting'; retry_in_ms: number }
  /** There is no network; goes on by itself when there is. */
  | { kind: 'offline' };

export type StreamOptions = {
  /** Leaves the stream (the turn goes on at the server); the iteration then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  onConnection?: ((state: ConnectionState) => void) | undefined;
};

export type TurnSource = StreamOptions & {
  /** Begins the turn. Asked again only while the turn's id is not known, so it must be safe to repeat. */
  begin(signal: AbortSignal): Promise<Response>;
  /** Follows a turn after the sequence number `after`. */
  resume(turnId: string, after: number, signal: AbortSignal): Promise<Response>;
  turnId?: string | undefined;
  after?: number | undefined;
};

const silenceMs = 40_000;
const longestRetryAfterMs = 30_000;
const failuresInARow = 8;

/**
 * A turn's events in order, each once, through as many connections as it takes, up to the one that ends it.
 *
 * Throws `ProblemError` where the server refuses, and `ConnectionLostError` after eight failures in a row.
 */
export async function* streamTurn(source: TurnSource, surroundings: Surroundings): AsyncGenerator<TurnEvent, void> {
  const { signal, onConnection } = source;
  const place: Place = { turnId: source.turnId ?? null, seq: source.after ?? 0, retryMs: 500 };
  for (let failures = 1; ; failures += 1) {
    if (!surroundings.connectivity.isOnline()) {
      onConnection?.({ kind: 'offline' });
      await whenOnline(surroundings, signal);
    }
    onConnection?.({ kind: 'connecting' });
    const seqBefore = place.seq;
    let waitMs: number | null = null;
    let cause: unknown = null;
    try {
      for await (const event of oneConnection(source, place, surroundings)) {
        yield event;
        if (event.type !== 'token') return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      waitMs = refusal(error);
      cause = error;
    }
    if (place.seq > seqBefore) failures = 1;
    if (failures >= failuresInARow) throw cause instanceof ProblemError ? cause : new ConnectionLostError(cause);
    waitMs ??= backoffMs(failures, surroundings.random, place.retryMs);
    onConnection?.({ kind: 'waiting', retry_in_ms: waitMs });
    await pause(waitMs, surroundings, signal);
  }
}

/** How far a turn was read. */
type Place = { turnId: string | null; seq: number; retryMs: number };

/** What one connection brings that was not seen before; ends or throws when the connection does. */
async function* oneConnection(
  source: TurnSource,
  place: Place,
  surroundings: Surroundings,
): AsyncGenerator<TurnEvent, void> {
  const connection = new AbortController();
  const leave = () => connection.abort(source.signal?.reason);
  source.signal?.throwIfAborted();
  source.signal?.addEventListener('abort', leave);
  const watchdog = new Watchdog(surroundings, connection);
  try {
    const response = await watchdog.during(
      place.turnId === null
        ? source.begin(connection.signal)
        : source.resume(place.turnId, place.seq, connection.signal),
    );
    if (!response.ok) throw await readProblem(response, surroundings.clock.now());
    // A captive portal answers everything with a page and 200.
    if (!response.body || !response.headers.get('Content-Type')?.startsWith('text/event-stream')) return;
    place.turnId ??= response.headers.get('X-Turn-Id');
    source.onConnection?.({ kind: 'open', turn_id: place.turnId });
    for await (const frame of readFrames(response.body, watchdog, place)) {
      const position = placeOf(frame.id);
      if (!position || position.seq <= place.seq) continue;
      place.turnId ??= position.turn_id;
      const event = parseTurnEvent(frame);
      place.seq = position.seq;
      if (event) yield event;
    }
  } finally {
    source.signal?.removeEventListener('abort', leave);
    connection.abort();
  }
}

async function* readFrames(
  body: ReadableStream<Uint8Array>,
  watchdog: Watchdog,
  place: Place,
): AsyncGenerator<SseFrame, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new SseParser();
  for (;;) {
    const { done, value } = await watchdog.during(reader.read());
    if (done) return;
    yield* parser.push(decoder.decode(value, { stream: true }));
    place.retryMs = parser.retryMs ?? place.retryMs;
  }
}

/** Aborts a connection that brings nothing for 40 seconds: a living server sends a heartbeat every 15. */
class Watchdog {
  readonly #surroundings: Surroundings;
  readonly #connection: AbortController;

  constructor(surroundings: Surroundings, connection: AbortController) {
    this.#surroundings = surroundings;
    this.#connection = connection;
  }

  /** Waits for `work`, watching; time that the reader spends elsewhere does not count. */
  async during<T>(work: Promise<T>): Promise<T> {
    const timer = this.#surroundings.clock.after(silenceMs, () => this.#connection.abort());
    try {
      return await work;
    } finally {
      timer.cancel();
    }
  }
}

/** How long a refusal asks to wait (null: it does not say); one that waiting does not mend is thrown on. */
function refusal(error: unknown): number | null {
  if (!(error instanceof ProblemError)) return null;
  const tooLong = error.retryAfterMs !== null && error.retryAfterMs > longestRetryAfterMs;
  if (!isTransient(error.status) || tooLong) throw error;
  return error.retryAfterMs;
}
