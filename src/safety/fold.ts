import { confusables, ligatures, signs } from './confusables.ts';
import {
  AMPERSAND,
  APOSTROPHE,
  AT,
  BANG,
  DIGIT_ZERO,
  DOLLAR,
  DOT,
  EXPANDED,
  HIGH_SURROGATE,
  IGNORED,
  LESS_THAN,
  OTHER_LETTER,
  PIPE,
  PLUS,
  SEPARATOR,
} from './symbols.ts';

/** Code points of the first two planes to symbols; `expansions` holds those that stand for several. */
export type FoldTables = {
  /** By UTF-16 code unit. */
  readonly basic: Uint8Array;
  /** By code point less 0x10000. */
  readonly supplementary: Uint8Array;
  readonly expansions: ReadonlyMap<number, readonly number[]>;
};

const signSymbols: Readonly<Record<string, number>> = {
  "'": APOSTROPHE,
  '.': DOT,
  '@': AT,
  $: DOLLAR,
  '!': BANG,
  '|': PIPE,
  '+': PLUS,
  '*': IGNORED,
  '1': DIGIT_ZERO + 1,
};

const planeSize = 0x10000;
const invisible = /^[\p{M}\p{Default_Ignorable_Code_Point}\p{Cf}]$/u;
const control = /^\p{Cc}$/u;
const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

/** The tables every filter folds with. They depend on nothing and are built once, when this file is loaded. */
export const foldTables: FoldTables = buildTables();

/** The symbols of a word of a pattern, in which digits and signs stand for themselves; null where it has others. */
export function foldWord(word: string): number[] | null {
  const symbols: number[] = [];
  for (const character of word) {
    const folded = foldCodePoint(character.codePointAt(0) ?? 0);
    for (const symbol of folded) {
      const literal = symbol < OTHER_LETTER || symbol === APOSTROPHE || (symbol >= DIGIT_ZERO && symbol < AT);
      if (!literal) return null;
      symbols.push(symbol);
    }
  }
  return symbols;
}

/** The symbols one code point stands for: none where it is invisible or mere markup. */
export function foldCodePoint(point: number): readonly number[] {
  const symbol = lookUp(point);
  if (symbol === EXPANDED) return foldTables.expansions.get(point) ?? [SEPARATOR];
  if (symbol === IGNORED) return [];
  return [symbol > IGNORED ? SEPARATOR : symbol];
}

function lookUp(point: number): number {
  if (point < planeSize) return foldTables.basic[point] ?? SEPARATOR;
  if (point < 2 * planeSize) return foldTables.supplementary[point - planeSize] ?? SEPARATOR;
  if (point < 4 * planeSize) return OTHER_LETTER;
  return point >= 0xe0000 && point < 0xe1000 ? IGNORED : SEPARATOR;
}

function buildTables(): FoldTables {
  const given = new Map<number, number>();
  for (const [latin, lookalikes] of Object.entries(confusables)) {
    for (const lookalike of lookalikes) given.set(lookalike.codePointAt(0) ?? 0, latin.charCodeAt(0) - 97);
  }
  for (const [sign, lookalikes] of Object.entries(signs)) {
    for (const lookalike of lookalikes) given.set(lookalike.codePointAt(0) ?? 0, signSymbols[sign] ?? SEPARATOR);
  }
  addEmojiLetters(given);
  const expansions = new Map<number, readonly number[]>();
  const planes = [new Uint8Array(planeSize), new Uint8Array(planeSize)] as const;
  let digitsInARow = 0;
  for (let point = 0; point < 2 * planeSize; point++) {
    const character = String.fromCodePoint(point);
    digitsInARow = digit.test(character) ? digitsInARow + 1 : 0;
    const symbols = digitsInARow > 0 ? [DIGIT_ZERO + ((digitsInARow - 1) % 10)] : classify(point, character, given);
    const single = symbols.length === 1 ? symbols[0] : undefined;
    if (single === undefined) expansions.set(point, symbols);
    planes[point < planeSize ? 0 : 1][point % planeSize] = single ?? EXPANDED;
  }
  return { basic: planes[0], supplementary: planes[1], expansions };
}

/** Regional indicators (the letters of flags) and the letters in squares and circles that normalisation leaves. */
function addEmojiLetters(given: Map<number, number>): void {
  for (const first of [0x1f1e6, 0x1f170, 0x1f150]) {
    for (let index = 0; index < 26; index++) given.set(first + index, index);
  }
}

function classify(point: number, character: string, given: ReadonlyMap<number, number>): readonly number[] {
  const known = given.get(point);
  if (known !== undefined) return [known];
  const pair = ligatures[character];
  if (pair !== undefined) return Array.from(pair, (part) => part.charCodeAt(0) - 97);
  if (point >= 0xd800 && point <= 0xdbff) return [HIGH_SURROGATE];
  if (character === '&') return [AMPERSAND];
  if (character === '<') return [LESS_THAN];
  if (invisible.test(character)) return [IGNORED];
  if (control.test(character)) return [/\s/u.test(character) ? SEPARATOR : IGNORED];
  const parts = decompose(character, given);
  if (parts.length > 0) return parts;
  return [letter.test(character) ? OTHER_LETTER : SEPARATOR];
}

/** The letters and digits in a character's compatibility decomposition; brackets and marks around them are dropped. */
function decompose(character: string, given: ReadonlyMap<number, number>): number[] {
  const symbols: number[] = [];
  let unknown = false;
  for (const part of character.normalize('NFKD').toLowerCase().normalize('NFKD')) {
    const point = part.codePointAt(0) ?? 0;
    const known = given.get(point);
    if (point >= 97 && point <= 122) symbols.push(point - 97);
    else if (point >= 48 && point <= 57) symbols.push(DIGIT_ZERO + point - 48);
    else if (known !== undefined && known <= OTHER_LETTER) symbols.push(known);
    else if (letter.test(part)) unknown = true;
  }
  return unknown ? [] : symbols;
}
