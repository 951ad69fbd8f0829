import type { IncomingMessage } from 'node:http';
import type { Clock } from '../core/clock.ts';
import type { ModelEvent, ModelEventIterator } from '../engine/ports/model.ts';
import { ChatReply } from './chat-reply.ts';
import { unavailable } from './model-failure.ts';
import { SseParser } from './sse-parser.ts';

/** Events that may wait for a slow reader before the connection is told to wait too. */
const backlogLimit = 2_048;
/** How long a server may take to end the response of a complete reply, so that its connection can be used again. */
const lingerMs = 1_000;

type Result = IteratorResult<ModelEvent>;

export type ChatStreamOptions = {
  provider: string;
  clock: Clock;
  signal: AbortSignal;
  /** Makes the request, until its signal is aborted; rejects with a `ModelError`. */
  open: (signal: AbortSignal) => Promise<IncomingMessage>;
};

/**
 * The events of one streamed reply, read straight from the response as its bytes arrive. The request is made when the
 * first event is asked for. An iterator by hand and not a generator, so that an event costs a single promise, or none
 * where it is there already (`ready`); ask for one event at a time.
 */
export class ChatStream implements AsyncIterableIterator<ModelEvent>, ModelEventIterator {
  #options: ChatStreamOptions;
  #reply: ChatReply;
  #parser: SseParser;
  /** Ends the request as long as it has no body. */
  #request = new AbortController();
  #body: IncomingMessage | null = null;
  #state: 'new' | 'open' | 'closed' = 'new';
  #failure: { reason: unknown } | null = null;
  /** How many of the reply's events were taken. */
  #taken = 0;
  /** Who waits for the next event: there is none to take then. */
  #waiter: PromiseWithResolvers<Result> | null = null;

  constructor(options: ChatStreamOptions) {
    this.#options = options;
    this.#reply = new ChatReply(options.provider);
    this.#parser = new SseParser(this.#reply);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    const event = this.#take();
    if (event) return Promise.resolve({ done: false, value: event });
    if (this.#reply.complete) this.#close();
    if (this.#failure) return Promise.reject(this.#failure.reason);
    if (this.#state === 'closed') return Promise.resolve({ done: true, value: undefined });
    this.#waiter = Promise.withResolvers<Result>();
    const { promise } = this.#waiter;
    if (this.#state === 'new') void this.#open();
    return promise;
  }

  ready(): ModelEvent | undefined {
    return this.#take();
  }

  return(): Promise<Result> {
    this.#forget();
    this.#close();
    return Promise.resolve({ done: true, value: undefined });
  }

  async #open(): Promise<void> {
    this.#state = 'open';
    const { signal, open } = this.#options;
    if (signal.aborted) return this.#abort();
    signal.addEventListener('abort', this.#abort, { once: true });
    try {
      this.#read(await open(this.#request.signal));
    } catch (error) {
      this.#fail(error);
    }
  }

  #read(body: IncomingMessage): void {
    this.#body = body;
    if (this.#state === 'closed') return this.#letGo(body);
    body.on('data', (bytes: Buffer) => {
      this.#parser.push(bytes);
      this.#settle();
      if (this.#reply.events.length - this.#taken > backlogLimit) body.pause();
    });
    body.on('end', () => {
      this.#parser.end();
      this.#reply.bodyEnded();
      this.#settle();
    });
    const onCut = () => {
      if (!this.#reply.complete) this.#fail(unavailable(this.#options.provider, 'the connection was cut'));
    };
    body.on('error', onCut);
    body.on('close', onCut);
  }

  /** Hands what was read to who waits for it. What was read before a failure comes before the failure. */
  #settle(): void {
    const waiter = this.#waiter;
    const event = waiter && this.#take();
    if (event) {
      this.#waiter = null;
      waiter.resolve({ done: false, value: event });
    }
    if (this.#reply.failure) this.#fail(this.#reply.failure);
  }

  #take(): ModelEvent | undefined {
    const { events } = this.#reply;
    const event = events[this.#taken];
    if (event) this.#taken += 1;
    if (this.#taken > 0 && this.#taken === events.length) {
      this.#forget();
      // A no-op unless the backlog had stopped it.
      this.#body?.resume();
    }
    return event;
  }

  #abort = (): void => {
    this.#forget();
    this.#fail(this.#options.signal.reason);
  };

  /** Drops what was read and not taken. */
  #forget(): void {
    this.#reply.events.length = 0;
    this.#taken = 0;
  }

  #fail(reason: unknown): void {
    if (this.#state === 'closed') return;
    this.#failure = { reason };
    this.#close();
  }

  /** Answers who still waits, and lets go of the caller's signal and of the connection. */
  #close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#options.signal.removeEventListener('abort', this.#abort);
    if (this.#failure) this.#waiter?.reject(this.#failure.reason);
    else this.#waiter?.resolve({ done: true, value: undefined });
    this.#waiter = null;
    if (this.#body) this.#letGo(this.#body);
    else this.#request.abort('closed');
  }

  /** The connection may be used again after a complete reply; any other is closed. */
  #letGo(body: IncomingMessage): void {
    if (body.complete) return;
    if (!this.#reply.complete) {
      body.destroy();
      return;
    }
    const timer = this.#options.clock.after(lingerMs, () => body.destroy());
    body.once('close', () => timer.cancel());
  }
}
