import type { AnalysedQuery, QueryWord } from '../../memory/search-query.ts';
import type { Owner } from './store.ts';

export type { AnalysedQuery, QueryWord };

/**
 * Search over what is remembered of someone. A person is their school and their id, and every call looks at the
 * documents of one person alone: neither what is found, nor how many, nor what a word is corrected to can come from
 * anyone else's.
 */
export interface MemorySearch {
  /** The best documents first; of two that are equally good, the one that was put in later. */
  searchMemory(owner: Owner, search: MemorySearchRequest): Promise<MemorySearchResult>;
  /**
   * For each word that occurs in none of the documents in the scope, the word of theirs that is nearest: one slip of
   * the pen away, or two where it has eight letters or more, whatever its ending; the first letter is wrong only where
   * nothing else is. Words that occur, or are near to none, are left out.
   */
  similarWords(owner: Owner, request: SimilarWordsRequest): Promise<SimilarWord[]>;
}

export type SearchDocumentKind = 'summary' | 'fact' | 'turn';

/** One thing that can be found. `words` and `stems` are what `analyseText` makes of `text`, joined by single blanks. */
export type SearchDocument = {
  /** Unique among the documents of its owner. */
  id: string;
  schoolId: string;
  ownerId: string;
  cartridgeId: string;
  /** The learner it is about; null where it is about nobody but the owner. */
  learnerId: string | null;
  kind: SearchDocumentKind;
  isArchived: boolean;
  at: number;
  text: string;
  words: string;
  stems: string;
};

/** Which of a person's documents are looked at. */
export type MemorySearchScope = {
  /** Absent: of every cartridge. */
  cartridgeId?: string;
  /** Absent: of every learner and of none; null: only what is about no learner. */
  learnerId?: string | null;
  includeArchive: boolean;
};

export type MemorySearchRequest = MemorySearchScope & {
  query: AnalysedQuery;
  /** `any`: documents with any of the words that must occur, those with all of them first. Phrases still must. */
  match: 'all' | 'any';
  limit: number;
  offset: number;
};

export type SimilarWordsRequest = MemorySearchScope & { words: readonly QueryWord[] };

export type MemorySearchResult = {
  hits: MemoryHit[];
  /** How many were found, at most `searchWindow`: of more than that, the ones put in last are ranked. */
  total: number;
};

export type MemoryHit = Pick<
  SearchDocument,
  'id' | 'cartridgeId' | 'learnerId' | 'kind' | 'isArchived' | 'at' | 'text'
> & {
  /** How well it matches, comparable within one search only: what has all the words comes first whatever this is. */
  score: number;
};

/** How many matches are ranked at most, so that the commonest word of the busiest person stays fast. */
export const searchWindow = 1_000;

export type SimilarWord = { from: string; to: string };
