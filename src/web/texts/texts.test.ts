import { expect, test } from 'vitest';
import { chooseLanguage, textsOf } from './texts.ts';

test('Lithuanian numbers take the form of the noun that goes with them', () => {
  const { minutes } = textsOf('lt');
  expect([0, 1, 2, 9, 10, 11, 19, 20, 21, 22, 101, 112].map(minutes)).toEqual([
    '0 minučių',
    '1 minutė',
    '2 minutės',
    '9 minutės',
    '10 minučių',
    '11 minučių',
    '19 minučių',
    '20 minučių',
    '21 minutė',
    '22 minutės',
    '101 minutė',
    '112 minučių',
  ]);
});

test('English has one form for one and another for the rest', () => {
  const { minutes } = textsOf('en');
  expect([0, 1, 2].map(minutes)).toEqual(['0 minutes', '1 minute', '2 minutes']);
});

test('a language is chosen by its first part, and English where none is known', () => {
  expect(chooseLanguage(['de-AT', 'LT-lt', 'en'])).toBe('lt');
  expect(chooseLanguage([])).toBe('en');
});
