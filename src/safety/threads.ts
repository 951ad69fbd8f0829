import {
  APOSTROPHE,
  BANG,
  DOLLAR,
  isSign,
  isWordSymbol,
  LETTER_S,
  LONE_VOWELS,
  LOOKALIKES,
  PIPE,
  DIGIT_ZERO,
} from './symbols.ts';
import type { WordTries } from './word-trie.ts';

/** A phrase as the automaton knows it: the tree of each word's forms, and which entry it stands for. */
export type Phrase = {
  words: readonly number[];
  entry: number;
  /** The mask bit, 0 to 30, that says whether the phrase is live. */
  bit: number;
  /** Long enough that its words are also looked for with nothing between them ("#likethis"). */
  joinable: boolean;
};

/** The ways one phrase can be under way. A thread is one of these at one place of one phrase. */
const MIDDLE = 0; // inside a word
const WAIT = 1; // between two words of the phrase
const APART = 2; // between two letters of a word whose letters stand apart
const APART_LETTER = 3; // after a letter that may go on a word whose letters stand apart
const QUOTE = 4; // after a whole word and an apostrophe
const POSSESSIVE = 5; // after a whole word and 's
const ENDED = 6; // a single word apart is whole: do more letters apart follow?
const ENDED_LETTER = 7;
const ENDED_VOWEL = 8;
const ENDED_GAP = 9;
const ENDED_SECOND = 10;
const MATCH = 11;

/** The hold starts where it starts: the phrase's tokens cannot be counted back. */
const IRREGULAR = 1;
/** A letter that is not a lookalike was seen in this word. */
const REAL = 2;
/** The word so far is one symbol, and more may follow apart. */
const FIRST = 4;

/** How a phrase may start at a symbol: with its letters apart too, single words not apart, or nothing apart. */
export type StartMode = 'apart' | 'phrases_apart' | 'together';

/** Depth that means: hold from where the hold began. */
export const HOLD_ALL = 63;

/**
 * The non-deterministic machine behind the automaton. Threads are numbered as they are met; `step` says which threads
 * follow one thread at one symbol.
 */
export class Threads {
  readonly #phrases: readonly Phrase[];
  readonly #tries: WordTries;
  readonly #kinds: number[] = [];
  /** The word of a phrase the thread is at: `phrase * 16 + index`. */
  readonly #words: number[] = [];
  readonly #nodes: number[] = [];
  readonly #flags: number[] = [];
  readonly #ids = new Map<number, number>();

  constructor(phrases: readonly Phrase[], tries: WordTries) {
    this.#phrases = phrases;
    this.#tries = tries;
  }

