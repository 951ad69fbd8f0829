import { setImmediate as nextTick } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { SimulatedClock } from '../core/clock.ts';
import { jsonLogger, type LogFields } from '../core/logger.ts';
import { seededRandom } from '../core/random.ts';
import type { LeasedJob, NewJob, Queue } from '../engine/ports/queue.ts';
import { openDatabase } from '../store/sqlite/database.ts';
import { queueOperations } from '../store/sqlite/queue.ts';
import type { JobHandler, JobOutcome } from './job-handler.ts';
import { JobWorker } from './worker.ts';

export const settings = {
  jobConcurrency: 2,
  jobLeaseMs: 9_000,
  jobPollMs: 2_000,
  jobStopMs: 3_000,
  jobRetryBaseMs: 1_000,
  jobRetryLongestMs: 600_000,
};

/** The real queue without its thread: each call is over by the next microtask, so that a test can hold time still. */
export function queueForTest(): Queue {
  const { db } = openDatabase(':memory:');
  onTestFinished(() => void db.close());
  const operations = queueOperations(db);
  const wakes = new Set<() => void>();
  return {
    async enqueue(job) {
      const outcome = operations.enqueue(job);
      if (outcome === 'enqueued') for (const wake of wakes) wake();
      return outcome;
    },
    lease: async (request) => operations.lease(request),
    renew: async (lease, until) => operations.renew(lease, until),
    complete: async (lease, now) => operations.complete(lease, now),
    fail: async (lease, failure) => operations.fail(lease, failure),
    release: async (lease, now) => operations.release(lease, now),
    jobCounts: async () => operations.jobCounts(),
    failedJobs: async (limit) => operations.failedJobs(limit),
    onEnqueued(wake) {
      wakes.add(wake);
      return { [Symbol.dispose]: () => void wakes.delete(wake) };
    },
  };
}

/** A run of a job that ends when the test says so. */
export type Run = {
  job: LeasedJob;
  signal: AbortSignal;
  startedAt: number;
  end(outcome: JobOutcome): Promise<void>;
  fail(error: unknown): Promise<void>;
};

/** Lets everything that waits for nothing but the event loop happen. */
export async function settle(): Promise<void> {
  for (let count = 0; count < 3; count += 1) await nextTick();
}

/** A clock that is held still, a queue, and workers whose jobs a test ends by hand. */
export function houseForTest() {
  const clock = new SimulatedClock();
  const queue = queueForTest();
  const runs: Run[] = [];
  const lines: (LogFields & { event: string })[] = [];
  const logger = jsonLogger(clock, (line) => lines.push(JSON.parse(line) as LogFields & { event: string }));
  const handle: JobHandler = (job, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<JobOutcome>();
    const end = async (outcome: JobOutcome) => (resolve(outcome), settle());
    const fail = async (error: unknown) => (reject(error), settle());
    runs.push({ job, signal, startedAt: clock.now(), end, fail });
    return promise;
  };
  const startWorker = async (over: Partial<ConstructorParameters<typeof JobWorker>[0]> = {}) => {
    const random = seededRandom(7);
    const worker = new JobWorker({ queue, clock, random, logger, settings, handlers: { sum: handle }, ...over });
    worker.start();
    await settle();
    return worker;
  };
  const put = async (key: string, over: Partial<NewJob> = {}) => {
    const job = { key, kind: 'sum', payload: {}, schoolId: null, ownerId: null, runAt: clock.now(), ...over };
    const outcome = await queue.enqueue(job);
    await settle();
    return outcome;
  };
  /** Moves time on in small steps, so that what a timer sets going is done before the next one fires. */
  const pass = async (milliseconds: number) => {
    const until = clock.now() + milliseconds;
    while (clock.now() < until) {
      clock.advance(Math.min(100, until - clock.now()));
      await settle();
    }
  };
  const running = () => runs.map(({ job }) => job.key);
  const events = () => lines.map(({ event }) => event);
  return { clock, queue, runs, lines, logger, startWorker, put, pass, running, events };
}
