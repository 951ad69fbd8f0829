import { z } from 'zod';

/**
 * The lesson format as zod schemas; what an author may leave out has its default here. Unknown keys pass through
 * (`parse.ts` warns of them) and nulls are taken out before these schemas see the data.
 */

const text = z.string().min(1, 'must not be empty');
const id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]*[a-z0-9]$/, 'must be lower-case letters, digits and hyphens, like "click-trap-1"');
/** Ids inside a cartridge are only compared with each other, so any non-empty text serves. */
const localId = text;
const seconds = z.number().nonnegative().optional();

const blockBase = { id: localId };
const knownBlock = z.discriminatedUnion('type', [
  z.looseObject({ ...blockBase, type: z.literal('text'), text: z.string(), style: z.string().optional() }),
  z.looseObject({
    ...blockBase,
    type: z.literal('image'),
    src: text,
    alt_text: z.string(),
    audio_description: z.string().optional(),
    caption: z.string().optional(),
  }),
  z.looseObject({
    ...blockBase,
    type: z.literal('audio'),
    src: text,
    transcript: z.string(),
    duration_seconds: seconds,
  }),
  z.looseObject({
    ...blockBase,
    type: z.literal('video'),
    src: text,
    alt_text: z.string(),
    transcript: z.string().optional(),
    duration_seconds: seconds,
  }),
  z.looseObject({
    ...blockBase,
    type: z.literal('video_transcript'),
    transcript: z.string(),
    source_description: z.string().optional(),
  }),
  z.looseObject({
    ...blockBase,
    type: z.literal('meme'),
    image_src: text,
    top_text: z.string().optional(),
    bottom_text: z.string().optional(),
    alt_text: z.string(),
    audio_description: z.string().optional(),
  }),
  z.looseObject({
    ...blockBase,
    type: z.literal('chat_message'),
    username: z.string(),
    text: z.string(),
    timestamp: z.string().optional(),
    is_highlighted: z.boolean().optional(),
  }),
  z.looseObject({
    ...blockBase,
    type: z.literal('social_post'),
    author: z.string(),
    text: z.string(),
    image: z.string().optional(),
    image_alt: z.string().optional(),
    engagement: z.unknown().optional(),
    cited_source: z.string().optional(),
    platform_hint: z.string().optional(),
  }),
  z.looseObject({
    ...blockBase,
    type: z.literal('search_result'),
    query: text,
    title: z.string(),
    snippet: z.string(),
    url: z.string().optional(),
    is_key_finding: z.boolean().optional(),
    is_dead_end: z.boolean().optional(),
    child_queries: z.array(z.string()).optional(),
  }),
]);

export const blockTypes = [
  'text',
  'image',
  'audio',
  'video',
  'video_transcript',
  'meme',
  'chat_message',
  'social_post',
  'search_result',
] as const;

export type KnownBlock = z.infer<typeof knownBlock>;
/** A block of a type this version does not know is passed to the client whole. */
export type OtherBlock = { id: string; type: string; [key: string]: unknown };
export type Block = KnownBlock | OtherBlock;

/** Picks the schema by `type`, so that a mistake in a known block is named and an unknown one passes whole. */
export const block = z.looseObject({ id: localId, type: text }).transform((value, context): Block => {
  if (!isOneOf(blockTypes, value.type)) return value;
  return adopt(knownBlock.safeParse(value), context) ?? value;
});

const knownInteraction = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('button'),
    choices: z
      .array(z.looseObject({ label: text, target_phase: localId, context_label: z.string().optional() }))
      .min(1, 'needs at least one choice'),
  }),
  z
    .looseObject({
      type: z.literal('freeform'),
      trickster_opening: z.string(),
      min_exchanges: z.int().min(1, 'must be 1 or more'),
      max_exchanges: z.int().min(1, 'must be 1 or more'),
    })
    .refine((value) => value.max_exchanges >= value.min_exchanges, {
      path: ['max_exchanges'],
      message: 'must not be below min_exchanges',
    }),
  z.looseObject({
    type: z.literal('investigation'),
    starting_queries: z.array(text).min(1, 'needs at least one query to start from'),
    submit_target: localId,
    min_key_findings: z.int().min(0, 'must be 0 or more'),
  }),
]);

export const interactionTypes = ['button', 'freeform', 'investigation'] as const;

export type KnownInteraction = z.infer<typeof knownInteraction>;
export type OtherInteraction = { type: string; [key: string]: unknown };
export type Interaction = KnownInteraction | OtherInteraction;

export const interaction = z.looseObject({ type: text }).transform((value, context): Interaction => {
  if (!isOneOf(interactionTypes, value.type)) return value;
  return adopt(knownInteraction.safeParse(value), context) ?? value;
});

export const outcomes = ['trickster_wins', 'partial', 'trickster_loses'] as const;
export type Outcome = (typeof outcomes)[number];

