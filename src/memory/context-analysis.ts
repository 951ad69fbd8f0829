import type { ChosenMemory } from './choose-memories.ts';
import { memoryActionTexts } from './memory-action-texts.ts';
import type { MemoryItemType } from './typed-memory.ts';

/** How far what is remembered answers a message; the names are those the model reads (seed 004). Scores are 0 to 1. */
export type ContextAnalysis = {
  readonly context_score: number;
  readonly completeness_score: number;
  readonly confidence_score: number;
  readonly suggested_actions: readonly string[];
};

/** What a whole picture is made of; messages add nothing to it. */
const completing = ['error', 'solution', 'context', 'dependency'] as const satisfies readonly MemoryItemType[];

const lowBelow = 0.3;
const highAbove = 0.7;
const sureAbove = 0.8;

export type ContextLevel = 'low' | 'medium' | 'high';

/**
 * Reckons the three scores by the seed's formulas and says what to do next. A message without terms, and one that
 * nothing was found for, score 0 in all three: ask for more. `language` is that of the suggestions.
 */
export function analyseContext(
  chosen: readonly ChosenMemory[],
  terms: readonly string[],
  language = 'en',
): ContextAnalysis {
  const relevance = chosen.reduce((sum, { relevanceScore }) => sum + relevanceScore, 0);
  const contextScore = terms.length > 0 ? tidy(Math.min(1, Math.max(0, relevance / terms.length))) : 0;
  const types = new Set(chosen.map(({ item }) => item.type));
  const missing = completing.filter((type) => !types.has(type));
  const completenessScore = (completing.length - missing.length) / completing.length;
  const confidenceScore = tidy(contextScore * 0.6 + completenessScore * 0.4);
  const say = memoryActionTexts(language);
  return {
    context_score: contextScore,
    completeness_score: completenessScore,
    confidence_score: confidenceScore,
    suggested_actions: {
      low: [say.askForDetails, ...(missing.length > 0 ? [say.gather(missing)] : [])],
      medium: [say.verify, say.review(chosen.length)],
      high: [say.implement, say.reuse],
    }[contextLevel(contextScore, confidenceScore)],
  };
}

/**
 * Low below a context score of 0.3, high above 0.7, medium between and at both. High also takes a confidence above
 * 0.8, where the seed begins to call it high: its examples verify at 0.7 and 0.71, with context scores of 1 and 0.85.
 */
export function contextLevel(contextScore: number, confidenceScore: number): ContextLevel {
  if (contextScore < lowBelow) return 'low';
  return contextScore > highAbove && confidenceScore > sureAbove ? 'high' : 'medium';
}

/** Without the dust of binary fractions, which would move a score off a threshold: 0.48 + 0.2 is 0.68. */
function tidy(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}
