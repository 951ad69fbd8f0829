import { foldWord } from './fold.ts';
import { parsePhrase, type WordForms, withoutOptional } from './pattern.ts';
import { PhraseGraph } from './phrase-graph.ts';
import { PhraseMachine } from './phrase-machine.ts';
import type { LanguageData } from './safety-files.ts';
import { APOSTROPHE } from './symbols.ts';
import { buildWordAutomaton, type WordAutomaton } from './word-automaton.ts';
import { WordGraph } from './word-graph.ts';

/** Phrases this long, in letters, are also looked for with nothing between their words. */
const shortestJoined = 7;
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
  /** The mask of the groups' bits. */
  maskOf: (groups: Iterable<string>) => number;
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
      const words = sift(variant, [innocent.get(language), innocent.get('xx')]);
      const [before, after] = [variant, words].map(([only]) => only?.forms.length ?? 0);
      vetoed += (before ?? 0) - (after ?? 0);
      if (after === 0) continue;
      const bit = bits.get(group) ?? bits.size;
      bits.set(group, bit);
      const wordSets = words.map((word) => vocabulary.add(word.forms));
      const joinable = joined && words.length > 1 && shortest(words) >= shortestJoined;
      graph.add({ wordSets, entry, bit, joinable });
      phraseCount++;
    }
  }
  if (bits.size > mostGroups) problems.push(`there may be at most ${mostGroups} boundaries`);
  const stretched = vocabulary.stretched([...innocent.values()].flatMap((of) => [...of]));
  const words = buildWordAutomaton(vocabulary.graph(), stretched);
  const machines = new Map<string, PhraseMachine>();
  return {
    words,
    entries,
    phraseCount,
    vetoed,
    maskOf: (groups) => Array.from(groups, (group) => bits.get(group)).reduce<number>(addBit, 0),
    groupsOf: (mask) => [...bits].filter(([, bit]) => (mask >>> bit) & 1).map(([group]) => group),
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

  graph(): WordGraph {
    return new WordGraph([...this.#forms.values()].map(({ form, sets }) => [form, sets] as const));
  }

  /** The innocent words that are no form, and differ from one only by letters repeated: "assess" from "asses". */
  stretched(innocent: readonly string[]): WordGraph {
    const collapsed = new Set([...this.#forms.values()].map(({ form }) => collapse(form)));
    const words = [...new Set(innocent)].filter((word) => word !== '' && !this.#forms.has(word));
    const alike = words.map((word) => word.split(',').map(Number)).filter((word) => collapsed.has(collapse(word)));
    return new WordGraph(alike.map((word) => [word, [0]] as const));
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

/** Takes out of a phrase of one word the forms that are innocent words of its own language. */
function sift(
  words: readonly WordForms[],
  innocent: readonly (ReadonlySet<string> | undefined)[],
): readonly WordForms[] {
  const [only] = words;
  if (words.length !== 1 || !only) return words;
  return [{ ...only, forms: only.forms.filter((form) => !innocent.some((known) => known?.has(form.join()))) }];
}

function addBit(mask: number, bit: number | undefined): number {
  return bit === undefined ? mask : mask | (1 << bit);
}

function shortest(words: readonly WordForms[]): number {
  return words.reduce((sum, word) => sum + Math.min(...word.forms.map((form) => form.length)), 0);
}
