import type { Database } from 'better-sqlite3';
import { editDistance } from '../../core/edit-distance.ts';
import {
  type MemoryHit,
  type MemorySearch,
  type MemorySearchRequest,
  type MemorySearchResult,
  type QueryWord,
  searchWindow,
} from '../../engine/ports/memory-search.ts';
import type { Owner } from '../../engine/ports/store.ts';
import { initialOf, matchOf, wordMatchOf, wordOfToken, wordRange } from './search-tokens.ts';

/** The search's calls as plain synchronous functions that only read. */
export type MemorySearchOperations = {
  [Name in keyof MemorySearch]: (...input: Parameters<MemorySearch[Name]>) => Awaited<ReturnType<MemorySearch[Name]>>;
};

type Candidate = { ordinal: number; score: number };
type Nearest = { word: string | null; distance: number; uses: number };
/** Whose words are looked through, and whether one of them occurs in what is searched. */
type Look = { owner: Owner; isThere: (word: string) => boolean };
type HitRow = Omit<MemoryHit, 'isArchived' | 'score'> & { ordinal: number; isArchived: number };

/** Words that one search may ask to be corrected, and the shortest of them: a short word is near to too many others. */
const atMostCorrected = 8;
const shortestCorrected = 4;
const shortestTwoSlips = 8;
const shortestCorrectedStem = 5;
const longestEnding = 4;

export function memorySearchOperations(db: Database): MemorySearchOperations {
  // A lower bm25 is a better match. A phrase, which stands in `words`, counts twice what a word does, which stands in
  // `stems`; that a document is in the scope counts nothing.
  const ranked = db.prepare<[string, number], Candidate>(
    `SELECT rowid AS ordinal, -bm25(search_index, 0, 2, 1) AS score FROM search_index WHERE search_index MATCH ?
     ORDER BY rowid DESC LIMIT ?`,
  );
  // By their ordinals: an index of all that the owner has would be gone through from end to end.
  const documents = db.prepare<[string, string, string], HitRow>(
    `SELECT ordinal, id, cartridge_id AS cartridgeId, learner_id AS learnerId, kind, is_archived AS isArchived, at, text
     FROM search_documents NOT INDEXED
     WHERE ordinal IN (SELECT value FROM json_each(?)) AND school_id = ? AND owner_id = ?`,
  );
  const matching = db
    .prepare<[string, number], number>(
      'SELECT rowid FROM search_index WHERE search_index MATCH ? ORDER BY rowid DESC LIMIT ?',
    )
    .pluck();
  const vocabulary = db.prepare<[string, string], { term: string; uses: number }>(
    `SELECT term, doc AS uses FROM search_vocabulary WHERE term >= ? AND term < ? AND col = 'words'`,
  );

  function searchMemory(owner: Owner, search: MemorySearchRequest): MemorySearchResult {
    const candidates = rankedBy(matchOf(owner, { ...search, match: 'all' }));
    if (search.match === 'any') {
      const ordinals = new Set(candidates.map(({ ordinal }) => ordinal));
      const others = rankedBy(matchOf(owner, search)).filter(({ ordinal }) => !ordinals.has(ordinal));
      candidates.push(...others.slice(0, searchWindow - candidates.length));
    }
    const page = candidates.slice(search.offset, search.offset + search.limit);
    const ordinals = JSON.stringify(page.map(({ ordinal }) => ordinal));
    const rows = new Map(documents.all(ordinals, owner.schoolId, owner.userId).map((row) => [row.ordinal, row]));
    const hits = page.flatMap(({ ordinal, score }) => {
      const row = rows.get(ordinal);
      return row ? [readHit(row, score)] : [];
    });
    return { hits, total: candidates.length };
  }

  function rankedBy(match: string | null): Candidate[] {
    return match === null ? [] : ranked.all(match, searchWindow).sort(byScore);
  }

  function nearest({ word, stems }: QueryWord, look: Look): string | null {
    const slips = slipsIn(word);
    const whole: Nearest = { word: null, distance: Infinity, uses: 0 };
    for (let length = word.length - slips; length <= word.length + slips; length += 1) {
      for (const { candidate, uses } of wordsOf(look.owner, length, initialOf(word))) {
        const distance = editDistance(word, candidate, slips);
        if (distance <= slips) keepNearer(whole, { word: candidate, distance, uses }, look);
      }
    }
    if (whole.word !== null) return whole.word;
    const stem: Nearest = { word: null, distance: Infinity, uses: 0 };
    for (const one of stems) nearestStem(one, stem, look);
    return stem.word ?? firstLetterSlips(word).find(look.isThere) ?? null;
  }

  /** The word meant may be there with other endings alone: what is near to a stem's beginning of a word counts too. */
  function nearestStem(stem: string, best: Nearest, look: Look): void {
    if (stem.length < shortestCorrectedStem) return;
    const slips = slipsIn(stem);
    for (let length = stem.length - slips; length <= stem.length + slips + longestEnding; length += 1) {
      for (const { candidate, uses } of wordsOf(look.owner, length, initialOf(stem))) {
        const shortest = Math.max(stem.length - slips, candidate.length - longestEnding);
        for (let end = shortest; end <= Math.min(stem.length + slips, candidate.length); end += 1) {
          const distance = editDistance(stem, candidate.slice(0, end), slips);
          if (distance <= slips) keepNearer(best, { word: candidate, distance, uses }, look);
        }
      }
    }
  }

  function wordsOf(owner: Owner, length: number, initial: string): { candidate: string; uses: number }[] {
    const { from, to } = wordRange(owner, length, initial);
    return vocabulary.all(from, to).map(({ term, uses }) => ({ candidate: wordOfToken(term), uses }));
  }

  return {
    searchMemory,
    similarWords(owner, { words, ...scope }) {
      const isThere = (wanted: QueryWord) => matching.get(wordMatchOf(owner, wanted, scope), 1) !== undefined;
      const look: Look = { owner, isThere: (word) => isThere({ word, stems: [] }) };
      const unknown = words
        .slice(0, atMostCorrected)
        .filter(({ word }) => word.length >= shortestCorrected)
        .filter((word) => !isThere(word));
      return unknown.flatMap((word) => {
        const to = nearest(word, look);
        return to === null ? [] : [{ from: word.word, to }];
      });
    },
  };
}

