import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { Clock } from '../core/clock.ts';
import type { Settings } from '../core/settings.ts';
import type { TurnEvent, TurnFollower } from '../engine/ports/turn-log.ts';
import type { AppEnv } from './authentication.ts';
import { EventConnection } from './event-connection.ts';

/** The event streams that are open: gives each its heartbeat, and ends them all at shutdown. */
export class EventStreams {
  readonly #open = new Set<EventConnection>();
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
   * Begins a stream. It is written to Node's own response, which costs a fifth of a web stream a token and says when a
   * client is too slow; the handler returns `streamResponse`.
   */
  open(c: Context<AppEnv>, headers: Record<string, string>): EventConnection {
    const { outgoing } = c.env;
    const { reconnectMs, clientBacklogBytes: backlogBytes } = this.#settings;
    const connection = new EventConnection(outgoing, { headers, reconnectMs, backlogBytes });
    this.#open.add(connection);
    outgoing.once('close', () => {
      this.#open.delete(connection);
      connection[Symbol.dispose]();
    });
    return connection;
  }

  /** Ends every stream where it stands, without a terminal event: its client comes back with the last event's id. */
  closeAll(): void {
    this.#isClosing = true;
    for (const connection of this.#open) connection.close();
  }

  #beat(): void {
    this.#clock.after(this.#settings.heartbeatMs, () => {
      if (this.#isClosing) return;
      for (const connection of this.#open) connection.beat();
      this.#beat();
    });
  }
}

/** Puts one turn's events on a connection, each with the id `<turn_id>:<seq>`. */
export class TurnFrames implements TurnFollower {
  readonly #connection: EventConnection;
  readonly #prefix: string;

  constructor(connection: EventConnection, turnId: string) {
    this.#connection = connection;
    this.#prefix = `id: ${turnId}:`;
  }

  deliver(texts: readonly string[], from: number, end: TurnEvent | null): void {
    let frames = '';
    for (let index = from; index < texts.length; index += 1) {
      frames += `${this.#prefix}${index + 1}\nevent: token\ndata: {"text":${JSON.stringify(texts[index])}}\n\n`;
    }
    if (end) this.#connection.finish(frames + this.#frame(end));
    else this.#connection.send(frames);
  }

  /** Sends events that no log holds any more, the last of them terminal, and ends. */
  replay(events: readonly TurnEvent[]): void {
    this.#connection.finish(events.map((event) => this.#frame(event)).join(''));
  }

  close(): void {
    this.#connection.close();
  }

  #frame({ seq, name, data }: TurnEvent): string {
    return `${this.#prefix}${seq}\nevent: ${name}\ndata: ${data}\n\n`;
  }
}

/** What a handler returns once the response is in the stream's hands. */
export const streamResponse = RESPONSE_ALREADY_SENT;