export const phase = z.looseObject({
  id: localId,
  title: z.string(),
  visible_blocks: z.array(z.string()).default([]),
  trickster_content: z.string().optional(),
  is_ai_phase: z.boolean().default(false),
  interaction: interaction.optional(),
  ai_transitions: z.looseObject({ on_success: localId, on_partial: localId, on_max_exchanges: localId }).optional(),
  evaluator_checklist: z.array(z.unknown()).default([]),
  is_terminal: z.boolean().default(false),
  evaluation_outcome: z.enum(outcomes).optional(),
});

export const pattern = z.looseObject({
  id: localId,
  description: z.string(),
  technique: z.string(),
  real_world_connection: z.string(),
});

export const checklistItem = z.looseObject({
  id: localId,
  description: z.string(),
  pattern_refs: z.array(z.string()).default([]),
  is_mandatory: z.boolean().default(false),
});

export const evaluation = z.looseObject({
  patterns_embedded: z.array(pattern).default([]),
  checklist: z.array(checklistItem).default([]),
  pass_conditions: z.looseObject({ trickster_wins: z.string(), partial: z.string(), trickster_loses: z.string() }),
});

export const personaModes = ['presenting', 'chat_participant', 'narrator', 'commenter'] as const;
export const contextRequirements = ['session_only', 'learning_profile', 'full_history'] as const;
export const modelPreferences = ['fast', 'standard', 'complex'] as const;

export const aiConfig = z.looseObject({
  /** An unknown preference falls back to `standard`, with a warning from `parse.ts`. */
  model_preference: z
    .string()
    .default('standard')
    .transform((value) => (isOneOf(modelPreferences, value) ? value : 'standard')),
  prompt_directory: z.string().optional(),
  persona_mode: z.enum(personaModes).default('presenting'),
  has_static_fallback: z.boolean().default(false),
  context_requirements: z.enum(contextRequirements).default('session_only'),
});

export const safety = z.looseObject({
  content_boundaries: z.array(z.string()).default([]),
  intensity_ceiling: z.int().min(1, 'must be 1 to 5').max(5, 'must be 1 to 5').default(3),
  cold_start_safe: z.boolean().default(true),
});

export const taskTypes = ['ai_driven', 'static', 'hybrid'] as const;
export const statuses = ['active', 'draft', 'deprecated'] as const;

export const lessonSchema = z.looseObject({
  task_id: id,
  task_type: z.enum(taskTypes),
  title: text,
  description: z.string(),
  version: z.string().regex(/^\d+\.\d+(\.\d+)?$/, 'must look like "1.0.0"'),
  trigger: z.string(),
  technique: z.string(),
  medium: z.string(),
  learning_objectives: z.array(text).min(1, 'needs at least one learning objective'),
  difficulty: z.int().min(1, 'must be 1 to 5').max(5, 'must be 1 to 5'),
  time_minutes: z.number().positive('must be more than 0'),
  is_evergreen: z.boolean().default(false),
  is_clean: z.boolean().default(false),
  tags: z.array(z.string()).default([]),
  prerequisites: z.array(z.string()).default([]),
  status: z.enum(statuses).default('active'),
  language: z.string().min(2).default('lt'),
  available_languages: z.array(z.string()).default([]),
  presentation_blocks: z.array(block).default([]),
  phases: z.array(phase).min(1, 'needs at least one phase'),
  initial_phase: localId,
  evaluation,
  ai_config: aiConfig.optional(),
  reveal: z.looseObject({ key_lesson: z.string(), additional_resources: z.array(z.unknown()).default([]) }),
  safety,
});

export type Lesson = z.infer<typeof lessonSchema>;
export type Phase = Lesson['phases'][number];
export type AiConfig = z.infer<typeof aiConfig>;
export type Evaluation = z.infer<typeof evaluation>;

type DeepReadonly<T> = T extends (infer Item)[]
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
export function isInteraction<Type extends (typeof interactionTypes)[number]>(
  value: LessonInteraction | undefined,
  type: Type,
): value is DeepReadonly<Extract<KnownInteraction, { type: Type }>> {
  return value?.type === type;
}

/** Whether a block is of a known type, and so has that type's fields. */
export function isBlock<Type extends (typeof blockTypes)[number]>(
  value: LessonBlock,
  type: Type,
): value is DeepReadonly<Extract<KnownBlock, { type: Type }>> {
  return value.type === type;
}

function isOneOf<const Values extends readonly string[]>(values: Values, value: string): value is Values[number] {
  return values.includes(value);
}

/** The inner schema's value, or null with its issues told to the outer one. */
function adopt<T>(result: z.ZodSafeParseResult<T>, context: z.RefinementCtx): T | null {
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    context.addIssue({ code: 'custom', path: issue.path, message: issue.message, params: { inner: issue } });
  }
  return null;
}
