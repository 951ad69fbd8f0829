import { isoTime } from '../core/clock.ts';
import type { Clock } from '../core/clock.ts';
import { objectivesJob, preparedCompanions } from '../engine/objectives-job.ts';
import type { CartridgeLibrary } from '../engine/ports/library.ts';
import type { PreparedStore } from '../engine/ports/prepared-store.ts';
import type { Queue } from '../engine/ports/queue.ts';
import { type Profile, readProfile } from '../engine/profile.ts';
import type { JobHandler } from './job-handler.ts';

export type DailyObjectivesParts = {
  prepared: PreparedStore;
  queue: Queue;
  cartridges: CartridgeLibrary;
  clock: Clock;
};

const dayMs = 86_400_000;
const atOnce = 100;
/** A deadline this near is looked at every day. */
const nearDays = 14;
/** Objectives this old are made anew, whatever has happened. */
const staleDays = 7;

/**
 * Each day's look at every student with a profile: where a deadline is near, or the objectives are old, they are made
 * anew. One job a student and companion, so that a day's work done twice is done once.
 */
export function dailyObjectives({ prepared, queue, cartridges, clock }: DailyObjectivesParts): JobHandler {
  return async (_, signal) => {
    const companions = preparedCompanions(cartridges);
    if (companions.length === 0) return 'done';
    let after: { schoolId: string; userId: string } | null = null;
    for (;;) {
      const students = await prepared.profiledStudents(after, atOnce);
      for (const { schoolId, userId } of students) {
        signal.throwIfAborted();
        const [profile, sheets] = await Promise.all([
          prepared.profile(schoolId, userId),
          prepared.allObjectives(schoolId, userId),
        ]);
        const now = clock.now();
        const isNear = profile !== null && hasNearDeadline(readProfile(profile.profile), now);
        for (const { id: cartridgeId } of companions) {
          const made = sheets.find((sheet) => sheet.cartridgeId === cartridgeId)?.generatedAt ?? 0;
          const isDue = now - made > (isNear ? dayMs / 2 : staleDays * dayMs);
          if (isDue) await queue.enqueue(objectivesJob({ schoolId, userId, cartridgeId, reason: 'daily', runAt: now }));
        }
      }
      const last = students.at(-1);
      if (!last || students.length < atOnce) return 'done';
      after = last;
    }
  };
}

function hasNearDeadline(profile: Profile | null, now: number): boolean {
  const [from, to] = [isoTime(now).slice(0, 10), isoTime(now + nearDays * dayMs).slice(0, 10)];
  const days = [
    ...(profile?.deadlines ?? []).map(({ due_on: on }) => on),
    ...(profile?.schools ?? []).flatMap(({ deadline }) => deadline ?? []),
  ];
  return days.some((day) => day >= from && day <= to);
}
