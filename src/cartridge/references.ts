import type { JsonPath } from '../core/json-source.ts';
import type { Complaint } from './finding.ts';
import type { LessonCartridge } from './lesson.ts';
import { didYouMean } from './nearest-word.ts';
import { namedWays } from './phase-ways.ts';
import { quote } from './schema-complaints.ts';

type Named = { readonly id: string; readonly path: JsonPath };

/** Ids that stand twice, and references to a phase, block or pattern that is not there. All of them are errors. */
export function checkReferences(lesson: LessonCartridge): Complaint[] {
  const { phases, evaluation } = lesson;
  const blockIds = named(lesson.presentation_blocks, ['presentation_blocks']);
  const phaseIds = named(phases, ['phases']);
  const patternIds = named(evaluation.patterns_embedded, ['evaluation', 'patterns_embedded']);
  const checklistIds = named(evaluation.checklist, ['evaluation', 'checklist']);
  const shown = phases.flatMap(({ visible_blocks: ids }, index) =>
    references(ids, ['phases', index, 'visible_blocks']),
  );
  const ways = phases.flatMap((phase, index) => namedWays(phase, ['phases', index]));
  const patterns = evaluation.checklist.flatMap(({ pattern_refs: ids }, index) =>
    references(ids, ['evaluation', 'checklist', index, 'pattern_refs']),
  );
  const ownItems = phases.map(({ evaluator_checklist: items }, index) =>
    items.flatMap((item, place): Named[] => {
      const id = typeof item === 'string' ? item : item.id;
      return id === undefined ? [] : [{ id, path: idPath(item, ['phases', index, 'evaluator_checklist', place]) }];
    }),
  );
  return [
    ...twice(blockIds, 'block'),
    ...twice(phaseIds, 'phase'),
    ...twice(patternIds, 'pattern'),
    ...twice(checklistIds, 'checklist item'),
    ...ownItems.flatMap((items) => twice(items, 'checklist item')),
    ...dangling([{ id: lesson.initial_phase, path: ['initial_phase'] }], phaseIds, 'phase'),
    ...dangling(
      ways.map(({ to, path }) => ({ id: to, path })),
      phaseIds,
      'phase',
    ),
    ...dangling(shown, blockIds, 'block'),
    ...dangling(patterns, patternIds, 'pattern'),
  ];
}

function named(items: readonly { readonly id: string }[], path: JsonPath): Named[] {
  return items.map(({ id }, index) => ({ id, path: [...path, index, 'id'] }));
}

function references(ids: readonly string[], path: JsonPath): Named[] {
  return ids.map((id, index) => ({ id, path: [...path, index] }));
}

function idPath(item: unknown, path: JsonPath): JsonPath {
  return typeof item === 'string' ? path : [...path, 'id'];
}

function twice(items: readonly Named[], what: string): Complaint[] {
  const seen = new Set<string>();
  return items.flatMap(({ id, path }): Complaint[] => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [
      {
        severity: 'error',
        path,
        message: `There is another ${what} with the id ${quote(id)} above.`,
        hint: `Give each ${what} an id of its own.`,
      },
    ];
  });
}

function dangling(referring: readonly Named[], there: readonly Named[], what: string): Complaint[] {
  const ids = new Set(there.map(({ id }) => id));
  const known = [...ids].slice(0, 12).join(', ');
  return referring
    .filter(({ id }) => !ids.has(id))
    .map(({ id, path }, index): Complaint => {
      // Looking for what was meant costs time, and nobody reads a hundred findings.
      const slip = index < 100 ? didYouMean(id, ids) : '';
      const hint = slip === '' ? `Write the id of a ${what} that is there${known === '' ? '' : `: ${known}`}.` : slip;
      return { severity: 'error', path, message: `There is no ${what} with the id ${quote(id)}.`, hint };
    });
}
