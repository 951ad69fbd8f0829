import { z } from 'zod';
import { type BlockType, type KnownBlock, lessonBlock } from './lesson-block.ts';
import { type InteractionType, type KnownInteraction, lessonPhase, outcomes } from './lesson-phase.ts';
import { anyText, flag, level, localId, object, oneOf, text, texts } from './plain-values.ts';

/*
 * The lesson format. Nulls are taken out before these schemas see the data, unknown keys pass through them (`parse.ts`
 * does both), and an absent list is an empty one.
 */

export { outcomes };
export type Outcome = (typeof outcomes)[number];

export const modelPreferences = ['fast', 'standard', 'complex'] as const;
type ModelPreference = (typeof modelPreferences)[number];

const pattern = object({ id: localId, description: anyText, technique: anyText, real_world_connection: anyText });

const checklistItem = object({
  id: localId,
  description: anyText,
  pattern_refs: z.array(localId).default([]).describe('a list of ids of patterns_embedded: ["…"]'),
  is_mandatory: flag.default(false),
});

const evaluation = object({
  patterns_embedded: z.array(pattern).default([]).describe('a list of patterns: [{ "id": "…", … }]'),
  checklist: z.array(checklistItem).default([]).describe('a list of items: [{ "id": "…", … }]'),
  pass_conditions: object({ trickster_wins: anyText, partial: anyText, trickster_loses: anyText }),
});

export const aiConfig = object({
  /** Another value falls back to `standard`; `vocabulary.ts` warns of it. */
  model_preference: z
    .string()
    .default('standard')
    .transform((value): ModelPreference => modelPreferences.find((known) => known === value) ?? 'standard')
    .describe('one of "fast", "standard", "complex"'),
  prompt_directory: text.optional(),
  persona_mode: oneOf(['presenting', 'chat_participant', 'narrator', 'commenter']),
  has_static_fallback: flag,
  context_requirements: oneOf(['session_only', 'learning_profile', 'full_history']),
});

export const safety = object({
  content_boundaries: texts,
  intensity_ceiling: level,
  cold_start_safe: flag,
  /** What a student can say to take the character out of its role: a list, or one for each language. */
  safe_words: z
    .union([z.array(text), z.record(z.string(), z.array(text))])
    .optional()
    .describe('a list of words, or { "lt": ["…"], "en": ["…"] }'),
});

const reveal = object({
  key_lesson: anyText,
  additional_resources: z
    .array(z.union([z.string(), z.record(z.string(), z.unknown())]).describe('a text, or an object { … }'))
    .default([])
    .describe('a list of texts or objects'),
});

/** A cartridge's own id, which its folder bears. */
export const folderId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]*[a-z0-9]$/u)
  .describe('lower-case letters without accents, digits and hyphens, like "click-trap-1"');

export const status = oneOf(['active', 'draft', 'deprecated']).default('active');

export const language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/u)
  .default('lt')
  .describe('a language code, like "lt" or "en"');

export const lessonSchema = object({
  kind: z.literal('lesson').optional(),
  task_id: folderId,
  task_type: oneOf(['ai_driven', 'static', 'hybrid']),
  title: text,
  description: anyText,
  version: text.describe('a version in double quotes, like "1.0.0"'),
  trigger: text,
  technique: text,
  medium: text,
  learning_objectives: z.array(text).min(1).describe('a list of at least one text: ["…"]'),
  difficulty: level,
  time_minutes: z.number().positive().describe('a number of minutes above 0, without quotes'),
  is_evergreen: flag,
  is_clean: flag,
  tags: texts,
  prerequisites: texts,
  status,
  language,
  available_languages: texts,
  presentation_blocks: z.array(lessonBlock).default([]).describe('a list of blocks: [{ "id": "…", "type": "…", … }]'),
  phases: z.array(lessonPhase).min(1).describe('a list of at least one phase: [{ "id": "…", … }]'),
  initial_phase: localId.describe('the id of the phase that the lesson begins with'),
  evaluation,
  ai_config: aiConfig.optional(),
  reveal,
  safety,
});

type Lesson = z.infer<typeof lessonSchema>;

export type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** A lesson's cartridge: parsed, checked and frozen all the way down. */
export type LessonCartridge = DeepReadonly<Lesson>;
export type LessonPhase = LessonCartridge['phases'][number];
export type LessonBlock = LessonCartridge['presentation_blocks'][number];
export type LessonInteraction = NonNullable<LessonPhase['interaction']>;

/** Whether an interaction is of a known type, and so has that type's fields. */
export function isInteraction<Type extends InteractionType>(
  value: LessonInteraction | undefined,
  type: Type,
): value is DeepReadonly<Extract<KnownInteraction, { type: Type }>> {
  return value?.type === type;
}

/** Whether a block is of a known type, and so has that type's fields. */
export function isBlock<Type extends BlockType>(
  value: LessonBlock,
  type: Type,
): value is DeepReadonly<Extract<KnownBlock, { type: Type }>> {
  return value.type === type;
}
