import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lease } from '../../engine/ports/queue.ts';
import { openDatabase } from './database.ts';
import { queueOperations } from './queue.ts';

const leaseMs = 100;
const maxAttempts = 3;
const keys = ['a', 'b', 'c'] as const;
const workers = [0, 1, 2] as const;

type Step =
  | { do: 'enqueue'; key: (typeof keys)[number]; inMs: number; rememberMs: number }
  | { do: 'lease'; worker: number }
  | { do: 'renew' | 'complete' | 'release'; worker: number }
  | { do: 'fail'; worker: number; inMs: number | null }
  | { do: 'wait'; ms: number };

const worker = fc.constantFrom(...workers);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('enqueue' as const),
    key: fc.constantFrom(...keys),
    inMs: fc.constantFrom(0, 0, 0, 50, 150),
    rememberMs: fc.constantFrom(0, 120),
  }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('lease' as const), worker }) },
  fc.record({ do: fc.constantFrom('renew' as const, 'complete' as const, 'release' as const), worker }),
  fc.record({ do: fc.constant('fail' as const), worker, inMs: fc.option(fc.integer({ min: 0, max: 150 })) }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 120 }) }) },
);

/** What a job must be, by all that was said of it. */
type Expected = {
  status: 'waiting' | 'running' | 'failed' | 'done';
  dueAt: number;
  attempts: number;
  rememberMs: number;
  lease: Lease | null;
};

/** What the queue should do, as plainly as it can be said; `run` does each step on both and compares. */
class Model {
  readonly #db = openDatabase(':memory:').db;
  readonly #queue = queueOperations(this.#db);
  readonly #jobs = new Map<string, Expected>();
  /** The last lease that each worker was given, held or not. */
  readonly #leases = new Map<number, { key: string; lease: Lease }>();
  #now = 1_000;

  run(next: Step): void {
    this.#step(next);
    const all = [...this.#jobs.values()];
    const count = (status: string) => all.filter((job) => job.status === status).length;
    expect(this.#queue.jobCounts()).toEqual({
      waiting: count('waiting'),
      running: count('running'),
      failed: count('failed'),
    });
  }

  close(): void {
    this.#db.close();
  }

  #step(next: Step): void {
    if (next.do === 'wait') this.#now += next.ms;
    else if (next.do === 'enqueue') this.#enqueue(next);
    else if (next.do === 'lease') this.#lease(next.worker);
    else this.#act(next);
  }

  #enqueue({ key, inMs, rememberMs }: Extract<Step, { do: 'enqueue' }>): void {
    const runAt = this.#now + inMs;
    const known = this.#jobs.get(key);
    const isFree = !known || known.status === 'failed' || (known.status === 'done' && known.dueAt <= runAt);
    const job = { key, kind: 'k', payload: {}, schoolId: null, ownerId: null, runAt, maxAttempts, rememberMs };
    expect(this.#queue.enqueue(job)).toBe(isFree ? 'enqueued' : 'known');
    if (isFree) this.#jobs.set(key, { status: 'waiting', dueAt: runAt, attempts: 0, rememberMs, lease: null });
  }

  #lease(by: number): void {
    for (const [key, job] of this.#jobs) {
      if (job.dueAt > this.#now) continue;
      if (job.status === 'done') this.#jobs.delete(key);
      if (job.status === 'running' && job.attempts >= maxAttempts) job.status = 'failed';
    }
    const open = [...this.#jobs].filter(([, { status }]) => status === 'waiting' || status === 'running');
    const due = open.filter(([, { dueAt }]) => dueAt <= this.#now);
    const outcome = this.#queue.lease({ kinds: ['k'], now: this.#now, leaseMs });
    if (outcome.kind === 'none') {
      expect(due).toEqual([]);
      expect(outcome.nextAt).toBe(open.length > 0 ? Math.min(...open.map(([, { dueAt }]) => dueAt)) : null);
      return;
    }
    const { key, lease, attempt } = outcome.job;
    const job = this.#jobs.get(key);
    // Nobody holds it: it waited, or whoever held it has let its lease end.
    expect(due.map(([dueKey]) => dueKey)).toContain(key);
    expect(job?.dueAt).toBe(Math.min(...due.map(([, { dueAt }]) => dueAt)));
    expect(attempt).toBe((job?.attempts ?? 0) + 1);
    if (job) Object.assign(job, { status: 'running', dueAt: this.#now + leaseMs, attempts: attempt, lease });
    this.#leases.set(by, { key, lease });
  }

  #act(next: Exclude<Step, { do: 'wait' | 'enqueue' | 'lease' }>): void {
    const given = this.#leases.get(next.worker);
    if (!given) return;
    const { key, lease } = given;
    const job = this.#jobs.get(key);
    const isHeld = job?.status === 'running' && job.lease === lease;
    const now = this.#now;
    switch (next.do) {
      case 'renew':
        expect(this.#queue.renew(lease, now + leaseMs)).toBe(isHeld);
        if (isHeld) job.dueAt = now + leaseMs;
        return;
      case 'complete':
        expect(this.#queue.complete(lease, now)).toBe(isHeld);
        if (!isHeld) return;
        if (job.rememberMs === 0) this.#jobs.delete(key);
        else Object.assign(job, { status: 'done', dueAt: now + job.rememberMs });
        return;
      case 'release':
        expect(this.#queue.release(lease, now)).toBe(isHeld);
        if (isHeld) Object.assign(job, { status: 'waiting', dueAt: now, attempts: job.attempts - 1 });
        return;
      case 'fail': {
        const retryAt = next.inMs === null ? null : now + next.inMs;
        const isLast = isHeld && (job.attempts >= maxAttempts || retryAt === null);
        const outcome = this.#queue.fail(lease, { code: 'INTERNAL', now, retryAt });
        expect(outcome).toBe(isHeld ? (isLast ? 'failed' : 'waiting') : 'lost');
        if (isHeld) Object.assign(job, { status: isLast ? 'failed' : 'waiting', dueAt: isLast ? now : retryAt });
      }
    }
  }
}

describe('the queue in SQLite', () => {
  it('never gives a job to two workers at once, nor lets one that lost it act, in whatever order they come', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100, size: 'max' }), (steps) => {
        const model = new Model();
        try {
          for (const next of steps) model.run(next);
        } finally {
          model.close();
        }
      }),
      { numRuns: 300 },
    );
  });

  it('writes nothing when there is nothing to lease', () => {
    const { db } = openDatabase(':memory:');
    const queue = queueOperations(db);
    const before = db.prepare('SELECT total_changes()').pluck().get();
    queue.lease({ kinds: ['k'], now: 1, leaseMs });
    expect(db.prepare('SELECT total_changes()').pluck().get()).toBe(before);
    db.close();
  });

  it('forgets what is done a few at a time, and all of it in the end', () => {
    const { db } = openDatabase(':memory:');
    const queue = queueOperations(db);
    for (let index = 0; index < 40; index += 1) {
      const job = { key: `k${index}`, kind: 'k', payload: {}, schoolId: null, ownerId: null, runAt: 0, rememberMs: 10 };
      queue.enqueue(job);
      const outcome = queue.lease({ kinds: ['k'], now: 0, leaseMs });
      if (outcome.kind === 'leased') queue.complete(outcome.job.lease, 0);
    }
    const rows = () => Number(db.prepare('SELECT count(*) FROM jobs').pluck().get());
    const left = [rows()];
    for (let count = 0; count < 3; count += 1) {
      queue.lease({ kinds: ['k'], now: 10, leaseMs });
      left.push(rows());
    }
    expect(left).toEqual([40, 24, 8, 0]);
    db.close();
  });
});
