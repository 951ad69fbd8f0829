import type { Clock } from '../core/clock.ts';
import type { PreparedStore } from './ports/prepared-store.ts';
import type { Owner } from './ports/store.ts';
import { isSignificant, type Profile, profileSchema, readProfile } from './profile.ts';

const attempts = 5;

export type ConfirmParts = {
  prepared: PreparedStore;
  clock: Clock;
  /** Told of a change that matters for what is prepared for the person. */
  onSignificant: (owner: Owner) => Promise<void>;
};

/** `does_not_fit`: the profile has no room for it, or no place of its form. */
export type Confirmed = 'kept' | 'does_not_fit' | 'conflict';

/**
 * Brings what a person confirmed in a conversation into their profile: a school, a deadline, a year, an interest. Done
 * twice it leaves the same.
 */
export async function confirmIntoProfile(
  { prepared, clock, onSignificant }: ConfirmParts,
  { schoolId, userId }: Owner,
  answer: { field: string; title: string; value: unknown },
): Promise<Confirmed> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const kept = await prepared.profile(schoolId, userId);
    const before = kept && readProfile(kept.profile);
    const next = profileSchema.safeParse(withAnswer(before ?? {}, answer));
    if (!next.success) return 'does_not_fit';
    const saved = await prepared.saveProfile(schoolId, userId, {
      profile: JSON.stringify(next.data),
      expectedVersion: kept?.version ?? 0,
      updatedBy: userId,
      now: clock.now(),
    });
    if (saved !== 'saved') continue;
    if (isSignificant(before, next.data)) await onSignificant({ schoolId, userId });
    return 'kept';
  }
  return 'conflict';
}

function withAnswer(
  profile: Profile,
  { field, title, value }: { field: string; title: string; value: unknown },
): unknown {
  const texts = listOf(value);
  const [first] = texts;
  switch (field) {
    case 'school_year':
      return { ...profile, school_year: first };
    case 'interests':
      return { ...profile, interests: [...new Set([...(profile.interests ?? []), ...texts])] };
    case 'activities': {
      const known = new Set((profile.activities ?? []).map(({ name }) => name));
      const added = texts.filter((name) => !known.has(name)).map((name) => ({ name }));
      return { ...profile, activities: [...(profile.activities ?? []), ...added] };
    }
    case 'deadlines': {
      const others = (profile.deadlines ?? []).filter((deadline) => deadline.title !== title);
      return { ...profile, deadlines: [...others, { title, due_on: first }] };
    }
    case 'schools': {
      const school = typeof value === 'object' && value !== null ? value : { name: first };
      const { name, deadline } = school as { name?: unknown; deadline?: unknown };
      const known = (profile.schools ?? []).find((each) => each.name === name);
      const others = (profile.schools ?? []).filter((each) => each !== known);
      return { ...profile, schools: [...others, { ...known, name, ...(deadline ? { deadline } : {}) }] };
    }
    default:
      return profile;
  }
}

/** The texts in a confirmed value: a choice, a date, or the items of a checklist that were ticked. */
function listOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: { item?: unknown; done?: unknown }) =>
    each.done === true && typeof each.item === 'string' ? [each.item] : [],
  );
}
