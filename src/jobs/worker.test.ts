import { describe, expect, it } from 'vitest';
import { AppError } from '../core/errors.ts';
import { ModelError } from '../engine/ports/model.ts';
import type { Queue } from '../engine/ports/queue.ts';
import { houseForTest, queueForTest, settings, settle } from './queue.fixture.ts';

const nothing = { waiting: 0, running: 0, failed: 0 };

describe('a worker', () => {
  it('does a job as soon as it is put in, and it is gone when it is done', async () => {
    const { put, runs, startWorker, queue, lines } = houseForTest();
    await startWorker();
    await put('sum:1', { payload: { session: 's' }, schoolId: 'school', ownerId: 'user' });
    expect(runs[0]?.job).toMatchObject({ key: 'sum:1', payload: { session: 's' }, ownerId: 'user', attempt: 1 });
    expect(await queue.jobCounts()).toEqual({ ...nothing, running: 1 });
    await runs[0]?.end('done');
    expect(await queue.jobCounts()).toEqual(nothing);
    expect(lines).toMatchObject([{ level: 'info', event: 'job_done', key: 'sum:1', kind: 'sum', attempt: 1 }]);
  });

  it('does what was left in the queue when it starts', async () => {
    const { put, running, startWorker } = houseForTest();
    await put('a');
    await startWorker();
    expect(running()).toEqual(['a']);
  });

  it('is at no more jobs at once than it may, and takes the next when one ends', async () => {
    const { put, runs, running, startWorker, clock } = houseForTest();
    const worker = await startWorker();
    for (const key of ['a', 'b', 'c', 'd']) {
      clock.advance(1);
      await put(key);
    }
    expect(running()).toEqual(['a', 'b']);
    expect(worker.runningCount).toBe(2);
    await runs[1]?.end('done');
    expect(running()).toEqual(['a', 'b', 'c']);
    await runs[0]?.end('done');
    await runs[2]?.end('done');
    expect(running()).toEqual(['a', 'b', 'c', 'd']);
    await runs[3]?.end('done');
    expect(worker.runningCount).toBe(0);
  });

  it('begins a job at its time, not at the next look', async () => {
    const { put, runs, startWorker, clock, pass } = houseForTest();
    await startWorker();
    const runAt = clock.now() + 700;
    await put('later', { runAt });
    await pass(5_000);
    expect(runs.map(({ startedAt }) => startedAt)).toEqual([runAt]);
  });

  it('finds within the poll what another process put in, which wakes nobody here', async () => {
    const { put, running, startWorker, queue, pass } = houseForTest();
    const deaf: Queue = { ...queue, onEnqueued: () => ({ [Symbol.dispose]: () => {} }) };
    await startWorker({ queue: deaf });
    await pass(10_000);
    await put('a');
    expect(running()).toEqual([]);
    await pass(settings.jobPollMs);
    expect(running()).toEqual(['a']);
  });

  it('begins at once what is put in while it is being told that there is nothing', async () => {
    const { put, running, startWorker, queue } = houseForTest();
    const answers: (() => void)[] = [];
    const lease: Queue['lease'] = async (request) => {
      const outcome = await queue.lease(request);
      await new Promise<void>((answer) => answers.push(answer));
      return outcome;
    };
    await startWorker({ queue: { ...queue, lease } });
    await put('a');
    expect(running()).toEqual([]);
    for (let count = 0; count < 2; count += 1) {
      answers.shift()?.();
      await settle();
    }
    expect(running()).toEqual(['a']);
  });

  it('leaves jobs of other kinds to others', async () => {
    const { put, running, startWorker, queue, pass } = houseForTest();
    await startWorker();
    await put('x', { kind: 'other' });
    await put('y', { kind: 'toString' });
    await put('a');
    await pass(5_000);
    expect(running()).toEqual(['a']);
    expect(await queue.jobCounts()).toEqual({ waiting: 2, running: 1, failed: 0 });
  });

  it('asks for nothing where it can do nothing', async () => {
    const { startWorker, queue, pass } = houseForTest();
    const lease = () => Promise.reject(new Error('asked'));
    await using _worker = await startWorker({ queue: { ...queue, lease }, handlers: {} });
    await pass(10_000);
  });
});

