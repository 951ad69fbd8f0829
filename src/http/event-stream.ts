import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { ServerResponse } from 'node:http';
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
    // Its client may have left while its request was being looked into.
    if (outgoing.destroyed) connection[Symbol.dispose]();
    else if (this.#isClosing) connection.close();
    else this.#keep(connection, outgoing);
    return connection;
  }

  /** Ends every stream where it stands, without a terminal event: its client comes back with the last event's id. */
  closeAll(): void {
    this.#isClosing = true;
    for (const connection of this.#open) connection.close();
  }

  #keep(connection: EventConnection, outgoing: ServerResponse): void {
    this.#open.add(connection);
    outgoing.once('close', () => {
      this.#open.delete(connection);
      connection[Symbol.dispose]();
    });
  }

  #beat(): void {
    this.#clock.after(this.#settings.heartbeatMs, () => {
      if (this.#isClosing) return;
      for (const connection of this.#open) connection.beat();
      this.#beat();
    });
  }
}

/** Frames are written in pieces of about this many characters, so that no client has much more than one waiting. */
const pieceCharacters = 64 * 1024;

/**
 * Puts one turn's events on a connection, each with the id `<turn_id>:<seq>`. What a client is too slow for waits in
 * the turn's log, which holds it anyway, and costs no memory of its own.
 */
export class TurnFrames implements TurnFollower {
  readonly #connection: EventConnection;
  readonly #prefix: string;
  /** The log's tokens, how many of them are written, and the end where it has come. */
  #texts: readonly string[] = [];
  #written = 0;
  #end: TurnEvent | null = null;
  #isWaiting = false;

  constructor(connection: EventConnection, turnId: string) {
    this.#connection = connection;
    this.#prefix = `id: ${turnId}:`;
  }

  deliver(texts: readonly string[], from: number, end: TurnEvent | null): void {
    this.#texts = texts;
    this.#end = end;
    if (!this.#isWaiting) {
      this.#written = from;
      this.#write();
    } else if (end?.name === 'redact') {
      // Withdrawn text that still waits for a slow client never leaves: it comes back to the redaction alone.
      this.#connection.cut();
    } else {
      let bytes = 0;
      for (let index = from; index < texts.length; index += 1) bytes += this.#token(index).length;
      this.#connection.postpone(bytes);
    }
  }

  /** Sends events that no log holds any more, the last of them terminal, and ends. */
  replay(events: readonly TurnEvent[]): void {
    this.#connection.finish(events.map((event) => this.#frame(event)).join(''));
  }

  close(): void {
    this.#connection.close();
  }

  /** Writes as much as the client takes; the rest once it has taken that. */
  #write(): void {
    while (this.#written < this.#texts.length || this.#end) {
      if (this.#connection.isFull) return this.#wait();
      let frames = '';
      while (this.#written < this.#texts.length && frames.length < pieceCharacters) {
        frames += this.#token(this.#written);
        this.#written += 1;
      }
      if (this.#end && this.#written === this.#texts.length)
        return this.#connection.finish(frames + this.#frame(this.#end));
      this.#connection.send(frames);
    }
  }

  #wait(): void {
    this.#isWaiting = true;
    this.#connection.onceDrained(() => {
      this.#isWaiting = false;
      this.#write();
    });
  }

  #token(index: number): string {
    return `${this.#prefix}${index + 1}\nevent: token\ndata: {"text":${JSON.stringify(this.#texts[index])}}\n\n`;
  }

  #frame({ seq, name, data }: TurnEvent): string {
    return `${this.#prefix}${seq}\nevent: ${name}\ndata: ${data}\n\n`;
  }
}

/** What a handler returns once the response is in the stream's hands. */
export const streamResponse = RESPONSE_ALREADY_SENT;