  /** The threads that begin with this symbol. */
  starts(symbol: number, mode: StartMode): number[] {
    const out: number[] = [];
    this.#phrases.forEach((phrase, index) => {
      const apart = mode === 'apart' || (mode === 'phrases_apart' && phrase.words.length > 1);
      this.#enter(index * 16, symbol, apart ? FIRST : 0, out);
    });
    return out;
  }

  /** Appends to `out` the threads that `thread` becomes at `symbol`; none where it ends there. */
  step(thread: number, symbol: number, out: number[]): void {
    const word = this.#words[thread] ?? 0;
    const node = this.#nodes[thread] ?? 0;
    const flags = this.#flags[thread] ?? 0;
    switch (this.#kinds[thread]) {
      case MIDDLE:
        return this.#stepMiddle(word, node, flags, symbol, out);
      case WAIT:
        return this.#stepWait(word, flags, symbol, out);
      case APART:
        return this.#stepApart(word, node, flags, symbol, out);
      case APART_LETTER:
        if (!isWordSymbol(symbol) && !isSign(symbol) && symbol !== APOSTROPHE) this.#gap(word, node, flags, out);
        return;
      case QUOTE:
        if (symbol === LETTER_S || symbol === DOLLAR || symbol === DIGIT_ZERO + 5)
          this.#add(POSSESSIVE, word, 0, flags, out);
        else if (symbol === APOSTROPHE) out.push(thread);
        else if (!isWordSymbol(symbol)) this.#complete(word, flags, out);
        return;
      case POSSESSIVE:
        if (!isWordSymbol(symbol)) this.#complete(word, flags, out);
        return;
      case MATCH:
        return;
      default:
        return this.#stepEnded(thread, symbol, out);
    }
  }

  /** Marks the word symbols at which `thread` does not do what it does at a letter of no pattern. */
  markRelevant(thread: number, relevant: Uint8Array): void {
    const word = this.#words[thread] ?? 0;
    const kind = this.#kinds[thread];
    if (kind === WAIT) this.#markNode(this.#root(word), relevant);
    else if (kind === MIDDLE || kind === APART) {
      const node = this.#nodes[thread] ?? 0;
      this.#markNode(node, relevant);
      if (this.#runsOn(word, node)) this.#markNode(this.#root(word + 1), relevant);
    } else if (kind === QUOTE) {
      relevant[LETTER_S] = 1;
      relevant[DIGIT_ZERO + 5] = 1;
    } else if (kind === ENDED || kind === ENDED_GAP) for (const vowel of LONE_VOWELS) relevant[vowel] = 1;
  }

  /** How many tokens back the phrase began, 1 being the latest; `HOLD_ALL` where that cannot be told. */
  depth(thread: number): number {
    if ((this.#flags[thread] ?? 0) & IRREGULAR) return HOLD_ALL;
    const index = (this.#words[thread] ?? 0) % 16;
    return this.#kinds[thread] === WAIT ? index : index + 1;
  }

  phrase(thread: number): Phrase {
    const phrase = this.#phrases[Math.floor((this.#words[thread] ?? 0) / 16)];
    if (!phrase) throw new Error(`no phrase for thread ${thread}`);
    return phrase;
  }

  isMatch(thread: number): boolean {
    return this.#kinds[thread] === MATCH;
  }

  #stepMiddle(word: number, node: number, flags: number, symbol: number, out: number[]): void {
    if (isWordSymbol(symbol) || isSign(symbol)) {
      this.#letters(word, node, flags & ~FIRST, symbol, out);
      if (this.#runsOn(word, node) && flags & REAL) this.#enter(word + 1, symbol, flags & IRREGULAR, out);
      if (isWordSymbol(symbol)) return;
    }
    const whole = this.#tries.isEnd(node) && (flags & REAL) !== 0;
    if (symbol === APOSTROPHE) {
      const next = this.#tries.child(node, APOSTROPHE);
      if (next !== undefined) this.#add(MIDDLE, word, next, flags & ~FIRST, out);
      if (whole) this.#add(QUOTE, word, 0, flags & IRREGULAR, out);
      return;
    }
    if (whole) this.#complete(word, flags, out);
    if (flags & FIRST && flags & REAL && !isSign(symbol)) this.#add(APART, word, node, REAL | IRREGULAR, out);
  }

  #stepWait(word: number, flags: number, symbol: number, out: number[]): void {
    if (isWordSymbol(symbol)) return this.#enter(word, symbol, (flags & IRREGULAR) | FIRST, out);
    if (!isSign(symbol)) return this.#add(WAIT, word, 0, flags, out);
    this.#enter(word, symbol, IRREGULAR | FIRST, out);
    this.#add(WAIT, word, 0, IRREGULAR, out);
  }

  #stepApart(word: number, node: number, flags: number, symbol: number, out: number[]): void {
    if (isSign(symbol)) return;
    if (!isWordSymbol(symbol)) return this.#add(APART, word, node, flags, out);
    const before = out.length;
    this.#letters(word, node, flags, symbol, out);
    for (let index = before; index < out.length; index++) {
      const middle = out[index] ?? 0;
      if (this.#kinds[middle] !== MIDDLE) continue;
      out[index] = this.#intern(APART_LETTER, word, this.#nodes[middle] ?? 0, this.#flags[middle] ?? 0);
    }
  }

  /** A letter apart is followed by a gap: the word may go on, or be whole. */
  #gap(word: number, node: number, flags: number, out: number[]): void {
    this.#add(APART, word, node, flags, out);
    if (!this.#tries.isEnd(node) || !(flags & REAL)) return;
    if (this.#wordsOf(word) > 1) this.#complete(word, flags, out);
    else this.#add(ENDED, word, 0, IRREGULAR, out);
  }

  /** "b a n a l" holds no short word: what is whole apart must not go on apart, a lone vowel excepted. */
  #stepEnded(thread: number, symbol: number, out: number[]): void {
    const kind = this.#kinds[thread] ?? 0;
    const word = this.#words[thread] ?? 0;
    const letter = isWordSymbol(symbol);
    if (kind === ENDED || kind === ENDED_GAP) {
      if (!letter) {
        if (symbol === APOSTROPHE) out.push(thread);
        else this.#add(MATCH, word, 0, IRREGULAR, out);
      } else if (kind === ENDED_GAP) this.#add(ENDED_SECOND, word, 0, IRREGULAR, out);
      else this.#add(LONE_VOWELS.has(symbol) ? ENDED_VOWEL : ENDED_LETTER, word, 0, IRREGULAR, out);
      return;
    }
    if (letter || symbol === APOSTROPHE || isSign(symbol)) this.#add(MATCH, word, 0, IRREGULAR, out);
    else if (kind === ENDED_VOWEL) this.#add(ENDED_GAP, word, 0, IRREGULAR, out);
  }

  /** Begins a word of a phrase with a symbol. */
  #enter(word: number, symbol: number, flags: number, out: number[]): void {
    this.#letters(word, this.#root(word), flags, symbol, out);
  }

  /** Goes on in a word: by the symbol itself, by what it looks like, or by a letter repeated. */
  #letters(word: number, node: number, flags: number, symbol: number, out: number[]): void {
    const tries = this.#tries;
    const next = tries.child(node, symbol);
    if (next !== undefined) this.#add(MIDDLE, word, next, flags | REAL, out);
    if (symbol < 26 && tries.symbol(node) === symbol) this.#add(MIDDLE, word, node, flags | REAL, out);
    for (const letter of LOOKALIKES[symbol] ?? []) {
      const alike = tries.child(node, letter);
      if (alike !== undefined) this.#add(MIDDLE, word, alike, flags, out);
      if (tries.symbol(node) === letter) this.#add(MIDDLE, word, node, flags, out);
    }
  }

  #complete(word: number, flags: number, out: number[]): void {
    const last = (word % 16) + 1 === this.#wordsOf(word);
    this.#add(last ? MATCH : WAIT, last ? word : word + 1, 0, flags & IRREGULAR, out);
  }

  #runsOn(word: number, node: number): boolean {
    const phrase = this.#phrases[Math.floor(word / 16)];
    return phrase !== undefined && phrase.joinable && (word % 16) + 1 < phrase.words.length && this.#tries.isEnd(node);
  }

  #markNode(node: number, relevant: Uint8Array): void {
    const own = this.#tries.symbol(node);
    if (own >= 0) relevant[own] = 1;
    for (const symbol of this.#tries.symbolsAfter(node)) relevant[symbol] = 1;
  }

  #root(word: number): number {
    return this.#phrases[Math.floor(word / 16)]?.words[word % 16] ?? 0;
  }

  #wordsOf(word: number): number {
    return this.#phrases[Math.floor(word / 16)]?.words.length ?? 0;
  }

  #add(kind: number, word: number, node: number, flags: number, out: number[]): void {
    const id = this.#intern(kind, word, node, flags);
    if (!out.includes(id)) out.push(id);
  }

  #intern(kind: number, word: number, node: number, flags: number): number {
    const key = ((word * this.#tries.size + node) * 16 + kind) * 8 + flags;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#kinds.push(kind) - 1;
    this.#words.push(word);
    this.#nodes.push(node);
    this.#flags.push(flags);
    this.#ids.set(key, id);
    return id;
  }
}

/** Whether punctuation at the end of a word leaves room for a word right behind it ("wow!kill"). */
export function endsWord(symbol: number): boolean {
  return symbol === BANG || symbol === PIPE;
}