describe('a job that fails', () => {
  it('is tried again after pauses that double, and after five tries stays to be seen', async () => {
    const { put, runs, startWorker, queue, lines, pass, clock } = houseForTest();
    await startWorker();
    await put('a');
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await pass(10_000);
      expect(runs).toHaveLength(attempt);
      const failedAt = clock.now();
      await runs.at(-1)?.end({ kind: 'retry', code: 'MODEL_TIMEOUT' });
      await pass(attempt === 5 ? 1_000_000 : 10_000);
      if (attempt < 5) waits.push(Number(runs.at(-1)?.startedAt) - failedAt);
    }
    expect(runs).toHaveLength(5);
    expect(lines.map(({ event, level, code }) => [event, level, code])).toEqual([
      ...Array.from({ length: 4 }, () => ['job_delayed', 'warn', 'MODEL_TIMEOUT']),
      ['job_failed', 'error', 'MODEL_TIMEOUT'],
    ]);
    const delays = lines.slice(0, 4).map(({ after_ms: after }) => Number(after));
    for (const [index, delay] of delays.entries()) {
      expect(delay).toBeGreaterThanOrEqual(500 * 2 ** index);
      expect(delay).toBeLessThanOrEqual(1_000 * 2 ** index);
      // Time passes here in steps of a tenth of a second.
      expect(Number(waits[index]) - delay).toBeLessThan(100);
      expect(waits[index]).toBeGreaterThanOrEqual(delay);
    }
    expect(await queue.failedJobs(9)).toMatchObject([{ key: 'a', code: 'MODEL_TIMEOUT', attempts: 5 }]);
  });

  it('waits at least as long as it asks to', async () => {
    const { put, runs, startWorker, pass, lines } = houseForTest();
    await startWorker();
    await put('a');
    await runs[0]?.end({ kind: 'retry', code: 'RATE_LIMITED', afterMs: 30_000 });
    await pass(29_900);
    expect(runs).toHaveLength(1);
    await pass(1_200);
    expect(runs).toHaveLength(2);
    await runs[1]?.fail(new ModelError('MODEL_UNAVAILABLE', 'busy', { retryable: true, retryAfterMs: 7_000 }));
    expect(Number(lines.at(-1)?.['after_ms'])).toBeGreaterThanOrEqual(8_000);
  });

  it.each([
    { error: new AppError('MODEL_UNAVAILABLE', 'x', { retryable: true }), code: 'MODEL_UNAVAILABLE', outcome: 'waits' },
    { error: new AppError('NOT_FOUND', 'x'), code: 'NOT_FOUND', outcome: 'failed' },
    { error: new TypeError('x'), code: 'INTERNAL', outcome: 'waits' },
    { error: undefined, code: 'INTERNAL', outcome: 'waits' },
    { error: 'x', code: 'INTERNAL', outcome: 'waits' },
  ])('by throwing $error is logged as $code and $outcome', async ({ error, code, outcome }) => {
    const { put, runs, startWorker, queue, lines } = houseForTest();
    await startWorker();
    await put('a');
    await runs[0]?.fail(error);
    const isFailed = outcome === 'failed';
    expect(lines.at(-1)).toMatchObject({ event: isFailed ? 'job_failed' : 'job_delayed', key: 'a', code });
    expect(await queue.jobCounts()).toEqual({ running: 0, waiting: isFailed ? 0 : 1, failed: isFailed ? 1 : 0 });
  });

  it('says nothing of what it was about', async () => {
    const { put, runs, startWorker, lines } = houseForTest();
    await startWorker();
    await put('a', { payload: { word: 'slaptas' } });
    await runs[0]?.fail(new Error('Mokinys rašė: slaptas žodis'));
    await put('b');
    await runs[1]?.fail(new AppError('INTERNAL', 'slaptas', { cause: new Error('slaptas') }));
    expect(JSON.stringify(lines)).not.toContain('slaptas');
    expect(lines).toHaveLength(2);
  });

  it('takes no other with it, and a handler that is no promise neither', async () => {
    const { put, startWorker, queue, events } = houseForTest();
    await startWorker({
      handlers: {
        sum: () => {
          throw new Error('at once');
        },
        other: async () => 'done',
      },
    });
    await put('a');
    await put('b', { kind: 'other' });
    expect(events()).toEqual(['job_delayed', 'job_done']);
    expect(await queue.jobCounts()).toEqual({ ...nothing, waiting: 1 });
  });
});

