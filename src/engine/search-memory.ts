import { type AnalysedQuery, correctQuery, isEmptyQuery, parseQuery, wantedWords } from '../memory/search-query.ts';
import { markSnippet, type Snippet } from '../memory/search-snippet.ts';
import type {
  MemoryHit,
  MemorySearch,
  MemorySearchResult,
  MemorySearchScope,
  SimilarWord,
} from './ports/memory-search.ts';
import type { Owner } from './ports/store.ts';

export type MemoryQuestion = MemorySearchScope & { text: string; limit: number; offset: number };

/** `nothing_asked`: no word to look for, or only ones that may not occur. */
export type MemoryAnswer =
  | { kind: 'nothing_asked' }
  | {
      kind: 'found';
      hits: (MemoryHit & { snippet: Snippet })[];
      total: number;
      /** `any`: so little has all the words that what has some of them is here too. */
      match: 'all' | 'any';
      /** Words that occur nowhere and were looked for as the nearest that do. */
      corrected: SimilarWord[];
    };

/** With fewer documents than this that have all the words, those that have some of them are looked for too. */
const few = 10;

/**
 * Searches as people expect it: documents that have all the words; where there are none, with words corrected that
 * occur nowhere; where there are few, documents that have some of the words, best first. How a page is made does not
 * depend on which page is asked for.
 */
export async function searchMemories(
  memory: MemorySearch,
  owner: Owner,
  { text, limit, offset, ...scope }: MemoryQuestion,
): Promise<MemoryAnswer> {
  const asked = parseQuery(text);
  if (isEmptyQuery(asked)) return { kind: 'nothing_asked' };
  const search = (query: AnalysedQuery, match: 'all' | 'any') =>
    memory.searchMemory(owner, { ...scope, query, match, limit, offset });
  let query = asked;
  let corrected: SimilarWord[] = [];
  let result = await search(query, 'all');
  if (result.total === 0) {
    corrected = await memory.similarWords(owner, { ...scope, words: wantedWords(asked) });
    if (corrected.length > 0) {
      query = correctQuery(asked, corrected);
      result = await search(query, 'all');
    }
  }
  if (result.total >= few || query.must.length < 2) return found(result, query, { match: 'all', corrected });
  return found(await search(query, 'any'), query, { match: 'any', corrected });
}

function found(
  { hits, total }: MemorySearchResult,
  query: AnalysedQuery,
  how: { match: 'all' | 'any'; corrected: SimilarWord[] },
): MemoryAnswer {
  const shown = hits.map((hit) => ({ ...hit, snippet: markSnippet(hit.text, query) }));
  return { kind: 'found', hits: shown, total, ...how };
}
