import { z } from 'zod';

const lines = z
  .array(z.string())
  .nullish()
  .transform((list) => (list ?? []).map((line) => line.replace(/\s+/gu, ' ').trim()).filter((line) => line !== ''));

const sheet = z.object({ priority_questions: lines, check_on: lines, updates_to_share: lines });

export type ObjectivesSheet = { priorityQuestions: string[]; checkOn: string[]; updatesToShare: string[] };

const mostOfEach = 6;

/** A prep sheet from the JSON a model wrote or the store kept; empty where it is none. */
export function readObjectives(text: string): ObjectivesSheet {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = {};
  }
  const parsed = sheet.safeParse(value);
  const { priority_questions = [], check_on = [], updates_to_share = [] } = parsed.data ?? {};
  return {
    priorityQuestions: priority_questions.slice(0, mostOfEach),
    checkOn: check_on.slice(0, mostOfEach),
    updatesToShare: updates_to_share.slice(0, mostOfEach),
  };
}

export function writeObjectives({ priorityQuestions, checkOn, updatesToShare }: ObjectivesSheet): string {
  return JSON.stringify({ priority_questions: priorityQuestions, check_on: checkOn, updates_to_share: updatesToShare });
}
