/** What a search gave for one question, best first, and what was wanted of it; nothing twice in either. */
export type Ranked = { found: readonly string[]; relevant: readonly string[] };

/** The share of what is relevant among the first `count`. */
export function recallAt(count: number, { found, relevant }: Ranked): number {
  const first = new Set(found.slice(0, count));
  return relevant.filter((each) => first.has(each)).length / relevant.length;
}

/** One over the rank of the first that is relevant; 0 where none was found. */
export function reciprocalRank({ found, relevant }: Ranked): number {
  const index = found.findIndex((each) => relevant.includes(each));
  return index < 0 ? 0 : 1 / (index + 1);
}

/** Means over all questions, to three places. */
export function scoresOf(ranked: readonly Ranked[]) {
  const mean = (score: (one: Ranked) => number) =>
    thousandths(ranked.reduce((sum, one) => sum + score(one), 0) / Math.max(1, ranked.length));
  return {
    questions: ranked.length,
    recall_5: mean((one) => recallAt(5, one)),
    recall_10: mean((one) => recallAt(10, one)),
    mrr: mean(reciprocalRank),
    nothing_relevant: ranked.filter((one) => reciprocalRank(one) === 0).length,
  };
}

/** Scores of each group that `groupOf` names, in the order of their first question. */
export function scoresBy<Each extends Ranked>(ranked: readonly Each[], groupOf: (one: Each) => string) {
  const groups = Object.groupBy(ranked, groupOf);
  return Object.fromEntries(Object.entries(groups).map(([group, each]) => [group, scoresOf(each ?? [])]));
}

export function thousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
