import type { Clock } from '../core/clock.ts';
import type { PreparedStore } from './ports/prepared-store.ts';
import type { Owner } from './ports/store.ts';
import { type Profile, profileSchema, readProfile } from './profile.ts';

const attempts = 5;

/**
 * Brings what a person confirmed in a conversation into their profile: a school, a deadline, a year, an interest. What
 * does not fit the profile's form is left out of it; it is still in the conversation.
 */
export async function confirmIntoProfile(
  { prepared, clock }: { prepared: PreparedStore; clock: Clock },
  { schoolId, userId }: Owner,
  answer: { field: string; title: string; value: unknown },
): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const kept = await prepared.profile(schoolId, userId);
    const next = profileSchema.safeParse(withAnswer((kept && readProfile(kept.profile)) ?? {}, answer));
    if (!next.success) return;
    const saved = await prepared.saveProfile(schoolId, userId, {
      profile: JSON.stringify(next.data),
      expectedVersion: kept?.version ?? 0,
      updatedBy: userId,
      now: clock.now(),
    });
    if (saved === 'saved') return;
  }
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
      const others = (profile.schools ?? []).filter((each) => each.name !== name);
      return { ...profile, schools: [...others, { name, ...(deadline ? { deadline } : {}) }] };
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
