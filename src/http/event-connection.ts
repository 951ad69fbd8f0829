import type { ServerResponse } from 'node:http';

const heartbeat = ':\n\n';

export type ConnectionOptions = {
  headers: Record<string, string>;
  reconnectMs: number;
  /** What may wait for the client, in bytes, before it is cut off. */
  backlogBytes: number;
};

/**
 * One open server-sent-events response. Never waits for its client: one that is too slow is cut off, to resume later.
 * After its end (by either side) every call does nothing.
 */
export class EventConnection implements Disposable {
  readonly #outgoing: ServerResponse;
  readonly #backlogBytes: number;
  #held: Disposable | null = null;
  #postponed = 0;
  /** How much the client had taken when bytes last waited at a beat. */
  #takenAtBeat: number | null = null;
  #isOver = false;

  /** Begins the response: headers, `retry:` and a first comment go out at once. */
  constructor(outgoing: ServerResponse, options: ConnectionOptions) {
    this.#outgoing = outgoing;
    this.#backlogBytes = options.backlogBytes;
    outgoing.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
      ...options.headers,
    });
    outgoing.write(`retry: ${options.reconnectMs}\n${heartbeat}`);
  }

  /** Ties something to the connection that ends with it: what it follows. */
  hold(held: Disposable): void {
    if (this.#isOver) held[Symbol.dispose]();
    else this.#held = held;
  }

  /** Whether enough waits for the client already: more had better wait where it comes from. */
  get isFull(): boolean {
    return this.#outgoing.writableNeedDrain;
  }

  /** Calls `goOn` once, when the client has taken what waited for it. */
  onceDrained(goOn: () => void): void {
    this.#outgoing.once('drain', () => {
      this.#postponed = 0;
      goOn();
    });
  }

  /** Counts bytes that have come for a full connection and wait elsewhere; past the backlog the client is cut off. */
  postpone(bytes: number): void {
    this.#postponed += bytes;
    if (this.#postponed > this.#backlogBytes) this.cut();
  }

  /** Sends whole frames; cuts a client off that has left too much of the earlier ones. */
  send(frames: string): void {
    if (this.#isOver) return;
    // Not what this write adds: Node counts it until the end of the tick, however fast the client is.
    if (this.#outgoing.writableLength > this.#backlogBytes) this.cut();
    else this.#outgoing.write(frames);
  }

  /** Breaks the connection off, with all that waits in it: the client comes back with the last event's id. */
  cut(): void {
    this.#outgoing.destroy();
  }

  /** Sends the last frames and ends the response. */
  finish(frames: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#outgoing.end(frames);
  }

  /** Ends the response where it stands: the client comes back with the id of the last event it has. */
  close(): void {
    this.finish('');
  }

  /**
   * Sends a heartbeat where nothing else is on its way. A client that has taken nothing of what waits since the last
   * beat hangs or is gone, and is cut off, also where its turn is over.
   */
  beat(): void {
    const { socket, writableLength } = this.#outgoing;
    const taken = (socket?.bytesWritten ?? 0) - writableLength;
    if (writableLength === 0) this.send(heartbeat);
    else if (taken === this.#takenAtBeat) this.cut();
    this.#takenAtBeat = writableLength === 0 ? null : taken;
  }

  /** Lets go of what is held; called once the response is closed. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#held?.[Symbol.dispose]();
    this.#held = null;
  }
}
