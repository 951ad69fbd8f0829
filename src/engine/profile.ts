import { z } from 'zod';
import type { ProfileRecord } from './ports/prepared-store.ts';
import { type NarrativeOptions, writeNarrative } from './profile-narrative.ts';

/*
 * What is known of a student, in typed fields (seed 000). Every field may be missing or null; none other is taken, so
 * that nothing is lost in silence.
 */

/** Text on one line, without controls. */
const line = (most: number) =>
  z
    .string()
    .transform((value) =>
      value
        .toWellFormed()
        .replace(/\s+/gu, ' ')
        .replace(/[\p{Cc}]/gu, '')
        .trim(),
    )
    .pipe(z.string().min(1, 'must not be empty').max(most, `may have at most ${most} characters`));
/** Null stands for an absence. */
const maybe = <Value extends z.ZodType>(value: Value) => value.nullish().transform((given) => given ?? undefined);
const list = <Item extends z.ZodType>(item: Item) => maybe(z.array(item).max(50, 'may have at most 50 entries'));
const day = z.iso.date('must be a date, yyyy-mm-dd');
const amount = (most: number) => z.number().min(0, 'must be 0 or more').max(most, `must be ${most} or less`);
/** A mark or a level: `1450`, `7.5`, `B2`. */
const score = z.union([z.number(), line(60)], { error: 'must be a number or a text' });

/** Takes out what is undefined, so that what is not there has no key. */
function present<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

const object = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).transform(present);

export const profileSchema = object({
  school_year: maybe(
    z.union([line(60), z.number().min(0).max(99).transform(String)], {
      error: 'must be a text or a number from 0 to 99',
    }),
  ),
  gpa: maybe(z.strictObject({ value: amount(1_000), scale: z.number().positive('must be above 0').max(1_000) })),
  testing: list(z.strictObject({ test: line(120), score, taken_on: day })),
  activities: list(
    object({ name: line(160), role: maybe(line(160)), hours_per_week: maybe(amount(168)), years: maybe(amount(30)) }),
  ),
  schools: list(object({ name: line(200), status: maybe(line(120)), deadline: maybe(day) })),
  deadlines: list(z.strictObject({ title: line(200), due_on: day })),
  interests: list(line(120)),
  notes: maybe(
    z
      .string()
      .trim()
      .max(2_000, 'may have at most 2000 characters')
      .transform((value) => value.toWellFormed()),
  ),
});

export type Profile = Partial<z.infer<typeof profileSchema>>;

/** A profile as the store kept it; null where it cannot be read. */
export function readProfile(kept: string): Profile | null {
  try {
    return profileSchema.safeParse(JSON.parse(kept)).data ?? null;
  } catch {
    return null;
  }
}

const significant = ['school_year', 'gpa', 'testing', 'schools', 'deadlines'] as const;

/** Whether a change is one to prepare for anew: of the school year, marks, tests, schools or deadlines, whatever their order. */
export function isSignificant(before: Profile | null, after: Profile): boolean {
  return significant.some((field) => fingerprint(before?.[field]) !== fingerprint(after[field]));
}

/** What the fields of a kept profile say, in prose; null where they say nothing. */
export function narrativeOf({ profile }: Pick<ProfileRecord, 'profile'>, options: NarrativeOptions): string | null {
  const read = readProfile(profile);
  return read && (writeNarrative(read, options) || null);
}

function fingerprint(value: unknown): string {
  if (value === undefined) return '[]';
  if (!Array.isArray(value)) return JSON.stringify(value);
  return JSON.stringify(value.map((item) => JSON.stringify(item)).toSorted());
}
