import { Cron } from 'croner';
import type { Clock, Timer } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Queue } from '../engine/ports/queue.ts';

/** Work of every day that `pattern` (`30 3 * * *`, in cron's five fields) names. Its job's payload is `{ day }`. */
export type DailyTask = { name: string; kind: string; pattern: string };

export type DailyWorkParts = {
  queue: Queue;
  clock: Clock;
  logger: Logger;
  /** The IANA time zone that the patterns and the days are in, like `Europe/Vilnius`. */
  timeZone: string;
  tasks: readonly DailyTask[];
};

type Planned = { task: DailyTask; cron: Cron; lastDay: string | null };

const hour = 3_600_000;
/** How long a day's key is known after its work was done: longer than anything that looks back at that day. */
const rememberMs = 7 * 24 * hour;
/** A timer may be late by how long the machine slept, and a clock may be set: time is looked at once a minute. */
const lookEveryMs = 60_000;

/**
 * Puts each day's work into the queue, once however many processes do so and however often they start. What was to run
 * while none did is put in at the start: the latest day's alone.
 * Its constructor throws where a pattern or the time zone is none.
 */
export class DailyWork implements AsyncDisposable {
  readonly #parts: DailyWorkParts;
  readonly #dayFormat: Intl.DateTimeFormat;
  readonly #plans: Planned[];
  #timer: Timer | null = null;
  #putting: Promise<void> | null = null;
  #isClosed = false;

  constructor(parts: DailyWorkParts) {
    this.#parts = parts;
    const { timeZone } = parts;
    this.#dayFormat = new Intl.DateTimeFormat('en', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    this.#plans = parts.tasks.map((task) => {
      const cron = new Cron(task.pattern, { timezone: timeZone, paused: true, mode: '5-part' });
      return { task, cron, lastDay: null };
    });
  }

  start(): void {
    if (this.#isClosed || this.#putting || this.#timer || this.#plans.length === 0) return;
    this.#look();
  }

  /** Resolves once nothing is being put in any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#putting;
  }

  #look(): void {
    this.#putting = this.#putDue().finally(() => {
      this.#putting = null;
      if (!this.#isClosed) this.#timer = this.#parts.clock.after(this.#untilNext(), () => this.#look());
    });
  }

  async #putDue(): Promise<void> {
    const { queue, clock, logger } = this.#parts;
    for (const plan of this.#plans) {
      const { task, cron } = plan;
      // The reference itself is left out.
      const [run] = cron.previousRuns(1, new Date(clock.now() + 1));
      const day = run && this.#dayOf(run);
      if (!run || !day || day === plan.lastDay) continue;
      try {
        const outcome = await queue.enqueue({
          key: `daily:${task.name}:${day}`,
          kind: task.kind,
          payload: { day },
          schoolId: null,
          ownerId: null,
          runAt: run.getTime(),
          rememberMs,
        });
        plan.lastDay = day;
        logger.info('daily_work_put', { name: task.name, day, outcome });
      } catch {
        logger.error('daily_work_not_put', { name: task.name, day });
      }
    }
  }

  #untilNext(): number {
    const now = this.#parts.clock.now();
    const next = this.#plans.flatMap(({ cron }) => cron.nextRun(new Date(now))?.getTime() ?? []);
    return Math.max(1, Math.min(lookEveryMs, ...next.map((time) => time - now)));
  }

  #dayOf(time: Date): string {
    const parts = new Map(this.#dayFormat.formatToParts(time).map(({ type, value }) => [type, value]));
    return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
  }
}
