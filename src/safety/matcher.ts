import type { Position } from './phrase-graph.ts';
import { LIVE, type PhraseMachine } from './phrase-machine.ts';
import { isFirstLetter, isGap, type Place, places } from './place.ts';
import {
  APOSTROPHE,
  isLetterS,
  isSign,
  isWordSymbol,
  LONE_VOWELS,
  SEPARATOR,
  startsWord,
  SYMBOL_COUNT,
} from './symbols.ts';
import { moveTo, noThreads, startOf, type Threads, threadsAfter, unite, type WholeWord } from './threads.ts';
import type { WordAutomaton } from './word-automaton.ts';

/** Told of every phrase that is whole: which entry, and its code units from `start` to `end`. */
export type OnMatch = (entry: number, start: number, end: number) => void;

/**
 * A reading of a word under way: the state of the word, what waited for it, and where it began. `alone`: its letters stand
 * apart, and it may be a phrase by itself.
 */
type Reading = { state: number; threads: Threads; start: number; alone: boolean };

/** A whole word followed by an apostrophe, and perhaps an s. */
type Quoted = WholeWord & { possessive: boolean };

/** A phrase of one word, its letters apart, that is whole if no more letters apart follow, one vowel excepted. */
type Ended = { position: Position; start: number; end: number; vowels: number };

const none: readonly never[] = [];

/**
 * Follows all phrases through a text, symbol by symbol. While `quiet`, only the word under way matters, and a caller may
 * advance `state` and `tokenStart` itself by the tables.
 */
export class Matcher {
  state = 0;
  /** Where the word under way began. */
  tokenStart = 0;
  readonly #words: WordAutomaton;
  readonly #onMatch: OnMatch;
  #machine: PhraseMachine;
  #nothing: Threads;
  /** What waits for the word under way, or for the next one. */
  #here: Threads;
  /** Other readings of the word under way: run on from a word before it, or with a sign for one of its letters. */
  #readings: readonly Reading[] = none;
  #quoted: readonly Quoted[] = none;
  #apart: readonly Reading[] = none;
  /** The words apart, if the first letter of the word under way turns out to stand apart too. */
  #apartNext: readonly Reading[] = none;
  #ended: readonly Ended[] = none;
  /** The first letter of the word under way. */
  #opening = SEPARATOR;

  constructor(words: WordAutomaton, machine: PhraseMachine, onMatch: OnMatch) {
    this.#words = words;
    this.#machine = machine;
    this.#onMatch = onMatch;
    this.#nothing = noThreads(machine);
    this.#here = this.#nothing;
  }

  /** Whether nothing is under way but a word that may begin a phrase. */
  get quiet(): boolean {
    return this.#here === this.#nothing && this.#isPlain && this.state !== this.#words.afterSign;
  }

