import type { TurnEvent, TurnFollower } from '../engine/ports/turn-log.ts';
import { eventHead, eventMessage, tokenMessage } from './live-messages.ts';
import type { LiveSocket } from './live-socket.ts';

/** How the following ends by itself: `ended` with the terminal event, `lost` without, after the event with that `seq`. */
export type LiveTurnEnd = { kind: 'ended' } | { kind: 'lost'; after: number };

export type LiveTurnOptions = {
  turnId: string;
  /** The last event that the client has. */
  after: number;
  onEnd: (end: LiveTurnEnd) => void;
};

/**
 * Puts one turn's events on a socket, one a message. What the client is too slow for waits in the turn's log, which
 * holds it anyway, and costs no memory of its own. Withdrawn text that still waits never leaves: such a client is cut
 * off, and comes back to the redaction alone.
 */
export class LiveTurn implements TurnFollower, Disposable {
  readonly #socket: LiveSocket;
  readonly #head: string;
  readonly #onEnd: LiveTurnOptions['onEnd'];
  /** The log's tokens, how many of them are sent, and the end where it has come. */
  #texts: readonly string[] = [];
  #sent: number;
  #end: TurnEvent | null = null;
  #isWaiting = false;
  #isOver = false;
  #subscription: Disposable | null = null;

  constructor(socket: LiveSocket, { turnId, after, onEnd }: LiveTurnOptions) {
    this.#socket = socket;
    this.#head = eventHead(turnId);
    this.#sent = after;
    this.#onEnd = onEnd;
  }

  /** Ties the hold on the log to the following. */
  hold(subscription: Disposable): void {
    if (this.#isOver) subscription[Symbol.dispose]();
    else this.#subscription = subscription;
  }

  deliver(texts: readonly string[], from: number, end: TurnEvent | null): void {
    if (this.#isOver) return;
    this.#texts = texts;
    this.#end = end;
    if (!this.#isWaiting) {
      this.#sent = from;
      this.#write();
    } else if (end?.name === 'redact') {
      this.#socket.cut();
    } else {
      let bytes = 0;
      for (let index = from; index < texts.length; index += 1) bytes += this.#token(index).length;
      this.#socket.postpone(bytes);
    }
  }

  close(): void {
    this.#over({ kind: 'lost', after: this.#sent });
  }

  /** Stops following; nobody is told. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#texts = [];
    this.#subscription?.[Symbol.dispose]();
    this.#subscription = null;
  }

  /** Sends as much as the client takes; the rest once it has taken that. */
  #write(): void {
    let hasEnded = false;
    this.#socket.together(() => {
      while (this.#sent < this.#texts.length && !this.#socket.isFull) {
        this.#socket.send(this.#token(this.#sent));
        this.#sent += 1;
      }
      hasEnded = this.#end !== null && this.#sent >= this.#texts.length && !this.#socket.isFull;
      if (this.#end && hasEnded) this.#socket.send(eventMessage(this.#head, this.#end));
    });
    if (hasEnded) this.#over({ kind: 'ended' });
    else if (this.#end?.name === 'redact') this.#socket.cut();
    else if (this.#end || this.#sent < this.#texts.length) this.#wait();
  }

  #wait(): void {
    this.#isWaiting = true;
    this.#socket.onceDrained(() => {
      this.#isWaiting = false;
      if (!this.#isOver) this.#write();
    });
  }

  #token(index: number): string {
    return tokenMessage(this.#head, index + 1, this.#texts[index] ?? '');
  }

  #over(end: LiveTurnEnd): void {
    if (this.#isOver) return;
    this[Symbol.dispose]();
    this.#onEnd(end);
  }
}
