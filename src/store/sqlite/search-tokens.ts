import { createHash } from 'node:crypto';
import type {
  MemorySearchRequest,
  MemorySearchScope,
  QueryWord,
  SearchDocument,
} from '../../engine/ports/memory-search.ts';
import type { Owner } from '../../engine/ports/store.ts';

/** What the index holds of one document, a column each. */
export type IndexedTokens = { scope: string; words: string; stems: string };

type Place = Pick<SearchDocument, 'cartridgeId' | 'learnerId' | 'isArchived'>;

const markLength = 20;
const wordHashLength = 10;

/** As long as a word is told from a longer one; words are cut at this length before they come here. */
const longestTold = 35;

/**
 * Every token in the index begins with a mark of the person whose it is, so a person's common word is a list of that
 * person's documents and no longer, whatever everyone else has written.
 *
 * FTS5 keeps the beginnings of some tokens as leads to its pages, and keeps those when the tokens themselves are
 * deleted. So no token begins with what someone wrote: a stem is there as its hash alone, a word after its hash.
 * Before that come its length and first letter, so that the words which may be meant by a misspelt one can be read off
 * the index together.
 */
export function tokensOf(document: Pick<SearchDocument, 'schoolId' | 'ownerId' | 'words' | 'stems'> & Place) {
  const mark = markOf({ schoolId: document.schoolId, userId: document.ownerId });
  const tokens: IndexedTokens = {
    scope: scopeOf(mark, document),
    words: each(document.words, (word) => wordToken(mark, word)),
    stems: each(document.stems, (stem) => stemToken(mark, stem)),
  };
  return tokens;
}

/** What a query that finds the documents of `search` and of nobody but `owner` reads, in FTS5's language. */
export function matchOf(owner: Owner, search: Pick<MemorySearchRequest, 'query' | 'match'> & MemorySearchScope) {
  const mark = markOf(owner);
  const { must, phrases, not, notPhrases } = search.query;
  const word = (wanted: QueryWord) => wordMatch(mark, wanted);
  const phrase = (words: readonly string[]) => phraseMatch(mark, words);
  const words = must.map(word);
  const asked = [
    ...(words.length > 0 ? [`(${words.join(search.match === 'all' ? ' AND ' : ' OR ')})`] : []),
    ...phrases.map(phrase),
  ];
  if (asked.length === 0) return null;
  asked.push(...scopeMatches(mark, search));
  const unwanted = [...not.map(word), ...notPhrases.map(phrase)];
  const wanted = asked.join(' AND ');
  return unwanted.length === 0 ? wanted : `(${wanted}) NOT (${unwanted.join(' OR ')})`;
}

/** The query for one word in a scope, in whatever form it occurs. */
export function wordMatchOf(owner: Owner, wanted: QueryWord, scope: MemorySearchScope): string {
  const mark = markOf(owner);
  return [wordMatch(mark, wanted), ...scopeMatches(mark, scope)].join(' AND ');
}

/** The tokens of a person's words of one length and first letter, or any: `from` and up to but not including `to`. */
export function wordRange(owner: Owner, length: number, initial: string): { from: string; to: string } {
  const from = markOf(owner) + lengthMark(Math.max(1, length)) + initial;
  return { from, to: `${from}\u{10FFFF}` };
}

/** The word of a token that `wordRange` gave. */
export function wordOfToken(token: string): string {
  const rest = token.slice(markLength + 1);
  return rest.slice(initialOf(rest).length + wordHashLength);
}

function scopeOf(mark: string, { cartridgeId, learnerId, isArchived }: Place): string {
  const tokens = [cartridgeToken(mark, cartridgeId), learnerToken(mark, learnerId)];
  if (!isArchived) tokens.push(`${mark}current`);
  return tokens.join(' ');
}

function scopeMatches(mark: string, { cartridgeId, learnerId, includeArchive }: MemorySearchScope): string[] {
  const tokens = includeArchive ? [] : [`${mark}current`];
  if (cartridgeId !== undefined) tokens.push(cartridgeToken(mark, cartridgeId));
  if (learnerId !== undefined) tokens.push(learnerToken(mark, learnerId));
  return tokens.map((token) => column('scope', token));
}

function wordMatch(mark: string, { word, stems }: QueryWord): string {
  if (stems.length === 0) return column('words', wordToken(mark, word));
  return `(${stems.map((stem) => column('stems', stemToken(mark, stem))).join(' OR ')})`;
}

function phraseMatch(mark: string, words: readonly string[]): string {
  return column('words', words.map((word) => wordToken(mark, word)).join(' '));
}

/** Quoted, so that nothing in a term is read as part of FTS5's language. */
function column(name: keyof IndexedTokens, terms: string): string {
  return `${name} : "${terms.replaceAll('"', '""')}"`;
}

/** Two people would have to share 80 bits of a SHA-256 to share a mark. */
function markOf({ schoolId, userId }: Owner): string {
  return digest([schoolId, userId]);
}

function cartridgeToken(mark: string, cartridgeId: string): string {
  return `${mark}c${digest([cartridgeId])}`;
}

function learnerToken(mark: string, learnerId: string | null): string {
  return learnerId === null ? `${mark}nobody` : `${mark}l${digest([learnerId])}`;
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, markLength);
}

function stemToken(mark: string, stem: string): string {
  return mark + scatter(stem);
}

function wordToken(mark: string, word: string): string {
  return mark + lengthMark(word.length) + initialOf(word) + scatter(word).slice(0, wordHashLength) + word;
}

export function initialOf(word: string): string {
  return String.fromCodePoint(word.codePointAt(0) ?? 0);
}

/** 64 bits in 14 characters that tell words apart; no secret. */
function scatter(word: string): string {
  let one = 0x811c9dc5;
  let other = 0x3c6ef372;
  for (let index = 0; index < word.length; index += 1) {
    const unit = word.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul((other << 7) ^ (other >>> 25) ^ unit, 0x9e3779b1);
  }
  return mixed(one) + mixed(other ^ word.length);
}

function mixed(bits: number): string {
  let value = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b);
  return ((value ^ (value >>> 16)) >>> 0).toString(36).padStart(7, '0');
}

function lengthMark(length: number): string {
  return Math.min(length, longestTold).toString(36);
}

function each(words: string, make: (word: string) => string): string {
  return words === '' ? '' : words.split(' ').map(make).join(' ');
}
