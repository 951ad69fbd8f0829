import type { Clock } from '../core/clock.ts';
import type { Owner, Store } from '../engine/ports/store.ts';
import { HttpProblem } from './problem.ts';

/** What people are limited in, and how often a minute: more than anyone needs, and too little to do harm with. */
const perMinute = {
  /** Conversations begun. */
  conversations: 60,
  exports: 6,
  /** Learners named. */
  learners: 60,
  /** Items of a project's memory: more than any conversation makes, and too few to fill a disk. */
  memories: 120,
  /** Profiles saved; each may have a sheet made anew. */
  profiles: 60,
  /** Sheets asked for anew; each is a call to a model. */
  refreshes: 20,
  /** Turns posted to a rolling memory; each is a call to a model. */
  summaries: 30,
  tickets: 60,
} as const;

export type LimitParts = { store: Pick<Store, 'countUse'>; clock: Clock };

/** Counts one use of a person's; leaves with 429 where it was one too many. An erasure takes the counts with it. */
export async function limitUse(
  { store, clock }: LimitParts,
  what: keyof typeof perMinute,
  owner: Owner,
): Promise<void> {
  const key = `${what}:${owner.schoolId}:${owner.userId}`;
  const use = await store.countUse({ key, limit: perMinute[what], windowMs: 60_000, now: clock.now() });
  if (use.kind === 'limited') throw new HttpProblem('RATE_LIMITED', { retryAfterSeconds: use.retryAfterSeconds });
}
