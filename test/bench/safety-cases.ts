import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '../../src/core/random.ts';
import { obfuscations } from '../../src/safety/obfuscation.fixture.ts';
import type { SafetyFiles } from '../../src/safety/safety-files.ts';

/** A forbidden phrase as a reply might hold it: `text` is `before`, the phrase obfuscated, and `after`. */
export type Case = { language: string; boundary: string; obfuscation: string; plain: string; written: string };

/** What stands around a case. No phrase begins or ends with these words. */
export const before = 'Well, zebras graze: ';
export const after = '; zebras graze.';

/** Every entry of every lexicon once in each obfuscation, its forms picked by a fixed seed. */
export function makeCases(files: SafetyFiles): Case[] {
  const random = seededRandom(7);
  const pick = (below: number) => Math.floor(random.fraction() * below);
  return files.lexicons.flatMap(({ language, boundary, entries }) =>
    entries.flatMap(({ phrase }) => {
      const plain = spell(phrase, files.languages[language]?.paradigms ?? {}, pick);
      return Object.entries(obfuscations).map(([obfuscation, obfuscate]) => ({
        language,
        boundary,
        obfuscation,
        plain,
        written: obfuscate(plain, pick),
      }));
    }),
  );
}

/** The lines of a corpus that are not empty. */
export async function corpus(name: string): Promise<string[]> {
  const text = await readFile(join(import.meta.dirname, '../fixtures/corpora', name), 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

/** One way to say a lexicon phrase. */
function spell(
  phrase: string,
  paradigms: Readonly<Record<string, readonly string[]>>,
  pick: (below: number) => number,
): string {
  const one = <Item>(items: readonly Item[]): Item | undefined => items[pick(items.length)];
  return phrase
    .split(' ')
    .filter((word) => !word.endsWith('?'))
    .map((word) => {
      const [stem = '', endings] = (one(word.replace(/^\((.*)\)$/u, '$1').split(/\|(?![^{]*\})/u)) ?? '').split('~');
      if (endings === undefined) return stem;
      const listed = endings.startsWith('{') ? endings.slice(1, -1).split(/[,|]/u) : (paradigms[endings] ?? ['']);
      return stem + (one(listed) ?? '').trim();
    })
    .join(' ');
}
