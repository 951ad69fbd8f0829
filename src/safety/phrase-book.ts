import { buildAutomaton, type Automaton } from './automaton.ts';
import { foldWord } from './fold.ts';
import { parsePhrase, withoutOptional, type WordForms } from './pattern.ts';
import type { LanguageData } from './safety-files.ts';
import type { Phrase } from './threads.ts';
import { WordTries } from './word-trie.ts';

/** Phrases this long, in letters, are also looked for with nothing between their words. */
const shortestJoined = 8;
const mostGroups = 31;

/** A phrase to be put into a book: where it belongs, and what the book's user knows it by. */
export type PhraseSource<Entry> = {
  entry: Entry;
  phrase: string;
  language: string;
  /** Phrases of one group are live together. */
  group: string;
  where: string;
};

/** Phrases made into one automaton. */
export type PhraseBook<Entry> = {
  automaton: Automaton;
  entries: readonly Entry[];
  /** The mask of the groups' bits, for text in a language. */
  maskOf(groups: Iterable<string>, language: string): number;
  /** The groups a mask's bits belong to. */
  groupsOf(bits: number): string[];
  phraseCount: number;
  /** Single words left out because an innocent word is folded to the same letters. */
  vetoed: number;
};

/** Makes a book; `problems` is told of every phrase that cannot be read, as `where: what is wrong`. */
export function makePhraseBook<Entry>(
  sources: readonly PhraseSource<Entry>[],
  languages: Readonly<Record<string, LanguageData>>,
  problems: string[],
): PhraseBook<Entry> {
  const tries = new WordTries();
  const phrases: Phrase[] = [];
  const entries: Entry[] = [];
  const bits = new Map<string, number>();
  const innocent = innocentWords(languages);
  let vetoed = 0;
  const bitOf = (group: string, language: string): number => {
    const key = `${group}@${language}`;
    const bit = bits.get(key) ?? bits.size;
    bits.set(key, bit);
    return bit;
  };
  for (const source of sources) {
    const parsed = parsePhrase(source.phrase, paradigmsFor(source.language, languages));
    if (parsed.kind === 'error') {
      problems.push(`${source.where}: ${parsed.message}`);
      continue;
    }
    const entry = entries.push(source.entry) - 1;
    for (const variant of withoutOptional(parsed.words)) {
      const sifted = sift(variant, source.language, innocent);
      vetoed += sifted.vetoed;
      for (const { words, language } of sifted.kept) {
        phrases.push({
          words: words.map((word) => tries.add(word.forms)),
          entry,
          bit: bitOf(source.group, language),
          joinable: words.length > 1 && shortest(words) >= shortestJoined,
        });
      }
    }
  }
  if (bits.size > mostGroups) problems.push(`there may be at most ${mostGroups} boundaries, counted by language`);
  return {
    automaton: buildAutomaton(phrases, tries),
    entries,
    phraseCount: phrases.length,
    vetoed,
    maskOf(groups, language) {
      let mask = 0;
      for (const group of groups) {
        for (const scope of ['xx', language]) {
          const bit = bits.get(`${group}@${scope}`);
          if (bit !== undefined) mask |= 1 << bit;
        }
      }
      return mask;
    },
    groupsOf(mask) {
      return [...bits].filter(([, bit]) => (mask >>> bit) & 1).map(([key]) => key.slice(0, key.lastIndexOf('@')));
    },
  };
}

function paradigmsFor(
  language: string,
  languages: Readonly<Record<string, LanguageData>>,
): Readonly<Record<string, readonly string[]>> {
  return languages[language]?.paradigms ?? {};
}

/** Folded innocent words, by language. */
function innocentWords(languages: Readonly<Record<string, LanguageData>>): ReadonlyMap<string, ReadonlySet<string>> {
  const folded = (word: string) => foldWord(word.trim())?.join() ?? '';
  return new Map(
    Object.entries(languages).map(([language, data]) => [language, new Set(data.ordinaryWords.map(folded))]),
  );
}

/**
 * Takes innocent words out of a phrase of one word: what is innocent in its own language goes, and what is innocent in
 * another language alone is looked for in texts of its own (`kale` is a vegetable in English).
 */
function sift(
  words: readonly WordForms[],
  language: string,
  innocent: ReadonlyMap<string, ReadonlySet<string>>,
): { kept: { words: readonly WordForms[]; language: string }[]; vetoed: number } {
  const [only] = words;
  if (words.length !== 1 || !only) return { kept: [{ words, language: 'xx' }], vetoed: 0 };
  const everywhere: (readonly number[])[] = [];
  const atHome: (readonly number[])[] = [];
  for (const form of only.forms) {
    const key = form.join();
    const innocentIn = [...innocent].filter(([, known]) => known.has(key)).map(([of]) => of);
    if (innocentIn.length === 0) everywhere.push(form);
    else if (language !== 'xx' && !innocentIn.includes(language) && !innocentIn.includes('xx')) atHome.push(form);
  }
  const kept = [
    { forms: everywhere, of: 'xx' },
    { forms: atHome, of: language },
  ]
    .filter(({ forms }) => forms.length > 0)
    .map(({ forms, of }) => ({ words: [{ forms, optional: false }], language: of }));
  return { kept, vetoed: only.forms.length - everywhere.length - atHome.length };
}

function shortest(words: readonly WordForms[]): number {
  return words.reduce((sum, word) => sum + Math.min(...word.forms.map((form) => form.length)), 0);
}