  /** Whether there is but one reading of the word under way. */
  get #isPlain(): boolean {
    return (
      this.#readings === none &&
      this.#quoted === none &&
      this.#apart === none &&
      this.#apartNext === none &&
      this.#ended === none
    );
  }

  /** How many readings are under way besides the plain one. */
  get size(): number {
    return (
      this.#readings.length + this.#quoted.length + this.#apart.length + this.#apartNext.length + this.#ended.length
    );
  }

  /** One symbol, which stands at `offset`. */
  step(symbol: number, offset: number): void {
    const place = this.#place();
    if (isWordSymbol(symbol)) this.#letter(symbol, place, offset);
    else if (symbol === APOSTROPHE) this.#apostrophe(place);
    else if (isSign(symbol)) this.#sign(symbol, place, offset);
    else this.#separator(symbol, place, offset);
  }

  /** The text ends at `offset`. */
  end(offset: number): void {
    this.step(SEPARATOR, offset);
    this.step(SEPARATOR, offset);
  }

  /** Goes on with another machine that follows the same phrases, and may hold others of them back. */
  switchTo(machine: PhraseMachine): void {
    const before = this.#nothing;
    this.#machine = machine;
    this.#nothing = noThreads(machine);
    const moved = (threads: Threads) => (threads === before ? this.#nothing : moveTo(machine, threads));
    const movedReadings = (readings: readonly Reading[]) =>
      readings === none ? none : readings.map((reading) => ({ ...reading, threads: moved(reading.threads) }));
    this.#here = moved(this.#here);
    this.#readings = movedReadings(this.#readings);
    this.#apart = movedReadings(this.#apart);
    this.#apartNext = movedReadings(this.#apartNext);
    this.#quoted =
      this.#quoted === none ? none : this.#quoted.map((word) => ({ ...word, threads: moved(word.threads) }));
  }

  /** The offset from which text must be held for what is under way, `floor` at the least; Infinity where it need not. */
  holdFrom(floor: number): number {
    const between = this.#isBetween();
    let from = Infinity;
    if (!this.#isPlain) {
      for (const word of isGap(this.#place()) ? this.#apart : this.#apartNext) {
        from = Math.min(from, this.#heldIn(word));
        if (from <= floor) return floor;
      }
      for (const reading of this.#readings) from = Math.min(from, this.#heldIn(reading));
      for (const { threads, start } of this.#quoted) from = Math.min(from, start, threads.heldFrom);
      for (const { start } of this.#ended) from = Math.min(from, start);
    }
    if (between || this.#place() === places.sign) from = Math.min(from, this.#here.heldFrom);
    if (!between) from = Math.min(from, this.#heldIn(this.#plain()));
    return Math.max(from, floor);
  }

  /** The bits of the phrases under way. */
  bitsUnderWay(): number {
    const threads = [this.#here, ...[...this.#readings, ...this.#quoted, ...this.#apart].map((one) => one.threads)];
    const waiting = threads.flatMap((one) => one.waiting.positions).reduce((bits, { bit }) => bits | (1 << bit), 0);
    return waiting | this.#machine.bitsThatMayBegin(this.state);
  }

  #letter(symbol: number, place: Place, offset: number): void {
    if (isGap(place) || place === places.wordSign) this.tokenStart = offset;
    if (isGap(place)) {
      this.#opening = symbol;
      this.#apartNext = this.#advance(this.#apart, symbol);
    } else {
      this.#endApart();
      const joined = this.#runOn(symbol);
      const readings = this.#advance(this.#readings, symbol);
      this.#readings = joined.length > 0 ? [...readings, ...joined] : readings;
      if (this.#quoted !== none) this.#quote(symbol);
    }
    this.state = this.#follow(this.state, symbol);
    if (this.#here === this.#nothing) return;
    if (!this.#machine.hope(this.#here.waiting, this.state).any) this.#here = this.#nothing;
  }

  #apostrophe(place: Place): void {
    if (!isGap(place)) {
      this.#endApart();
      const quoted = [...this.#readings, this.#plain()].flatMap(({ state, threads, start }) => {
        const accepted = this.#words.accepts[state] ?? 0;
        return accepted === 0 ? [] : [{ accepted, threads, start, possessive: false }];
      });
      if (quoted.length > 0) this.#quoted = quoted;
      this.#readings = this.#advance(this.#readings, APOSTROPHE);
    }
    this.state = this.#follow(this.state, APOSTROPHE);
  }

  /** Inside a word a sign is read both ways: as a letter of it, and as its end. */
  #sign(symbol: number, place: Place, offset: number): void {
    this.#endApart();
    if (isGap(place) || place === places.sign) {
      if (isGap(place) && startsWord(symbol)) this.tokenStart = offset;
      this.state = this.#follow(this.state, symbol);
      return;
    }
    const readings = place === places.wordSign ? this.#readings : [...this.#readings, this.#plain()];
    const goingOn = this.#advance(readings, symbol);
    this.#here = this.#wordEnds(place, offset);
    this.#readings = goingOn;
    this.state = this.#words.afterSign;
  }

  #separator(symbol: number, place: Place, offset: number): void {
    if (isGap(place)) this.#tellEnded();
    else {
      const waiting = this.#here;
      this.#here = this.#wordEnds(place, offset);
      this.#readings = none;
      if (isFirstLetter(place)) this.#letterApart(waiting, place, offset);
      else this.#endApart();
    }
    this.state = this.#follow(this.state, symbol);
  }

  /** The word under way ends, in all its readings: what waits now. */
  #wordEnds(place: Place, offset: number): Threads {
    let result = place === places.wordSign || place === places.sign ? this.#here : this.#nothing;
    for (const word of this.#quoted) result = this.#union(result, this.#whole(word, offset, false));
    this.#quoted = none;
    for (const reading of this.#readings) result = this.#union(result, this.#read(reading, offset));
    return this.#words.accepts[this.state] === 0 ? result : this.#union(result, this.#read(this.#plain(), offset));
  }

  #read({ state, threads, start }: Reading, offset: number): Threads {
    const accepted = this.#words.accepts[state] ?? 0;
    return accepted === 0 ? this.#nothing : this.#whole({ accepted, threads, start }, offset, false);
  }

  /** Takes a whole word into account: tells of the phrases it completes, and says what waits after it. */
  #whole(word: WholeWord, offset: number, apart: boolean): Threads {
    const step = this.#machine.step(word.threads.waiting, word.accepted);
    for (const { position, from } of step.whole) {
      if (apart && position.single) continue;
      this.#onMatch(position.entry, from < 0 ? word.start : startOf(word.threads, from), offset);
    }
    return step.next.positions.length === 0 ? this.#nothing : threadsAfter(word, step.next, step.sources);
  }

  /** The word that ended is a letter alone: words apart go on with it, and may begin with it. */
  #letterApart(waiting: Threads, place: Place, offset: number): void {
    const ended = this.#ended === none ? [] : this.#endedStill();
    const apart = [...this.#apartNext];
    for (const word of apart) {
      const accepted = this.#words.accepts[word.state] ?? 0;
      if (accepted === 0) continue;
      const whole = { accepted, threads: word.threads, start: word.start };
      this.#here = this.#union(this.#here, this.#whole(whole, offset, true));
      if (!word.alone) continue;
      for (const { position } of this.#machine.step(this.#machine.nothing, accepted).whole) {
        if (position.single) ended.push({ position, start: word.start, end: offset, vowels: 0 });
      }
    }
    const alone = place !== places.laterLetter;
    const begun = { state: this.state, threads: waiting, start: this.tokenStart, alone };
    if (this.#isAlive(begun.state, waiting)) addReading(apart, begun);
    this.#apart = apart.length > 0 ? apart : none;
    this.#apartNext = none;
    this.#ended = ended.length > 0 ? ended : none;
  }

  /** What was whole apart, and is so with one lone vowel behind it, that vowel having just come. */
  #endedStill(): Ended[] {
    if (!LONE_VOWELS.has(this.#opening)) return [];
    return this.#ended.filter((one) => one.vowels === 0).map((one) => ({ ...one, vowels: 1 }));
  }

  /** No letters apart follow any more. */
  #endApart(): void {
    this.#tellEnded();
    this.#apart = none;
    this.#apartNext = none;
  }

  #tellEnded(): void {
    const ended = this.#ended;
    this.#ended = none;
    for (const { position, start, end } of ended) this.#onMatch(position.entry, start, end);
  }

  /** A letter after an apostrophe: only an s goes on what was whole before it. */
  #quote(symbol: number): void {
    const quoted = this.#quoted.flatMap((word) =>
      word.possessive || !isLetterS(symbol) ? [] : [{ ...word, possessive: true }],
    );
    this.#quoted = quoted.length > 0 ? quoted : none;
  }

  /** Where the word so far is whole, the letter may be the first of its phrase's next word, with nothing between. */
  #runOn(symbol: number): readonly Reading[] {
    const accepts = this.#words.accepts;
    if (this.#readings === none && accepts[this.state] === 0) return none;
    const out: Reading[] = [];
    for (const { state, threads, start } of [...this.#readings, this.#plain()]) {
      const word = { accepted: accepts[state] ?? 0, threads, start };
      if (word.accepted === 0) continue;
      const { joined, joinedSources } = this.#machine.step(threads.waiting, word.accepted);
      const first = this.#follow(0, symbol);
      if (!this.#machine.hope(joined, first).any) continue;
      addReading(out, { state: first, threads: threadsAfter(word, joined, joinedSources), start, alone: false });
    }
    return out;
  }

  /** The readings that can go on with `symbol`; one of each, that which began first. */
  #advance(readings: readonly Reading[], symbol: number): readonly Reading[] {
    if (readings.length === 0) return none;
    const out: Reading[] = [];
    for (const { state, threads, start, alone } of readings) {
      const next = this.#follow(state, symbol);
      if (this.#isAlive(next, threads)) addReading(out, { state: next, threads, start, alone });
    }
    return out.length > 0 ? out : none;
  }

  /** Whether a phrase can come of a word in `state` after `threads`. */
  #isAlive(state: number, { waiting }: Threads): boolean {
    return (!waiting.closed && this.#machine.mayBegin(state)) || this.#machine.hope(waiting, state).any;
  }

  #heldIn({ state, threads, start }: Reading): number {
    const { waiting } = threads;
    let from = !waiting.closed && this.#machine.mayBegin(state, LIVE) ? start : Infinity;
    if (waiting.held.length === 0) return from;
    for (const index of this.#machine.hope(waiting, state).held) from = Math.min(from, startOf(threads, index));
    return from;
  }

  #union(some: Threads, others: Threads): Threads {
    return unite(this.#machine, some, others);
  }

  #plain(): Reading {
    return { state: this.state, threads: this.#here, start: this.tokenStart, alone: false };
  }

  #isBetween(): boolean {
    const place = this.#place();
    return isGap(place) || place === places.wordSign;
  }

  #follow(state: number, symbol: number): number {
    return this.#words.next[state * SYMBOL_COUNT + symbol] ?? 0;
  }

  #place(): Place {
    return (this.#words.places[this.state] ?? 0) as Place;
  }
}

/** Adds a reading, unless one is there that means the same and began before it. */
function addReading(readings: Reading[], added: Reading): void {
  for (const { state, threads, alone } of readings) {
    if (state === added.state && threads.waiting === added.threads.waiting && alone === added.alone) return;
  }
  readings.push(added);
}
