import type { Position } from './phrase-graph.ts';
import type { PhraseMachine, Waiting, WordStep } from './phrase-machine.ts';
import { isFirstLetter, isGap, type Place, places } from './place.ts';
import { APOSTROPHE, isLetterS, isSign, isWordSymbol, SEPARATOR, startsWord, SYMBOL_COUNT } from './symbols.ts';
import type { WordAutomaton } from './word-automaton.ts';

/** Told of every phrase that is whole: which entry, and its code units from `start` to `end`. */
export type OnMatch = (entry: number, start: number, end: number) => void;

/** Phrases waiting for a word, with where each began. */
type Threads = { waiting: Waiting; starts: readonly number[] };

/** Another reading of the word under way: run on from the word before it, or with a sign as one of its letters. */
type Reading = { state: number; threads: Threads; start: number };

/** A word whose letters stand apart. `alone`: phrases of one word may begin with it. */
type Apart = Reading & { alone: boolean };

/** A whole word followed by an apostrophe, and perhaps an s. */
type Quoted = { accepted: number; threads: Threads; start: number; possessive: boolean };

/** A phrase of one word, whose letters stood apart, that is whole unless more letters apart follow. */
type Ended = { position: Position; start: number; end: number; letter: boolean };

/**
 * Follows all phrases through a text, symbol by symbol. While `quiet`, only the word under way matters, and a caller may
 * advance `state` and `tokenStart` itself by the tables.
 */
export class Matcher {
  state = 0;
  /** Where the word under way began. */
  tokenStart = 0;
  readonly #words: WordAutomaton;
  readonly #machine: PhraseMachine;
  readonly #onMatch: OnMatch;
  readonly #nothing: Threads;
  /** What waits for the word under way, or for the next one. */
  #here: Threads;
  #readings: Reading[] = [];
  #quoted: Quoted[] = [];
  #apart: Apart[] = [];
  /** The words apart, had the letter under way gone on with them. */
  #apartNext: Apart[] = [];
  #ended: Ended[] = [];

  constructor(words: WordAutomaton, machine: PhraseMachine, onMatch: OnMatch) {
    this.#words = words;
    this.#machine = machine;
    this.#onMatch = onMatch;
    this.#nothing = { waiting: machine.nothing, starts: [] };
    this.#here = this.#nothing;
  }

