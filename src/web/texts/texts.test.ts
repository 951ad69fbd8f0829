import { expect, test } from 'vitest';
import { chooseLanguage, textsOf } from './texts.ts';

test('Lithuanian numbers take the form of the noun that goes with them', () => {
  const { minutes } = textsOf('lt');
  expect([0, 1, 2, 9, 10, 11, 19, 20, 21, 22, 101, 112].map(minutes)).toEqual([
    '0\u00a0minučių',
    '1\u00a0minutė',
    '2\u00a0minutės',
    '9\u00a0minutės',
    '10\u00a0minučių',
    '11\u00a0minučių',
    '19\u00a0minučių',
    '20\u00a0minučių',
    '21\u00a0minutė',
    '22\u00a0minutės',
    '101\u00a0minutė',
    '112\u00a0minučių',
  ]);
});

test('English has one form for one and another for the rest', () => {
  const { minutes } = textsOf('en');
  expect([0, 1, 2].map(minutes)).toEqual(['0\u00a0minutes', '1\u00a0minute', '2\u00a0minutes']);
});

test('a language is chosen by its first part, and English where none is known', () => {
  expect(chooseLanguage(['de-AT', 'LT-lt', 'en'])).toBe('lt');
  expect(chooseLanguage([])).toBe('en');
});
