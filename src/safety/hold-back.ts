import { type Automaton, DEPTH, LONE_LETTER_ENDS, MATCHES, SIGNS_END, TOKEN_STARTS } from './automaton.ts';
import { foldCodePoint, foldTables } from './fold.ts';
import { foldText } from './fold-text.ts';
import type { Judge, ReplyEntry } from './judge.ts';
import { type Markup, readReference, readTag } from './markup.ts';
import type { PersonalDataScan } from './personal-data.ts';
import {
  AMPERSAND,
  DIGIT_ZERO,
  EXPANDED,
  HIGH_SURROGATE,
  IGNORED,
  LESS_THAN,
  SEPARATOR,
  SYMBOL_COUNT,
} from './symbols.ts';

/** A candidate is held for this many code units at most. */
export const longestHold = 96;
/** So much of a full hold may be invisible characters and markup before the reply is taken to hide something. */
const fillerLimit = longestHold / 2;

const COUNTING = TOKEN_STARTS | LONE_LETTER_ENDS | SIGNS_END;

/** Entry of a violation where a word was stretched with invisible characters or markup past what is held. */
export const floodEntry = 'hidden-by-filler';

export type HoldBackTables = {
  automaton: Automaton;
  /** What the automaton's states mean under this reply's policy. */
  infos: Uint8Array;
  /** What a label of the automaton stands for, in a match of these symbols; null where it is not looked for. */
  entryOf(label: number, symbols: readonly number[]): ReplyEntry | null;
  /** The boundary whose phrase is hidden, where one of these bits is under way; null where none forbids. */
  boundaryOf(bits: number): string | null;
};

/**
 * The loop every character of a reply goes through. Text comes in by any chunks; what cannot become a match any more
 * comes out at once. Offsets given to the judge count code units from the beginning of the reply.
 */
export class HoldBack {
  readonly #tables: HoldBackTables;
  readonly #judge: Judge;
  readonly #personal: PersonalDataScan | null;
  /** Where the latest tokens began, as offsets in the reply. */
  readonly #starts = new Int32Array(16);
  #latest = 0;
  /** Whether the latest token was a lone letter, and whether the one before it was. */
  #lone = false;
  #loneBefore = false;
  #state = 0;
  #info = 0;
  /** Text that has not left yet; the first `#done` code units of it are folded and matched. */
  #held = '';
  #done = 0;
  /** Offset in the reply of the first code unit held. */
  #base = 0;
  /** How much of the text at hand may leave. */
  #safe = 0;
  #previous = SEPARATOR;
  #filler = 0;
  #fillerSince = 0;

  constructor(tables: HoldBackTables, judge: Judge, personal: PersonalDataScan | null) {
    this.#tables = tables;
    this.#judge = judge;
    this.#personal = personal;
  }

  /** Code units that came in and have not left. */
  get heldLength(): number {
    return this.#held.length;
  }

  push(chunk: string): string {
    return this.#judge.violation ? '' : this.#take(chunk, false);
  }

  end(): string {
    return this.#judge.violation ? '' : this.#take('', true);
  }

