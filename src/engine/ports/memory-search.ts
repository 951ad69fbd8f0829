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
   * For each word that occurs in none of the person's documents, the word of theirs that is nearest: one slip of the
   * pen away, or two where it has eight letters or more, whatever its ending. Words that occur, or are near to none,
   * are left out.
   */
  similarWords(owner: Owner, words: readonly QueryWord[]): Promise<SimilarWord[]>;
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

export type MemorySearchRequest = {
  query: AnalysedQuery;
  /** `any`: documents with any of the words that must occur, as the widest search there is. Phrases still must. */
  match: 'all' | 'any';
  /** Absent: of every cartridge. */
  cartridgeId?: string;
  /** Absent: of every learner and of none; null: only what is about no learner. */
  learnerId?: string | null;
  includeArchive: boolean;
  limit: number;
  offset: number;
};

export type MemorySearchResult = {
  hits: MemoryHit[];
  /** How many were found, at most `searchWindow`: of more than that, the ones put in last are ranked. */
  total: number;
};

export type MemoryHit = Pick<
  SearchDocument,
  'id' | 'cartridgeId' | 'learnerId' | 'kind' | 'isArchived' | 'at' | 'text'
> & {
  /** The larger the better; comparable within one search only. */
  score: number;
};

/** How many matches are ranked at most, so that the commonest word of the busiest person stays fast. */
export const searchWindow = 2_000;

export type SimilarWord = { from: string; to: string };
