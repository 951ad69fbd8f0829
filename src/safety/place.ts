import { APOSTROPHE, isSign, isWordSymbol, LONE_VOWELS, startsWord } from './symbols.ts';

/** Where in the text we are: between words, after the first symbol of a word, or further on in one. */
export const places = {
  /** Between words. */
  gap: 0,
  /** The same, right after a word of one letter; `vowelGap` where that letter can be a word and is the first alone. */
  letterGap: 1,
  vowelGap: 2,
  /** After a word's first letter; `vowel` where it may end in a `vowelGap`, `laterLetter` after other lone letters. */
  letter: 3,
  vowel: 4,
  laterLetter: 5,
  /** After signs at the beginning of a word, which may be its first letters or stand before it. */
  sign: 6,
  word: 7,
  /** In a word after a sign that may have ended it ("wow!"): another may begin. */
  wordSign: 8,
} as const;

export type Place = (typeof places)[keyof typeof places];

/** The place after `symbol`, a sign inside a word taken for a letter of it. */
export function nextPlace(place: Place, symbol: number): Place {
  if (place <= places.vowelGap) return afterGap(place, symbol);
  if (isWordSymbol(symbol)) return places.word;
  if (isSign(symbol) || symbol === APOSTROPHE) {
    return place === places.sign || place === places.wordSign ? place : places.word;
  }
  if (place === places.vowel) return places.vowelGap;
  return isFirstLetter(place) ? places.letterGap : places.gap;
}

/** Whether a word can begin with the symbol that follows. */
export function opensWord(place: Place): boolean {
  return isGap(place) || place === places.sign || place === places.wordSign;
}

/** Whether we are between words. */
export function isGap(place: Place): boolean {
  return place <= places.vowelGap;
}

/** Whether exactly one letter of a word has been seen. */
export function isFirstLetter(place: Place): boolean {
  return place >= places.letter && place <= places.laterLetter;
}

function afterGap(place: Place, symbol: number): Place {
  const lone = place !== places.gap;
  if (isWordSymbol(symbol)) {
    if (place === places.letterGap) return places.laterLetter;
    return !lone && LONE_VOWELS.has(symbol) ? places.vowel : places.letter;
  }
  if (startsWord(symbol)) return places.sign;
  return lone && symbol === APOSTROPHE ? place : places.gap;
}
