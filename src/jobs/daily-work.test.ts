import { describe, expect, it, onTestFinished } from 'vitest';
import { SimulatedClock } from '../core/clock.ts';
import { jsonLogger } from '../core/logger.ts';
import type { LeasedJob, Queue } from '../engine/ports/queue.ts';
import { type DailyTask, DailyWork } from './daily-work.ts';
import { queueForTest, settle } from './queue.fixture.ts';

const hour = 3_600_000;
const expiry: DailyTask = { name: 'expiry', kind: 'expire', pattern: '30 3 * * *' };

/** At half past three in Vilnius it is half past midnight in UTC in summer, half past one in winter. */
async function startAt(time: string, over: { queue?: Queue; tasks?: DailyTask[]; timeZone?: string } = {}) {
  const clock = new SimulatedClock(Date.parse(time));
  const lines: { event: string; day?: string; outcome?: string }[] = [];
  const logger = jsonLogger(clock, (line) => lines.push(JSON.parse(line) as { event: string }));
  const { queue = queueForTest(), tasks = [expiry], timeZone = 'Europe/Vilnius' } = over;
  const work = new DailyWork({ queue, clock, logger, timeZone, tasks });
  onTestFinished(() => work[Symbol.asyncDispose]());
  work.start();
  await settle();
  const passUntil = async (end: string) => {
    while (clock.now() < Date.parse(end)) {
      clock.advance(Math.min(60_000, Date.parse(end) - clock.now()));
      await settle();
    }
  };
  const leaseAll = async (): Promise<LeasedJob[]> => {
    const jobs: LeasedJob[] = [];
    for (;;) {
      const outcome = await queue.lease({ kinds: tasks.map(({ kind }) => kind), now: clock.now(), leaseMs: hour });
      if (outcome.kind === 'none') return jobs;
      jobs.push(outcome.job);
      await queue.complete(outcome.job.lease, clock.now());
    }
  };
  return { clock, work, queue, lines, passUntil, leaseAll };
}

