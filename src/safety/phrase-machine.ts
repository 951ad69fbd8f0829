import type { PhraseGraph, Position } from './phrase-graph.ts';
import type { WordAutomaton } from './word-automaton.ts';

/** In `infos`: something held may come of this word; a word of a phrase begins; the matcher must look closer. */
export const LIVE = 1;
export const BEGINS = 2;
export const EVENT = 4;

/** Phrases that wait for their next word, a set; `closed` where no phrase begins with that word. */
export type Waiting = {
  readonly positions: readonly Position[];
  readonly closed: boolean;
  /** Whether any of them is held back. */
  readonly held: boolean;
  readonly steps: Map<number, WordStep>;
};

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

/** Sets of waiting phrases that are kept, so that each is made once; more than this and they are made afresh. */
const mostKept = 20_000;

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
    this.nothing = this.waiting([], false);
    this.infos = this.#makeInfos();
  }

  isHeld(position: Position): boolean {
    return ((this.#hold >>> position.bit) & 1) === 1;
  }

  /** Whether a phrase that is held can begin with what may come of the word in `state`. */
  mayBegin(state: number): boolean {
    return ((this.infos[state] ?? 0) & LIVE) !== 0;
  }

  /** The set of these positions. */
  waiting(positions: readonly Position[], closed: boolean): Waiting {
    const sorted = positions.toSorted((a, b) => a.id - b.id);
    const key = `${closed} ${sorted.map(({ id }) => id).join()}`;
    const known = this.#kept.get(key);
    if (known) return known;
    const made = { positions: sorted, closed, held: sorted.some((one) => this.isHeld(one)), steps: new Map() };
    if (this.#kept.size >= mostKept) this.#kept.clear();
    this.#kept.set(key, made);
    return made;
  }

  /** What the word `accepted` does after `waiting`. */
  step(waiting: Waiting, accepted: number): WordStep {
    const known = waiting.steps.get(accepted);
    if (known) return known;
    const step = this.#makeStep(waiting, this.#words.accepted[accepted] ?? new Int32Array(0));
    waiting.steps.set(accepted, step);
    return step;
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
    const { accepts, reaches, places: place } = this.#words;
    const live = this.#words.reached.map((wordSets) => this.#mayBeginWith(wordSets));
    const events = this.#words.accepted.map((wordSets) => this.#eventOf(wordSets));
    return Uint8Array.from(place, (at, state) => {
      const begins = live[reaches[state] ?? 0] ?? 0;
      const event = events[accepts[state] ?? 0] ?? 0;
      if (at <= 2) return event || begins ? EVENT : 0;
      const first = at >= 3 && at <= 5 && begins ? BEGINS : 0;
      return (begins & LIVE) | first | (event === 2 ? EVENT : 0);
    });
  }

  /** 0: no phrase begins with a word of these sets; `LIVE`: one that is held does; `BEGINS`: others do. */
  #mayBeginWith(wordSets: Int32Array): number {
    let result = 0;
    for (const wordSet of wordSets) {
      for (const position of this.#begins.get(wordSet) ?? []) result = this.isHeld(position) ? LIVE : result || BEGINS;
      if (result === LIVE) return LIVE;
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
