/**
 * The small alphabet that all text is folded to before it is matched. Letters are 0 to 25; the order of the rest lets
 * one comparison tell what the filter must look at twice.
 */
export const OTHER_LETTER = 26;
export const SEPARATOR = 27;
export const DOT = 28;
export const PLUS = 29;
export const DIGIT_ZERO = 30;
export const AT = 40;
export const DOLLAR = 41;
export const BANG = 42;
export const PIPE = 43;
export const APOSTROPHE = 44;
export const SYMBOL_COUNT = 45;

/** What a code unit can be besides one symbol. */
export const IGNORED = 64;
export const EXPANDED = 65;
export const HIGH_SURROGATE = 66;
export const AMPERSAND = 67;
export const LESS_THAN = 68;

const code = (letter: string) => letter.charCodeAt(0) - 97;

/** The letters a digit or sign can stand for when it is inside a word. */
export const LOOKALIKES: readonly (readonly number[])[] = Array.from({ length: SYMBOL_COUNT }, (_, symbol) => {
  switch (symbol) {
    case DIGIT_ZERO:
      return [code('o')];
    case DIGIT_ZERO + 1:
    case BANG:
    case PIPE:
      return [code('i'), code('l')];
    case DIGIT_ZERO + 3:
      return [code('e')];
    case DIGIT_ZERO + 4:
    case AT:
      return [code('a')];
    case DIGIT_ZERO + 5:
    case DOLLAR:
      return [code('s')];
    case DIGIT_ZERO + 7:
      return [code('t')];
    default:
      return [];
  }
});

/** Letters that are words by themselves ("I", "a", „o“), so that they may stand before letters written apart. */
export const LONE_VOWELS: ReadonlySet<number> = new Set(['a', 'e', 'i', 'o', 'u', 'y'].map(code));

/** Whether a symbol is part of a word whatever stands beside it. */
export function isWordSymbol(symbol: number): boolean {
  return symbol <= OTHER_LETTER || (symbol >= DIGIT_ZERO && symbol < AT);
}

/** Whether a symbol is punctuation that can also stand for a letter. */
export function isSign(symbol: number): boolean {
  return symbol >= AT && symbol <= PIPE;
}

/** Whether a sign can be the first letter of a word ("@ss"); the others only follow letters ("sh!t"). */
export function startsWord(symbol: number): boolean {
  return symbol === AT || symbol === DOLLAR;
}

/** Whether a symbol can be the s of a possessive. */
export function isLetterS(symbol: number): boolean {
  return symbol === code('s') || symbol === DOLLAR || symbol === DIGIT_ZERO + 5;
}
