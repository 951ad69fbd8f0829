import { readProblem } from './problem.ts';
import { SseParser, type SseFrame } from './sse.ts';
import type { Surroundings } from './surroundings.ts';
import { parseTurnEvent, placeOf, type TurnEvent } from './turn-event.ts';
import type { StreamOptions, TurnPlace } from './turn-stream.ts';

export type EventStreamSource = StreamOptions & {
  /** Begins the turn. Asked again only while the turn's id is not known, so it must be safe to repeat. */
  begin(signal: AbortSignal): Promise<Response>;
  /** Follows a turn after the sequence number `after`. */
  resume(turnId: string, after: number, signal: AbortSignal): Promise<Response>;
};

const silenceMs = 40_000;

/** What one event stream brings that was not seen before; ends or throws when the connection does. */
export async function* readEventStream(
  source: EventStreamSource,
  place: TurnPlace,
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
    place.isOver = response.status === 204 && place.seq > 0;
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
  place: TurnPlace,
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
