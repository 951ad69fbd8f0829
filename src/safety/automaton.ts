import {
  APOSTROPHE,
  AT,
  DIGIT_ZERO,
  DOT,
  isSign,
  isWordSymbol,
  LONE_VOWELS,
  LOOKALIKES,
  OTHER_LETTER,
  PIPE,
  PLUS,
  SEPARATOR,
  SYMBOL_COUNT,
} from './symbols.ts';
import { endsWord, HOLD_ALL, type Phrase, type StartMode, Threads } from './threads.ts';
import type { WordTries } from './word-trie.ts';

/** In `infosFor`: how far back to hold (0: nothing), whether a token starts here, whether a phrase is whole here. */
export const DEPTH = 0x3f;
export const TOKEN_STARTS = 0x40;
export const MATCHES = 0x80;

/** Where we are in the text, whatever phrases are under way. */
type Place = 'gap' | 'vowel_gap' | 'letter_gap' | 'vowel' | 'letter' | 'sign' | 'word' | 'word_sign';

/** A phrase that is whole in a state, and how many tokens back it began. */
export type Found = { entry: number; bit: number; depth: number };

/**
 * One deterministic automaton for every phrase of every boundary and language. `next[state * SYMBOL_COUNT + symbol]`
 * is the state that follows; state 0 is the beginning of a text.
 */
export class Automaton {
  readonly next: Uint16Array | Uint32Array;
  readonly stateCount: number;
  readonly #found: readonly (readonly Found[])[];
  /** By state: pairs of bit and depth of what is under way. */
  readonly #underWay: readonly Uint8Array[];
  readonly #tokenStarts: Uint8Array;
  readonly #infos = new Map<string, Uint8Array>();

  constructor(states: readonly State[]) {
    this.stateCount = states.length;
    const size = states.length * SYMBOL_COUNT;
    this.next = states.length < 0x10000 ? new Uint16Array(size) : new Uint32Array(size);
    states.forEach((state, index) => this.next.set(state.next, index * SYMBOL_COUNT));
    this.#found = states.map((state) => state.found);
    this.#underWay = states.map((state) => state.underWay);
    this.#tokenStarts = Uint8Array.from(states, (state) => (state.tokenStarts ? 1 : 0));
  }

  get bytes(): number {
    const pairs = this.#underWay.reduce((sum, pair) => sum + pair.length, 0);
    return this.next.byteLength + pairs + this.#tokenStarts.length;
  }

  found(state: number): readonly Found[] {
    return this.#found[state] ?? [];
  }

  /** The bits of the phrases under way in a state. */
  bitsUnderWay(state: number): number {
    const pairs = this.#underWay[state] ?? [];
    let bits = 0;
    for (let index = 0; index < pairs.length; index += 2) bits |= 1 << (pairs[index] ?? 0);
    return bits;
  }

  /** One byte a state: what it means where the phrases of `hold` are held back and those of `match` looked for. */
  infosFor(hold: number, match: number): Uint8Array {
    const key = `${hold},${match}`;
    const known = this.#infos.get(key);
    if (known) return known;
    const infos = new Uint8Array(this.stateCount);
    this.#underWay.forEach((pairs, state) => {
      let depth = 0;
      let followed = false;
      for (let index = 0; index < pairs.length; index += 2) {
        const bit = pairs[index] ?? 0;
        if ((hold >>> bit) & 1) depth = Math.max(depth, pairs[index + 1] ?? 0);
        if (((hold | match) >>> bit) & 1) followed = true;
      }
      const matches = this.found(state).some((found) => (match >>> found.bit) & 1);
      const starts = followed && this.#tokenStarts[state] === 1;
      infos[state] = depth | (starts ? TOKEN_STARTS : 0) | (matches ? MATCHES : 0);
    });
    if (this.#infos.size >= 64) this.#infos.clear();
    this.#infos.set(key, infos);
    return infos;
  }
}

type State = { next: Uint32Array; found: readonly Found[]; underWay: Uint8Array; tokenStarts: boolean };

/** Makes the automaton of these phrases: the sets of threads that can be under way together are its states. */
export function buildAutomaton(phrases: readonly Phrase[], tries: WordTries): Automaton {
  return new Automaton(new Builder(phrases, tries).build());
}

class Builder {
  readonly #threads: Threads;
  readonly #starts = new Map<StartMode, number[][]>();
  readonly #ids = new Map<string, number>();
  readonly #sets: { place: Place; threads: number[] }[] = [];

