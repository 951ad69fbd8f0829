import type { Clock, Timer } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import type { LogFields, Logger } from '../core/logger.ts';
import type { Random } from '../core/random.ts';
import type { Settings } from '../core/settings.ts';
import type { LeasedJob, Queue } from '../engine/ports/queue.ts';
import { type BackoffSettings, retryDelayMs } from './backoff.ts';
import { HeldLease } from './held-lease.ts';
import { type JobHandler, type JobResult, runHandler } from './job-handler.ts';

export type JobSettings = BackoffSettings & Pick<Settings, 'jobConcurrency' | 'jobLeaseMs' | 'jobPollMs' | 'jobStopMs'>;

export type JobWorkerParts = {
  queue: Queue;
  clock: Clock;
  random: Random;
  logger: Logger;
  settings: JobSettings;
  /** By kind; jobs of other kinds are left to other workers. */
  handlers: Readonly<Record<string, JobHandler>>;
};

/** A job that this worker is at. `isLost`: its lease is, and what comes of it is no longer told. */
type Running = { stop: AbortController; isLost: boolean; ended: Promise<void> };

/**
 * Works on what is due, a few jobs at once, until it is closed. Nothing that a job or the queue does ends it: jobs that
 * fail wait for their next attempt, and where the queue cannot be reached it is asked again later.
 */
export class JobWorker implements AsyncDisposable {
  readonly #parts: JobWorkerParts;
  readonly #kinds: readonly string[];
  readonly #running = new Set<Running>();
  #subscription: Disposable | null = null;
  #timer: Timer | null = null;
  #filling: Promise<void> | null = null;
  #isWoken = false;
  #isClosing = false;
  #isQueueDown = false;

  constructor(parts: JobWorkerParts) {
    this.#parts = parts;
    this.#kinds = Object.keys(parts.handlers);
  }

  /** How many jobs it is at. */
  get runningCount(): number {
    return this.#running.size;
  }

  start(): void {
    if (this.#subscription || this.#isClosing || this.#kinds.length === 0) return;
    this.#subscription = this.#parts.queue.onEnqueued(() => this.#wake());
    this.#wake();
  }

  /**
   * Takes no more jobs and stops those it is at; they go back as they were. One that does not stop in time keeps its
   * lease, for it may still be doing things. The queue must stay open until this resolves.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    this.#subscription?.[Symbol.dispose]();
    this.#timer?.cancel();
    for (const { stop } of this.#running) stop.abort();
    const { promise: tooLong, resolve } = Promise.withResolvers<void>();
    using _timer = this.#parts.clock.after(this.#parts.settings.jobStopMs, resolve);
    await Promise.race([this.#drain(), tooLong]);
  }

  /** Also waits for what is being leased just now, which goes back at once. */
  async #drain(): Promise<void> {
    await this.#filling;
    await Promise.all([...this.#running].map(({ ended }) => ended));
  }

  #wake(): void {
    this.#isWoken = true;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = null;
      // Woken between the last look and here.
      if (this.#isWoken && !this.#isClosing) this.#wake();
    });
  }

  /** Takes jobs for as long as there are any and there is room, then waits for the next time to look. */
  async #fill(): Promise<void> {
    const { clock, settings } = this.#parts;
    this.#timer?.cancel();
    while (!this.#isClosing && this.#running.size < settings.jobConcurrency) {
      this.#isWoken = false;
      const nextAt = await this.#take();
      if (nextAt === 'taken') continue;
      const wait = Math.min(settings.jobPollMs, Math.max(nextAt - clock.now(), 1));
      if (!this.#isClosing) this.#timer = clock.after(wait, () => this.#wake());
      return;
    }
    // No room: the end of a job wakes.
    this.#isWoken = false;
  }

  /** Takes one job, or says when to look again. */
  async #take(): Promise<'taken' | number> {
    const { queue, clock, settings } = this.#parts;
    const since = clock.now();
    try {
      const outcome = await queue.lease({ kinds: this.#kinds, now: since, leaseMs: settings.jobLeaseMs });
      this.#isQueueDown = false;
      if (outcome.kind === 'none') return outcome.nextAt ?? Infinity;
      this.#begin(outcome.job, since);
      return 'taken';
    } catch (error) {
      if (!this.#isQueueDown) this.#parts.logger.error('queue_failed', { code: codeOf(error) });
      this.#isQueueDown = true;
      return Infinity;
    }
  }

  #begin(job: LeasedJob, since: number): void {
    const running: Running = { stop: new AbortController(), isLost: false, ended: Promise.resolve() };
    this.#running.add(running);
    running.ended = this.#work(job, running, since)
      .catch((error: unknown) => {
        // Its lease ends by itself, and it runs again.
        this.#parts.logger.error('job_not_settled', { ...fieldsOf(job), code: codeOf(error) });
      })
      .then(() => {
        this.#running.delete(running);
        if (!this.#isClosing) this.#wake();
      });
  }

  async #work(job: LeasedJob, running: Running, since: number): Promise<void> {
    const { queue, clock, settings, handlers, logger } = this.#parts;
    const onLost = () => {
      running.isLost = true;
      running.stop.abort();
    };
    using _held = new HeldLease({ queue, clock, lease: job.lease, leaseMs: settings.jobLeaseMs, since, onLost });
    if (this.#isClosing) running.stop.abort();
    const handle = handlers[job.kind];
    const isWanted = handle !== undefined && !running.stop.signal.aborted;
    const result = isWanted ? await runHandler(handle, job, running.stop.signal) : 'not_run';
    if (running.isLost) return logger.warn('job_lost', fieldsOf(job));
    if (result === 'not_run' || (result !== 'done' && this.#isClosing)) {
      await queue.release(job.lease, clock.now());
      return;
    }
    await this.#settle(job, result);
  }

  async #settle(job: LeasedJob, result: JobResult): Promise<void> {
    const { queue, clock, random, logger, settings } = this.#parts;
    const now = clock.now();
    if (result === 'done') {
      const isKept = await queue.complete(job.lease, now);
      return isKept ? logger.info('job_done', fieldsOf(job)) : logger.warn('job_lost', fieldsOf(job));
    }
    const { code } = result;
    const pause = result.kind === 'retry' ? (result.afterMs ?? 0) + retryDelayMs(job.attempt, random, settings) : null;
    const outcome = await queue.fail(job.lease, { code, now, retryAt: pause === null ? null : now + pause });
    const fields = { ...fieldsOf(job), code };
    if (outcome === 'failed') return logger.error('job_failed', fields);
    if (outcome === 'waiting') return logger.warn('job_delayed', { ...fields, after_ms: pause });
    logger.warn('job_lost', fields);
  }
}

function fieldsOf({ key, kind, attempt }: LeasedJob): LogFields {
  return { key, kind, attempt };
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : 'INTERNAL';
}