describe('daily work', () => {
  it('is put in at its time of each day', async () => {
    const { passUntil, leaseAll, queue } = await startAt('2026-09-01T00:00:00Z');
    await leaseAll();
    await passUntil('2026-09-01T00:29:59.999Z');
    expect(await queue.jobCounts()).toMatchObject({ waiting: 0 });
    await passUntil('2026-09-01T00:30:00Z');
    expect(await leaseAll()).toMatchObject([
      {
        key: 'daily:expiry:2026-09-01',
        kind: 'expire',
        payload: { day: '2026-09-01' },
        schoolId: null,
        ownerId: null,
        attempt: 1,
      },
    ]);
    await passUntil('2026-09-02T00:30:00Z');
    expect((await leaseAll()).map(({ key }) => key)).toEqual(['daily:expiry:2026-09-02']);
  });

  it('that was missed is caught up at the start: the latest day alone', async () => {
    const { queue, leaseAll, work } = await startAt('2026-09-01T05:00:00Z');
    expect((await leaseAll()).map(({ key }) => key)).toEqual(['daily:expiry:2026-09-01']);
    await work[Symbol.asyncDispose]();
    const later = await startAt('2026-09-05T00:00:00Z', { queue });
    expect((await later.leaseAll()).map(({ key }) => key)).toEqual(['daily:expiry:2026-09-04']);
  });

  it('is not done again by a second process, nor after a restart on the same day', async () => {
    const first = await startAt('2026-09-01T00:30:00Z');
    const second = await startAt('2026-09-01T00:30:00Z', { queue: first.queue });
    expect(await first.leaseAll()).toHaveLength(1);
    await first.passUntil('2026-09-01T20:00:00Z');
    await first.work[Symbol.asyncDispose]();
    const restarted = await startAt('2026-09-01T20:00:00Z', { queue: first.queue });
    await second.passUntil('2026-09-01T20:00:00Z');
    expect(await restarted.leaseAll()).toEqual([]);
    expect(restarted.lines).toMatchObject([{ event: 'daily_work_put', day: '2026-09-01', outcome: 'known' }]);
  });

  it('that failed for good is tried again by the next start of that day', async () => {
    const { queue, clock } = await startAt('2026-09-01T05:00:00Z');
    const outcome = await queue.lease({ kinds: ['expire'], now: clock.now(), leaseMs: hour });
    if (outcome.kind === 'leased')
      await queue.fail(outcome.job.lease, { code: 'INTERNAL', now: clock.now(), retryAt: null });
    const again = await startAt('2026-09-01T06:00:00Z', { queue });
    expect(await again.leaseAll()).toMatchObject([{ key: 'daily:expiry:2026-09-01', attempt: 1 }]);
  });

  it('comes once on the days that the clocks change', async () => {
    const spring = await startAt('2026-03-28T12:00:00Z');
    await spring.leaseAll();
    await spring.passUntil('2026-03-29T23:00:00Z');
    expect((await spring.leaseAll()).map(({ key }) => key)).toEqual(['daily:expiry:2026-03-29']);
    const autumn = await startAt('2026-10-24T12:00:00Z');
    await autumn.leaseAll();
    await autumn.passUntil('2026-10-25T23:00:00Z');
    expect((await autumn.leaseAll()).map(({ key }) => key)).toEqual(['daily:expiry:2026-10-25']);
  });

  it.each([
    { timeZone: 'Pacific/Kiritimati', day: '2026-09-02' },
    { timeZone: 'America/Los_Angeles', day: '2026-09-01' },
    { timeZone: 'UTC', day: '2026-09-01' },
  ])('goes by the day of its time zone: $timeZone', async ({ timeZone, day }) => {
    const { leaseAll } = await startAt('2026-09-01T15:00:00Z', { timeZone });
    expect((await leaseAll()).map(({ key }) => key)).toEqual([`daily:expiry:${day}`]);
  });

  it('keeps to the days of a pattern that names some', async () => {
    const tasks = [{ ...expiry, pattern: '30 3 * * 1-5' }];
    const { leaseAll, passUntil } = await startAt('2026-09-04T12:00:00Z', { tasks });
    await leaseAll();
    await passUntil('2026-09-06T23:00:00Z');
    expect(await leaseAll()).toEqual([]);
    await passUntil('2026-09-07T00:30:00Z');
    expect((await leaseAll()).map(({ key }) => key)).toEqual(['daily:expiry:2026-09-07']);
  });

  it('is put in later where the queue fails, and takes no other work with it', async () => {
    const queue = queueForTest();
    let isDown = true;
    const flaky: Queue = {
      ...queue,
      enqueue: async (job) => {
        if (isDown && job.kind === 'expire') throw new Error('disk full');
        return queue.enqueue(job);
      },
    };
    const tasks = [expiry, { name: 'notes', kind: 'note', pattern: '0 4 * * *' }];
    const { leaseAll, passUntil, lines } = await startAt('2026-09-01T12:00:00Z', { queue: flaky, tasks });
    expect((await leaseAll()).map(({ key }) => key)).toEqual(['daily:notes:2026-09-01']);
    expect(lines[0]).toMatchObject({ level: 'error', event: 'daily_work_not_put', name: 'expiry' });
    isDown = false;
    await passUntil('2026-09-01T12:01:00Z');
    expect((await leaseAll()).map(({ key }) => key)).toEqual(['daily:expiry:2026-09-01']);
  });

  it('is put in soon after the machine has slept through its time', async () => {
    const { leaseAll, clock, passUntil } = await startAt('2026-09-01T12:00:00Z');
    await leaseAll();
    // All at once: no timer fires at its time.
    clock.advance(26 * hour);
    await settle();
    await passUntil('2026-09-02T14:01:00Z');
    expect((await leaseAll()).map(({ key }) => key)).toEqual(['daily:expiry:2026-09-02']);
  });

  it('stops when it is closed', async () => {
    const { work, passUntil, queue, leaseAll } = await startAt('2026-09-01T12:00:00Z');
    await leaseAll();
    await work[Symbol.asyncDispose]();
    work.start();
    await passUntil('2026-09-03T00:00:00Z');
    expect(await queue.jobCounts()).toMatchObject({ waiting: 0 });
  });

  it('is refused at once where its time or its zone is none', () => {
    const parts = {
      queue: queueForTest(),
      clock: new SimulatedClock(),
      logger: jsonLogger(new SimulatedClock(), () => {}),
    };
    const make = (pattern: string, timeZone: string) =>
      new DailyWork({ ...parts, timeZone, tasks: [{ ...expiry, pattern }] });
    expect(() => make('when it rains', 'UTC')).toThrow(TypeError);
    expect(() => make('0 30 3 * * *', 'UTC')).toThrow(TypeError);
    expect(() => make('30 3 * * *', 'Mars/Base')).toThrow(RangeError);
  });
});
