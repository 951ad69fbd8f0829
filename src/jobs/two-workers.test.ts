import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Queue } from '../engine/ports/queue.ts';
import type { JobHandler } from './job-handler.ts';
import { houseForTest, settings, settle } from './queue.fixture.ts';
import type { JobWorker } from './worker.ts';

type Step =
  | { do: 'put'; key: string }
  | { do: 'pass'; ms: number }
  | { do: 'end'; pick: number; outcome: 'done' | 'retry' | 'throw' }
  | { do: 'cut' | 'mend' | 'restart'; worker: 0 | 1 };

const worker = fc.constantFrom(0 as const, 1 as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('put' as const), key: fc.constantFrom('a', 'b', 'c', 'd') }),
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: settings.jobLeaseMs }) }),
  },
  fc.record({
    do: fc.constant('end' as const),
    pick: fc.nat(),
    outcome: fc.constantFrom('done' as const, 'retry' as const, 'throw' as const),
  }),
  fc.record({ do: fc.constantFrom('cut' as const, 'mend' as const, 'restart' as const), worker }),
);

/** One run of a job by one of the workers; it ends when it is told to, or when its signal is aborted. */
type Live = { key: string; by: number; end(outcome: 'done' | 'retry' | 'throw'): void };

/** Two workers on one queue. One that is cut off is as if stalled: nothing it asks of the queue is answered. */
async function play(steps: readonly Step[]): Promise<void> {
  const { queue, startWorker, put, pass, clock } = houseForTest();
  const live = new Set<Live>();
  const isCut = [false, false];
  const overlaps: string[] = [];
  const handlerOf =
    (by: number): JobHandler =>
    (job, signal) => {
      for (const other of live) if (other.key === job.key) overlaps.push(`${job.key}: ${other.by} and ${by}`);
      return new Promise((resolve, reject) => {
        const run: Live = {
          key: job.key,
          by,
          end(outcome) {
            live.delete(run);
            if (outcome === 'throw') reject(new Error('x'));
            else resolve(outcome === 'done' ? 'done' : { kind: 'retry', code: 'INTERNAL' });
          },
        };
        live.add(run);
        signal.addEventListener('abort', () => run.end('throw'));
      });
    };
  const gated = (by: number): Queue => {
    const gate = async <T>(call: () => Promise<T>): Promise<T> => {
      if (isCut[by]) throw new Error('cut off');
      return call();
    };
    return {
      ...queue,
      lease: (request) => gate(() => queue.lease(request)),
      renew: (lease, until) => gate(() => queue.renew(lease, until)),
      complete: (lease, now) => gate(() => queue.complete(lease, now)),
      fail: (lease, failure) => gate(() => queue.fail(lease, failure)),
      release: (lease, now) => gate(() => queue.release(lease, now)),
    };
  };
  const start = (by: number) => startWorker({ queue: gated(by), handlers: { sum: handlerOf(by) } });
  const workers: [JobWorker, JobWorker] = [await start(0), await start(1)];

  for (const next of steps) {
    if (next.do === 'put') await put(next.key, { maxAttempts: 1_000 });
    else if (next.do === 'pass') await pass(next.ms);
    else if (next.do === 'end') [...live][next.pick % Math.max(live.size, 1)]?.end(next.outcome);
    else if (next.do === 'restart') {
      await workers[next.worker][Symbol.asyncDispose]();
      workers[next.worker] = await start(next.worker);
    } else isCut[next.worker] = next.do === 'cut';
    await settle();
    expect(overlaps).toEqual([]);
  }

  // Whatever went before, all of it gets done once nothing is in the way.
  isCut.fill(false);
  for (let round = 0; round < 400; round += 1) {
    const { waiting, running } = await queue.jobCounts();
    if (waiting + running === 0) break;
    for (const run of live) run.end('done');
    await settle();
    clock.advance(2_000);
    await settle();
  }
  expect(overlaps).toEqual([]);
  expect(await queue.jobCounts()).toEqual({ waiting: 0, running: 0, failed: 0 });
  for (const one of workers) await one[Symbol.asyncDispose]();
}

describe('two workers on one queue', () => {
  it('are never at the same job at once, and between them do all of it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => play(steps)),
      { numRuns: 150 },
    );
  });
});
