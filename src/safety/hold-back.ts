import { foldCodePoint, foldTables } from './fold.ts';
import type { Judge, ReplyEntry } from './judge.ts';
import { type Markup, opensMarkup, readReference, readTag } from './markup.ts';
import { Matcher } from './matcher.ts';
import type { PersonalDataScan } from './personal-data.ts';
import { BEGINS, EVENT, JOINS, LIVE, type PhraseMachine } from './phrase-machine.ts';
import { AMPERSAND, AT, EXPANDED, HIGH_SURROGATE, IGNORED, LESS_THAN, SEPARATOR, SYMBOL_COUNT } from './symbols.ts';
import type { WordAutomaton } from './word-automaton.ts';

/** A candidate is held for this many code units at most. */
export const longestHold = 96;
/** So much of a full hold may be invisible characters and markup before the reply is taken to hide something. */
const fillerLimit = longestHold / 2;

const LESS_THAN_SIGN = 60;
const UNDERSCORE = 95;

/** Entry of a violation where a word was stretched with invisible characters or markup past what is held. */
export const floodEntry = 'hidden-by-filler';

export type HoldBackTables = {
  words: WordAutomaton;
  /** What is looked for, and held, under this reply's policy. */
  machine: PhraseMachine;
  /** The same, indicators held too: once they could end the reply. */
  pressedMachine: PhraseMachine;
  entries: readonly ReplyEntry[];
  /** The boundary whose phrase is hidden, where phrases of these bits are under way; null where none forbids. */
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
  readonly #matcher: Matcher;
  #machine: PhraseMachine;
  /** Text that has not left yet; the first `#done` code units of it are folded and matched. */
  #held = '';
  #done = 0;
  /** Offset in the reply of the first code unit held. */
  #base = 0;
  /** How much of the text at hand the phrases under way let go. */
  #safe = 0;
  /** The symbol before the text at hand. */
  #previous = SEPARATOR;
  /** The pressure at which it was last asked whether indicators are to be held. */
  #pressedSince = 1;
  #filler = 0;
  #fillerSince = 0;
  #work = 0;

  constructor(tables: HoldBackTables, judge: Judge, personal: PersonalDataScan | null) {
    this.#tables = tables;
    this.#judge = judge;
    this.#personal = personal;
    this.#machine = judge.holdsIndicators ? tables.pressedMachine : tables.machine;
    this.#matcher = new Matcher(tables.words, this.#machine, (index, start, end) => {
      const entry = tables.entries[index];
      if (entry?.kind === 'marker') judge.matched({ entry, start, end });
      // A sign before a word counts as its beginning, and may have left: what waits begins behind what has left.
      else if (entry) judge.matched({ entry, start: Math.max(start, this.#base + this.#safe), end });
    });
  }

  /** Code units that came in and have not left. */
  get heldLength(): number {
    return this.#held.length;
  }

  /** Characters looked at, times what was under way at each: how the work grows with the text. */
  get work(): number {
    return this.#work;
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
    const leaving = Math.max(0, Math.min(this.#safe, waiting));
    this.#base += leaving;
    this.#safe -= leaving;
    this.#done = done - leaving;
    if (leaving > 0) this.#previous = foldTables.basic[text.charCodeAt(leaving - 1)] ?? SEPARATOR;
    this.#held = this.#judge.violation || leaving === text.length ? '' : text.slice(leaving);
    return leaving === text.length ? text : text.slice(0, leaving);
  }

  /** Folds and matches what is new; returns how far it came. Stops early at what needs more text, or at a violation. */
  #scan(text: string, final: boolean): number {
    let index = this.#done;
    while (index < text.length && !this.#judge.violation) {
      const limit = this.#fastLimit();
      const reached = limit < 0 ? index : this.#glide(text, index, limit);
      if (reached === text.length || this.#judge.violation) return reached;
      const after = this.#special(text, reached, final);
      if (after < 0) return reached;
      this.#work += 1 + this.#matcher.size;
      index = after;
    }
    return index;
  }

  /** Goes on from `from` by the tables alone, while symbols are up to `limit` and they will do; returns how far. */
  #glide(text: string, from: number, limit: number): number {
    const { next } = this.#tables.words;
    const { basic } = foldTables;
    const matcher = this.#matcher;
    const machine = this.#machine;
    const { infos } = machine;
    const base = this.#base;
    let index = from;
    let { state } = matcher;
    let info = infos[state] ?? 0;
    let safe = this.#safe;
    while (index < text.length) {
      let symbol = basic[text.charCodeAt(index)] ?? SEPARATOR;
      if (symbol >= IGNORED) {
        symbol = glance(text, index, symbol);
        if (symbol === IGNORED && !(info & LIVE)) {
          safe = ++index;
          continue;
        }
      }
      if (symbol > limit || (info & JOINS && machine.mayJoin(state, symbol))) break;
      const following = next[state * SYMBOL_COUNT + symbol] ?? 0;
      const meaning = infos[following] ?? 0;
      if (meaning & EVENT) break;
      state = following;
      info = meaning;
      if (info & BEGINS) matcher.tokenStart = base + index;
      index++;
      if (!(info & LIVE)) safe = index;
      else if (matcher.tokenStart - base > safe) safe = matcher.tokenStart - base;
      else if (index - safe > longestHold) {
        this.#safe = safe;
        this.#overflow(text, index);
        safe = this.#safe;
        if (this.#judge.violation) break;
      }
    }
    matcher.state = state;
    this.#safe = safe;
    this.#work += index - from;
    return index;
  }

  /** Up to this symbol the tables alone will do; -1 while they will not. */
  #fastLimit(): number {
    if (this.#judge.waitingFrom !== Infinity || this.#personal?.busy || !this.#matcher.quiet) return -1;
    return this.#personal ? SEPARATOR : AT - 1;
  }

  /** Handles the character at `index`, whatever it is; the index after it, or -1 where more text is needed. */
  #special(text: string, index: number, final: boolean): number {
    const symbol = foldTables.basic[text.charCodeAt(index)] ?? SEPARATOR;
    if (symbol < SYMBOL_COUNT) return this.#step(text, symbol, index, index + 1);
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
    this.#personal?.skip(text.charCodeAt(index), this.#symbolBefore(text, index), this.#base + index);
    // Signs of markup are seen; only what is not can hide a word.
    if (!isVisible(text.charCodeAt(index))) this.#countFiller(after - index);
    this.#release(text, after);
    return after;
  }

  #step(text: string, symbol: number, index: number, after: number): number {
    this.#matcher.step(symbol, this.#base + index);
    if (this.#machine === this.#tables.machine && this.#pressedSince !== this.#judge.intensity) this.#press();
    if (this.#personal && (symbol > SEPARATOR || this.#personal.busy)) {
      const before = this.#symbolBefore(text, index);
      const code = text.charCodeAt(index);
      this.#personal.step({ symbol, before, offset: this.#base + index, code });
      if (this.#personal.found) this.#judge.forbid(this.#personal.found);
    }
    this.#release(text, after);
    return after;
  }

  /** Pressure has risen: indicators may have to be held from here on. */
  #press(): void {
    this.#pressedSince = this.#judge.intensity;
    if (!this.#judge.holdsIndicators) return;
    this.#machine = this.#tables.pressedMachine;
    this.#matcher.switchTo(this.#machine);
  }

  #symbolBefore(text: string, index: number): number {
    return index > 0 ? (foldTables.basic[text.charCodeAt(index - 1)] ?? SEPARATOR) : this.#previous;
  }

  /** Lets go all before the phrases under way, and tells the judge how far the text has come. */
  #release(text: string, after: number): void {
    if (this.#judge.violation) return;
    this.#safe = Math.min(after, this.#matcher.holdFrom(this.#base + this.#safe) - this.#base);
    if (after - this.#safe > longestHold) this.#overflow(text, after);
    if (this.#judge.waitingFrom !== Infinity) this.#judge.reached(this.#base + after);
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
      const boundary = this.#tables.boundaryOf(this.#matcher.bitsUnderWay());
      if (boundary !== null) return this.#judge.forbid({ boundary, entryId: floodEntry, severity: 2 });
    }
    const from = after - longestHold;
    const low = text.charCodeAt(from);
    this.#safe = Math.max(this.#safe, low >= 0xdc00 && low <= 0xdfff ? from + 1 : from);
  }

  /** The text is over: a boundary on its right, and an end to all waiting. */
  #finish(text: string): void {
    this.#matcher.end(this.#base + text.length);
    this.#personal?.end(this.#base + text.length);
    if (this.#personal?.found) this.#judge.forbid(this.#personal.found);
    this.#judge.ended();
    if (!this.#judge.violation) this.#safe = text.length;
  }
}

/** What a character besides the plain symbols comes to, as far as can be seen at a glance. */
function glance(text: string, index: number, symbol: number): number {
  if (symbol >= AMPERSAND) return opensMarkup(text, index) ? symbol : SEPARATOR;
  // An underscore may be part of an e-mail address.
  return text.charCodeAt(index) === UNDERSCORE ? EXPANDED : symbol;
}

function isVisible(code: number): boolean {
  return code > 32 && code < 127 && code !== LESS_THAN_SIGN;
}