describe('a long job', () => {
  it('keeps its lease for as long as it runs', async () => {
    const { put, runs, startWorker, pass, events } = houseForTest();
    await startWorker();
    await startWorker();
    await put('a');
    await pass(100_000);
    expect(runs).toHaveLength(1);
    expect(runs[0]?.signal.aborted).toBe(false);
    await runs[0]?.end('done');
    expect(events()).toEqual(['job_done']);
  });

  it('is stopped before anyone else can begin it, where its lease cannot be renewed', async () => {
    const { put, runs, startWorker, pass, queue, events, clock } = houseForTest();
    await startWorker({ queue: { ...queue, renew: () => Promise.reject(new Error('cut off')) } });
    await put('a');
    let abortedAt = 0;
    runs[0]?.signal.addEventListener('abort', () => (abortedAt = clock.now()));
    await startWorker();
    await pass(settings.jobLeaseMs + 1_000);
    expect(runs.map(({ job }) => job.attempt)).toEqual([1, 2]);
    expect(abortedAt).toBeLessThan(Number(runs[1]?.startedAt));
    // What the first one says now counts for nothing.
    await runs[0]?.end('done');
    expect(events()).toEqual(['job_lost']);
    expect(await queue.jobCounts()).toEqual({ ...nothing, running: 1 });
    await runs[1]?.end('done');
    expect(await queue.jobCounts()).toEqual(nothing);
  });

  it('is stopped when it is told that its lease is another’s', async () => {
    const { put, runs, startWorker, pass, queue } = houseForTest();
    await startWorker({ queue: { ...queue, renew: async () => false } });
    await put('a');
    await pass(settings.jobLeaseMs / 3);
    expect(runs[0]?.signal.aborted).toBe(true);
  });

  it('goes on where one renewal fails and the next succeeds', async () => {
    const { put, runs, startWorker, pass, queue } = houseForTest();
    let asked = 0;
    const renew: Queue['renew'] = (lease, until) => {
      asked += 1;
      return asked % 2 === 1 ? Promise.reject(new Error('busy')) : queue.renew(lease, until);
    };
    await startWorker({ queue: { ...queue, renew } });
    await put('a');
    await pass(60_000);
    expect(runs).toHaveLength(1);
    expect(runs[0]?.signal.aborted).toBe(false);
  });
});

