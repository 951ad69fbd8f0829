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

  /** Ends every stream where it stands, without a terminal event: its client comes back with the last event's id. */
  closeAll(): void {
    this.#isClosing = true;
    for (const stream of this.#open) stream.close();
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

  deliver(texts: readonly string[], from: number, end: TurnEvent | null): void {
    let frames = '';
    for (let index = from; index < texts.length; index += 1) {
      frames += `${this.#prefix}${index + 1}\nevent: token\ndata: {"text":${JSON.stringify(texts[index])}}\n\n`;
    }
    this.#write(frames, end);
  }

  /** Sends events that no log holds any more, the last of them terminal, and ends. */
  replay(events: readonly TurnEvent[]): void {
    const frames = events.slice(0, -1).map((event) => this.#frame(event));
    const end = events.at(-1);
    if (end) this.#write(frames.join(''), end);
    else this.close();
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#outgoing.end();
  }

  beat(): void {
    if (!this.#isOver) this.#outgoing.write(heartbeat);
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#subscription?.[Symbol.dispose]();
    this.#subscription = null;
  }

  #write(frames: string, end: TurnEvent | null): void {
    if (this.#isOver) return;
    if (end) {
      this.#isOver = true;
      this.#outgoing.end(frames + this.#frame(end));
      return;
    }
    this.#outgoing.write(frames);
    if (this.#outgoing.writableLength > this.#backlogBytes) this.#outgoing.destroy();
  }

  #frame({ seq, name, data }: TurnEvent): string {
    return `${this.#prefix}${seq}\nevent: ${name}\ndata: ${data}\n\n`;
  }
}

/** What a handler returns once the response is in the stream's hands. */
export const streamResponse = RESPONSE_ALREADY_SENT;
