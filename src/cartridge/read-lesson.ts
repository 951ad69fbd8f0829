import type { JsonSource } from '../core/json-source.ts';
import { checkAssets } from './asset-paths.ts';
import type { CartridgeReading, CartridgeText } from './cartridge-text.ts';
import { checkCoherence } from './coherence.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { Complaint } from './finding.ts';
import { checkGraph } from './graph.ts';
import { checkInvestigations } from './investigations.ts';
import { type LessonCartridge, lessonSchema } from './lesson.ts';
import { checkPhases } from './phase-rules.ts';
import { checkReferences } from './references.ts';
import { complainOfIssues, complainOfUnknowns, quote } from './schema-complaints.ts';
import { shapeValue } from './shape.ts';
import { checkVocabulary } from './vocabulary.ts';

/**
 * Reads a lesson. First its shape: wrong types and missing keys, all at once. Where that is right, what its parts say
 * of each other, and where every reference is whole, its graph.
 */
export function readLesson(source: JsonSource, input: CartridgeText): CartridgeReading {
  const shaped = shapeValue(lessonSchema, source.value);
  const unknown = complainOfUnknowns(shaped.unknowns);
  const result = lessonSchema.safeParse(shaped.value);
  if (!result.success) {
    return {
      cartridge: null,
      complaints: [...unknown, ...complainOfIssues(result.error.issues, lessonSchema, shaped)],
    };
  }
  const lesson: LessonCartridge = result.data;
  const references = checkReferences(lesson);
  const complaints = [
    ...checkFolder(lesson, input.folder),
    ...references,
    ...checkPhases(lesson),
    ...(references.length === 0 ? checkGraph(lesson) : []),
    ...checkInvestigations(lesson),
    ...checkAssets(lesson, input.assets),
    ...checkCoherence(lesson),
    ...checkVocabulary(lesson, shaped.value),
  ].map((complaint) => ({ ...complaint, path: shaped.origin(complaint.path) }));
  const isServed = complaints.every((complaint) => complaint.severity === 'warning');
  return { cartridge: isServed ? deepFreeze(lesson) : null, complaints: [...unknown, ...complaints] };
}

function checkFolder(lesson: LessonCartridge, folder: string | undefined): Complaint[] {
  if (folder === undefined || folder === lesson.task_id) return [];
  const message = `The cartridge is in the folder ${quote(folder)}, yet its "task_id" is ${quote(lesson.task_id)}.`;
  const hint = `Write ${quote(folder)}, or rename the folder to ${quote(lesson.task_id)}.`;
  return [{ severity: 'error', path: ['task_id'], message, hint }];
}