describe('a queue that fails', () => {
  it('is asked again later, is said once, and takes no worker down', async () => {
    const { put, running, startWorker, pass, queue, events } = houseForTest();
    let isDown = true;
    const lease: Queue['lease'] = (request) =>
      isDown ? Promise.reject(new AppError('INTERNAL', 'store: lease failed')) : queue.lease(request);
    await startWorker({ queue: { ...queue, lease } });
    await put('a');
    await pass(20_000);
    expect(running()).toEqual([]);
    expect(events()).toEqual(['queue_failed']);
    isDown = false;
    await pass(settings.jobPollMs);
    expect(running()).toEqual(['a']);
  });

  it('where the end of a job cannot be told, lets the job run again', async () => {
    const { put, runs, startWorker, pass, queue, lines } = houseForTest();
    let isDown = true;
    const complete: Queue['complete'] = (lease, now) =>
      isDown ? Promise.reject(new AppError('INTERNAL', 'disk full')) : queue.complete(lease, now);
    await startWorker({ queue: { ...queue, complete } });
    await put('a');
    await runs[0]?.end('done');
    expect(lines).toMatchObject([{ level: 'error', event: 'job_not_settled', key: 'a', code: 'INTERNAL' }]);
    isDown = false;
    await pass(settings.jobLeaseMs + settings.jobPollMs);
    expect(runs.map(({ job }) => job.attempt)).toEqual([1, 2]);
    await runs[1]?.end('done');
    expect(await queue.jobCounts()).toEqual(nothing);
  });
});

describe('closing a worker', () => {
  it('stops its jobs and gives them back, as if they had not been begun', async () => {
    const { put, runs, startWorker, queue } = houseForTest();
    const worker = await startWorker();
    await put('a');
    const closing = worker[Symbol.asyncDispose]();
    expect(runs[0]?.signal.aborted).toBe(true);
    await runs[0]?.fail(runs[0].signal.reason);
    await closing;
    expect(await queue.jobCounts()).toEqual({ ...nothing, waiting: 1 });
    await startWorker();
    expect(runs[1]?.job).toMatchObject({ key: 'a', attempt: 1 });
  });

  it('keeps what a job that got done meanwhile has done', async () => {
    const { put, runs, startWorker, queue } = houseForTest();
    const worker = await startWorker();
    await put('a');
    const closing = worker[Symbol.asyncDispose]();
    await runs[0]?.end('done');
    await closing;
    expect(await queue.jobCounts()).toEqual(nothing);
  });

  it('takes nothing any more', async () => {
    const { put, runs, running, startWorker, pass } = houseForTest();
    const worker = await startWorker();
    await put('a');
    const closing = worker[Symbol.asyncDispose]();
    await put('b');
    await runs[0]?.end('done');
    await closing;
    worker.start();
    await put('c');
    await pass(10_000);
    expect(running()).toEqual(['a']);
  });

  it('gives back what it was just being given', async () => {
    const { put, running, startWorker, queue } = houseForTest();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const slow: Queue = { ...queue, lease: (request) => gate.then(() => queue.lease(request)) };
    const worker = await startWorker({ queue: slow });
    await put('a');
    const closing = worker[Symbol.asyncDispose]();
    open();
    await closing;
    expect(running()).toEqual([]);
    expect(await queue.jobCounts()).toEqual({ ...nothing, waiting: 1 });
  });

  it('does not wait longer than it may for a job that will not stop, which keeps its lease', async () => {
    const { put, startWorker, queue, clock } = houseForTest();
    const worker = await startWorker();
    await put('a');
    let isClosed = false;
    const closing = worker[Symbol.asyncDispose]().then(() => (isClosed = true));
    await settle();
    clock.advance(settings.jobStopMs - 1);
    await settle();
    expect(isClosed).toBe(false);
    clock.advance(1);
    await closing;
    expect(await queue.jobCounts()).toEqual({ ...nothing, running: 1 });
  });

  it('does not wait for a queue that does not answer', async () => {
    const { startWorker, queue, clock } = houseForTest();
    const worker = await startWorker({ queue: { ...queue, lease: () => new Promise(() => {}) } });
    const closing = worker[Symbol.asyncDispose]();
    clock.advance(settings.jobStopMs);
    await closing;
  });

  it('may be done before it was started, and twice', async () => {
    const { startWorker } = houseForTest();
    const worker = await startWorker({ queue: queueForTest() });
    await worker[Symbol.asyncDispose]();
    await worker[Symbol.asyncDispose]();
  });
});
