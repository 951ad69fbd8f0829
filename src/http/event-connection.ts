import type { ServerResponse } from 'node:http';

const heartbeat = ':\n\n';

/**
 * One open server-sent-events response. Never waits for its client: one that is too slow is cut off, to resume later.
 * After its end (by either side) every call does nothing.
 */
export class EventConnection implements Disposable {
  readonly #outgoing: ServerResponse;
  readonly #backlogBytes: number;
  #held: Disposable | null = null;
  #isOver = false;

  /** Begins the response: headers, `retry:` and a first comment go out at once. */
  constructor(
    outgoing: ServerResponse,
    options: { headers: Record<string, string>; reconnectMs: number; backlogBytes: number },
  ) {
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

  /** Sends whole frames. */
  send(frames: string): void {
    if (this.#isOver) return;
    this.#outgoing.write(frames);
    if (this.#outgoing.writableLength > this.#backlogBytes) this.#outgoing.destroy();
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

  beat(): void {
    this.send(heartbeat);
  }

  /** Lets go of what is held; called once the response is closed. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#held?.[Symbol.dispose]();
    this.#held = null;
  }
}
