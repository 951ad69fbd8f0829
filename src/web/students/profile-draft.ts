import type { Profile } from '../protocol-types.ts';

/*
 * A profile as it stands in a form: every field a text, as typed. Read back into what is sent to the server, which alone
 * says what cannot be.
 */

export type FieldKind = 'line' | 'number' | 'score' | 'day';
/** `most`: characters. `needed`: an entry cannot be without it. */
export type Field = { name: string; kind: FieldKind; most?: number; needed?: true };

/** The fields that stand alone, by the key that a problem with them is told by. */
export const singleFields = ['school_year', 'gpa.value', 'gpa.scale', 'interests', 'notes'] as const;
export type SingleField = (typeof singleFields)[number];

/** The lists, and the fields of one entry of each. The first names the entry. */
export const lists = {
  deadlines: [
    { name: 'title', kind: 'line', most: 200, needed: true },
    { name: 'due_on', kind: 'day', needed: true },
  ],
  schools: [
    { name: 'name', kind: 'line', most: 200, needed: true },
    { name: 'status', kind: 'line', most: 120 },
    { name: 'deadline', kind: 'day' },
  ],
  testing: [
    { name: 'test', kind: 'line', most: 120, needed: true },
    { name: 'score', kind: 'score', most: 60, needed: true },
    { name: 'taken_on', kind: 'day', needed: true },
  ],
  activities: [
    { name: 'name', kind: 'line', most: 160, needed: true },
    { name: 'role', kind: 'line', most: 160 },
    { name: 'hours_per_week', kind: 'number' },
    { name: 'years', kind: 'number' },
  ],
} as const satisfies Record<string, readonly Field[]>;

export type ListName = keyof typeof lists;
export const listNames: readonly ListName[] = ['deadlines', 'schools', 'testing', 'activities'];
export const mostEntries = 50;

/** An entry's fields by name, all of them texts. */
export type Row = Readonly<Record<string, string>>;

export type Draft = {
  single: Readonly<Record<SingleField, string>>;
  lists: Readonly<Record<ListName, readonly Row[]>>;
};

/** What is sent of a draft; `rows` says which row each entry that is sent stands in, for rows left blank are not sent. */
export type Sent = { profile: Record<string, unknown>; rows: Readonly<Record<ListName, readonly number[]>> };

export function draftOf(profile: Profile): Draft {
  const { school_year: year, gpa, interests, notes } = profile;
  const rowsOf = (name: ListName): Row[] =>
    (profile[name] ?? []).map((entry: object) => {
      const values = new Map<string, unknown>(Object.entries(entry));
      return Object.fromEntries(lists[name].map((field) => [field.name, textOf(values.get(field.name))]));
    });
  return {
    single: {
      school_year: textOf(year),
      'gpa.value': textOf(gpa?.value),
      'gpa.scale': textOf(gpa?.scale),
      interests: (interests ?? []).join('\n'),
      notes: notes ?? '',
    },
    lists: {
      deadlines: rowsOf('deadlines'),
      schools: rowsOf('schools'),
      testing: rowsOf('testing'),
      activities: rowsOf('activities'),
    },
  };
}

/** What a draft says; fields left blank are not there. */
export function readDraft({ single, lists: kept }: Draft): Sent {
  const read = (name: ListName) => {
    const entries = kept[name].flatMap((row, index) => (isBlank(row) ? [] : [{ index, value: entryOf(name, row) }]));
    return { index: entries.map(({ index }) => index), values: entries.map(({ value }) => value) };
  };
  const all = {
    deadlines: read('deadlines'),
    schools: read('schools'),
    testing: read('testing'),
    activities: read('activities'),
  };
  const gpa = { value: valueOf(single['gpa.value'], 'number'), scale: valueOf(single['gpa.scale'], 'number') };
  const fields = {
    school_year: valueOf(single.school_year, 'line'),
    gpa: gpa.value === undefined && gpa.scale === undefined ? undefined : gpa,
    ...Object.fromEntries(
      listNames.map((name) => [name, all[name].values.length === 0 ? undefined : all[name].values]),
    ),
    interests: linesOf(single.interests),
    notes: valueOf(single.notes, 'line'),
  };
  return {
    profile: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    rows: {
      deadlines: all.deadlines.index,
      schools: all.schools.index,
      testing: all.testing.index,
      activities: all.activities.index,
    },
  };
}

/** Whether two drafts say the same. */
export function isSame(one: Draft, other: Draft): boolean {
  return JSON.stringify(readDraft(one).profile) === JSON.stringify(readDraft(other).profile);
}

/** The parts of a profile in which two drafts differ, in the order of the form. */
export function differences(one: Draft, other: Draft): string[] {
  const [ours, theirs] = [readDraft(one).profile, readDraft(other).profile];
  return ['school_year', 'gpa', ...listNames, 'interests', 'notes'].filter(
    (part) => JSON.stringify(ours[part]) !== JSON.stringify(theirs[part]),
  );
}

/**
 * The key of the field that a server's path (`profile.testing.0.score`) is about: a single field's, or
 * `testing.<row>.score`. Null where there is no such field.
 */
export function keyOfPath(path: string, { rows }: Sent): string | null {
  const [root, part, at, name] = path.split('.');
  if (root !== 'profile' || part === undefined) return null;
  if (part === 'gpa') return at === 'scale' ? 'gpa.scale' : 'gpa.value';
  const list = listNames.find((each) => each === part);
  if (list === undefined) return singleFields.find((each) => each === part) ?? null;
  const row = rows[list][Number(at)];
  const field = lists[list].find((each) => each.name === name) ?? lists[list][0];
  return row === undefined ? null : `${list}.${row}.${field.name}`;
}

export function blankRow(list: ListName): Row {
  return Object.fromEntries(lists[list].map(({ name }) => [name, '']));
}

export function isBlank(row: Row): boolean {
  return Object.values(row).every((value) => value.trim() === '');
}

/** What an entry cannot be without is sent empty where it is missing, so that the server says so at that field. */
function entryOf(list: ListName, row: Row): Record<string, unknown> {
  const fields: readonly Field[] = lists[list];
  return Object.fromEntries(
    fields.flatMap(({ name, kind, needed }) => {
      const value = valueOf(row[name] ?? '', kind) ?? (needed ? '' : undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A field's value; what should be a number and is none goes as it was typed, for the server to say so. */
function valueOf(text: string, kind: FieldKind): string | number | undefined {
  const given = text.trim();
  if (given === '') return undefined;
  const plain = kind === 'number' ? given.replaceAll(/\s/gu, '').replace(',', '.') : given;
  const isNumber =
    kind === 'number' ? /^-?\d+(\.\d+)?$/u.test(plain) : kind === 'score' && String(Number(plain)) === plain;
  return isNumber && Number.isFinite(Number(plain)) ? Number(plain) : given;
}

function linesOf(text: string): string[] | undefined {
  const lines = text
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length === 0 ? undefined : lines;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