function slipsIn(word: string): 1 | 2 {
  return word.length >= shortestTwoSlips ? 2 : 1;
}

/** A word with its first letter swapped, wrong, missing or too much: to look each of them up is less than to read all. */
function firstLetterSlips(word: string): string[] {
  const initial = initialOf(word);
  const rest = word.slice(initial.length);
  const second = initialOf(rest);
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
  const swapped = second + initial + rest.slice(second.length);
  return [swapped, ...letters.map((letter) => letter + rest), ...letters.map((letter) => letter + word), rest];
}

/** Of words that are equally near, the one that occurs in most of the owner's documents; none that is out of scope. */
function keepNearer(best: Nearest, found: Nearest & { word: string }, { isThere }: Look): void {
  if (found.distance > best.distance || (found.distance === best.distance && found.uses <= best.uses)) return;
  if (isThere(found.word)) Object.assign(best, found);
}

/** Best first. Scores that hardly differ count as the same, and then what was put in later comes first. */
function byScore(one: Candidate, other: Candidate): number {
  return roughly(other.score) - roughly(one.score) || other.ordinal - one.ordinal;
}

function roughly(score: number): number {
  return Math.round(score * 20);
}

function readHit({ id, cartridgeId, learnerId, kind, isArchived, at, text }: HitRow, score: number): MemoryHit {
  return { id, cartridgeId, learnerId, kind, isArchived: isArchived === 1, at, text, score };
}
