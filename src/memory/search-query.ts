import { stopWords } from './stop-words.ts';
import { stemsOf, wordsOf } from './search-text.ts';

/** A word asked for, folded, and the stems that a document may hold it by; no stems: the very word must occur. */
export type QueryWord = { word: string; stems: readonly string[] };

/** What a search asks for. Folded words throughout; a phrase is its words in their order. */
export type AnalysedQuery = {
  must: readonly QueryWord[];
  phrases: readonly (readonly string[])[];
  not: readonly QueryWord[];
  notPhrases: readonly (readonly string[])[];
};

/** What of a query is read: so much text, and so many words and phrases of each sort. */
const longestQuery = 1_000;
const atMostWords = 16;
const atMostPhrases = 8;

/** A minus counts where a word begins, so that neither `e-mail` nor a dash between blanks asks for anything. */
const partPattern =
  /(?<=^|\s)(?<minus>-+)(?=\S)|["“”„«»](?<phrase>[^"“”„«»]*)["“”„«»]|(?<plain>[^\s"“”„«»]+|["“”„«»])/gu;

/**
 * Reads what someone typed: words that must occur, `"phrases"` (in any of the usual quotation marks), `-word` and
 * `-"phrase"` for what may not. Everything else that other search boxes give a meaning to is plain text, and a
 * quotation mark with no partner is none. Stop words count only within phrases, or where nothing else is asked for.
 */
export function parseQuery(text: string): AnalysedQuery {
  const must: QueryWord[] = [];
  const stopped: QueryWord[] = [];
  const not: QueryWord[] = [];
  const phrases: string[][] = [];
  const notPhrases: string[][] = [];
  let isUnwanted = false;
  for (const { groups = {} } of text.slice(0, longestQuery).matchAll(partPattern)) {
    if (groups.minus !== undefined) {
      isUnwanted = true;
      continue;
    }
    const found = [...wordsOf(groups.phrase ?? groups.plain ?? '', atMostWords)];
    const isPhrase = groups.phrase !== undefined && found.length > 0;
    if (isPhrase) (isUnwanted ? notPhrases : phrases).push(found.map(({ word }) => word));
    else if (isUnwanted && found.length > 1) notPhrases.push(found.map(({ word }) => word));
    else if (isUnwanted) not.push(...found.map(({ spelling }) => queryWord(spelling)));
    else {
      for (const { word, spelling } of found) {
        if (stopWords.has(word)) stopped.push({ word, stems: [] });
        else must.push(queryWord(spelling));
      }
    }
    isUnwanted = false;
  }
  const isAsked = must.length > 0 || phrases.length > 0;
  return {
    must: distinct(isAsked ? must : stopped),
    phrases: phrases.slice(0, atMostPhrases),
    not: distinct(not),
    notPhrases: notPhrases.slice(0, atMostPhrases),
  };
}

/** Whether nothing is asked for: no word, or only ones that may not occur. */
export function isEmptyQuery(query: AnalysedQuery): boolean {
  return query.must.length === 0 && query.phrases.length === 0;
}

/** The same query with each word that a correction names put right, in phrases too. */
export function correctQuery(
  query: AnalysedQuery,
  corrections: readonly { from: string; to: string }[],
): AnalysedQuery {
  const right = new Map(corrections.map(({ from, to }) => [from, to]));
  return {
    ...query,
    must: distinct(
      query.must.map((wanted) => {
        const to = right.get(wanted.word);
        return to === undefined ? wanted : queryWord(to);
      }),
    ),
    phrases: query.phrases.map((words) => words.map((word) => right.get(word) ?? word)),
  };
}

/** Every word that must occur, those of phrases as they are. */
export function wantedWords({ must, phrases }: AnalysedQuery): QueryWord[] {
  return distinct([...must, ...phrases.flat().map((word) => ({ word, stems: [] }))]);
}

function queryWord(spelling: string): QueryWord {
  const [found] = wordsOf(spelling, 1);
  const word = found?.word ?? spelling;
  return { word, stems: stopWords.has(word) ? [] : stemsOf(spelling) };
}

function distinct(words: readonly QueryWord[]): QueryWord[] {
  return [...new Map(words.map((wanted) => [wanted.word, wanted])).values()].slice(0, atMostWords);
}
