import { expect, test } from 'vitest';
import { companionOf, type Place, readPlace, writePlace } from './place.ts';

test('every place reads back from the address it writes', () => {
  const places: Place[] = [
    { kind: 'about', learnerId: null, projectId: null },
    { kind: 'about', learnerId: 'ą/b c%', projectId: null },
    { kind: 'about', learnerId: null, projectId: 'Mūsų parduotuvė/2 %' },
    { kind: 'conversation', id: 'a/b c%' },
  ];
  for (const place of places) expect(readPlace(writePlace(place))).toEqual(place);
});

test('an address that names nothing is the talk about nobody in particular', () => {
  for (const hash of ['', '#', '#/nowhere/x', '#/conversation/', '#/learner/%E0%A4%A']) {
    expect(readPlace(hash)).toEqual({ kind: 'about', learnerId: null, projectId: null });
  }
});

test('a path names a companion, or all of them', () => {
  expect(companionOf('/companions')).toBeNull();
  expect(companionOf('/companions/')).toBeNull();
  expect(companionOf('/companions/mentor')).toBe('mentor');
  expect(companionOf('/companions/%C5%A1/')).toBe('š');
  expect(companionOf('/companions/%E0%A4%A')).toBeNull();
});