  #take(chunk: string, final: boolean): string {
    const text = this.#held === '' ? chunk : this.#held + chunk;
    const done = this.#scan(text, final);
    if (final && !this.#judge.violation) this.#finish(text);
    const waiting = Math.min(this.#judge.waitingFrom, this.#personal?.holdFrom ?? Infinity) - this.#base;
    const leaving = Math.min(this.#safe, waiting);
    this.#base += leaving;
    this.#safe -= leaving;
    this.#done = done - leaving;
    if (leaving > 0) this.#previous = foldTables.basic[text.charCodeAt(leaving - 1)] ?? SEPARATOR;
    this.#held = this.#judge.violation || leaving === text.length ? '' : text.slice(leaving);
    return leaving === text.length ? text : text.slice(0, leaving);
  }

  /** Folds and matches what is new; returns how far it came. Stops early at what needs more text, or at a violation. */
  #scan(text: string, final: boolean): number {
    const { next } = this.#tables.automaton;
    const infos = this.#tables.infos;
    const basic = foldTables.basic;
    const starts = this.#starts;
    const length = text.length;
    const base = this.#base;
    let index = this.#done;
    let state = this.#state;
    let info = this.#info;
    let safe = this.#safe;
    let latest = this.#latest;
    let limit = this.#watchFrom();
    while (index < length) {
      const symbol = basic[text.charCodeAt(index)] ?? SEPARATOR;
      if (symbol > limit) {
        if (symbol === IGNORED && limit >= 0 && info === 0) {
          safe = ++index;
          continue;
        }
        this.#state = state;
        this.#info = info;
        this.#safe = safe;
        this.#latest = latest;
        const after = this.#special(text, index, final);
        if (after < 0) return index;
        index = after;
        if (this.#judge.violation) return index;
        state = this.#state;
        info = this.#info;
        safe = this.#safe;
        latest = this.#latest;
        limit = this.#watchFrom();
        continue;
      }
      state = next[state * SYMBOL_COUNT + symbol] ?? 0;
      info = infos[state] ?? 0;
      index++;
      if (info === 0) {
        safe = index;
        continue;
      }
      if (info & COUNTING) {
        this.#latest = latest;
        this.#count(info, base + index - 1);
        latest = this.#latest;
      }
      const depth = info & DEPTH;
      if (depth === 0) safe = index;
      else {
        const from = (starts[(latest - depth + 1) & 15] ?? 0) - base;
        if (from > safe) safe = from;
      }
      if (index - safe > longestHold || info & MATCHES) {
        this.#state = state;
        this.#safe = safe;
        this.#latest = latest;
        if (info & MATCHES) this.#match(text, index - 1, index);
        if (index - safe > longestHold) this.#overflow(text, index);
        if (this.#judge.violation) return index;
        safe = this.#safe;
        limit = this.#watchFrom();
      }
    }
    this.#state = state;
    this.#info = info;
    this.#safe = safe;
    this.#latest = latest;
    return index;
  }

  /** The symbols above this one are looked at one by one; -1 while something waits that every character may decide. */
  #watchFrom(): number {
    if (this.#judge.waitingFrom !== Infinity || this.#personal?.busy) return -1;
    return this.#personal ? DIGIT_ZERO - 1 : SYMBOL_COUNT;
  }

  /** Handles the character at `index`, whatever it is; the index after it, or -1 where more text is needed. */
  #special(text: string, index: number, final: boolean): number {
    const symbol = foldTables.basic[text.charCodeAt(index)] ?? SEPARATOR;
    if (symbol <= SYMBOL_COUNT) return this.#step(text, symbol, index, index + 1);
    if (symbol === AMPERSAND || symbol === LESS_THAN) return this.#markup(text, symbol, index, final);
    let after = index + 1;
    let point = text.charCodeAt(index);
    if (symbol === HIGH_SURROGATE) {
      if (after >= text.length && !final) return -1;
      point = text.codePointAt(index) ?? 0;
      if (point >= 0x10000) after++;
    } else if (symbol !== EXPANDED) return this.#fill(text, index, after);
    return this.#character(text, point, index, after);
  }

  #character(text: string, point: number, index: number, after: number): number {
    const symbols = foldCodePoint(point);
    if (symbols.length === 0) return this.#fill(text, index, after);
    for (const symbol of symbols) this.#step(text, symbol, index, after);
    return after;
  }

  #markup(text: string, symbol: number, index: number, final: boolean): number {
    const markup: Markup = symbol === AMPERSAND ? readReference(text, index) : readTag(text, index);
    switch (markup.kind) {
      case 'incomplete':
        return final ? this.#step(text, SEPARATOR, index, index + 1) : -1;
      case 'none':
        return this.#step(text, SEPARATOR, index, index + 1);
      case 'tag':
        if (markup.parts) return this.#step(text, SEPARATOR, index, index + markup.length);
        return this.#fill(text, index, index + markup.length);
      case 'character':
        this.#countFiller(markup.length - 1);
        return this.#character(text, markup.point, index, index + markup.length);
    }
  }

