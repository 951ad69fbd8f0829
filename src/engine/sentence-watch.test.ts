import { describe, expect, it } from 'vitest';
import { SimulatedClock } from '../core/clock.ts';
import { SentenceWatch } from './sentence-watch.ts';

function watchWith(
  judge: (sentence: string, signal: AbortSignal) => Promise<string | null>,
  clock = new SimulatedClock(),
) {
  const judged: string[] = [];
  const watch = new SentenceWatch({
    clock,
    about: { language: 'en', boundaries: ['violence'] },
    judge: {
      deadlineMs: 1_000,
      judge(sentence, _, signal) {
        judged.push(sentence);
        return judge(sentence, signal);
      },
    },
  });
  return { watch, judged, clock };
}

describe('a judge of sentences', () => {
  it('is given each sentence whole, however it was chunked, and the rest at the end', async () => {
    const { watch, judged } = watchWith(async () => null);
    for (const piece of ['One', ' two. Th', 'ree (“four!”) ', 'five\nsix 3.5 sev', 'en']) watch.hear(piece);
    expect(await watch.settle()).toBeNull();
    expect(judged).toEqual(['One two.', 'Three (“four!”)', 'five', 'six 3.5 seven']);
  });

  it('that finds a boundary crossed says so at once, and is asked no more', async () => {
    const { watch, judged } = watchWith(async (sentence) => (sentence.startsWith('Bad') ? 'violence' : null));
    watch.hear('Good. Bad. ');
    expect(await watch.settle()).toBe('violence');
    expect(watch.against.aborted).toBe(true);
    watch.hear('More. ');
    expect(judged).toEqual(['Good.', 'Bad.']);
  });

  it('that is too late, or breaks, has no say', async () => {
    const { watch, clock } = watchWith((sentence) =>
      sentence === 'Slow.' ? new Promise(() => {}) : Promise.reject(new Error('down')),
    );
    watch.hear('Slow. Broken. ');
    const settled = watch.settle();
    await Promise.resolve();
    clock.advance(1_000);
    expect(await settled).toBeNull();
  });
});
