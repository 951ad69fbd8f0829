import type { Owner, RateUse, TurnUsage } from './ports/store.ts';

/** How much a student and a school may use; 0 is no limit. Windows are fixed, in UTC. */
export type TurnLimits = {
  studentTurnsPerMinute: number;
  schoolTurnsPerMinute: number;
  studentTokensPerDay: number;
  schoolTokensPerDay: number;
};

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** What a turn is counted against when it begins: a turn each, and whether the day's tokens are used up. */
export function turnRates(limits: TurnLimits, owner: Owner, now: number): RateUse[] {
  const { schoolId } = owner;
  const turns = { windowMs: minuteMs, now };
  return [
    { ...turns, key: `turns:${schoolId}:${owner.userId}`, limit: limits.studentTurnsPerMinute },
    { ...turns, key: `turns:${schoolId}`, limit: limits.schoolTurnsPerMinute },
    ...tokenRates(limits, owner, now).map((rate) => ({ ...rate, cost: 0 })),
  ];
}

/** What a turn has cost, counted when it settles. */
export function turnSpends(limits: TurnLimits, owner: Owner, spent: { usage: TurnUsage; now: number }): RateUse[] {
  const cost = spent.usage.inputTokens + spent.usage.outputTokens;
  return tokenRates(limits, owner, spent.now).map((rate) => ({ ...rate, cost }));
}

function tokenRates(limits: TurnLimits, { schoolId, userId }: Owner, now: number): RateUse[] {
  return [
    { key: `tokens:${schoolId}:${userId}`, limit: limits.studentTokensPerDay, windowMs: dayMs, now },
    { key: `tokens:${schoolId}`, limit: limits.schoolTokensPerDay, windowMs: dayMs, now },
  ];
}
