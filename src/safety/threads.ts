import {
  APOSTROPHE,
  DIGIT_ZERO,
  DOLLAR,
  isSign,
  isWordSymbol,
  LETTER_S,
  LOOKALIKES,
  OTHER_LETTER,
  startsWord,
} from './symbols.ts';
import { nextPlace, type Place, type StartMode, startMode } from './place.ts';
import type { WordGraph, WordStart } from './word-graph.ts';

/** The ways one phrase can be under way. */
const MIDDLE = 0; // inside a word
const WAIT = 1; // before a word that is not the first
const WAIT_SIGN = 2; // the same, after a sign that might have been its first letter
const APART = 3; // between two letters of a word whose letters stand apart
const APART_LETTER = 4; // after a letter that goes on such a word if it, too, stands alone
const QUOTE = 5; // after a whole word and an apostrophe
const POSSESSIVE = 6; // after a whole word and 's
const ENDED = 7; // a phrase of one word, apart, is whole if no further letters apart follow
const ENDED_LETTER = 8;
const MATCH = 9;
const LATE_MATCH = 10; // whole, and known to be so one token later

/** A letter that is not a mere lookalike was seen in this word. */
const REAL = 1;
/** The word so far is one letter, and the others may stand apart. */
const FIRST = 2;

/**
 * The non-deterministic machine behind the automaton. A thread is a phrase under way, at one place of it; threads are
 * numbered as they are met, and `step` says which threads follow one thread at one symbol.
 */
export class Threads {
  readonly #starts: readonly WordStart[];
  readonly #graph: WordGraph;
  /** Kind, tail and node in one number: what makes two threads the same but for their flags. */
  readonly #places: number[] = [];
  readonly #flags: number[] = [];
  readonly #ids = new Map<number, number>();

  constructor(starts: readonly WordStart[], graph: WordGraph) {
    this.#starts = starts;
    this.#graph = graph;
  }

