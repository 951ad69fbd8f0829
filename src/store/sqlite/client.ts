import type { Worker } from 'node:worker_threads';
import { AppError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { codeOf } from './error-code.ts';
import type { OperationName, Operations } from './operations.ts';
import { type Answer, batchSize, type Call, type Reply, type Request } from './protocol.ts';

type Waiting = { resolve(value: unknown): void; reject(error: AppError): void };

/** The schema version a database was found at, and the one it is at now. */
export type Versions = { fromVersion: number; version: number };

/**
 * This side of the database thread: sends a tick's calls together and pairs answers with calls. Once the thread has
 * ended, asked to or not, every call that still waits and every later one rejects.
 */
export class DatabaseClient {
  /** Settles once the database is open and migrated, or cannot be. */
  readonly opened: Promise<Versions>;
  readonly #worker: Worker;
  readonly #logger: Logger;
  readonly #opening = Promise.withResolvers<Versions>();
  readonly #exit = Promise.withResolvers<void>();
  readonly #waiting = new Map<number, Waiting>();
  #unsent: Call[] = [];
  #lastId = 0;
  /** Why no more calls are taken. */
  #refusal: AppError | null = null;

  constructor(worker: Worker, logger: Logger) {
    this.#worker = worker;
    this.#logger = logger;
    this.opened = this.#opening.promise;
    let reason = 'ended';
    worker.on('message', (reply: Reply) => this.#receive(reply));
    worker.on('error', (error) => {
      reason = codeOf(error);
    });
    worker.on('exit', () => this.#end(reason));
  }

  call<Name extends OperationName>(
    name: Name,
    ...input: Parameters<Operations[Name]>
  ): Promise<ReturnType<Operations[Name]>> {
    if (this.#refusal) return Promise.reject(this.#refusal);
    return new Promise((resolve, reject) => {
      const id = (this.#lastId += 1);
      // The thread answers a call with what the operation of that name returned.
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#unsent.push({ id, name, input });
      if (this.#unsent.length === 1) queueMicrotask(() => this.#send(false));
      if (this.#unsent.length === batchSize) this.#send(false);
    });
  }

  /** Lets the calls made so far finish, then closes the database and ends the thread. */
  async close(): Promise<void> {
    if (!this.#refusal) {
      this.#refusal = new AppError('INTERNAL', 'store: closed');
      this.#send(true);
    }
    await this.#exit.promise;
  }

  #send(isLast: boolean): void {
    const calls = this.#unsent;
    if (calls.length === 0 && !isLast) return;
    this.#unsent = [];
    const request: Request = { calls, isLast };
    try {
      this.#worker.postMessage(request);
    } catch (error) {
      // Only data crosses to a thread; a function among it must not bring the whole process down from a microtask.
      const failure = {
        code: 'INTERNAL',
        message: `store: a call could not be sent (${codeOf(error)})`,
        retryable: false,
      } as const;
      for (const { id } of calls) this.#answer({ id, failure });
    }
  }

  #receive(reply: Reply): void {
    switch (reply.kind) {
      case 'opened':
        this.#opening.resolve(reply);
        return;
      case 'not_opened':
        this.#refusal = new AppError('INTERNAL', reply.message);
        this.#opening.reject(this.#refusal);
        return;
      case 'answers':
        for (const answer of reply.answers) this.#answer(answer);
    }
  }

  #answer(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (!('failure' in answer)) return waiting?.resolve(answer.value);
    const { code, message, retryable } = answer.failure;
    waiting?.reject(new AppError(code, message, { retryable }));
  }

  #end(reason: string): void {
    if (!this.#refusal) this.#logger.error('store_stopped', { reason });
    this.#refusal ??= new AppError('INTERNAL', 'store: the database thread has stopped');
    this.#opening.reject(this.#refusal);
    for (const waiting of this.#waiting.values()) waiting.reject(this.#refusal);
    this.#waiting.clear();
    this.#exit.resolve();
  }
}
