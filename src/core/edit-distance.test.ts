import { expect, it } from 'vitest';
import { editDistance } from './edit-distance.ts';

it.each([
  ['', '', 0],
  ['volcano', 'volcano', 0],
  ['volcano', 'volcanoes', 2],
  ['volcano', 'volano', 1],
  ['volcano', 'volcsno', 1],
  ['volcano', 'volcaon', 1],
  ['volcano', 'ovlcaon', 2],
  ['abc', '', 3],
  ['kitten', 'sitting', 3],
])('%s and %s are %i apart', (from, to, distance) => {
  expect([editDistance(from, to), editDistance(to, from)]).toEqual([distance, distance]);
  for (const limit of [0, 1, 2]) expect(editDistance(from, to, limit)).toBe(Math.min(distance, limit + 1));
});