  /** The threads that begin with this symbol. */
  begin(symbol: number, mode: StartMode): number[] {
    const out: number[] = [];
    if (!isWordSymbol(symbol) && !startsWord(symbol)) return out;
    for (const { root, tail } of this.#starts) {
      const apart = mode === 'apart' || (mode === 'phrases_apart' && !this.#graph.tail(tail).single);
      this.#letter(tail, root, apart ? FIRST : 0, symbol, MIDDLE, out);
    }
    return out;
  }

  /** Appends to `out` the threads that `thread` becomes at `symbol`; none where it ends there. */
  step(thread: number, symbol: number, out: number[]): void {
    const { kind, tail, node } = this.#at(thread);
    const flags = this.#flags[thread] ?? 0;
    const inWord = isWordSymbol(symbol);
    switch (kind) {
      case MIDDLE:
        this.#stepMiddle(tail, node, flags, symbol, out);
        return;
      case WAIT:
      case WAIT_SIGN:
        this.#stepWait(kind, tail, node, symbol, out);
        return;
      case APART:
        if (inWord) this.#letter(tail, node, flags, symbol, APART_LETTER, out);
        else if (!isSign(symbol)) out.push(thread);
        return;
      case APART_LETTER:
        if (!inWord && !isSign(symbol) && symbol !== APOSTROPHE) this.#gap(tail, node, flags, out);
        return;
      case QUOTE:
        if (isLetterS(symbol)) this.#add(POSSESSIVE, tail, 0, 0, out);
        else if (symbol === APOSTROPHE) out.push(thread);
        else if (!inWord) this.#complete(tail, out);
        return;
      case POSSESSIVE:
        if (!inWord) this.#complete(tail, out);
        return;
      case ENDED:
        if (inWord) this.#add(ENDED_LETTER, tail, 0, 0, out);
        else if (symbol === APOSTROPHE) out.push(thread);
        else this.#add(MATCH, tail, 0, 0, out);
        return;
      case ENDED_LETTER:
        if (inWord || isSign(symbol) || symbol === APOSTROPHE) this.#add(LATE_MATCH, tail, 0, 0, out);
        return;
      default:
        return;
    }
  }

  /** Marks the word symbols at which `thread` does not do what it does at a letter of no pattern. */
  markRelevant(thread: number, relevant: Uint8Array): void {
    const { kind, tail, node } = this.#at(thread);
    if (kind === QUOTE) {
      relevant[LETTER_S] = 1;
      relevant[DIGIT_ZERO + 5] = 1;
    } else if (kind <= APART) {
      this.#markNode(node, relevant);
      const next = this.#runsOn(tail, node);
      if (next) this.#markNode(next.root, relevant);
    }
  }

  /** How many tokens back the phrase began, 1 being the latest. Never too few. */
  depth(thread: number): number {
    const { kind, tail } = this.#at(thread);
    const { index } = this.#graph.tail(tail);
    if (kind === WAIT) return index;
    return kind === APART_LETTER || kind === ENDED_LETTER || kind === LATE_MATCH ? index + 2 : index + 1;
  }

  /** The labels of the phrases that the thread may turn out to be. */
  label(thread: number): number {
    let { tail } = this.#at(thread);
    for (;;) {
      const { next, label } = this.#graph.tail(tail);
      if (!next) return label;
      tail = next.tail;
    }
  }

  /** The threads under way after all of `symbols`, from the beginning of a text. */
  after(symbols: readonly number[]): number[] {
    let place: Place = 'gap';
    let threads: number[] = [];
    for (const symbol of symbols) {
      const out: number[] = [];
      for (const thread of threads) this.step(thread, symbol, out);
      const mode = startMode(place);
      if (mode) out.push(...this.begin(symbol, mode));
      threads = this.merge(out);
      place = nextPlace(place, symbol);
    }
    return threads;
  }

  isMatch(thread: number): boolean {
    return this.#at(thread).kind >= MATCH;
  }

  /** The same threads, those at one place of a phrase made one that may do all that any of them may. */
  merge(threads: readonly number[]): number[] {
    const flags = new Map<number, number>();
    for (const thread of threads) {
      const place = this.#places[thread] ?? 0;
      flags.set(place, (flags.get(place) ?? 0) | (this.#flags[thread] ?? 0));
    }
    return Array.from(flags, ([place, of]) => this.#number(place * 4 + of)).sort((a, b) => a - b);
  }

  #stepMiddle(tail: number, node: number, flags: number, symbol: number, out: number[]): void {
    const graph = this.#graph;
    const whole = graph.isEnd(node) && (flags & REAL) !== 0;
    if (isWordSymbol(symbol) || isSign(symbol)) {
      this.#letter(tail, node, flags & REAL, symbol, MIDDLE, out);
      const next = whole ? this.#runsOn(tail, node) : null;
      if (next) this.#letter(next.tail, next.root, 0, symbol, MIDDLE, out);
      if (isWordSymbol(symbol)) return;
    }
    if (symbol === APOSTROPHE) {
      const next = graph.child(node, APOSTROPHE);
      if (next !== undefined) this.#add(MIDDLE, tail, next, flags & REAL, out);
      if (whole) this.#add(QUOTE, tail, 0, 0, out);
      return;
    }
    if (whole) this.#complete(tail, out);
    if (flags === (REAL | FIRST) && !isSign(symbol)) this.#add(APART, tail, node, REAL, out);
  }

  #stepWait(kind: number, tail: number, node: number, symbol: number, out: number[]): void {
    if (isWordSymbol(symbol)) this.#letter(tail, node, kind === WAIT ? FIRST : 0, symbol, MIDDLE, out);
    else if (startsWord(symbol) || (kind === WAIT_SIGN && (isSign(symbol) || symbol === APOSTROPHE))) {
      if (kind === WAIT) this.#letter(tail, node, 0, symbol, MIDDLE, out);
      this.#add(WAIT_SIGN, tail, node, 0, out);
    } else this.#add(WAIT, tail, node, 0, out);
  }

  /** A letter apart is followed by a gap: the word may go on, or be whole. */
  #gap(tail: number, node: number, flags: number, out: number[]): void {
    this.#add(APART, tail, node, flags, out);
    if (!this.#graph.isEnd(node)) return;
    if (this.#graph.tail(tail).single) this.#add(ENDED, tail, 0, 0, out);
    else this.#complete(tail, out);
  }

  /** Goes on in a word: by the symbol itself, by what it looks like, or by a letter repeated. */
  #letter(tail: number, node: number, flags: number, symbol: number, kind: number, out: number[]): void {
    const graph = this.#graph;
    const next = graph.child(node, symbol);
    if (next !== undefined) this.#add(kind, tail, next, flags | REAL, out);
    if (symbol < OTHER_LETTER && graph.symbol(node) === symbol) this.#add(kind, tail, node, flags | REAL, out);
    for (const letter of LOOKALIKES[symbol] ?? []) {
      const alike = graph.child(node, letter);
      if (alike !== undefined) this.#add(kind, tail, alike, flags, out);
      if (graph.symbol(node) === letter) this.#add(kind, tail, node, flags, out);
    }
  }

  #complete(tail: number, out: number[]): void {
    const { next } = this.#graph.tail(tail);
    if (next) this.#add(WAIT, next.tail, next.root, 0, out);
    else this.#add(MATCH, tail, 0, 0, out);
  }

  #runsOn(tail: number, node: number): WordStart | null {
    const { joinable, next } = this.#graph.tail(tail);
    return joinable && this.#graph.isEnd(node) ? next : null;
  }

  #markNode(node: number, relevant: Uint8Array): void {
    const own = this.#graph.symbol(node);
    if (own >= 0) relevant[own] = 1;
    for (const [symbol] of this.#graph.edges(node)) relevant[symbol] = 1;
  }

  #at(thread: number): { kind: number; tail: number; node: number } {
    const place = this.#places[thread] ?? 0;
    const rest = Math.floor(place / 16);
    return { kind: place % 16, tail: Math.floor(rest / this.#graph.size), node: rest % this.#graph.size };
  }

  #add(kind: number, tail: number, node: number, flags: number, out: number[]): void {
    out.push(this.#number(((tail * this.#graph.size + node) * 16 + kind) * 4 + flags));
  }

  #number(key: number): number {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#places.push(Math.floor(key / 4)) - 1;
    this.#flags.push(key % 4);
    this.#ids.set(key, id);
    return id;
  }
}

function isLetterS(symbol: number): boolean {
  return symbol === LETTER_S || symbol === DOLLAR || symbol === DIGIT_ZERO + 5;
}
