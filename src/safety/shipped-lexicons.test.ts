import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { corpus } from '../../test/bench/safety-cases.ts';
import { readSafetyFiles } from '../library/lexicon-files.ts';
import { type CompiledSafety, compileSafety } from './compile.ts';
import { screenInput } from './input-screen.ts';
import { createReplyFilter } from './reply-filter.ts';

/** Corpora written by hand, in both languages, against the lexicons that ship, all of them live. */
let safety: CompiledSafety;

beforeAll(async () => {
  const { files } = await readSafetyFiles(join(import.meta.dirname, '../../data'));
  safety = compileSafety(files);
});

function filter(text: string, language: string) {
  const reply = createReplyFilter(safety, {
    boundaries: [...safety.boundaries, 'personal_data'],
    mode: 'dialogue',
    language,
    intensity: { ceiling: 3, exchangeNumber: 3 },
    toolNames: ['transition_phase'],
  });
  let released = '';
  let mostHeld = 0;
  for (let at = 0; at < text.length; at++) {
    released += reply.push(text.charAt(at));
    mostHeld = Math.max(mostHeld, at + 1 - released.length);
  }
  released += reply.end();
  return { released, mostHeld, boundary: reply.violation?.boundary ?? null };
}

describe('the lexicons that ship', () => {
  it('can all be read', () => {
    expect(safety.problems).toEqual([]);
  });

  it.each(['clean-en.txt', 'traps-en.txt', 'clean-lt.txt', 'traps-lt.txt'])('stop nothing in %s', async (name) => {
    const lines = await corpus(name);
    expect(lines.length).toBeGreaterThanOrEqual(300);
    const language = name.includes('-lt') ? 'lt' : 'en';
    expect(lines.filter((line) => filter(line, language).released !== line)).toEqual([]);
  });

  it.each(['en', 'lt'])('hold no more than sixteen characters of clean text in %s', async (language) => {
    const lines = await corpus(`clean-${language}.txt`);
    expect(Math.max(...lines.map((line) => filter(line, language).mostHeld))).toBeLessThanOrEqual(16);
  });

  it('stop every flagged sentence for its boundary', async () => {
    for (const line of await corpus('flagged.jsonl')) {
      const { language, boundary, text }: { language: string; boundary: string; text: string } = JSON.parse(line);
      expect({ text, boundary: filter(text, language).boundary }).toEqual({ text, boundary });
    }
  });

  it.each(['crisis', 'injection'] as const)('tell %s from what only sounds like it', async (list) => {
    for (const line of await corpus(`${list}.jsonl`)) {
      const sentence: { language: string; text: string; expected: boolean } = JSON.parse(line);
      const screen = screenInput(safety, sentence.text, { language: sentence.language });
      const seen = list === 'crisis' ? screen.crisis : screen.injections;
      expect({ text: sentence.text, seen: seen.length > 0 }).toEqual({ text: sentence.text, seen: sentence.expected });
    }
  });
});
