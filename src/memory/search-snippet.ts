import type { AnalysedQuery } from './search-query.ts';
import { type FoundWord, stemsOf, wordsOf } from './search-text.ts';

/** A piece of a text around what was searched for. `matches` are its ranges in `text`: from, up to but not including. */
export type Snippet = { text: string; matches: [start: number, end: number][] };

type Match = { start: number; end: number; wanted: string };

/** UTF-16 units of the text that a snippet shows, without the ellipses at its ends. */
const longestSnippet = 160;

/** How far a cut may move back to stand between words, and how much of the snippet leads up to the first match. */
const longestRetreat = 30;
const leadLength = 40;

/** The piece of a text that shows most of what was searched for, its beginning where nothing of it occurs. */
export function markSnippet(text: string, query: AnalysedQuery): Snippet {
  const matches = matchesIn(text, query);
  const first = bestStart(matches);
  const start = first === null ? 0 : startBefore(text, first.start);
  const end = endAfter(text, start, first?.end ?? 0);
  const from = start + leadingBlanks(text.slice(start, end));
  const shown = text.slice(from, end).trimEnd();
  const before = from > 0 && start > 0 ? '…' : '';
  const after = text.slice(end).trim() === '' ? '' : '…';
  const shift = before.length - from;
  return {
    text: `${before}${shown.replace(/\s/g, ' ')}${after}`,
    matches: matches
      .filter((match) => match.start >= from && match.end <= from + shown.length)
      .map((match): [number, number] => [match.start + shift, match.end + shift]),
  };
}

/** What of the text was asked for, in its order: words by their stems, phrases as one. They do not overlap. */
function matchesIn(text: string, query: AnalysedQuery): Match[] {
  const words = [...wordsOf(text)];
  const wordOfStem = new Map(query.must.flatMap(({ word, stems }) => stems.map((stem) => [stem, word] as const)));
  const exact = new Set(query.must.filter(({ stems }) => stems.length === 0).map(({ word }) => word));
  // No stemmer touches a word's first letter, and to stem every word of a long text takes long.
  const initials = new Set([...wordOfStem.keys()].map((stem) => stem.codePointAt(0)));
  const wantedBy = ({ word, spelling }: FoundWord): string | undefined => {
    if (exact.has(word)) return word;
    if (!initials.has(word.codePointAt(0))) return undefined;
    for (const stem of stemsOf(spelling)) if (wordOfStem.has(stem)) return wordOfStem.get(stem);
    return undefined;
  };
  const matches: Match[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const found = words[index];
    if (!found) break;
    const phrase = query.phrases.find((wanted) => wanted.every((word, ahead) => words[index + ahead]?.word === word));
    const last = phrase && words[index + phrase.length - 1];
    const wanted = phrase ? phrase.join(' ') : wantedBy(found);
    if (wanted === undefined) continue;
    matches.push({ start: found.start, end: last?.end ?? found.end, wanted });
    if (phrase) index += phrase.length - 1;
  }
  return matches;
}

/** The match from which the most different things asked for, and then the most matches, are within one snippet. */
function bestStart(matches: readonly Match[]): Match | null {
  let best: { match: Match; score: number } | null = null;
  for (const [index, match] of matches.entries()) {
    const within = new Set<string>();
    let count = 0;
    for (let ahead = index; ahead < matches.length; ahead += 1) {
      const next = matches[ahead];
      if (!next || next.end - match.start > longestSnippet - leadLength) break;
      within.add(next.wanted);
      count += 1;
    }
    const score = within.size * longestSnippet + count;
    if (!best || score > best.score) best = { match, score };
  }
  return best?.match ?? null;
}

function startBefore(text: string, matchStart: number): number {
  if (matchStart <= leadLength) return 0;
  const earliest = matchStart - leadLength;
  const blank = text.slice(earliest, matchStart).search(/\s/);
  return blank === -1 ? outsidePair(text, earliest) : earliest + blank;
}

function endAfter(text: string, start: number, matchEnd: number): number {
  const latest = start + longestSnippet;
  if (latest >= text.length) return text.length;
  const tail = text.slice(Math.max(start, latest - longestRetreat), latest + 1);
  const blank = tail.search(/\s\S*$/);
  const end = latest + 1 - (tail.length - blank);
  return blank === -1 || end < matchEnd ? outsidePair(text, latest) : end;
}

/** The same place, or one before it where it lies within a surrogate pair. */
function outsidePair(text: string, place: number): number {
  return (text.codePointAt(place - 1) ?? 0) >= 0x10000 ? place - 1 : place;
}

function leadingBlanks(text: string): number {
  return text.length - text.trimStart().length;
}