  constructor(phrases: readonly Phrase[], tries: WordTries) {
    this.#threads = new Threads(phrases, tries);
    for (const mode of ['apart', 'phrases_apart', 'together'] as const) {
      const bySymbol = Array.from({ length: SYMBOL_COUNT }, (_, symbol) =>
        isWordSymbol(symbol) || isSign(symbol) ? this.#threads.starts(symbol, mode) : [],
      );
      this.#starts.set(mode, bySymbol);
    }
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
    const relevant = new Uint8Array(SYMBOL_COUNT);
    relevant[OTHER_LETTER] = 1;
    for (const thread of threads) this.#threads.markRelevant(thread, relevant);
    const mode = startMode(place);
    if (place === 'gap') for (const vowel of LONE_VOWELS) relevant[vowel] = 1;
    for (let symbol = 0; symbol < SYMBOL_COUNT; symbol++) {
      if (mode && (this.#starts.get(mode)?.[symbol]?.length ?? 0) > 0) relevant[symbol] = 1;
      if (symbol === APOSTROPHE || symbol === SEPARATOR || isSign(symbol)) relevant[symbol] = 1;
    }
    for (let digit = DIGIT_ZERO; digit < AT; digit++) {
      if (LOOKALIKES[digit]?.some((letter) => relevant[letter] === 1)) relevant[digit] = 1;
    }
    for (let symbol = 0; symbol < SYMBOL_COUNT; symbol++) {
      if (relevant[symbol]) next[symbol] = this.#follow(place, threads, symbol);
    }
    const otherwise = next[OTHER_LETTER] ?? 0;
    for (let symbol = 0; symbol < AT; symbol++) if (!relevant[symbol]) next[symbol] = otherwise;
    next[DOT] = next[SEPARATOR] ?? 0;
    next[PLUS] = next[SEPARATOR] ?? 0;
    return {
      next,
      ...this.#describe(threads),
      tokenStarts: place === 'vowel' || place === 'letter' || place === 'sign',
    };
  }

  #follow(place: Place, threads: readonly number[], symbol: number): number {
    const out: number[] = [];
    for (const thread of threads) this.#threads.step(thread, symbol, out);
    const mode = startMode(place);
    if (mode) for (const start of this.#starts.get(mode)?.[symbol] ?? []) out.push(start);
    return this.#state(nextPlace(place, symbol), out);
  }

  #state(place: Place, threads: number[]): number {
    const sorted = [...new Set(threads)].sort((a, b) => a - b);
    const key = `${place} ${sorted.join()}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#sets.push({ place, threads: sorted }) - 1;
    this.#ids.set(key, id);
    return id;
  }

  #describe(threads: readonly number[]): { found: Found[]; underWay: Uint8Array } {
    const depths = new Map<number, number>();
    const found = new Map<number, Found>();
    for (const thread of threads) {
      const { entry, bit } = this.#threads.phrase(thread);
      const depth = this.#threads.depth(thread);
      depths.set(bit, Math.max(depths.get(bit) ?? 0, depth));
      if (!this.#threads.isMatch(thread)) continue;
      const known = found.get(entry);
      if (!known || (known.depth < depth && depth !== HOLD_ALL)) found.set(entry, { entry, bit, depth });
    }
    return { found: [...found.values()], underWay: Uint8Array.from([...depths].flat()) };
  }
}

function startMode(place: Place): StartMode | null {
  switch (place) {
    case 'gap':
    case 'vowel_gap':
      return 'apart';
    case 'letter_gap':
      return 'phrases_apart';
    case 'sign':
    case 'word_sign':
      return 'together';
    default:
      return null;
  }
}

function nextPlace(place: Place, symbol: number): Place {
  const letter = isWordSymbol(symbol);
  switch (place) {
    case 'gap':
      if (letter) return LONE_VOWELS.has(symbol) ? 'vowel' : 'letter';
      return isSign(symbol) ? 'sign' : 'gap';
    case 'vowel_gap':
    case 'letter_gap':
      if (letter) return 'letter';
      if (isSign(symbol)) return 'sign';
      return symbol === APOSTROPHE ? place : 'gap';
    case 'vowel':
    case 'letter':
      if (letter || symbol === APOSTROPHE) return 'word';
      if (isSign(symbol)) return endsWord(symbol) ? 'word_sign' : 'word';
      return place === 'vowel' ? 'vowel_gap' : 'letter_gap';
    case 'word':
      if (letter || symbol === APOSTROPHE) return 'word';
      if (isSign(symbol)) return endsWord(symbol) ? 'word_sign' : 'word';
      return 'gap';
    case 'sign':
    case 'word_sign':
      if (letter) return 'word';
      return symbol <= PIPE && symbol !== SEPARATOR ? 'word_sign' : 'gap';
  }
}
