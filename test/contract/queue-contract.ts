import { describe, expect, it, onTestFinished } from 'vitest';
import type { LeasedJob, NewJob, Queue } from '../../src/engine/ports/queue.ts';
import { freshId, start } from './store-fixtures.ts';

/** An adapter over an empty queue of its own. `reopen` closes it and opens the same data again. */
type QueueUnderTest = { queue: Queue; reopen: () => Promise<Queue>; close: () => Promise<void> };

const leaseMs = 1_000;

function aJob(over: Partial<NewJob> = {}): NewJob {
  const schoolId = freshId('school');
  return {
    key: freshId('sum'),
    kind: 'sum',
    payload: { session_id: 's-1', count: 3, first: true, nothing: null },
    schoolId,
    ownerId: freshId('user'),
    runAt: start,
    ...over,
  };
}

/** What every adapter of the queue port has to do. Each test has a queue of its own. */
export function describeQueue(name: string, open: () => Promise<QueueUnderTest>): void {
  describe(`${name} as a queue`, () => {
    async function openForTest(): Promise<QueueUnderTest> {
      const opened = await open();
      onTestFinished(() => opened.close());
      return opened;
    }
    const openQueue = async () => (await openForTest()).queue;
    const take = async (queue: Queue, now: number, kinds = ['sum']): Promise<LeasedJob | null> => {
      const outcome = await queue.lease({ kinds, now, leaseMs });
      return outcome.kind === 'leased' ? outcome.job : null;
    };
    const mustTake = async (queue: Queue, now: number): Promise<LeasedJob> => {
      const job = await take(queue, now);
      if (!job) throw new Error('no job was due');
      return job;
    };

    describe('putting in', () => {
      it('gives a job to one worker, as it was put in', async () => {
        const queue = await openQueue();
        const { runAt: _runAt, ...job } = aJob({ key: 'ąžuolas:š-1' });
        expect(await queue.enqueue({ ...job, runAt: start })).toBe('enqueued');
        expect(await take(queue, start)).toEqual({ ...job, lease: expect.anything(), attempt: 1 });
        expect(await take(queue, start)).toBeNull();
      });

      it('takes a job of no school', async () => {
        const queue = await openQueue();
        await queue.enqueue(aJob({ schoolId: null, ownerId: null, payload: {} }));
        expect(await take(queue, start)).toMatchObject({ schoolId: null, ownerId: null, payload: {} });
      });

      it('knows a key while its job waits and while it runs, and leaves that job as it is', async () => {
        const queue = await openQueue();
        const job = aJob({ payload: { turn: 1 } });
        const again = { ...job, kind: 'other', payload: { turn: 2 }, runAt: start + 50_000 };
        await queue.enqueue(job);
        expect(await queue.enqueue(again)).toBe('known');
        expect(await take(queue, start)).toMatchObject({ kind: 'sum', payload: { turn: 1 } });
        expect(await queue.enqueue(again)).toBe('known');
      });

      it('takes a key once however many put it in at the same time', async () => {
        const queue = await openQueue();
        const job = aJob();
        const outcomes = await Promise.all(Array.from({ length: 20 }, () => queue.enqueue(job)));
        expect(outcomes.filter((outcome) => outcome === 'enqueued')).toHaveLength(1);
        expect(await queue.jobCounts()).toEqual({ waiting: 1, running: 0, failed: 0 });
      });

      it('frees the key of a job that is done', async () => {
        const queue = await openQueue();
        const job = aJob();
        await queue.enqueue(job);
        expect(await queue.complete((await mustTake(queue, start)).lease, start)).toBe(true);
        expect(await queue.jobCounts()).toEqual({ waiting: 0, running: 0, failed: 0 });
        expect(await queue.enqueue(job)).toBe('enqueued');
        expect(await take(queue, start)).toMatchObject({ key: job.key, attempt: 1 });
      });

      it('remembers the key of a job that is done for as long as it was asked to', async () => {
        const { queue, reopen } = await openForTest();
        const job = aJob({ rememberMs: 5_000 });
        await queue.enqueue(job);
        await queue.complete((await mustTake(queue, start)).lease, start + 100);
        const again = await reopen();
        expect(await again.enqueue({ ...job, runAt: start + 5_099 })).toBe('known');
        expect(await take(again, start + 5_099)).toBeNull();
        expect(await again.jobCounts()).toEqual({ waiting: 0, running: 0, failed: 0 });
        expect(await again.enqueue({ ...job, runAt: start + 5_100 })).toBe('enqueued');
        expect(await take(again, start + 5_100)).toMatchObject({ key: job.key, attempt: 1, payload: job.payload });
      });

      it('wakes who listens after a job was put in, and not for one that was known', async () => {
        const queue = await openQueue();
        const counts: number[] = [];
        let woken = 0;
        const first = queue.onEnqueued(() => void (woken += 1));
        using _second = queue.onEnqueued(() => void counts.push(woken));
        const job = aJob();
        await queue.enqueue(job);
        await queue.enqueue(job);
        expect(counts).toHaveLength(1);
        expect(woken).toBe(1);
        first[Symbol.dispose]();
        await queue.enqueue(aJob());
        expect(woken).toBe(1);
        expect(counts).toHaveLength(2);
      });
    });

    describe('leasing', () => {
      it('gives no job before its time and says when that is', async () => {
        const queue = await openQueue();
        await queue.enqueue(aJob({ runAt: start + 500 }));
        const outcome = await queue.lease({ kinds: ['sum'], now: start + 499, leaseMs });
        expect(outcome.kind).toBe('none');
        if (outcome.kind === 'none') expect([start + 500, null]).toContain(outcome.nextAt);
        expect(await take(queue, start + 500)).not.toBeNull();
      });

      it('says that nothing comes where nothing waits', async () => {
        const queue = await openQueue();
        expect(await queue.lease({ kinds: ['sum'], now: start, leaseMs })).toEqual({ kind: 'none', nextAt: null });
      });

      it('gives what has been due the longest, however late it was put in', async () => {
        const queue = await openQueue();
        for (const [key, runAt] of [
          ['b', 20],
          ['c', 30],
          ['a', 10],
        ] as const)
          await queue.enqueue(aJob({ key, runAt: start + runAt }));
        const keys = [];
        for (let count = 0; count < 3; count += 1) keys.push((await take(queue, start + 100))?.key);
        expect(keys).toEqual(['a', 'b', 'c']);
      });

      it('gives jobs of the kinds that were asked for and of no other', async () => {
        const queue = await openQueue();
        await queue.enqueue(aJob({ key: 'x', kind: 'x' }));
        await queue.enqueue(aJob({ key: 'y', kind: "y'; --" }));
        expect(await take(queue, start, ['z', 'toString'])).toBeNull();
        expect(await take(queue, start, [])).toBeNull();
        expect(await take(queue, start, ['z', "y'; --"])).toMatchObject({ key: 'y' });
        expect(await take(queue, start, ['z', 'x'])).toMatchObject({ key: 'x' });
      });

      it('gives each of many jobs to one of many who ask at once', async () => {
        const queue = await openQueue();
        for (let index = 0; index < 30; index += 1) await queue.enqueue(aJob({ key: `many-${index}` }));
        const taken = await Promise.all(Array.from({ length: 40 }, () => take(queue, start)));
        const keys = taken.flatMap((job) => job?.key ?? []);
        expect(keys).toHaveLength(30);
        expect(new Set(keys).size).toBe(30);
      });

      it('brings a job back when its lease ends, and no sooner', async () => {
        const queue = await openQueue();
        await queue.enqueue(aJob());
        const first = await mustTake(queue, start);
        expect(await take(queue, start + leaseMs - 1)).toBeNull();
        const second = await mustTake(queue, start + leaseMs);
        expect(second).toMatchObject({ key: first.key, attempt: 2 });
        expect(second.lease).not.toEqual(first.lease);
      });

      it('keeps a job away from others for as long as its lease is renewed', async () => {
        const queue = await openQueue();
        await queue.enqueue(aJob());
        const { lease } = await mustTake(queue, start);
        expect(await queue.renew(lease, start + 3_000)).toBe(true);
        expect(await take(queue, start + 2_999)).toBeNull();
        expect(await take(queue, start + 3_000)).toMatchObject({ attempt: 2 });
      });

      it('lets nobody act on a job with a lease that was lost', async () => {
        const queue = await openQueue();
        await queue.enqueue(aJob());
        const { lease: lost } = await mustTake(queue, start);
        const { lease } = await mustTake(queue, start + leaseMs);
        const now = start + leaseMs + 1;
        expect(await queue.renew(lost, now + 9_000)).toBe(false);
        expect(await queue.complete(lost, now)).toBe(false);
        expect(await queue.fail(lost, { code: 'INTERNAL', now, retryAt: now })).toBe('lost');
        expect(await queue.release(lost, now)).toBe(false);
        expect(await queue.jobCounts()).toEqual({ waiting: 0, running: 1, failed: 0 });
        expect(await queue.complete(lease, now)).toBe(true);
      });

      it('lets nobody act twice with one lease', async () => {
        const queue = await openQueue();
        const job = aJob({ rememberMs: 60_000 });
        await queue.enqueue(job);
        const { lease } = await mustTake(queue, start);
        expect(await queue.complete(lease, start)).toBe(true);
        expect(await queue.complete(lease, start)).toBe(false);
        expect(await queue.renew(lease, start + 9_000)).toBe(false);
        expect(await queue.release(lease, start)).toBe(false);
        expect(await queue.fail(lease, { code: 'INTERNAL', now: start, retryAt: start })).toBe('lost');
        expect(await queue.enqueue(job)).toBe('known');
      });

      it('does not take a lease of a finished job for one of the next job of its key', async () => {
        const queue = await openQueue();
        const job = aJob();
        await queue.enqueue(job);
        const { lease: old } = await mustTake(queue, start);
        await queue.complete(old, start);
        await queue.enqueue(job);
        await mustTake(queue, start);
        expect(await queue.complete(old, start)).toBe(false);
        expect(await queue.renew(old, start + 9_000)).toBe(false);
        expect(await queue.jobCounts()).toEqual({ waiting: 0, running: 1, failed: 0 });
      });
    });

    describe('failing', () => {
      it('waits for the next attempt until its time', async () => {
        const queue = await openQueue();
        await queue.enqueue(aJob());
        const { lease } = await mustTake(queue, start);
        const failure = { code: 'MODEL_TIMEOUT', now: start + 10, retryAt: start + 700 } as const;
        expect(await queue.fail(lease, failure)).toBe('waiting');
        expect(await queue.jobCounts()).toEqual({ waiting: 1, running: 0, failed: 0 });
        expect(await take(queue, start + 699)).toBeNull();
        expect(await take(queue, start + 700)).toMatchObject({ attempt: 2 });
      });

      it.each([
        { maxAttempts: undefined, attempts: 5 },
        { maxAttempts: 2, attempts: 2 },
        { maxAttempts: 1, attempts: 1 },
      ])('fails for good at the last of $attempts attempts and is seen', async ({ maxAttempts, attempts }) => {
        const queue = await openQueue();
        const job = aJob(maxAttempts === undefined ? {} : { maxAttempts });
        await queue.enqueue(job);
        for (let attempt = 1; attempt <= attempts; attempt += 1) {
          const now = start + attempt;
          const taken = await mustTake(queue, now);
          expect(taken.attempt).toBe(attempt);
          const outcome = await queue.fail(taken.lease, { code: 'MODEL_UNAVAILABLE', now, retryAt: now });
          expect(outcome).toBe(attempt === attempts ? 'failed' : 'waiting');
        }
        expect(await take(queue, start + 1e9)).toBeNull();
        expect(await queue.jobCounts()).toEqual({ waiting: 0, running: 0, failed: 1 });
        const { key, kind, schoolId, ownerId } = job;
        expect(await queue.failedJobs(10)).toEqual([
          { key, kind, schoolId, ownerId, code: 'MODEL_UNAVAILABLE', attempts, failedAt: start + attempts },
        ]);
      });

      it('fails for good at once where there is no time to try again', async () => {
        const queue = await openQueue();
        await queue.enqueue(aJob());
        const { lease } = await mustTake(queue, start);
        expect(await queue.fail(lease, { code: 'NOT_FOUND', now: start + 5, retryAt: null })).toBe('failed');
        expect(await queue.failedJobs(10)).toMatchObject([{ code: 'NOT_FOUND', attempts: 1, failedAt: start + 5 }]);
      });

      it('shows the latest failures first, and no more than asked for', async () => {
        const queue = await openQueue();
        for (const [index, key] of ['one', 'two', 'three'].entries()) {
          await queue.enqueue(aJob({ key }));
          const { lease } = await mustTake(queue, start);
          await queue.fail(lease, { code: 'INTERNAL', now: start + index, retryAt: null });
        }
        expect((await queue.failedJobs(2)).map(({ key }) => key)).toEqual(['three', 'two']);
        expect(await queue.jobCounts()).toMatchObject({ failed: 3 });
      });

      it('puts a job that failed for good back to work when it is given anew', async () => {
        const queue = await openQueue();
        const job = aJob({ maxAttempts: 1, payload: { turn: 1 } });
        await queue.enqueue(job);
        const { lease } = await mustTake(queue, start);
        await queue.fail(lease, { code: 'INTERNAL', now: start, retryAt: start });
        const given = { ...job, payload: { turn: 2 }, runAt: start + 1_000 };
        expect(await queue.enqueue(given)).toBe('enqueued');
        expect(await queue.jobCounts()).toEqual({ waiting: 1, running: 0, failed: 0 });
        expect(await queue.failedJobs(10)).toEqual([]);
        expect(await take(queue, start + 999)).toBeNull();
        const again = await mustTake(queue, start + 1_000);
        expect(again).toMatchObject({ attempt: 1, payload: { turn: 2 } });
        expect(await queue.complete(lease, start + 1_000)).toBe(false);
        expect(await queue.complete(again.lease, start + 1_000)).toBe(true);
      });

      it('gives up a job whose workers all died at it', async () => {
        const queue = await openQueue();
        const job = aJob({ maxAttempts: 2 });
        await queue.enqueue(job);
        const first = await mustTake(queue, start);
        const second = await mustTake(queue, start + leaseMs);
        expect([first.attempt, second.attempt]).toEqual([1, 2]);
        expect(await take(queue, start + 2 * leaseMs)).toBeNull();
        expect(await queue.failedJobs(10)).toMatchObject([
          { key: job.key, code: 'INTERRUPTED', attempts: 2, failedAt: start + 2 * leaseMs },
        ]);
        expect(await queue.complete(second.lease, start + 2 * leaseMs)).toBe(false);
      });

      it('gives a job back at once, and that attempt does not count', async () => {
        const queue = await openQueue();
        await queue.enqueue(aJob({ maxAttempts: 1 }));
        for (let count = 0; count < 3; count += 1) {
          const job = await mustTake(queue, start + count);
          expect(job.attempt).toBe(1);
          expect(await queue.release(job.lease, start + count)).toBe(true);
        }
        expect(await queue.jobCounts()).toEqual({ waiting: 1, running: 0, failed: 0 });
      });
    });

    it('keeps everything over a restart: what waits, what runs, what failed', async () => {
      const { queue, reopen } = await openForTest();
      await queue.enqueue(aJob({ key: 'failed' }));
      await queue.fail((await mustTake(queue, start)).lease, { code: 'INTERNAL', now: start, retryAt: null });
      await queue.enqueue(aJob({ key: 'runs' }));
      const { lease } = await mustTake(queue, start);
      await queue.enqueue(aJob({ key: 'waits' }));
      const again = await reopen();
      expect(await again.jobCounts()).toEqual({ waiting: 1, running: 1, failed: 1 });
      expect(await again.failedJobs(10)).toMatchObject([{ key: 'failed' }]);
      expect(await take(again, start + 1)).toMatchObject({ key: 'waits', attempt: 1 });
      expect(await again.complete(lease, start + 1)).toBe(true);
    });
  });
}
