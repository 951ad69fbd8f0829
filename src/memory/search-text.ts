import { stemmer as stemEnglish } from '@orama/stemmers/english';
import { stemmer as stemLithuanian } from '@orama/stemmers/lithuanian';
import { stopWords } from './stop-words.ts';

/** What the index keeps of a text: its words in their order, and the stems they are found by. Joined by single blanks. */
export type AnalysedText = { words: string; stems: string };

/** A word of a text, folded, and where it stands in the text in UTF-16 units. */
export type FoundWord = { word: string; start: number; end: number; spelling: string };

/** Beyond this many words, and in a word this many UTF-16 units, a text is not indexed. */
const atMostWords = 4_000;
const longestWord = 40;

/** Marks and invisible characters go on with a word; an emoji is a word of its own. */
const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00AD\u200B-\u200D\u2060]*|\p{Extended_Pictographic}/gu;

/** Letters that no decomposition takes the stroke from. */
const strokes: Readonly<Record<string, string>> = { ł: 'l', đ: 'd', ø: 'o', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i' };

/**
 * The words and stems of a text in a language as BCP 47 names it. Where the language is unknown, or another than
 * English and Lithuanian, the stems are those of both. Stop words have no stem: they are found as words alone.
 */
export function analyseText(text: string, language?: string): AnalysedText {
  const words: string[] = [];
  const stems: string[] = [];
  const known = new Map<string, readonly string[]>();
  for (const { word, spelling } of wordsOf(text)) {
    words.push(word);
    let own = known.get(spelling);
    if (!own) {
      own = stopWords.has(word) ? [] : stemsOf(spelling, language);
      known.set(spelling, own);
    }
    stems.push(...own);
  }
  return { words: words.join(' '), stems: stems.join(' ') };
}

/** The words of a text in their order; at most so many, so that a text of any length is done in a bounded time. */
export function* wordsOf(text: string, atMost = atMostWords): Generator<FoundWord> {
  let count = 0;
  for (const match of text.matchAll(wordPattern)) {
    const spelling = cut(visible(match[0]).toLowerCase());
    const word = foldWord(spelling);
    if (word === '') continue;
    yield { word, spelling, start: match.index, end: match.index + match[0].length };
    count += 1;
    if (count === atMost) return;
  }
}

/**
 * What a word is found by. Endings are told by their letters (`mokyklą`), and who types without marks is understood
 * alike: the stem of the word as it is spelled and of the word as it is folded, each without marks.
 */
export function stemsOf(spelling: string, language?: string): readonly string[] {
  const folded = foldWord(spelling);
  const primary = language?.toLowerCase().split('-')[0];
  const stems = new Set<string>();
  if (primary !== 'en') {
    stems.add(foldWord(stemLithuanian(spelling)));
    stems.add(stemLithuanian(folded));
  }
  if (primary !== 'lt') stems.add(stemEnglish(folded));
  stems.delete('');
  return stems.size > 0 ? [...stems] : [folded];
}

/** Lower case without marks, strokes or anything that is neither a letter, a digit nor an emoji. */
function foldWord(word: string): string {
  if (/^[a-z0-9]*$/.test(word)) return word;
  const plain = word.toLowerCase().normalize('NFKD').toLowerCase();
  const letters = plain.replace(/[^\p{L}\p{N}\p{Extended_Pictographic}]/gu, '');
  return cut(letters.replace(/[łđøßæœı]/g, (letter) => strokes[letter] ?? letter));
}

function visible(word: string): string {
  return word.replace(/[\u00AD\u200B-\u200D\u2060]/g, '').normalize('NFC');
}

/** Never through the middle of a surrogate pair. */
function cut(word: string): string {
  if (word.length <= longestWord) return word;
  const end = word.codePointAt(longestWord - 1) ?? 0;
  return word.slice(0, end >= 0x10000 ? longestWord - 1 : longestWord);
}
