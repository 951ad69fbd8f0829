import { describe, expect, it } from 'vitest';
import { plainSummary } from './plain-summary.ts';

describe('a summary in plain text', () => {
  it.each([
    'Emma finds fractions hard and likes volcanoes.',
    'Unfortunately Emma was ill; the work on fractions waits.',
    'Sorrow over the lost match was all that Max spoke of.',
    'I-beams and bridges: Max wants to build one.',
    'Kaip mokytis trupmenų, kalbėta ilgai.',
    'Deja, Ema sirgo.',
  ])('is taken as it is: %s', (written) => {
    expect(plainSummary(`  ${written}\n`)).toBe(written);
  });

  it.each([
    "I'm sorry, but I can't help with that request.",
    '**I’m really sorry** – I cannot do this.',
    'Sorry, no.',
    'I cannot summarise this conversation.',
    'Unfortunately, I can’t do that.',
    'As an AI language model, I do not keep memories.',
    'My apologies, this is beyond me.',
    'Atsiprašau, bet negaliu to padaryti.',
    'Deja, negaliu padėti.',
    'Negaliu apibendrinti šio pokalbio.',
    'Kaip dirbtinis intelektas, to nedarau.',
    '{"summary": "broken',
    '```json',
  ])('is none where the model begs off, or writes JSON that is broken: %s', (written) => {
    expect(plainSummary(written)).toBeNull();
  });
});
