import { termStopWords } from './term-stop-words.ts';
import { eachWord } from './term-words.ts';

/** A question is searched for by so many terms at most. */
export const keyTermLimit = 64;

/**
 * What a text is about: its words in lower case, in order, each once; without punctuation, stop words and words of
 * fewer than three letters or digits (seed 004, step 1). The seed's own example keeps "id", against the rule it gives;
 * the rule is followed here. Of a long text, the first 64 terms.
 */
export function keyTerms(text: string, language = 'en'): string[] {
  const stop = termStopWords(language);
  const terms = new Set<string>();
  eachWord(text, (word) => {
    if (!stop.has(word)) terms.add(word);
    return terms.size < keyTermLimit;
  });
  return [...terms];
}
