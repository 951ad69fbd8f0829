import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { Clock } from '../core/clock.ts';
import type { Settings } from '../core/settings.ts';
import type { Subscription, TurnEvent, TurnFollower } from '../engine/ports/turn-log.ts';
import type { AppEnv } from './authentication.ts';

const heartbeat = ':\n\n';

/** The event streams that are open: gives each its heartbeat, and ends them all at shutdown. */
export class EventStreams {
  readonly #open = new Set<TurnEventStream>();
  readonly #settings: Settings;
  readonly #clock: Clock;
  #isClosing = false;

  constructor(settings: Settings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.#beat();
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Begins the response: headers, `retry:` and a first comment go out at once. Written to Node's own response, which
   * costs a fifth of a web stream a token and says when a client is too slow.
   */
  open(c: Context<AppEnv>, turnId: string): TurnEventStream {
    const { outgoing } = c.env;
    outgoing.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
      'X-Turn-Id': turnId,
    });
    outgoing.write(`retry: ${this.#settings.reconnectMs}\n${heartbeat}`);
    const stream = new TurnEventStream(outgoing as ServerResponse, turnId, this.#settings.clientBacklogBytes);
    this.#open.add(stream);
    outgoing.once('close', () => {
      this.#open.delete(stream);
      stream[Symbol.dispose]();
    });
    return stream;
  }

  /** Ends every stream where it stands; its client comes back with the last event's id. */
  closeAll(): void {
    this.#isClosing = true;
    for (const stream of this.#open) stream.handOver();
  }

  #beat(): void {
    this.#clock.after(this.#settings.heartbeatMs, () => {
      if (this.#isClosing) return;
      for (const stream of this.#open) stream.beat();
      this.#beat();
    });
  }
}

/** One turn's events on their way to one client. Never waits for it: a client too slow is cut off, to resume later. */
export class TurnEventStream implements TurnFollower, Disposable {
  readonly #outgoing: ServerResponse;
  readonly #prefix: string;
  readonly #backlogBytes: number;
  #subscription: Subscription | null = null;
  #isOver = false;

  constructor(outgoing: ServerResponse, turnId: string, backlogBytes: number) {
    this.#outgoing = outgoing;
    this.#prefix = `id: ${turnId}:`;
    this.#backlogBytes = backlogBytes;
  }

  /** Ties the stream to its subscription, which ends with it. */
  hold(subscription: Subscription): void {
    if (this.#isOver) subscription[Symbol.dispose]();
    else this.#subscription = subscription;
  }

  deliver(events: readonly TurnEvent[], from: number, ended: boolean): void {
    if (this.#isOver) return;
    let frames = '';
    for (let index = from; index < events.length; index += 1) {
      const event = events[index];
      if (event) frames += `${this.#prefix}${event.seq}\nevent: ${event.name}\ndata: ${event.data}\n\n`;
    }
    if (ended) {
      this.#isOver = true;
      this.#outgoing.end(frames);
    } else if (frames !== '') {
      this.#outgoing.write(frames);
      if (this.#outgoing.writableLength > this.#backlogBytes) this.#outgoing.destroy();
    }
  }

  beat(): void {
    if (!this.#isOver) this.#outgoing.write(heartbeat);
  }

  /** Ends the response without a terminal event: the client reconnects elsewhere, or later, and resumes. */
  handOver(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#outgoing.end();
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#subscription?.[Symbol.dispose]();
    this.#subscription = null;
  }
}

/** What a handler returns once the response is in the stream's hands. */
export const streamResponse = RESPONSE_ALREADY_SENT;
