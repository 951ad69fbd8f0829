import type { PhraseGraph, Position } from './phrase-graph.ts';
import { isFirstLetter, isGap, type Place } from './place.ts';
import { isWordSymbol } from './symbols.ts';
import type { WordAutomaton } from './word-automaton.ts';

/**
 * In `infos`: something held may come of this word; a word of a phrase begins; the matcher must look closer at what ended
 * here; a word of a phrase is whole here, and the next may follow with nothing between.
 */
export const LIVE = 1;
export const BEGINS = 2;
export const EVENT = 4;
export const JOINS = 8;

/** Phrases that wait for their next word, a set; `closed` where no phrase begins with that word. */
export type Waiting = {
  readonly positions: readonly Position[];
  readonly closed: boolean;
  /** The indexes of those that are held back. */
  readonly held: readonly number[];
  /** What is found out about the set, by index of `accepted` and of `reached`. */
  readonly steps: Map<number, WordStep>;
  readonly hopes: Map<number, Hope>;
  /** What was asked last, for texts that go on asking the same. */
  last: { accepted: number; step: WordStep | null; reach: number; hope: Hope };
};

/** What can still come of a waiting set with the word under way: anything, and which of those held back. */
export type Hope = { readonly any: boolean; readonly held: readonly number[] };

/** What a word does to a phrase: `from` is the index among those that waited, or -1 for one that begins. */
type Outcome = { position: Position; from: number };
export type WordStep = {
  /** Phrases that are whole with this word. */
  readonly whole: readonly Outcome[];
  /** Phrases that wait for a further word, and what they were. */
  readonly next: Waiting;
  readonly sources: readonly number[];
  /** Of these, the ones whose next word may follow with nothing between. */
  readonly joined: Waiting;
  readonly joinedSources: readonly number[];
};

const hopeless: Hope = { any: false, held: [] };
const noSets = new Int32Array(0);

/** Sets of waiting phrases that are kept, so that each is made once; more than this and they are made afresh. */
const mostKept = 20_000;
const mostHopes = 500;

/**
 * The phrases that are looked for under one policy. Tables are made as texts need them, and shared by all replies under
 * that policy.
 */
export class PhraseMachine {
  /** Nothing waits. */
  readonly nothing: Waiting;
  /** By state of the word automaton, while nothing waits: `LIVE`, `BEGINS`, `EVENT`. */
  readonly infos: Uint8Array;
  readonly #words: WordAutomaton;
  readonly #hold: number;
  /** By index of `reached`: whether a phrase can begin so (`BEGINS`), and whether one that is held can (`LIVE`). */
  readonly #mayBegin: Uint8Array;
  readonly #begins = new Map<number, Position[]>();
  readonly #kept = new Map<string, Waiting>();

  /** `hold`: the bits of phrases that are held back; `follow`: the bits of all that are looked for. */
  constructor(words: WordAutomaton, graph: PhraseGraph, masks: { hold: number; follow: number }) {
    this.#words = words;
    this.#hold = masks.hold;
    for (const start of graph.starts) {
      if (!((masks.follow >>> start.bit) & 1)) continue;
      const others = this.#begins.get(start.wordSet);
      if (others) others.push(start);
      else this.#begins.set(start.wordSet, [start]);
    }
    this.#mayBegin = Uint8Array.from(words.reached, (wordSets) => this.#mayBeginWith(wordSets));
    this.nothing = this.waiting([], false);
    this.infos = this.#makeInfos();
  }

