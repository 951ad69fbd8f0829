import { foldWord } from './fold.ts';
import { parsePhrase, type WordForms, withoutOptional } from './pattern.ts';
import { PhraseGraph } from './phrase-graph.ts';
import { PhraseMachine } from './phrase-machine.ts';
import type { LanguageData } from './safety-files.ts';
import { APOSTROPHE } from './symbols.ts';
import { buildWordAutomaton, INNOCENT, type WordAutomaton } from './word-automaton.ts';
import { WordGraph } from './word-graph.ts';

/** Phrases this long, in letters, are also looked for with nothing between their words. */
const shortestJoined = 8;
const mostGroups = 31;
const mostMachines = 64;

/** A phrase to be put into a book. */
export type PhraseSource<Entry> = {
  /** What the book's user knows the phrase by. */
  entry: Entry;
  phrase: string;
  language: string;
  /** Phrases of one group are live together. */
  group: string;
  /** Whether to look for the phrase with nothing between its words, too. */
  joined: boolean;
  where: string;
};

/** Phrases made into tables. */
export type PhraseBook<Entry> = {
  words: WordAutomaton;
  entries: readonly Entry[];
  phraseCount: number;
  /** Single words left out because an innocent word is folded to the same letters. */
  vetoed: number;
  /** The mask of the groups' bits: for one language and what holds in all, or with null for every language. */
  maskOf: (groups: Iterable<string>, language: string | null) => number;
  /** The groups a mask's bits belong to. */
  groupsOf: (mask: number) => string[];
  /** What follows the phrases of `follow` and holds back those of `hold`; made once for each. */
  machineFor: (masks: { hold: number; follow: number }) => PhraseMachine;
};

/** Makes a book; `problems` is told of every phrase that cannot be read, as `where: what is wrong`. */
export function makePhraseBook<Entry>(
  sources: readonly PhraseSource<Entry>[],
  languages: Readonly<Record<string, LanguageData>>,
  problems: string[],
): PhraseBook<Entry> {
  const entries: Entry[] = [];
  const bits = new Map<string, number>();
  const innocent = innocentWords(languages);
  const vocabulary = new Vocabulary();
  const graph = new PhraseGraph();
  let vetoed = 0;
  let phraseCount = 0;
  for (const { entry: known, phrase, language, group, joined, where } of sources) {
    const parsed = parsePhrase(phrase, languages[language]?.paradigms ?? {});
    if (parsed.kind === 'error') {
      problems.push(`${where}: ${parsed.message}`);
      continue;
    }
    const entry = entries.push(known) - 1;
    for (const variant of withoutOptional(parsed.words)) {
      const sifted = sift(variant, language, innocent);
      vetoed += sifted.vetoed;
      for (const { words, scope } of sifted.kept) {
        const key = `${group}@${scope}`;
        const bit = bits.get(key) ?? bits.size;
        bits.set(key, bit);
        const wordSets = words.map((word) => vocabulary.add(word.forms));
        const joinable = joined && words.length > 1 && shortest(words) >= shortestJoined;
        graph.add({ wordSets, entry, bit, joinable });
        phraseCount++;
      }
    }
  }
  if (bits.size > mostGroups) problems.push(`there may be at most ${mostGroups} boundaries, counted by language`);
  const words = buildWordAutomaton(vocabulary.graph([...innocent.values()].flatMap((of) => [...of])));
  const machines = new Map<string, PhraseMachine>();
  return {
    words,
    entries,
    phraseCount,
    vetoed,
    maskOf(groups, language) {
      const wanted = new Set(groups);
      let mask = 0;
      for (const [key, bit] of bits) {
        const at = key.lastIndexOf('@');
        const of = key.slice(at + 1);
        if (wanted.has(key.slice(0, at)) && (language === null || of === 'xx' || of === language)) mask |= 1 << bit;
      }
      return mask;
    },
    groupsOf: (mask) =>
      [...bits].filter(([, bit]) => (mask >>> bit) & 1).map(([key]) => key.slice(0, key.lastIndexOf('@'))),
    machineFor(masks) {
      const key = `${masks.hold} ${masks.follow}`;
      const known = machines.get(key);
      if (known) return known;
      const machine = new PhraseMachine(words, graph, masks);
      if (machines.size >= mostMachines) machines.clear();
      machines.set(key, machine);
      return machine;
    },
  };
}

/** The word sets of all phrases, each once, and the forms in them. */
class Vocabulary {
  readonly #ids = new Map<string, number>();
  readonly #forms = new Map<string, { form: readonly number[]; sets: number[] }>();

  /** The number of the set of these forms. */
  add(forms: readonly (readonly number[])[]): number {
    const keys = forms.map((form) => form.join()).sort();
    const known = this.#ids.get(keys.join(';'));
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(keys.join(';'), id);
    for (const form of forms) {
      const entry = this.#forms.get(form.join()) ?? { form, sets: [] };
      entry.sets.push(id);
      this.#forms.set(form.join(), entry);
    }
    return id;
  }

  /** The graph of all forms, and of the innocent words that only repeat a form's letters ("assess" is no "asses"). */
  graph(innocent: readonly string[]): WordGraph {
    const stretched = new Map([...this.#forms.values()].map(({ form }) => [collapse(form), form]));
    const forms = [...this.#forms.values()].map(({ form, sets }) => [form, sets] as const);
    const looksLike = new Set(innocent.filter((word) => word !== '' && !this.#forms.has(word)));
    const added = [...looksLike]
      .map((word) => word.split(',').map(Number))
      .filter((word) => stretched.has(collapse(word)))
      .map((word) => [word, [INNOCENT]] as const);
    return new WordGraph([...forms, ...added]);
  }
}

function collapse(form: readonly number[]): string {
  return form.filter((symbol, index) => symbol !== form[index - 1] && symbol !== APOSTROPHE).join();
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
