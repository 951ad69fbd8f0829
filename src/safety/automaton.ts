import { endsLoneLetter, nextPlace, type Place, type StartMode, startMode, startsToken } from './place.ts';
import {
  APOSTROPHE,
  AT,
  DIGIT_ZERO,
  DOT,
  isSign,
  LONE_VOWELS,
  LOOKALIKES,
  OTHER_LETTER,
  PLUS,
  SEPARATOR,
  SYMBOL_COUNT,
} from './symbols.ts';
import { Threads } from './threads.ts';
import type { WordGraph, WordStart } from './word-graph.ts';

/** In `infosFor`: how far back to hold (0: nothing), and what happens to the count of tokens, and to phrases. */
export const DEPTH = 0x0f;
export const TOKEN_STARTS = 0x10;
export const LONE_LETTER_ENDS = 0x20;
export const SIGNS_END = 0x40;
export const MATCHES = 0x80;

/** A phrase that is whole in a state: what it is, and how many tokens back it began. */
export type Found = { label: number; depth: number };

/** Says which bit of a mask stands for a label. */
export type BitOf = (label: number) => number;

type State = {
  next: Uint32Array;
  found: readonly Found[];
  underWay: readonly (readonly [number, number])[];
  place: Place;
};

/**
 * One deterministic automaton for every phrase of every boundary and language. `next[state * SYMBOL_COUNT + symbol]`
 * is the state that follows; state 0 is the beginning of a text.
 */
export class Automaton {
  readonly next: Uint16Array | Uint32Array;
  readonly stateCount: number;
  readonly #states: readonly Omit<State, 'next'>[];
  readonly #bitOf: BitOf;
  readonly #infos = new Map<string, Uint8Array>();

  constructor(states: readonly State[], bitOf: BitOf) {
    this.stateCount = states.length;
    const size = states.length * SYMBOL_COUNT;
    this.next = states.length < 0x10000 ? new Uint16Array(size) : new Uint32Array(size);
    states.forEach((state, index) => this.next.set(state.next, index * SYMBOL_COUNT));
    this.#states = states.map(({ found, underWay, place }) => ({ found, underWay, place }));
    this.#bitOf = bitOf;
  }

  /** Of the transition table, which is nearly all there is. */
  get bytes(): number {
    return this.next.byteLength;
  }

  found(state: number): readonly Found[] {
    return this.#states[state]?.found ?? [];
  }

