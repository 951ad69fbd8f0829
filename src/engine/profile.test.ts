import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSignificant, narrativeOf, type Profile, profileSchema, readProfile } from './profile.ts';
import { writeNarrative } from './profile-narrative.ts';

const whole = {
  school_year: 11,
  gpa: { value: 9.25, scale: 10 },
  testing: [
    { test: 'IELTS', score: 7.5, taken_on: '2026-05-10' },
    { test: 'Vokiečių kalba', score: 'B2', taken_on: '2026-09-01' },
  ],
  activities: [
    { name: 'Choras', hours_per_week: 2 },
    { name: 'Debatų klubas', role: 'kapitonė', hours_per_week: 4, years: 2 },
  ],
  schools: [{ name: 'KTU' }, { name: 'Vilniaus universitetas', status: 'svarsto', deadline: '2027-01-15' }],
  deadlines: [
    { title: 'Olimpiada', due_on: '2027-02-01' },
    { title: 'Esė juodraštis', due_on: '2026-12-12' },
    { title: 'Prašymas', due_on: '2026-11-10' },
  ],
  interests: ['fizika', 'poezija 🎒'],
  notes: 'Nori gyventi Vilniuje. Bijo kalbėti prieš klasę',
};
const profile = profileSchema.parse(whole);
const options = { language: 'en', today: '2026-11-21', tokensOf: (text: string) => Math.ceil(text.length / 4) };

const problems = (value: unknown) => profileSchema.safeParse(value).error?.issues ?? [];

describe('a profile', () => {
  it('is taken in whole, and read back as it was', () => {
    expect(profile).toMatchObject({ ...whole, school_year: '11' });
    expect(readProfile(JSON.stringify(profile))).toEqual(profile);
    expect(profileSchema.parse({})).toEqual({});
    expect(profileSchema.parse({ gpa: null, schools: [{ name: ' A  b\n', status: null }], notes: null })).toEqual({
      schools: [{ name: 'A b' }],
    });
  });

  it.each([
    ['an unknown field', { shoe_size: 44 }, 'shoe_size'],
    ['an unknown field within', { gpa: { value: 1, scale: 4, rank: 3 } }, 'gpa rank'],
    ['a date that is none', { deadlines: [{ title: 'x', due_on: '2026-02-30' }] }, 'deadlines 0 due_on'],
    ['a date with a time', { deadlines: [{ title: 'x', due_on: '2026-02-20T10:00:00Z' }] }, 'deadlines 0 due_on'],
    ['an empty name', { schools: [{ name: ' \u0000 ' }] }, 'schools 0 name'],
    ['too many hours', { activities: [{ name: 'x', hours_per_week: 169 }] }, 'activities 0 hours_per_week'],
    ['a scale of nothing', { gpa: { value: 1, scale: 0 } }, 'gpa scale'],
    ['too many interests', { interests: Array.from({ length: 51 }, () => 'x') }, 'interests'],
    ['a note that is too long', { notes: 'x'.repeat(2_001) }, 'notes'],
    ['a list that is none', { schools: 'VU' }, 'schools'],
  ])('does not take in %s', (_, value, path) => {
    const [issue] = problems(value);
    const keys = issue?.code === 'unrecognized_keys' ? issue.keys : [];
    expect([...(issue?.path ?? []), ...keys].join(' ')).toBe(path);
  });

  it('that cannot be read is none', () => {
    expect(readProfile('{')).toBeNull();
    expect(readProfile('{"shoe_size":44}')).toBeNull();
  });
});

describe('a change', () => {
  const with_ = (change: Partial<Profile>) => ({ ...profile, ...change });

  it.each([
    ['deadlines', { deadlines: [{ title: 'Esė', due_on: '2026-12-13' }] }],
    ['schools', { schools: undefined }],
    ['gpa', { gpa: { value: 9.3, scale: 10 } }],
    ['testing', { testing: [] }],
    ['the school year', { school_year: '12' }],
  ])('of %s is significant', (_, change) => {
    expect(isSignificant(profile, with_(change))).toBe(true);
  });

  it.each([
    ['of nothing', {}],
    ['of notes', { notes: 'Kita' }],
    ['of activities and interests', { activities: [], interests: ['x'] }],
    ['of the order of a list', { schools: profile.schools?.toReversed() }],
  ])('%s is not', (_, change) => {
    expect(isSignificant(profile, with_(change))).toBe(false);
  });

  it('from nothing is significant where there is something to prepare for', () => {
    expect(isSignificant(null, profileSchema.parse({ notes: 'x', deadlines: [] }))).toBe(false);
    expect(isSignificant(null, profile)).toBe(true);
  });
});

