import { describe, expect, it } from 'vitest';
import { HoldBack, longestHold } from './hold-back.ts';
import { Judge } from './judge.ts';
import { PersonalDataScan } from './personal-data.ts';
import { sampleSafety } from './sample.fixture.ts';

const book = sampleSafety.reply;
const all = book.maskOf(['self_harm', 'profanity', 'sexual_content', 'violence']);

function holdBack() {
  const machine = book.machineFor({ hold: all, follow: all });
  return new HoldBack(
    {
      words: book.words,
      machine,
      pressedMachine: machine,
      entries: book.entries,
      boundaryOf: () => null,
    },
    new Judge({ mode: 'dialogue', intensity: null }, new Map()),
    new PersonalDataScan([]),
  );
}

const repeated = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** What a filter that is naive about them looks at again and again, or holds for ever. */
const hostile = [
  'a ',
  'a',
  'k',
  'k i l l ',
  'ki',
  '\u200b',
  '&#',
  '&#1',
  '&am',
  '(',
  '<b ',
  '<!--',
  '!',
  'i!',
  '@',
  '1',
  '8 6',
  '+3',
  'a@',
  'a.',
  'x_',
  "'s",
  'kill ',
  'kill your ',
  'end your own ',
  '\ud835',
  '𝕜',
  '\u0301',
  '\n',
];

describe('the hold-back loop', () => {
  it.each(hostile)('does no more work a character on 40,000 than on 4,000 of %j', (unit) => {
    const [short, long] = [4_000, 40_000].map((length) => {
      const loop = holdBack();
      loop.push(repeated(unit, length));
      return loop.work / length;
    });
    expect(long).toBeLessThan((short ?? 0) * 1.1 + 0.1);
    expect(long).toBeLessThan(12);
  });

  it.each(hostile)('holds no more than a candidate and what markup may follow, whatever comes: %j', (unit) => {
    const loop = holdBack();
    let most = 0;
    for (const character of repeated(unit, 2_000)) {
      loop.push(character);
      most = Math.max(most, loop.heldLength);
    }
    expect(most).toBeLessThanOrEqual(2 * longestHold);
  });

  it('holds one long word no longer than a candidate', () => {
    const loop = holdBack();
    const word = `k${'i'.repeat(200_000)}x`;
    expect(loop.push(word) + loop.end()).toBe(word);
  });
});