  /** Whether a phrase can begin with what may come of the word in `state`; with `LIVE`, whether one that is held can. */
  mayBegin(state: number, how = LIVE | BEGINS): boolean {
    return ((this.#mayBegin[this.#words.reaches[state] ?? 0] ?? 0) & how) !== 0;
  }

  /** The bits of the phrases that can begin with what may come of the word in `state`. */
  bitsThatMayBegin(state: number): number {
    const wordSets = this.#words.reached[this.#words.reaches[state] ?? 0] ?? [];
    return [...wordSets]
      .flatMap((wordSet) => this.#begins.get(wordSet) ?? [])
      .reduce((bits, { bit }) => bits | (1 << bit), 0);
  }

  /** The set of these positions. */
  waiting(positions: readonly Position[], closed: boolean): Waiting {
    const sorted = positions.toSorted((a, b) => a.id - b.id);
    const key = `${closed} ${sorted.map(({ id }) => id).join()}`;
    const known = this.#kept.get(key);
    if (known) return known;
    const held = sorted.flatMap((position, index) => (this.#isHeld(position) ? [index] : []));
    const last = { accepted: -1, step: null, reach: -1, hope: hopeless };
    const made: Waiting = { positions: sorted, closed, held, steps: new Map(), hopes: new Map(), last };
    if (this.#kept.size >= mostKept) this.#kept.clear();
    this.#kept.set(key, made);
    return made;
  }

  /** What the word `accepted` does after `waiting`. */
  step(waiting: Waiting, accepted: number): WordStep {
    const { last } = waiting;
    if (last.step && last.accepted === accepted) return last.step;
    const step = waiting.steps.get(accepted) ?? this.#makeStep(waiting, this.#words.accepted[accepted] ?? noSets);
    waiting.steps.set(accepted, step);
    last.accepted = accepted;
    last.step = step;
    return step;
  }

  /** Whether, the word in `state` being whole, the next word of a phrase can begin with `symbol` right behind it. */
  mayJoin(state: number, symbol: number): boolean {
    if (!isWordSymbol(symbol)) return false;
    const { joined } = this.step(this.nothing, this.#words.accepts[state] ?? 0);
    return this.hope(joined, this.#words.next[symbol] ?? 0).any;
  }

  /** What of `waiting` the word in `state` can still go on with. */
  hope(waiting: Waiting, state: number): Hope {
    const reach = this.#words.reaches[state] ?? 0;
    if (reach === 0 || waiting === this.nothing) return hopeless;
    const { last } = waiting;
    if (last.reach === reach) return last.hope;
    const hope = waiting.hopes.get(reach) ?? this.#makeHope(waiting, reach);
    last.reach = reach;
    last.hope = hope;
    return hope;
  }

  #makeHope(waiting: Waiting, reach: number): Hope {
    const wordSets = new Set(this.#words.reached[reach]);
    const made = {
      any: waiting.positions.some(({ wordSet }) => wordSets.has(wordSet)),
      held: waiting.held.filter((index) => wordSets.has(waiting.positions[index]?.wordSet ?? -1)),
    };
    if (waiting.hopes.size >= mostHopes) waiting.hopes.clear();
    waiting.hopes.set(reach, made);
    return made;
  }

  #isHeld(position: Position): boolean {
    return ((this.#hold >>> position.bit) & 1) === 1;
  }

  #makeStep(waiting: Waiting, wordSets: Int32Array): WordStep {
    const outcomes: Outcome[] = waiting.positions.flatMap((position, from) =>
      wordSets.includes(position.wordSet) ? [{ position, from }] : [],
    );
    if (!waiting.closed) {
      for (const wordSet of wordSets) {
        for (const position of this.#begins.get(wordSet) ?? []) outcomes.push({ position, from: -1 });
      }
    }
    const next = this.#collect(outcomes, false);
    const joined = this.#collect(
      outcomes.filter(({ position }) => position.joinable),
      true,
    );
    return {
      whole: outcomes.filter(({ position }) => position.next === null),
      next: next.waiting,
      sources: next.sources,
      joined: joined.waiting,
      joinedSources: joined.sources,
    };
  }

  /** Where several lead to one position, the one that has waited longest counts: it comes first. */
  #collect(outcomes: readonly Outcome[], closed: boolean): { waiting: Waiting; sources: number[] } {
    const sources = new Map<Position, number>();
    for (const { position, from } of outcomes) {
      if (position.next && !sources.has(position.next)) sources.set(position.next, from);
    }
    const waiting = this.waiting([...sources.keys()], closed);
    return { waiting, sources: waiting.positions.map((position) => sources.get(position) ?? -1) };
  }

  #makeInfos(): Uint8Array {
    const { accepts, reaches } = this.#words;
    const events = this.#words.accepted.map((wordSets) => this.#eventOf(wordSets));
    return Uint8Array.from(this.#words.places, (at, state) => {
      const place = at as Place;
      const begins = this.#mayBegin[reaches[state] ?? 0] ?? 0;
      const event = events[accepts[state] ?? 0] ?? 0;
      if (isGap(place)) return event > 0 || begins > 0 ? EVENT : 0;
      return (begins & LIVE) | (isFirstLetter(place) ? begins & BEGINS : 0) | (event === 2 ? JOINS : 0);
    });
  }

  #mayBeginWith(wordSets: Int32Array): number {
    let result = 0;
    for (const wordSet of wordSets) {
      for (const position of this.#begins.get(wordSet) ?? []) result |= this.#isHeld(position) ? LIVE | BEGINS : BEGINS;
      if (result & LIVE) return result;
    }
    return result;
  }

  /** 0: the word begins no phrase; 1: it does; 2: the next word may follow with nothing between. */
  #eventOf(wordSets: Int32Array): 0 | 1 | 2 {
    const begun = [...wordSets].flatMap((wordSet) => this.#begins.get(wordSet) ?? []);
    if (begun.length === 0) return 0;
    return begun.some((position) => position.joinable) ? 2 : 1;
  }
}
