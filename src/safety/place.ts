import { APOSTROPHE, isSign, isWordSymbol, LONE_VOWELS, startsWord } from './symbols.ts';

/** How a phrase may start at a symbol: its letters apart or not, apart for phrases of several words only, or never. */
export type StartMode = 'apart' | 'phrases_apart' | 'together';

/**
 * Where in the text a symbol stands, whatever phrases are under way: between words (`gap`), there after a word of one
 * letter (`letter_gap`, or `vowel_gap` where that letter can be a word and is not one of several), there after nothing
 * but signs (`sign_gap`), after a word's first letter (`vowel`, `letter`) or first signs (`sign`, `signs`), further on in
 * a word (`word`), or in a word after a sign that may have ended it (`word_sign`).
 */
export type Place =
  | 'gap'
  | 'letter_gap'
  | 'vowel_gap'
  | 'sign_gap'
  | 'vowel'
  | 'letter'
  | 'sign'
  | 'signs'
  | 'word'
  | 'word_sign';

/** The place after `symbol`. */
export function nextPlace(place: Place, symbol: number): Place {
  switch (place) {
    case 'gap':
    case 'sign_gap':
    case 'vowel_gap':
    case 'letter_gap':
      return afterGap(place, symbol);
    case 'sign':
    case 'signs':
      if (isWordSymbol(symbol)) return 'word';
      return isSign(symbol) || symbol === APOSTROPHE ? 'signs' : 'sign_gap';
    default:
      return afterWord(place, symbol);
  }
}

/** How phrases may start with a symbol that follows this place; null where no word can begin. */
export function startMode(place: Place): StartMode | null {
  switch (place) {
    case 'gap':
    case 'sign_gap':
    case 'vowel_gap':
      return 'apart';
    case 'letter_gap':
      return 'phrases_apart';
    case 'sign':
    case 'signs':
    case 'word_sign':
      return 'together';
    default:
      return null;
  }
}

/** Whether a symbol that leads here is the first of a token. */
export function startsToken(place: Place): boolean {
  return place === 'vowel' || place === 'letter' || place === 'sign';
}

/** Whether the token that ends here was one letter, which may be one of several that stand apart. */
export function endsLoneLetter(place: Place): boolean {
  return place === 'vowel_gap' || place === 'letter_gap';
}

function afterGap(place: 'gap' | 'sign_gap' | 'vowel_gap' | 'letter_gap', symbol: number): Place {
  const lone = place === 'vowel_gap' || place === 'letter_gap';
  if (isWordSymbol(symbol)) return !lone && LONE_VOWELS.has(symbol) ? 'vowel' : 'letter';
  if (startsWord(symbol)) return 'sign';
  return lone && symbol === APOSTROPHE ? place : 'gap';
}

function afterWord(place: 'vowel' | 'letter' | 'word' | 'word_sign', symbol: number): Place {
  if (isWordSymbol(symbol) || symbol === APOSTROPHE || startsWord(symbol)) return 'word';
  if (isSign(symbol)) return 'word_sign';
  if (place === 'vowel') return 'vowel_gap';
  return place === 'letter' ? 'letter_gap' : 'gap';
}
