import { build } from '../app/dom.ts';
import type { ProfileTexts } from '../texts/students-texts.ts';
import { type Draft, listNames, type SingleField } from './profile-draft.ts';
import { type ProfileField, profileField } from './profile-field.ts';
import { profileList } from './profile-list.ts';

export type ProfileFields = {
  element: HTMLElement;
  read(): Draft;
  /** Shows at each field what is wrong with it, goes to the first, and says how many there are. */
  complain(problems: ReadonlyMap<string, string>): number;
};

const longestNotes = 2_000;
const longestLine = 60;

/** Every field of a profile, with a draft's words in them. */
export function profileFields(
  { single, lists: kept }: Draft,
  calls: { texts: ProfileTexts; changed: () => void; say: (text: string) => void },
): ProfileFields {
  const { texts } = calls;
  const field = (name: SingleField, more: Partial<Parameters<typeof profileField>[0]> = {}) =>
    profileField({
      id: `profile-${name.replace('.', '-')}`,
      label: texts.fields[name] ?? name,
      value: single[name],
      type: 'text',
      ...more,
    });
  const singles = {
    school_year: field('school_year', { more: { maxlength: longestLine } }),
    'gpa.value': field('gpa.value', { more: { inputmode: 'decimal' } }),
    'gpa.scale': field('gpa.scale', { more: { inputmode: 'decimal' } }),
    interests: field('interests', { type: null, hint: texts.interestsHint }),
    notes: field('notes', { type: null, more: { maxlength: longestNotes, rows: 5 } }),
  };
  const lists = {
    deadlines: profileList('deadlines', kept.deadlines, calls),
    schools: profileList('schools', kept.schools, calls),
    testing: profileList('testing', kept.testing, calls),
    activities: profileList('activities', kept.activities, calls),
  };
  const byKey = new Map(Object.entries(singles));
  const fieldOf = (key: string) =>
    byKey.get(key) ?? listNames.filter((name) => key.startsWith(`${name}.`)).map((name) => lists[name].field(key))[0];

  let wrong: readonly ProfileField[] = [];
  const element = build(
    'div',
    {},
    build(
      'div',
      { class: 'entry marks' },
      [singles.school_year, singles['gpa.value'], singles['gpa.scale']].map((each) => each.element),
    ),
    listNames.map((name) => lists[name].element),
    singles.interests.element,
    singles.notes.element,
  );
  return {
    element,
    read: () => ({
      single: {
        school_year: singles.school_year.input.value,
        'gpa.value': singles['gpa.value'].input.value,
        'gpa.scale': singles['gpa.scale'].input.value,
        interests: singles.interests.input.value,
        notes: singles.notes.input.value,
      },
      lists: {
        deadlines: lists.deadlines.read(),
        schools: lists.schools.read(),
        testing: lists.testing.read(),
        activities: lists.activities.read(),
      },
    }),
    complain(problems) {
      for (const field of wrong) field.complain(null);
      wrong = [...problems].flatMap(([key, text]) => {
        const found = fieldOf(key);
        found?.complain(text);
        return found ? [found] : [];
      });
      if (wrong.length > 0) element.querySelector<HTMLElement>('[aria-invalid]')?.focus();
      return wrong.length;
    },
  };
}
