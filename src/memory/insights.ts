import { keyTerms } from './key-terms.ts';
import type { Stem } from './relevance.ts';

/** What an insight is about: its key terms (or their stems). Two that are about the same are one insight said twice. */
export type InsightTerms = readonly string[];

/** From what shares of its terms on an insight repeats another one, or all that is known taken together. */
const repeatsOne = 0.6;
const repeatsAll = 0.8;

const termsKept = 24;

/** The terms an insight is known by. */
export function insightTerms(insight: string, language: string, stem?: Stem): InsightTerms {
  const terms = keyTerms(insight, language);
  return [...new Set(stem === undefined ? terms : terms.map(stem))].slice(0, termsKept);
}

/**
 * Whether an insight says something that is not known. It repeats what is known where 60 % of its terms stand in one
 * known insight, or 80 % in all of them together; without terms it says nothing.
 */
export function isNewInsight(insight: InsightTerms, known: readonly InsightTerms[]): boolean {
  if (insight.length === 0) return false;
  const all = new Set<string>();
  for (const earlier of known) {
    const terms = new Set(earlier);
    if (shareIn(insight, terms) >= repeatsOne) return false;
    for (const term of earlier) all.add(term);
  }
  return shareIn(insight, all) < repeatsAll;
}

function shareIn(insight: InsightTerms, terms: ReadonlySet<string>): number {
  return insight.reduce((sum, term) => (terms.has(term) ? sum + 1 : sum), 0) / insight.length;
}