  /** The bits of the phrases under way in a state. */
  bitsUnderWay(state: number): number {
    return (this.#states[state]?.underWay ?? []).reduce((bits, [label]) => bits | (1 << this.#bitOf(label)), 0);
  }

  /** One byte a state: what it means where the phrases of `hold` are held back and those of `match` looked for. */
  infosFor(hold: number, match: number): Uint8Array {
    const key = `${hold},${match}`;
    const known = this.#infos.get(key);
    if (known) return known;
    const infos = Uint8Array.from(this.#states, (state) => this.#info(state, hold, match));
    if (this.#infos.size >= 64) this.#infos.clear();
    this.#infos.set(key, infos);
    return infos;
  }

  #info({ found, underWay, place }: Omit<State, 'next'>, hold: number, match: number): number {
    let depth = 0;
    let followed = false;
    for (const [label, of] of underWay) {
      const bit = this.#bitOf(label);
      if ((hold >>> bit) & 1) depth = Math.max(depth, of);
      if (((hold | match) >>> bit) & 1) followed = true;
    }
    if (!followed) return 0;
    const counting = startsToken(place)
      ? TOKEN_STARTS
      : endsLoneLetter(place)
        ? LONE_LETTER_ENDS
        : place === 'sign_gap'
          ? SIGNS_END
          : 0;
    const matches = found.some(({ label }) => (match >>> this.#bitOf(label)) & 1);
    return depth | counting | (matches ? MATCHES : 0);
  }
}

/** Makes the automaton of these phrases: the sets of threads that can be under way together are its states. */
export function buildAutomaton(starts: readonly WordStart[], graph: WordGraph, bitOf: BitOf): Automaton {
  return new Automaton(new Builder(new Threads(starts, graph)).build(), bitOf);
}

class Builder {
  readonly #threads: Threads;
  readonly #begin: Readonly<Record<StartMode, readonly (readonly number[])[]>>;
  readonly #ids = new Map<string, number>();
  readonly #sets: { place: Place; threads: readonly number[] }[] = [];

  constructor(threads: Threads) {
    this.#threads = threads;
    const begin = (mode: StartMode) => Array.from({ length: SYMBOL_COUNT }, (_, symbol) => threads.begin(symbol, mode));
    this.#begin = { apart: begin('apart'), phrases_apart: begin('phrases_apart'), together: begin('together') };
  }

  build(): State[] {
    const states: State[] = [];
    this.#state('gap', []);
    for (let index = 0; index < this.#sets.length; index++) {
      const set = this.#sets[index];
      if (set) states.push(this.#expand(set.place, set.threads));
    }
    return states;
  }

  #expand(place: Place, threads: readonly number[]): State {
    const next = new Uint32Array(SYMBOL_COUNT);
    const relevant = this.#relevant(place, threads);
    for (let symbol = 0; symbol < SYMBOL_COUNT; symbol++) {
      if (relevant[symbol]) next[symbol] = this.#follow(place, threads, symbol);
    }
    for (let symbol = 0; symbol < AT; symbol++) if (!relevant[symbol]) next[symbol] = next[OTHER_LETTER] ?? 0;
    next[DOT] = next[SEPARATOR] ?? 0;
    next[PLUS] = next[SEPARATOR] ?? 0;
    return { next, place, ...this.#describe(threads) };
  }

  /** The symbols that do not lead where a letter of no phrase leads. */
  #relevant(place: Place, threads: readonly number[]): Uint8Array {
    const relevant = new Uint8Array(SYMBOL_COUNT);
    for (const thread of threads) this.#threads.markRelevant(thread, relevant);
    const mode = startMode(place);
    if (mode) for (const vowel of LONE_VOWELS) relevant[vowel] = 1;
    for (let symbol = 0; symbol < SYMBOL_COUNT; symbol++) {
      if (mode && (this.#begin[mode][symbol]?.length ?? 0) > 0) relevant[symbol] = 1;
      if (symbol === APOSTROPHE || symbol === SEPARATOR || symbol === OTHER_LETTER || isSign(symbol)) {
        relevant[symbol] = 1;
      }
    }
    for (let digit = DIGIT_ZERO; digit < AT; digit++) {
      if (LOOKALIKES[digit]?.some((letter) => relevant[letter] === 1)) relevant[digit] = 1;
    }
    return relevant;
  }

  #follow(place: Place, threads: readonly number[], symbol: number): number {
    const out: number[] = [];
    for (const thread of threads) this.#threads.step(thread, symbol, out);
    const mode = startMode(place);
    if (mode) out.push(...(this.#begin[mode][symbol] ?? []));
    return this.#state(nextPlace(place, symbol), out);
  }

  #state(place: Place, threads: readonly number[]): number {
    const merged = this.#threads.merge(threads);
    const key = `${place} ${merged.join()}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#sets.push({ place, threads: merged }) - 1;
    this.#ids.set(key, id);
    return id;
  }

  #describe(threads: readonly number[]): Pick<State, 'found' | 'underWay'> {
    const underWay = new Map<number, number>();
    const found = new Map<number, number>();
    for (const thread of threads) {
      const label = this.#threads.label(thread);
      const depth = this.#threads.depth(thread);
      underWay.set(label, Math.max(underWay.get(label) ?? 0, depth));
      if (this.#threads.isMatch(thread)) found.set(label, Math.max(found.get(label) ?? 0, depth));
    }
    return { underWay: [...underWay], found: Array.from(found, ([label, depth]) => ({ label, depth })) };
  }
}