describe('the narrative', () => {
  it('tells in English what matters first', () => {
    expect(writeNarrative(profile, options)).toBe(
      [
        'The student is in year 11.',
        'The average of marks is 9.25 out of 10.',
        'Coming up: Esė juodraštis on 12 December 2026 (in 21 days); Olimpiada on 1 February 2027 (in 72 days).',
        'Schools they think of: Vilniaus universitetas (svarsto, deadline 15 January 2027); KTU.',
        'Tests taken: Vokiečių kalba B2 (1 September 2026); IELTS 7.5 (10 May 2026).',
        'Outside lessons: Debatų klubas (kapitonė, 4 hours a week, 2 years); Choras (2 hours a week).',
        'They are interested in fizika and poezija 🎒.',
        'The date has passed for: Prašymas (10 November 2026).',
        'Noted in the profile: Nori gyventi Vilniuje.',
        'Bijo kalbėti prieš klasę.',
      ].join(' '),
    );
  });

  it('tells in Lithuanian, its numbers and its dates too', () => {
    expect(writeNarrative(profile, { ...options, language: 'lt-LT' })).toBe(
      [
        'Mokosi 11 klasėje.',
        'Pažymių vidurkis – 9,25 iš 10.',
        'Artimiausi terminai: Esė juodraštis – 2026 m. gruodžio 12 d. (po 21 dienos); Olimpiada – 2027 m. vasario 1 d. (po 72 dienų).',
        'Svarsto stoti: Vilniaus universitetas (svarsto, terminas 2027 m. sausio 15 d.); KTU.',
        'Laikyti testai ir egzaminai: Vokiečių kalba B2 (2026 m. rugsėjo 1 d.); IELTS 7,5 (2026 m. gegužės 10 d.).',
        'Veikla po pamokų: Debatų klubas (kapitonė, 4 val. per savaitę, 2 metai); Choras (2 val. per savaitę).',
        'Domisi: fizika ir poezija 🎒.',
        'Terminas jau praėjo: Prašymas (2026 m. lapkričio 10 d.).',
        'Profilyje pažymėta: Nori gyventi Vilniuje.',
        'Bijo kalbėti prieš klasę.',
      ].join(' '),
    );
  });

  it('is cut by whole sentences, and one that is too long does not take the shorter ones after it along', () => {
    const short = writeNarrative(profile, { ...options, budgetTokens: 20 });
    expect(short).toBe('The student is in year 11. The average of marks is 9.25 out of 10.');
    const long = profileSchema.parse({ notes: `${'a'.repeat(1_900)}. Short.`, school_year: 9 });
    expect(writeNarrative(long, options)).toBe('The student is in year 9. Short.');
  });

  it('of an empty profile is empty', () => {
    expect(writeNarrative({ ...profileSchema.parse({}) }, options)).toBe('');
    for (const profile of ['{}', 'null']) expect(narrativeOf({ profile }, options)).toBeNull();
    expect(narrativeOf({ profile: '{"school_year":"9"}' }, options)).toBe('The student is in year 9.');
  });

  it('of any profile keeps to its budget, on one line and without a brace', () => {
    const day = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
    const dated = day.map((value) => value.toISOString().slice(0, 10));
    const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).map((text) => `x${text}`);
    const any = fc.record(
      {
        school_year: word,
        gpa: fc.record({ value: fc.double({ min: 0, max: 10, noNaN: true }), scale: fc.constant(10) }),
        testing: fc.array(fc.record({ test: word, score: word, taken_on: dated }), { maxLength: 20 }),
        schools: fc.array(fc.record({ name: word, deadline: dated }), { maxLength: 20 }),
        deadlines: fc.array(fc.record({ title: word, due_on: dated }), { maxLength: 20 }),
        interests: fc.array(word, { maxLength: 50 }),
        notes: word,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        any,
        fc.constantFrom('en', 'lt'),
        fc.integer({ min: 0, max: 400 }),
        (value, language, budgetTokens) => {
          const told = writeNarrative(profileSchema.parse(value), { ...options, language, budgetTokens });
          expect(options.tokensOf(told)).toBeLessThanOrEqual(budgetTokens);
          expect(told).not.toMatch(/[{}[\]\n]/u);
        },
      ),
      { numRuns: 300 },
    );
  });
});
