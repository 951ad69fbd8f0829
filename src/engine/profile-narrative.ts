import type { Profile } from './profile.ts';
import { type NarrativeTexts, narrativeTexts } from './profile-texts.ts';

export type NarrativeOptions = {
  language: string;
  /** `yyyy-mm-dd`, where the student is. */
  today: string;
  /** 300 where absent (seed 000). */
  budgetTokens?: number;
  /** What a text costs; must not fall as it grows. */
  tokensOf: (text: string) => number;
};

const dayMs = 24 * 3_600_000;
/** A deadline is asked about for so long after it has passed. */
const recentDays = 21;
const inOneSentence = 3;

/**
 * A profile in plain prose, English or Lithuanian: what the student has to act on first, what they wrote about
 * themselves last. As many whole sentences as the budget holds, in that order; one that is too long is left out, and
 * shorter ones after it are not. Empty where there is nothing to tell.
 */
export function writeNarrative(profile: Profile, options: NarrativeOptions): string {
  const { language, budgetTokens = 300, tokensOf } = options;
  let told = '';
  for (const sentence of sentencesOf(profile, narrativeTexts(language), options.today)) {
    const longer = told === '' ? sentence : `${told} ${sentence}`;
    if (tokensOf(longer) <= budgetTokens) told = longer;
  }
  return told;
}

function* sentencesOf(profile: Profile, say: NarrativeTexts, today: string): Generator<string> {
  const { school_year: year, gpa, testing, activities, schools, interests, notes } = profile;
  if (year !== undefined) yield say.year(plain(year));
  if (gpa !== undefined) yield say.average(gpa.value, gpa.scale);
  const coming = deadlinesOf(profile).filter(({ on }) => on >= today);
  const [next, later] = [coming.slice(0, inOneSentence), coming.slice(inOneSentence)];
  const due = ({ title, on }: Deadline) => say.due(title, on, daysBetween(today, on));
  yield* grouped(next, due, say.coming);
  const planned = (schools ?? []).toSorted((one, other) => orderDates(one.deadline, other.deadline));
  yield* grouped(
    planned,
    ({ name, status, deadline }) =>
      withDetails(plain(name), [
        status && plain(status),
        deadline && (deadline >= today ? say.deadline(deadline) : say.deadlineWas(deadline)),
      ]),
    say.schools,
  );
  const taken = (testing ?? []).toSorted((one, other) => orderDates(other.taken_on, one.taken_on));
  yield* grouped(
    taken,
    ({ test, score, taken_on: on }) =>
      `${plain(test)} ${typeof score === 'number' ? say.number(score) : plain(score)} (${say.date(on)})`,
    say.tests,
  );
  const busiest = (activities ?? []).toSorted((one, other) => (other.hours_per_week ?? 0) - (one.hours_per_week ?? 0));
  yield* grouped(
    busiest,
    ({ name, role, hours_per_week: hours, years }) =>
      withDetails(plain(name), [
        role && plain(role),
        hours !== undefined && say.hours(hours),
        years !== undefined && say.years(years),
      ]),
    say.activities,
  );
  if (interests && interests.length > 0) yield say.interests(interests.slice(0, 12).map(plain));
  yield* grouped(later, due, say.later);
  const passed = deadlinesOf(profile).filter(({ on }) => on < today && daysBetween(on, today) <= recentDays);
  yield* grouped(passed.toReversed(), ({ title, on }) => `${title} (${say.date(on)})`, say.passed);
  yield* notesOf(notes ?? '', say);
}

type Deadline = { title: string; on: string };

/** Soonest first. */
function deadlinesOf({ deadlines }: Profile): Deadline[] {
  const all = (deadlines ?? []).map(({ title, due_on: on }) => ({ title: plain(title), on }));
  return all.toSorted((one, other) => orderDates(one.on, other.on));
}

/** A few to a sentence, so that one too long for what is left takes only a few with it. */
function* grouped<Each>(
  all: readonly Each[],
  tell: (each: Each) => string,
  sentence: (told: string) => string,
): Generator<string> {
  for (let start = 0; start < all.length; start += inOneSentence)
    yield sentence(
      all
        .slice(start, start + inOneSentence)
        .map(tell)
        .join('; '),
    );
}

function* notesOf(notes: string, say: NarrativeTexts): Generator<string> {
  const segments = new Intl.Segmenter(say.locale, { granularity: 'sentence' }).segment(
    notes.replace(/\s+/gu, ' ').trim(),
  );
  let isFirst = true;
  for (const { segment } of segments) {
    const sentence = ended(plain(segment));
    yield isFirst ? say.note(sentence) : sentence;
    isFirst = false;
  }
}

function withDetails(name: string, details: readonly (string | false | undefined)[]): string {
  const told = details.filter((detail) => detail !== undefined && detail !== false && detail !== '');
  return told.length === 0 ? name : `${name} (${told.join(', ')})`;
}

/** On one line, and without what would make it look like data: braces, brackets, backticks, semicolons. */
function plain(text: string): string {
  const words = text.replace(/[{}[\]<>`|\\;\p{Cc}\s]+/gu, ' ').trim();
  return words === '' ? '–' : words;
}

function ended(sentence: string): string {
  return /[.!?…]$/u.test(sentence) ? sentence : `${sentence}.`;
}

function orderDates(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0;
  return (one ?? '9999') < (other ?? '9999') ? -1 : 1;
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs);
}
