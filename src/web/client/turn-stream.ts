import { ConnectionLostError, isTransient, ProblemError } from './problem.ts';
import type { Surroundings } from './surroundings.ts';
import type { TurnEvent } from './turn-event.ts';
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

/** How far a turn was read. */
export type TurnPlace = {
  /** Null until the server has said which turn it is. */
  turnId: string | null;
  seq: number;
  /** What the server wants waited for, at least, before the next connection. */
  retryMs: number;
  /** The server says that there is nothing more to come. */
  isOver: boolean;
};

export type TurnSource = StreamOptions & {
  /**
   * Reads what one connection brings that is not before `place`, and moves `place` on; ends or throws when the
   * connection does. The turn is begun where its id is not known, so that must be safe to repeat.
   */
  connect(place: TurnPlace): AsyncIterable<TurnEvent>;
  turnId?: string | undefined;
  after?: number | undefined;
};

const longestRetryAfterMs = 30_000;
const failuresInARow = 8;

/**
 * A turn's events in order, each once, through as many connections as it takes, up to the one that ends it.
 *
 * Throws `ProblemError` where the server refuses, and `ConnectionLostError` after eight failures in a row.
 */
export async function* streamTurn(source: TurnSource, surroundings: Surroundings): AsyncGenerator<TurnEvent, void> {
  const { signal, onConnection } = source;
  const place: TurnPlace = { turnId: source.turnId ?? null, seq: source.after ?? 0, retryMs: 500, isOver: false };
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
      for await (const event of source.connect(place)) {
        yield event;
        if (event.type !== 'token') return;
      }
      if (place.isOver) return;
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

/** How long a refusal asks to wait (null: it does not say); one that waiting does not mend is thrown on. */
function refusal(error: unknown): number | null {
  if (!(error instanceof ProblemError)) return null;
  const tooLong = error.retryAfterMs !== null && error.retryAfterMs > longestRetryAfterMs;
  if (!isTransient(error.status) || tooLong) throw error;
  return error.retryAfterMs;
}
