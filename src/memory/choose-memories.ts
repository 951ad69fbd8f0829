import {
  type Corpus,
  corpusOf,
  type ReadMemory,
  readMemory,
  type Stem,
  scoreBalanced,
  scoreSeed,
  weighTerms,
} from './relevance.ts';
import { expiryOf, type MemoryItem, type TypedMemorySettings } from './typed-memory.ts';

/** A memory item that was chosen, and how much it has to do with what was asked. */
export type ChosenMemory = { readonly item: MemoryItem; readonly relevanceScore: number };

export type MemoryChoice = {
  /** Milliseconds since the Unix epoch; items from later than this count as new. */
  readonly now: number;
  readonly settings: TypedMemorySettings;
  /** The project's numbers, spelt as `stem` spells; without them the items given stand for the project. */
  readonly corpus?: Corpus | undefined;
  /** For `balanced` only: the seed's formula counts words as they are written. */
  readonly stem?: Stem | undefined;
};

/**
 * The items worth telling the model: reads them, scores them by the settings' formula, leaves out what is forgotten or
 * below the threshold, and returns the best, best first; of two alike the newer, then the one whose id comes first.
 * Of more items than the settings' candidates, the seed looks at the newest and `balanced` at those that fit best.
 */
export function chooseMemories(
  items: readonly MemoryItem[],
  terms: readonly string[],
  choice: MemoryChoice,
): ChosenMemory[] {
  const { settings, now } = choice;
  const live = items.filter((item) => expiryOf(item, settings) > now);
  const candidates = settings.relevance === 'seed' ? newest(live, (item) => item, settings.candidates) : live;
  const stem = settings.relevance === 'seed' ? undefined : choice.stem;
  const only = new Set(stem === undefined ? terms : terms.map(stem));
  return chooseRead(
    candidates.map((item) => readMemory(item, { stem, only })),
    terms,
    choice,
  );
}

/** As `chooseMemories`, of items that were read before: with the same `stem`, or without one for the seed's formula. */
export function chooseRead(
  memories: readonly ReadMemory[],
  terms: readonly string[],
  choice: MemoryChoice,
): ChosenMemory[] {
  const { settings, now } = choice;
  const live = memories.filter(({ item }) => expiryOf(item, settings) > now);
  const scored = settings.relevance === 'seed' ? bySeed(live, terms, choice) : byBalance(live, terms, choice);
  return scored
    .filter(({ relevanceScore }) => relevanceScore > 0 && relevanceScore >= settings.threshold)
    .toSorted(bestFirst)
    .slice(0, settings.top);
}

/** How much of its weight an item's age leaves it, from 1 down to 0. */
export function fadeOf(item: Pick<MemoryItem, 'type' | 'at'>, now: number, settings: TypedMemorySettings): number {
  const hours = Math.max(0, now - item.at) / 3_600_000;
  return Math.exp(-settings.decay_per_hour[item.type] * hours);
}

function bySeed(memories: readonly ReadMemory[], terms: readonly string[], choice: MemoryChoice): ChosenMemory[] {
  const { now, settings } = choice;
  const asked = [...new Set(terms)];
  return newest(memories, (memory) => memory.item, settings.candidates).map((memory) => ({
    item: memory.item,
    relevanceScore: scoreSeed(memory, asked, fadeOf(memory.item, now, settings)),
  }));
}

function byBalance(memories: readonly ReadMemory[], terms: readonly string[], choice: MemoryChoice): ChosenMemory[] {
  const { now, settings, stem } = choice;
  const asked = [...new Set(stem === undefined ? terms : terms.map(stem))];
  const weighed = weighTerms(asked, choice.corpus ?? corpusOf(memories));
  const fitting = memories
    .map((memory) => ({ item: memory.item, relevanceScore: scoreBalanced(memory, weighed, 1) }))
    .filter(({ relevanceScore }) => relevanceScore > 0);
  const isTooMany = fitting.length > settings.candidates;
  const candidates = isTooMany ? fitting.toSorted(bestFirst).slice(0, settings.candidates) : fitting;
  return candidates.map(({ item, relevanceScore }) => ({
    item,
    relevanceScore: relevanceScore * fadeOf(item, now, settings),
  }));
}

function newest<Each>(all: readonly Each[], itemOf: (each: Each) => MemoryItem, count: number): readonly Each[] {
  if (all.length <= count) return all;
  return all.toSorted((one, other) => newerFirst(itemOf(one), itemOf(other))).slice(0, count);
}

function bestFirst(one: ChosenMemory, other: ChosenMemory): number {
  return other.relevanceScore - one.relevanceScore || newerFirst(one.item, other.item);
}

function newerFirst(one: MemoryItem, other: MemoryItem): number {
  return other.at - one.at || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}
