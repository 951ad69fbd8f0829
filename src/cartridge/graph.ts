import type { Complaint } from './finding.ts';
import type { LessonCartridge } from './lesson.ts';
import { waysOn } from './phase-ways.ts';
import { quote } from './schema-complaints.ts';

/**
 * Phases that nobody can reach, and phases that the lesson cannot end from. For a lesson whose references are whole: a
 * phase that leads to one that is not there would make others look unreachable.
 */
export function checkGraph(lesson: LessonCartridge): Complaint[] {
  const ends = lesson.phases.filter((phase) => phase.is_terminal).map((phase) => phase.id);
  if (ends.length === 0) {
    return [
      {
        severity: 'error',
        path: ['phases'],
        message: 'No phase is terminal, so the lesson never ends.',
        hint: 'Add a phase with "is_terminal": true and an "evaluation_outcome", and let the others lead to it.',
      },
    ];
  }
  const onward = new Map(lesson.phases.map((phase) => [phase.id, waysOn(lesson, phase)]));
  const reached = reach([lesson.initial_phase], onward);
  const ending = reach(ends, reverse(onward));
  return lesson.phases.flatMap(({ id }, index): Complaint[] => {
    if (!reached.has(id)) {
      return [
        {
          severity: 'error',
          path: ['phases', index, 'id'],
          message: `Nobody can reach the phase ${quote(id)} from ${quote(lesson.initial_phase)}.`,
          hint: 'Let a choice, "submit_target" or "ai_transitions" of another phase lead to it, or remove it.',
        },
      ];
    }
    // A phase without any way on is told of by itself.
    if (ending.has(id) || onward.get(id)?.size === 0) return [];
    return [
      {
        severity: 'error',
        path: ['phases', index, 'id'],
        message: `From the phase ${quote(id)} no terminal phase can be reached: the student would go round for ever.`,
        hint: `Let it, or a phase it leads to, lead to an end: ${ends.slice(0, 12).join(', ')}.`,
      },
    ];
  });
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function reach(from: readonly string[], graph: Graph): Set<string> {
  const seen = new Set(from);
  // A set being walked also gives what is added on the way.
  for (const id of seen) for (const next of graph.get(id) ?? []) seen.add(next);
  return seen;
}

function reverse(graph: Graph): Graph {
  const reversed = new Map<string, Set<string>>();
  for (const [from, targets] of graph) {
    for (const to of targets) reversed.set(to, (reversed.get(to) ?? new Set()).add(from));
  }
  return reversed;
}
