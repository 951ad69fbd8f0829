import { expect, test } from 'vitest';
import { profileSchema } from '../../engine/profile.ts';
import { blankRow, differences, draftOf, isSame, keyOfPath, readDraft } from './profile-draft.ts';

const whole = profileSchema.parse({
  school_year: '11',
  gpa: { value: 9.25, scale: 10 },
  testing: [
    { test: 'IELTS', score: 7.5, taken_on: '2026-05-10' },
    { test: 'Vokiečių kalba', score: 'B2', taken_on: '2026-09-01' },
  ],
  activities: [
    { name: 'Choras „Ąžuolas“', hours_per_week: 2 },
    { name: 'Debatai', role: 'kapitonė', years: 2 },
  ],
  schools: [{ name: 'KTU' }, { name: 'VU', status: 'svarsto', deadline: '2027-01-15' }],
  deadlines: [{ title: 'Esė', due_on: '2026-12-12' }],
  interests: ['fizika', 'poezija 🎒'],
  notes: 'Nori gyventi Vilniuje.\nBijo kalbėti.',
});

const with_ = (draft: ReturnType<typeof draftOf>, single: object) => ({
  ...draft,
  single: { ...draft.single, ...single },
});

test('a profile goes into the form and comes out of it as it was', () => {
  expect(readDraft(draftOf(whole)).profile).toEqual(whole);
  expect(readDraft(draftOf({})).profile).toEqual({});
});

test('a number may be typed with a comma; what is none goes to the server as it is', () => {
  const read = (value: string, scale = '10') =>
    readDraft(with_(draftOf({}), { 'gpa.value': value, 'gpa.scale': scale }));
  expect(read('9,5').profile).toEqual({ gpa: { value: 9.5, scale: 10 } });
  expect(read('1 000', '1000').profile).toEqual({ gpa: { value: 1000, scale: 1000 } });
  expect(read('good').profile).toEqual({ gpa: { value: 'good', scale: 10 } });
  expect(read('', '10').profile).toEqual({ gpa: { value: undefined, scale: 10 } });
});

test('a score is a number only where it is written as one', () => {
  const read = (score: string) => {
    const draft = draftOf({});
    const row = { test: 'X', score, taken_on: '2026-01-01' };
    return readDraft({ ...draft, lists: { ...draft.lists, testing: [row] } }).profile['testing'];
  };
  expect(
    [read('1450'), read('7.50'), read('B2'), read('Infinity'), read('1e5')].map((each) => JSON.stringify(each)),
  ).toEqual(
    [1450, '7.50', 'B2', 'Infinity', '1e5'].map((score) =>
      JSON.stringify([{ test: 'X', score, taken_on: '2026-01-01' }]),
    ),
  );
});

test('rows left blank are not sent, and a problem is still told at the row it is in', () => {
  const draft = draftOf({});
  const row = { title: 'Esė', due_on: '' };
  const sent = readDraft({ ...draft, lists: { ...draft.lists, deadlines: [blankRow('deadlines'), row] } });
  expect(sent.profile).toEqual({ deadlines: [{ title: 'Esė', due_on: '' }] });
  expect(keyOfPath('profile.deadlines.0.due_on', sent)).toBe('deadlines.1.due_on');
  expect(keyOfPath('profile.deadlines.0', sent)).toBe('deadlines.1.title');
  expect(keyOfPath('profile.deadlines', sent)).toBeNull();
  expect(keyOfPath('profile.gpa.scale', sent)).toBe('gpa.scale');
  expect(keyOfPath('profile.interests.3', sent)).toBe('interests');
  expect(keyOfPath('version', sent)).toBeNull();
});

test('two drafts are compared by what they say', () => {
  const draft = draftOf(whole);
  const spaced = { ...with_(draft, { notes: `${draft.single.notes} ` }), lists: { ...draft.lists } };
  expect(isSame(draft, spaced)).toBe(true);
  const blank = { ...draft, lists: { ...draft.lists, schools: [...draft.lists.schools, blankRow('schools')] } };
  expect(isSame(draft, blank)).toBe(true);
  expect(isSame(draft, with_(draft, { school_year: '12' }))).toBe(false);
  expect(differences(draft, { ...with_(draft, { notes: '' }), lists: { ...draft.lists, schools: [] } })).toEqual([
    'schools',
    'notes',
  ]);
});
