import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

export type LiveSocketOptions = {
  /** What may wait for the client, in bytes, before it is closed. */
  backlogBytes: number;
  /** When what the caller showed to be let in stops to hold. */
  expiresAt: number;
};

/** Why the server closes a socket. */
export const closeCodes = { goingDown: 1001, signedOut: 1008, tooSlow: 1013 } as const;

/**
 * One open WebSocket. Never waits for its client: one that is too slow is closed with 1013, to follow its turns again
 * from the last event it has. After its end (by either side) every call does nothing.
 */
export class LiveSocket {
  readonly #socket: WebSocket;
  /** What `ws` writes to: it alone says when the client has taken what waits. */
  readonly #stream: Socket;
  readonly #options: LiveSocketOptions;
  #waiting: (() => void)[] = [];
  #postponed = 0;
  #hasAnswered = true;
  #isOver = false;
  #held: Disposable | null = null;

  constructor(socket: WebSocket, stream: Socket, options: LiveSocketOptions) {
    this.#socket = socket;
    this.#stream = stream;
    this.#options = options;
    socket.on('pong', () => {
      this.#hasAnswered = true;
    });
    stream.on('drain', () => this.#goOn());
    socket.once('close', () => this.#end());
    // What is wrong with a frame is said by the close that follows.
    socket.on('error', () => {});
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether enough waits for the client already: more had better wait where it comes from. */
  get isFull(): boolean {
    return this.#stream.writableNeedDrain;
  }

  /** Ties something to the socket that ends with it: what it follows. */
  hold(held: Disposable): void {
    if (this.#isOver) held[Symbol.dispose]();
    else this.#held = held;
  }

  /** Calls `goOn` once, when the client has taken what waited for it and its turn has come. */
  onceDrained(goOn: () => void): void {
    this.#waiting.push(goOn);
  }

  /** Counts bytes that have come for a full socket and wait elsewhere; past the backlog it is closed. */
  postpone(bytes: number): void {
    this.#postponed += bytes;
    if (this.#postponed > this.#options.backlogBytes) this.close(closeCodes.tooSlow);
  }

  /** Sends one message; closes a client that has left too much of the earlier ones. */
  send(message: string): void {
    if (this.#isOver) return;
    // What the stream takes before it is full is no backlog: Node counts it until the end of the tick.
    const waiting = this.#socket.bufferedAmount - this.#stream.writableHighWaterMark;
    if (waiting > this.#options.backlogBytes) this.close(closeCodes.tooSlow);
    else this.#socket.send(message);
  }

  /** Has all that `write` sends leave in one piece. */
  together(write: () => void): void {
    this.#stream.cork();
    try {
      write();
    } finally {
      this.#stream.uncork();
    }
  }

  /** Stops reading what the client says, so that it waits with the client and not here. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Lets the client know why, after what waits for it already. */
  close(code: number): void {
    if (this.#isOver) return;
    this.#end();
    this.#socket.close(code);
  }

  /** Breaks the connection off, with all that waits in it. */
  cut(): void {
    this.#end();
    this.#socket.terminate();
  }

  /** Pings; a client that has not answered the last ping hangs or is gone, and one whose time is over has to sign in. */
  beat(now: number): void {
    if (now >= this.#options.expiresAt) return this.close(closeCodes.signedOut);
    if (!this.#hasAnswered) return this.cut();
    this.#hasAnswered = false;
    if (!this.#isOver) this.#socket.ping();
  }

  /** Each in its turn, so that one long turn does not hold up the others. */
  #goOn(): void {
    this.#postponed = 0;
    const waiting = this.#waiting;
    this.#waiting = [];
    while (waiting.length > 0 && !this.isFull) waiting.shift()?.();
    this.#waiting.unshift(...waiting);
  }

  #end(): void {
    this.#isOver = true;
    this.#waiting = [];
    this.#held?.[Symbol.dispose]();
    this.#held = null;
  }
}