  /** Passes over what no reader sees. */
  #fill(text: string, index: number, after: number): number {
    this.#personal?.skip(text.charCodeAt(index), this.#base + index);
    if ((this.#info & DEPTH) === 0) this.#safe = after;
    else {
      this.#countFiller(after - index);
      if (after - this.#safe > longestHold) this.#overflow(text, after);
    }
    this.#judge.reached(this.#base + after);
    return after;
  }

  #step(text: string, symbol: number, index: number, after: number): number {
    const { automaton, infos } = this.#tables;
    const state = automaton.next[this.#state * SYMBOL_COUNT + symbol] ?? 0;
    const info = infos[state] ?? 0;
    const depth = info & DEPTH;
    this.#state = state;
    this.#info = info;
    if (info & COUNTING) this.#count(info, this.#base + index);
    if (depth === 0) this.#safe = after;
    else this.#safe = Math.max(this.#safe, (this.#starts[(this.#latest - depth + 1) & 15] ?? 0) - this.#base);
    if (info & MATCHES) this.#match(text, index, after);
    if (this.#personal) {
      const before = index > 0 ? (foldTables.basic[text.charCodeAt(index - 1)] ?? SEPARATOR) : this.#previous;
      this.#personal.step(symbol, before, this.#base + index);
      if (this.#personal.found) this.#judge.forbid(this.#personal.found);
    }
    if (after - this.#safe > longestHold) this.#overflow(text, after);
    this.#judge.reached(this.#base + after);
    return after;
  }

  /**
   * Keeps count of where tokens began. Letters that stand apart are one token, and signs with nothing behind them are
   * none: a phrase must never be held from later than its beginning.
   */
  #count(info: number, offset: number): void {
    if (info & TOKEN_STARTS) {
      this.#latest = (this.#latest + 1) & 15;
      this.#starts[this.#latest] = offset;
      this.#loneBefore = this.#lone;
      this.#lone = false;
    } else {
      if (info & SIGNS_END || this.#loneBefore) this.#latest = (this.#latest - 1) & 15;
      if (info & LONE_LETTER_ENDS) this.#lone = true;
      this.#loneBefore = false;
    }
  }

  #match(text: string, index: number, after: number): void {
    for (const { label, depth } of this.#tables.automaton.found(this.#state)) {
      const counted = this.#starts[(this.#latest - depth + 1) & 15] ?? 0;
      const from = Math.max(this.#safe, counted - this.#base);
      const entry = this.#tables.entryOf(label, foldText(text.slice(from, after)));
      if (!entry) continue;
      const start = entry.kind === 'marker' ? counted : this.#base + from;
      this.#judge.matched({ entry, start, end: this.#base + index });
    }
  }

  /** Counts filler that stands inside what is held now. */
  #countFiller(units: number): void {
    const from = this.#base + this.#safe;
    if (from !== this.#fillerSince) {
      this.#fillerSince = from;
      this.#filler = 0;
    }
    this.#filler += units;
  }

  /** A candidate is as long as is ever held: its beginning leaves, unless it was stretched to get past the filter. */
  #overflow(text: string, after: number): void {
    if (this.#filler >= fillerLimit && this.#fillerSince === this.#base + this.#safe) {
      const boundary = this.#tables.boundaryOf(this.#tables.automaton.bitsUnderWay(this.#state));
      if (boundary !== null) return this.#judge.forbid({ boundary, entryId: floodEntry, severity: 2 });
    }
    const from = after - longestHold;
    const low = text.charCodeAt(from);
    this.#safe = Math.max(this.#safe, low >= 0xdc00 && low <= 0xdfff ? from + 1 : from);
  }

  /** The text is over: a boundary on its right, and an end to all waiting. */
  #finish(text: string): void {
    for (let times = 0; times < 2 && !this.#judge.violation; times++) {
      this.#step(text, SEPARATOR, text.length, text.length);
    }
    if (!this.#judge.violation) this.#judge.ended();
    if (!this.#judge.violation) this.#safe = text.length;
  }
}