  /** Nothing is under way but a word that may begin a phrase. */
  get quiet(): boolean {
    return (
      this.#here.waiting.positions.length === 0 &&
      this.#readings.length === 0 &&
      this.#quoted.length === 0 &&
      this.#apart.length === 0 &&
      this.#ended.length === 0
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

  /** The offset from which text must be held for what is under way; Infinity where it need not. */
  holdFrom(): number {
    const place = this.#place();
    let from = Infinity;
    for (const { start } of this.#ended) from = Math.min(from, start);
    if (isGap(place) || place === places.wordSign) from = Math.min(from, heldStart(this.#here, this.#machine));
    else {
      if (this.#machine.mayBegin(this.state)) from = Math.min(from, this.tokenStart);
      from = Math.min(from, this.#heldIn(this.state, this.#here));
    }
    for (const reading of this.#readings) from = Math.min(from, this.#heldReading(reading));
    for (const { threads, start } of this.#quoted) from = Math.min(from, start, heldStart(threads, this.#machine));
    const apart = isGap(place) ? this.#apart : isFirstLetter(place) ? this.#apartNext : [];
    for (const reading of apart) from = Math.min(from, this.#heldReading(reading));
    return from;
  }

  /** Bits of the phrases under way, for a word that is never allowed to end. */
  bitsUnderWay(): number {
    let bits = 0;
    const all = [this.#here, ...this.#readings.map(({ threads }) => threads), ...this.#apart.map((one) => one.threads)];
    for (const { waiting } of all) for (const { bit } of waiting.positions) bits |= 1 << bit;
    return bits | this.#machine.bitsThatMayBegin(this.state);
  }

  #letter(symbol: number, place: Place, offset: number): void {
    const opens = isGap(place) || place === places.wordSign;
    if (opens) this.tokenStart = offset;
    this.state = this.#follow(this.state, symbol);
    if (isGap(place)) {
      for (const ended of this.#ended) ended.letter = true;
      this.#apartNext = this.#goOnApart(symbol);
      return this.#joinOn();
    }
    this.#endApart();
    this.#readings = this.#advance(symbol);
    if (isLetterS(symbol)) this.#quoted = this.#quoted.filter((quoted) => !quoted.possessive);
    else this.#quoted = [];
    for (const quoted of this.#quoted) quoted.possessive = true;
    this.#joinOn();
  }

  #apostrophe(place: Place): void {
    if (!isGap(place)) {
      this.#endApart();
      const whole = this.#readings.map(({ state, threads, start }) => ({ state, threads, start }));
      if (place !== places.wordSign) whole.push({ state: this.state, threads: this.#here, start: this.tokenStart });
      for (const { state, threads, start } of whole) {
        const accepted = this.#words.accepts[state] ?? 0;
        if (accepted !== 0) this.#quoted.push({ accepted, threads, start, possessive: false });
      }
      this.#readings = this.#advance(APOSTROPHE);
    }
    this.state = this.#follow(this.state, APOSTROPHE);
  }

  #sign(symbol: number, place: Place, offset: number): void {
    this.#endApart();
    if (isGap(place) || place === places.sign) {
      if (isGap(place) && startsWord(symbol)) this.tokenStart = offset;
      this.state = this.#follow(this.state, symbol);
      return;
    }
    const before = this.#here;
    const start = this.tokenStart;
    const goingOn = this.#advance(symbol);
    if (place !== places.wordSign) {
      const state = this.#follow(this.state, symbol);
      if (this.#alive(state, before, true)) goingOn.push({ state, threads: before, start });
      this.#here = this.#wordEnds(place, offset);
    }
    this.#readings = goingOn;
    this.state = startsWord(symbol) ? this.#words.lost : this.#words.afterSign;
  }

  #separator(symbol: number, place: Place, offset: number): void {
    if (isGap(place)) {
      for (const ended of this.#ended.splice(0)) this.#onMatch(ended.position.entry, ended.start, ended.end);
    } else {
      const lone = isFirstLetter(place);
      const waiting = this.#here;
      this.#here = this.#wordEnds(place, offset);
      if (lone) this.#letterApart(waiting, offset);
      else this.#endApart();
      this.#readings = [];
    }
    this.state = this.#follow(this.state, symbol);
  }

  /** The word under way ends: what of it was whole, and what waits now. */
  #wordEnds(place: Place, offset: number): Threads {
    const ends: { accepted: number; threads: Threads; start: number }[] = [...this.#quoted];
    for (const { state, threads, start } of this.#readings) {
      ends.push({ accepted: this.#words.accepts[state] ?? 0, threads, start });
    }
    this.#quoted = [];
    if (place === places.wordSign) ends.push({ accepted: 0, threads: this.#nothing, start: offset });
    else ends.push({ accepted: this.#words.accepts[this.state] ?? 0, threads: this.#here, start: this.tokenStart });
    const kept = place === places.wordSign || place === places.sign ? [this.#here] : [];
    const results = ends.filter(({ accepted }) => accepted !== 0).map((end) => this.#whole(end, offset, false));
    return this.#union([...kept, ...results]);
  }

  /** Takes a word into account; its phrases that are whole are told of, unless they must wait as letters apart. */
  #whole(word: { accepted: number; threads: Threads; start: number }, offset: number, apart: boolean): Threads {
    const step = this.#machine.step(word.threads.waiting, word.accepted);
    for (const { position, from } of step.whole) {
      if (apart && position.single) continue;
      this.#onMatch(position.entry, from < 0 ? word.start : (word.threads.starts[from] ?? 0), offset);
    }
    return { waiting: step.next, starts: startsOf(step.sources, word) };
  }

  /** A letter alone is followed by a gap: words apart go on with it, and may begin with it. */
  #letterApart(waiting: Threads, offset: number): void {
    this.#ended = this.#ended.filter(() => false);
    const alone = this.#begunAlone;
    this.#apart = this.#apartNext;
    this.#apartNext = [];
    const results: Threads[] = [this.#here];
    for (const word of this.#apart) {
      const accepted = this.#words.accepts[word.state] ?? 0;
      if (accepted === 0) continue;
      results.push(this.#whole({ accepted, threads: word.threads, start: word.start }, offset, true));
      if (word.alone) this.#endAlone(accepted, word.start, offset);
    }
    const begun = { state: this.state, threads: waiting, start: this.tokenStart, alone };
    if (this.#alive(begun.state, waiting, true) && !this.#apart.some((word) => isSame(word, begun))) this.#apart.push(begun);
    this.#here = this.#union(results);
  }

  /** Phrases of one word that are whole apart: they wait to see what follows. */
  #endAlone(accepted: number, start: number, end: number): void {
    for (const { position } of this.#machine.step(this.#machine.nothing, accepted).whole) {
      if (position.single) this.#ended.push({ position, start, end, letter: false });
    }
  }

  /** Whether the word under way, if it is one letter, may begin a phrase of one word apart. */
  get #begunAlone(): boolean {
    return this.#aloneAllowed;
  }
  #aloneAllowed = true;

  #goOnApart(symbol: number): Apart[] {
    const out: Apart[] = [];
    for (const word of this.#apart) {
      const state = this.#follow(word.state, symbol);
      const on = { ...word, state };
      if (this.#alive(state, word.threads, true) && !out.some((other) => isSame(other, on))) out.push(on);
    }
    return out;
  }

  /** No letters apart follow any more. */
  #endApart(): void {
    if (this.#ended.length > 0) {
      for (const { position, start, end } of this.#ended.splice(0)) this.#onMatch(position.entry, start, end);
    }
    if (this.#apart.length > 0) this.#apart = [];
    if (this.#apartNext.length > 0) this.#apartNext = [];
  }

  /** Where the word under way is whole, another may follow with nothing between. */
  #joinOn(): void {
    const whole = [...this.#readings, { state: this.state, threads: this.#here, start: this.tokenStart }];
    for (const word of whole) {
      const accepted = this.#words.accepts[word.state] ?? 0;
      if (accepted === 0) continue;
      const step: WordStep = this.#machine.step(word.threads.waiting, accepted);
      if (step.joined.positions.length === 0) continue;
      const threads = { waiting: step.joined, starts: startsOf(step.joinedSources, { ...word }) };
      this.#readings.push({ state: 0, threads, start: word.start });
    }
  }

  #advance(symbol: number): Reading[] {
    const out: Reading[] = [];
    for (const reading of this.#readings) {
      const state = this.#follow(reading.state, symbol);
      const on = { ...reading, state };
      if (this.#alive(state, reading.threads, false) && !out.some((other) => isSame(other, on))) out.push(on);
    }
    return out;
  }

  /** Whether a phrase can come of the word in `state` after `threads`. */
  #alive(state: number, { waiting }: Threads, begins: boolean): boolean {
    if (begins && !waiting.closed && this.#machine.mayBeginAny(state)) return true;
    const reached = this.#reached(state);
    return waiting.positions.some(({ wordSet }) => includes(reached, wordSet));
  }

  #heldReading({ state, threads, start }: Reading): number {
    if (state === 0) return heldStart(threads, this.#machine);
    const begins = !threads.waiting.closed && this.#machine.mayBegin(state) ? start : Infinity;
    return Math.min(begins, this.#heldIn(state, threads));
  }

  #heldIn(state: number, { waiting, starts }: Threads): number {
    if (!waiting.held) return Infinity;
    const reached = this.#reached(state);
    let from = Infinity;
    for (let index = 0; index < starts.length; index++) {
      const position = waiting.positions[index];
      const start = starts[index] ?? 0;
      if (position && start < from && this.#machine.isHeld(position) && includes(reached, position.wordSet)) from = start;
    }
    return from;
  }

  #union(all: readonly Threads[]): Threads {
    const some = all.filter(({ waiting }) => waiting.positions.length > 0);
    if (some.length <= 1) return some[0] ?? this.#nothing;
    const starts = new Map<Position, number>();
    for (const threads of some) {
      threads.waiting.positions.forEach((position, index) => {
        starts.set(position, Math.min(starts.get(position) ?? Infinity, threads.starts[index] ?? 0));
      });
    }
    const waiting = this.#machine.waiting([...starts.keys()], false);
    return { waiting, starts: waiting.positions.map((position) => starts.get(position) ?? 0) };
  }

  #reached(state: number): Int32Array {
    return this.#words.reached[this.#words.reaches[state] ?? 0] ?? new Int32Array(0);
  }

  #follow(state: number, symbol: number): number {
    return this.#words.next[state * SYMBOL_COUNT + symbol] ?? 0;
  }

  #place(): Place {
    return (this.#words.places[this.state] ?? 0) as Place;
  }
}
