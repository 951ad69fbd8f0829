import type { Complaint } from './finding.ts';
import { isBlock, isInteraction, type LessonCartridge, type LessonPhase } from './lesson.ts';
import { quote } from './schema-complaints.ts';

type Result = {
  readonly index: number;
  readonly query: string;
  readonly isKey: boolean;
  readonly leadsTo: readonly string[];
};

/** Queries that find nothing, results that no query brings to light, and findings asked for that are not there. */
export function checkInvestigations(lesson: LessonCartridge): Complaint[] {
  const results = searchResults(lesson);
  const found = new Set<Result>();
  const complaints: Complaint[] = [];
  let isInvestigated = false;
  for (const [index, phase] of lesson.phases.entries()) {
    const { interaction } = phase;
    if (!isInteraction(interaction, 'investigation')) continue;
    isInvestigated = true;
    const at = ['phases', index, 'interaction'];
    const offered = resultsOf(lesson, phase, results);
    for (const [place, query] of interaction.starting_queries.entries()) {
      if (offered.some((result) => result.query === normaliseQuery(query))) continue;
      complaints.push(findsNothing(query, [...at, 'starting_queries', place]));
    }
    const reached = reach(interaction.starting_queries, offered);
    for (const result of reached) found.add(result);
    const keys = reached.filter((result) => result.isKey).length;
    if (keys < interaction.min_key_findings) {
      complaints.push({
        severity: 'error',
        path: [...at, 'min_key_findings'],
        message: `${interaction.min_key_findings} key findings are asked for, and only ${keys} can be found: nobody could finish.`,
        hint: `Write ${keys} or less, or mark more results that can be found with "is_key_finding": true.`,
      });
    }
  }
  return [...complaints, ...(isInvestigated ? checkResults(results, found) : [])];
}

function checkResults(results: readonly Result[], found: ReadonlySet<Result>): Complaint[] {
  return results.flatMap((result) => {
    const at = ['presentation_blocks', result.index];
    const lost = result.leadsTo.flatMap((query, place) =>
      results.some((other) => other.query === normaliseQuery(query))
        ? []
        : [findsNothing(query, [...at, 'child_queries', place])],
    );
    if (found.has(result)) return lost;
    const unseen: Complaint = {
      severity: 'warning',
      path: [...at, 'query'],
      message: 'No investigation leads to this search result, so nobody sees it.',
      hint: 'Put its query among "starting_queries", or among the "child_queries" of a result that can be found.',
    };
    return [...lost, unseen];
  });
}

function findsNothing(query: string, path: Complaint['path']): Complaint {
  return {
    severity: 'warning',
    path,
    message: `No search result has the query ${quote(query)}, so it finds nothing.`,
    hint: 'Add a search_result block with this "query" (where the phase lists its results, in "visible_blocks" too).',
  };
}

function searchResults(lesson: LessonCartridge): Result[] {
  return lesson.presentation_blocks.flatMap((block, index) => {
    if (!isBlock(block, 'search_result')) return [];
    const { query, is_key_finding: isKey = false, child_queries: leadsTo = [] } = block;
    return [{ index, query: normaliseQuery(query), isKey, leadsTo }];
  });
}

/** The results that a phase lists among its visible blocks, or, where it lists none, all there are. */
function resultsOf(lesson: LessonCartridge, phase: LessonPhase, results: readonly Result[]): readonly Result[] {
  const visible = new Set(phase.visible_blocks);
  const listed = results.filter(({ index }) => visible.has(lesson.presentation_blocks[index]?.id ?? ''));
  return listed.length > 0 ? listed : results;
}

function reach(queries: readonly string[], results: readonly Result[]): Result[] {
  const asked = new Set(queries.map(normaliseQuery));
  const byQuery = Map.groupBy(results, (result) => result.query);
  const reached: Result[] = [];
  // A set being walked also gives what is added on the way.
  for (const query of asked) {
    for (const result of byQuery.get(query) ?? []) {
      reached.push(result);
      for (const next of result.leadsTo) asked.add(normaliseQuery(next));
    }
  }
  return reached;
}

/** The one form of a query that two spellings share: case, white space and outer punctuation do not count. */
export function normaliseQuery(query: string): string {
  return query
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '');
}
