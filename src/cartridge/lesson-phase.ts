import { z } from 'zod';
import { openType } from './open-type.ts';
import { anyText, flag, localId, object, oneOf, text } from './plain-values.ts';

const phaseId = localId.describe('the id of a phase');

const interactions = {
  button: object({
    type: z.literal('button'),
    choices: z
      .array(object({ label: text, target_phase: phaseId, context_label: anyText.optional() }))
      .describe('a list of choices: [{ "label": "…", "target_phase": "…" }]'),
  }),
  freeform: object({
    type: z.literal('freeform'),
    trickster_opening: anyText,
    min_exchanges: z.int().min(1).describe('a whole number, 1 or more, without quotes'),
    max_exchanges: z.int().min(1).describe('a whole number, not below min_exchanges'),
  }).refine((value) => value.max_exchanges >= value.min_exchanges, {
    path: ['max_exchanges'],
    params: { wrong: 'below "min_exchanges"' },
  }),
  investigation: object({
    type: z.literal('investigation'),
    starting_queries: z.array(text).min(1).describe('a list of at least one query to start from: ["…"]'),
    submit_target: phaseId,
    min_key_findings: z.int().min(0).default(0).describe('a whole number, 0 or more, without quotes'),
  }),
};

export type InteractionType = keyof typeof interactions;
export type KnownInteraction = z.infer<(typeof interactions)[InteractionType]>;
/** An interaction of a type this version does not know is passed to the client whole. */
export type OtherInteraction = { type: string; [key: string]: unknown };

const interaction = openType<(typeof interactions)[InteractionType], z.ZodType<OtherInteraction>>(
  interactions,
  object({ type: text.describe('the type of the interaction, like "button"') }),
);

export const outcomes = ['trickster_wins', 'partial', 'trickster_loses'] as const;

/** What a phase's conversation is judged by: the id of an item of the lesson's checklist, or an item of its own. */
const evaluatorItem = z
  .union([
    text,
    object({
      id: localId.optional(),
      description: anyText.optional(),
      pattern_refs: z.array(z.string()).optional(),
      is_mandatory: flag.optional(),
    }),
  ])
  .describe('the id of a checklist item, or an object { "id": "…", "description": "…" }');

/** A node of a lesson's state machine. */
export const lessonPhase = object({
  id: localId,
  title: anyText,
  visible_blocks: z.array(localId).default([]).describe('a list of ids of presentation_blocks: ["…"]'),
  trickster_content: anyText.optional(),
  is_ai_phase: flag.default(false),
  interaction: interaction.optional(),
  ai_transitions: object({ on_success: phaseId, on_partial: phaseId, on_max_exchanges: phaseId }).optional(),
  evaluator_checklist: z.array(evaluatorItem).default([]).describe('a list of checklist items'),
  is_terminal: flag.default(false),
  evaluation_outcome: oneOf(outcomes).optional(),
});
