import type { BriefPoint } from '../engine/ports/model.ts';
import type { OfflineLines } from './offline-lines.ts';

/**
 * What a student's words have in common with a lesson's points. It compares words and nothing more: it cannot tell
 * agreement from denial, so whoever uses it may say that a point was touched on, never that it was understood.
 */
export type Coverage = {
  /** The words of the point's description that the student has not used: as the lesson writes them, longest first. */
  missing: readonly string[];
  /** The student's own words that belong to the point, in the order they were written. */
  used: readonly string[];
  isCovered: boolean;
};

/** Something the student said and its words, read once. */
export type Heard = { text: string; words: readonly Word[] };

type Word = { raw: string; folded: string };

/** Shorter words are endings, particles and accidents. */
const shortestWord = 4;
/** The share of the shorter word that two forms of one word have in common. */
const stemShare = 0.7;
/** A message is heard this far: nobody may keep the server busy with a long one. */
const heardCharacters = 2_000;

/** Reads the student's messages, for the functions below. */
export function hear(said: readonly string[], lines: OfflineLines): Heard[] {
  return said.map((message) => {
    const text = message.slice(0, heardCharacters);
    return { text, words: contentWords(text, lines) };
  });
}

/** How far what was heard covers `point`: enough of its words, or the whole name of its technique. */
export function coverPoint(point: BriefPoint, heard: readonly Heard[], lines: OfflineLines): Coverage {
  const { description, technique, all } = keywordsOf(point, lines);
  const used = heard.flatMap(({ words }) => words.filter((word) => isAmong(all, word)));
  const isUsed = (word: Word) => isAmong(used, word);
  const needed = all.length <= 2 ? 1 : all.length <= 7 ? 2 : 3;
  // A word that stands in both is what the point is about, and counts twice.
  const found = description.filter(isUsed).length + technique.filter(isUsed).length;
  return {
    missing: description
      .filter((word) => !isUsed(word))
      .map(({ raw }) => raw)
      .sort((one, other) => other.length - one.length),
    used: distinctStems(used).map(({ raw }) => raw),
    isCovered: found >= needed || (technique.length > 0 && technique.every(isUsed)),
  };
}

/** The sentence of what was heard that has most of a point's words, short enough to quote; null where none has any. */
export function findQuote(point: BriefPoint, heard: readonly Heard[], lines: OfflineLines): string | null {
  const { all } = keywordsOf(point, lines);
  let best: { sentence: string; count: number } | null = null;
  for (const { text, words } of heard) {
    if (!words.some((word) => isAmong(all, word))) continue;
    for (const sentence of text.split(/[.!?…\n]+/u)) {
      const count = contentWords(sentence, lines).filter((word) => isAmong(all, word)).length;
      if (count > (best?.count ?? 0)) best = { sentence, count };
    }
  }
  return best && shorten(best.sentence, 90);
}

function keywordsOf({ description, technique }: BriefPoint, lines: OfflineLines) {
  const ofDescription = distinctStems(contentWords(description, lines));
  const ofTechnique = distinctStems(contentWords(technique ?? '', lines));
  const all = distinctStems([...ofDescription, ...ofTechnique]);
  return { description: ofDescription, technique: ofTechnique, all };
}

/** `text` on one line, without marks that would close a quotation, cut between words to `length` characters. */
export function shorten(text: string, length: number): string {
  const line = text
    .replace(/["“”„«»<>`*_]+/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  if (line.length <= length) return line;
  const space = line.lastIndexOf(' ', length);
  const cut = line.slice(0, space > length / 2 ? space : length);
  return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The words of `text` that carry its meaning, each once. */
function contentWords(text: string, { functionWords, lessonWords }: OfflineLines): Word[] {
  const words = new Map<string, Word>();
  for (const [raw] of text.normalize('NFC').matchAll(/[\p{L}\p{M}]+/gu)) {
    const folded = raw
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase();
    if (folded.length < shortestWord || functionWords.has(folded) || words.has(folded)) continue;
    if (lessonWords.some((beginning) => folded.startsWith(beginning))) continue;
    words.set(folded, { raw: raw.toLowerCase(), folded });
  }
  return [...words.values()];
}

/** The first of the words of each stem. */
function distinctStems(words: readonly Word[]): Word[] {
  const distinct: Word[] = [];
  for (const word of words) if (!isAmong(distinct, word)) distinct.push(word);
  return distinct;
}

function isAmong(words: readonly Word[], { folded }: Word): boolean {
  return words.some((word) => isSameStem(word.folded, folded));
}

/** Whether two folded words look like forms of one: they begin alike for most of the shorter one. */
function isSameStem(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let common = 0;
  while (common < shorter && one[common] === other[common]) common += 1;
  return common >= shortestWord && common >= shorter * stemShare;
}
