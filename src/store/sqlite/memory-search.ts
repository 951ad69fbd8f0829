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
type HitRow = Omit<MemoryHit, 'isArchived' | 'score'> & { ordinal: number; isArchived: number };

const nothing: MemorySearchResult = { hits: [], total: 0 };

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
  const documents = db.prepare<[string, string, string], HitRow>(
    `SELECT ordinal, id, cartridge_id AS cartridgeId, learner_id AS learnerId, kind, is_archived AS isArchived, at, text
     FROM search_documents WHERE ordinal IN (SELECT value FROM json_each(?)) AND school_id = ? AND owner_id = ?`,
  );
  const occurs = db.prepare<[string], { ordinal: number }>(
    'SELECT rowid AS ordinal FROM search_index WHERE search_index MATCH ? LIMIT 1',
  );
  const vocabulary = db.prepare<[string, string], { term: string; uses: number }>(
    `SELECT term, doc AS uses FROM search_vocabulary WHERE term >= ? AND term < ? AND col = 'words'`,
  );

  function searchMemory(owner: Owner, search: MemorySearchRequest): MemorySearchResult {
    const match = matchOf(owner, search);
    if (match === null) return nothing;
    const candidates = ranked.all(match, searchWindow).sort(byScore);
    const page = candidates.slice(search.offset, search.offset + search.limit);
    const ordinals = JSON.stringify(page.map(({ ordinal }) => ordinal));
    const rows = new Map(documents.all(ordinals, owner.schoolId, owner.userId).map((row) => [row.ordinal, row]));
    const hits = page.flatMap(({ ordinal, score }) => {
      const row = rows.get(ordinal);
      return row ? [readHit(row, score)] : [];
    });
    return { hits, total: candidates.length };
  }

  function nearest(owner: Owner, { word, stems }: QueryWord): string | null {
    const slips = slipsIn(word);
    const whole: Nearest = { word: null, distance: Infinity, uses: 0 };
    for (let length = word.length - slips; length <= word.length + slips; length += 1) {
      for (const { candidate, uses } of wordsOfLength(owner, length, '')) {
        const distance = editDistance(word, candidate, slips);
        if (distance <= slips) keepNearer(whole, { word: candidate, distance, uses });
      }
    }
    if (whole.word !== null) return whole.word;
    const stem: Nearest = { word: null, distance: Infinity, uses: 0 };
    for (const one of stems) nearestStem(owner, one, stem);
    return stem.word;
  }

  /** The word meant may be there with other endings alone: what is near to a stem's beginning of a word counts too. */
  function nearestStem(owner: Owner, stem: string, best: Nearest): void {
    if (stem.length < shortestCorrectedStem) return;
    const slips = slipsIn(stem);
    for (let length = stem.length - slips; length <= stem.length + slips + longestEnding; length += 1) {
      for (const { candidate, uses } of wordsOfLength(owner, length, initialOf(stem))) {
        const shortest = Math.max(stem.length - slips, candidate.length - longestEnding);
        for (let end = shortest; end <= Math.min(stem.length + slips, candidate.length); end += 1) {
          const distance = editDistance(stem, candidate.slice(0, end), slips);
          if (distance <= slips) keepNearer(best, { word: candidate, distance, uses });
        }
      }
    }
  }

  function* wordsOfLength(owner: Owner, length: number, initial: string) {
    const { from, to } = wordRange(owner, length, initial);
    for (const { term, uses } of vocabulary.iterate(from, to)) yield { candidate: wordOfToken(term), uses };
  }

  return {
    searchMemory,
    similarWords(owner, words) {
      const unknown = words
        .slice(0, atMostCorrected)
        .filter(({ word }) => word.length >= shortestCorrected)
        .filter((word) => occurs.get(wordMatchOf(owner, word)) === undefined);
      return unknown.flatMap((word) => {
        const to = nearest(owner, word);
        return to === null ? [] : [{ from: word.word, to }];
      });
    },
  };
}

function slipsIn(word: string): 1 | 2 {
  return word.length >= shortestTwoSlips ? 2 : 1;
}

/** Of words that are equally near, the one that occurs in most documents. */
function keepNearer(best: Nearest, found: Nearest): void {
  if (found.distance > best.distance || (found.distance === best.distance && found.uses <= best.uses)) return;
  Object.assign(best, found);
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
