import { eachWord, lettersOf } from './term-words.ts';
import type { MemoryItem } from './typed-memory.ts';

/** A memory item with its words counted, so that it need be read only once however often it is scored. */
export type ReadMemory = {
  readonly item: MemoryItem;
  readonly counts: ReadonlyMap<string, number>;
  /** How many words of three letters or more it has. */
  readonly length: number;
};

/** Brings the forms of a word together ("klaida", "klaidos"). Called once for each word: keep what it found. */
export type Stem = (word: string) => string;

/** What all of a project's items say of terms. Where it is not known, the candidates stand for the project. */
export type Corpus = {
  readonly items: number;
  readonly averageLength: number;
  /** How many items hold the term, as it is spelt in the items' counts. */
  readonly itemsWith: (term: string) => number;
};

/** Terms ready for `scoreBalanced`: each with its share of the whole weight, the shares adding up to 1. */
export type WeighedTerms = { readonly shares: readonly (readonly [string, number])[]; readonly averageLength: number };

/** How fast a term said again stops adding, and how much an item's length counts against it: BM25's k1 and b. */
const saturation = 0.5;
const lengthWeight = 0.75;

export type ReadOptions = {
  /** Counts stems in place of words; the seed's formula does without. */
  readonly stem?: Stem | undefined;
  /** Counts these only: enough for one question, and half the work. */
  readonly only?: ReadonlySet<string> | undefined;
};

/** Counts an item's words, or their stems. */
export function readMemory(item: MemoryItem, { stem, only }: ReadOptions = {}): ReadMemory {
  const counts = new Map<string, number>();
  let length = 0;
  eachWord(item.text, (word) => {
    const counted = stem === undefined ? word : stem(word);
    if (only === undefined || only.has(counted)) counts.set(counted, (counts.get(counted) ?? 0) + 1);
    length += 1;
    return true;
  });
  return { item, counts, length };
}

/**
 * The formula of seed 004, step 3: for each term its occurrences times its letters, added up, times `fade`
 * (e^(-0.1 × hours) in the seed). From 0 without upper bound: one term of seven letters, said just now, makes 7.
 */
export function scoreSeed(memory: ReadMemory, terms: readonly string[], fade: number): number {
  let score = 0;
  for (const term of terms) {
    const count = memory.counts.get(term);
    if (count !== undefined) score += count * lettersOf(term);
  }
  return score * fade;
}

/**
 * How much of what was asked for an item holds, from 0 to 1: BM25's saturated and length-normalised counts, each term
 * by its share, the square root of the sum, times `fade`. The root is what lets one threshold serve questions of one
 * term and of ten: it keeps the order, and lifts an item that holds two terms of seven over 0.3.
 */
export function scoreBalanced(memory: ReadMemory, terms: WeighedTerms, fade: number): number {
  const relative = terms.averageLength > 0 ? memory.length / terms.averageLength : 1;
  const damping = saturation * (1 - lengthWeight + lengthWeight * relative);
  let held = 0;
  for (const [term, share] of terms.shares) {
    const count = memory.counts.get(term);
    if (count !== undefined) held += (share * count) / (count + damping);
  }
  return Math.min(1, Math.sqrt(held)) * fade;
}

/**
 * Gives each term its share by how few items hold it (BM25's inverse document frequency). A term that no item holds
 * weighs as the others do on average: it may be rare or only misspelt. But all of those together weigh as one: they say
 * that something else was asked too, once, and many of them must not drown the few words that the project knows.
 */
export function weighTerms(terms: readonly string[], corpus: Corpus): WeighedTerms {
  let known = 0;
  let unknownTerms = 0;
  const weights = terms.map((term) => {
    const holding = Math.min(corpus.itemsWith(term), corpus.items);
    const weight = holding > 0 ? Math.log(1 + (corpus.items - holding + 0.5) / (holding + 0.5)) : null;
    if (weight === null) unknownTerms += 1;
    else known += weight;
    return weight;
  });
  const knownTerms = terms.length - unknownTerms;
  const unknown = (knownTerms === 0 ? 1 : known / knownTerms) / Math.max(1, unknownTerms);
  const total = known + unknown * unknownTerms;
  return {
    shares: terms.map((term, index) => [term, (weights[index] ?? unknown) / total] as const),
    averageLength: corpus.averageLength,
  };
}

/** The corpus that items make by themselves. */
export function corpusOf(memories: readonly ReadMemory[]): Corpus {
  const words = memories.reduce((sum, memory) => sum + memory.length, 0);
  return {
    items: memories.length,
    averageLength: memories.length > 0 ? words / memories.length : 0,
    itemsWith: (term) => memories.reduce((sum, memory) => (memory.counts.has(term) ? sum + 1 : sum), 0),
  };
}
