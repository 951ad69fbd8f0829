import { type Automaton, buildAutomaton } from './automaton.ts';
import { foldWord } from './fold.ts';
import { parsePhrase, type WordForms, withoutOptional } from './pattern.ts';
import type { LanguageData } from './safety-files.ts';
import { SEPARATOR } from './symbols.ts';
import { Threads } from './threads.ts';
import { WordGraph, type WordStart } from './word-graph.ts';

/** Phrases this long, in letters, are also looked for with nothing between their words. */
const shortestJoined = 8;
const mostGroups = 31;

/** A phrase to be put into a book. */
export type PhraseSource<Entry> = {
  /** What the book's user knows the phrase by. */
  entry: Entry;
  phrase: string;
  language: string;
  /** Phrases of one group are live together. */
  group: string;
  /** Phrases of one group and class mean the same to the book's user, ids and grades aside. */
  class: string;
  where: string;
};

/** Phrases made into one automaton. */
export type PhraseBook<Entry> = {
  automaton: Automaton;
  phraseCount: number;
  /** Single words left out because an innocent word is folded to the same letters. */
  vetoed: number;
  /** The mask of the groups' bits, for text in a language. */
  maskOf(groups: Iterable<string>, language: string): number;
  /** The groups a mask's bits belong to. */
  groupsOf(mask: number): string[];
  bitOf(label: number): number;
  /** The entry that is whole at the end of `symbols`; another one of the label where none of its phrases fits. */
  entryOf(label: number, symbols: readonly number[]): Entry;
};

type Labelled<Entry> = { bit: number; entries: { entry: Entry; words: readonly WordForms[] }[] };

/** Makes a book; `problems` is told of every phrase that cannot be read, as `where: what is wrong`. */
export function makePhraseBook<Entry>(
  sources: readonly PhraseSource<Entry>[],
  languages: Readonly<Record<string, LanguageData>>,
  problems: string[],
): PhraseBook<Entry> {
  const labels = new Map<string, number>();
  const labelled: Labelled<Entry>[] = [];
  const bits = new Map<string, number>();
  const innocent = innocentWords(languages);
  let vetoed = 0;
  const labelOf = (source: PhraseSource<Entry>, scope: string): number => {
    const group = `${source.group}@${scope}`;
    const bit = bits.get(group) ?? bits.size;
    bits.set(group, bit);
    const key = `${group} ${source.class}`;
    const label = labels.get(key) ?? labelled.push({ bit, entries: [] }) - 1;
    labels.set(key, label);
    return label;
  };
  for (const source of sources) {
    const parsed = parsePhrase(source.phrase, languages[source.language]?.paradigms ?? {});
    if (parsed.kind === 'error') {
      problems.push(`${source.where}: ${parsed.message}`);
      continue;
    }
    for (const variant of withoutOptional(parsed.words)) {
      const sifted = sift(variant, source.language, innocent);
      vetoed += sifted.vetoed;
      for (const { words, scope } of sifted.kept) {
        labelled[labelOf(source, scope)]?.entries.push({ entry: source.entry, words });
      }
    }
  }
  if (bits.size > mostGroups) problems.push(`there may be at most ${mostGroups} boundaries, counted by language`);
  const phrases = labelled.flatMap(({ entries }, label) => entries.map(({ words }) => ({ words, label })));
  const { graph, starts } = weave(phrases);
  const bitOf = (label: number) => labelled[label]?.bit ?? 0;
  return {
    automaton: buildAutomaton(starts, graph, bitOf),
    phraseCount: phrases.length,
    vetoed,
    maskOf: (groups, language) =>
      Array.from(groups, (group) => [`${group}@xx`, `${group}@${language}`])
        .flat()
        .reduce((mask, key) => (bits.has(key) ? mask | (1 << (bits.get(key) ?? 0)) : mask), 0),
    groupsOf: (mask) =>
      [...bits].filter(([, bit]) => (mask >>> bit) & 1).map(([key]) => key.slice(0, key.lastIndexOf('@'))),
    bitOf,
    entryOf: resolver(labelled),
  };
}

/** Puts phrases into one graph, those that begin with any word and go on alike beginning at one root. */
function weave(phrases: readonly { words: readonly WordForms[]; label: number }[]): {
  graph: WordGraph;
  starts: WordStart[];
} {
  const graph = new WordGraph();
  const first = new Map<number, (readonly number[])[]>();
  for (const { words, label } of phrases) {
    const single = words.length === 1;
    const joinable = !single && shortest(words) >= shortestJoined;
    let next: WordStart | null = null;
    for (let index = words.length - 1; index >= 0; index--) {
      const forms = words[index]?.forms ?? [];
      const tail = graph.tailOf({ index, next, label: next ? -1 : label, joinable, single });
      if (index > 0) next = { root: graph.add(forms), tail };
      else first.set(tail, [...(first.get(tail) ?? []), ...forms]);
    }
  }
  return { graph, starts: Array.from(first, ([tail, forms]) => ({ root: graph.add(forms), tail })) };
}

/** Tells a label's entries apart: the automaton does not, so that it can be small. */
function resolver<Entry>(labelled: readonly Labelled<Entry>[]): PhraseBook<Entry>['entryOf'] {
  const known = new Map<number, Threads>();
  return (label, symbols) => {
    const entries = labelled[label]?.entries ?? [];
    let threads = known.get(label);
    if (!threads) {
      const { graph, starts } = weave(entries.map(({ words }, index) => ({ words, label: index })));
      threads = new Threads(starts, graph);
      known.set(label, threads);
    }
    const machine = threads;
    const ends = [symbols, [...symbols, SEPARATOR], [...symbols, SEPARATOR, SEPARATOR]];
    const match = ends.flatMap((text) => machine.after(text)).find((thread) => machine.isMatch(thread));
    const found = entries[match === undefined ? 0 : machine.label(match)];
    if (!found) throw new Error(`no entry has the label ${label}`);
    return found.entry;
  };
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
): { kept: { words: readonly WordForms[]; scope: string }[]; vetoed: number } {
  const [only] = words;
  if (words.length !== 1 || !only) return { kept: [{ words, scope: 'xx' }], vetoed: 0 };
  const everywhere: (readonly number[])[] = [];
  const atHome: (readonly number[])[] = [];
  for (const form of only.forms) {
    const key = form.join();
    const innocentIn = [...innocent].filter(([, known]) => known.has(key)).map(([of]) => of);
    if (innocentIn.length === 0) everywhere.push(form);
    else if (language !== 'xx' && !innocentIn.includes(language) && !innocentIn.includes('xx')) atHome.push(form);
  }
  const kept = [
    { forms: everywhere, scope: 'xx' },
    { forms: atHome, scope: language },
  ]
    .filter(({ forms }) => forms.length > 0)
    .map(({ forms, scope }) => ({ words: [{ forms, optional: false }], scope }));
  return { kept, vetoed: only.forms.length - everywhere.length - atHome.length };
}

function shortest(words: readonly WordForms[]): number {
  return words.reduce((sum, word) => sum + Math.min(...word.forms.map((form) => form.length)), 0);
}
