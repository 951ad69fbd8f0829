import { z } from 'zod';
import { aiConfig, type DeepReadonly, folderId, language, safety, status } from './lesson.ts';
import { anyText, flag, object, oneOf, text, texts } from './plain-values.ts';

/*
 * The companion format. As with lessons, nulls are taken out before these schemas see the data and unknown keys pass.
 */

/** The layers a companion's `context` can name, with the tokens each may take where the cartridge says nothing. */
export const contextLayers = {
  persona: null,
  behaviour: null,
  safety: null,
  provider_override: null,
  safety_configuration: null,
  language: null,
  learner: 60,
  profile_narrative: 300,
  conversation_summary: 200,
  entry_context: 50,
  objectives: 100,
  conversation_state: 100,
  rolling_memory: 1_800,
  session_memory: 350,
  typed_memories: 2_000,
  context_analysis: 200,
  workflow: 900,
  tool_instructions: 300,
  reply_format: 1_000,
} as const satisfies Readonly<Record<string, number | null>>;

export type ContextLayerName = keyof typeof contextLayers;

/** Layers that carry what people said earlier: none of them may stand before the safety layers. */
export const memoryLayers: ReadonlySet<string> = new Set<ContextLayerName>([
  'learner',
  'profile_narrative',
  'conversation_summary',
  'entry_context',
  'objectives',
  'conversation_state',
  'rolling_memory',
  'session_memory',
  'typed_memories',
  'workflow',
]);

export const companionTools = ['get_conversation_memory', 'search_conversation_history', 'show_widget'] as const;
export type CompanionToolName = (typeof companionTools)[number];

export const audiences = ['student', 'teacher', 'facilitator', 'guardian', 'admin'] as const;

export const endings = ['summary', 'key_facts', 'topics', 'learnings', 'objectives', 'parent_note'] as const;
export type EndingName = (typeof endings)[number];

const count = whole(1_000);
const positive = z.number().positive().describe('a number above 0, without quotes');
const rate = z.number().min(0).max(100).describe('a number from 0 up, without quotes');

const budgeted = object({ layer: text, budget_tokens: whole(100_000).optional() });

const rolling = object({
  recent_turns: count.default(10),
  archive_after_turns: count.default(50),
  summary_words: z.tuple([count, count]).default([200, 400]).describe('two whole numbers: [200, 400]'),
  /** Whether the summary is brought up to date after each exchange or when a conversation has ended. */
  update: oneOf(['exchange', 'session']).default('exchange'),
});

const sessions = object({
  recall: whole(20).default(3),
  max_facts: whole(50).default(5),
  max_topics: whole(50).default(10),
});

const typed = object({
  candidates: count.default(100),
  threshold: z.number().min(0).default(0.3).describe('a number from 0 up, without quotes'),
  top: whole(100).default(10),
  relevance: oneOf(['seed', 'balanced']).default('seed'),
  decay_per_hour: z
    .union([rate, z.record(z.string(), rate)])
    .optional()
    .describe('a number, or one for each type: { "error": 0.01, … }'),
  ttl_days: positive.max(3_650).default(30),
  /** Messages of the conversation that the model reads. */
  recent_messages: whole(200).default(10),
});

const memory = object({ rolling: rolling.optional(), sessions: sessions.optional(), typed: typed.optional() });

const session = object({
  inactivity_minutes: positive.max(7 * 24 * 60).default(15),
  /** Beginning a conversation ends the person's earlier one with the same companion. */
  one_at_a_time: flag.default(false),
  on_end: z
    .array(text)
    .default([])
    .describe(`a list of ${endings.map((name) => `"${name}"`).join(', ')}`),
});

const level = object({ title: text, goal: anyText.default('') });

export const companionSchema = object({
  kind: z.literal('companion'),
  id: folderId,
  title: text,
  description: anyText,
  version: text.describe('a version in double quotes, like "1.0.0"'),
  status,
  language,
  available_languages: texts,
  audience: z
    .array(oneOf(audiences))
    .min(1)
    .describe(`a list of ${audiences.map((role) => `"${role}"`).join(', ')}`),
  /** What it teaches or is about, for notes. */
  subject: text.optional(),
  /** Its first words where nothing is remembered, by language. */
  greeting: z.record(z.string(), text).optional().describe('its first words by language: { "en": "…" }'),
  ai_config: aiConfig,
  context: z
    .array(z.union([text, budgeted]))
    .min(1)
    .describe('a list of layers: ["persona", { "layer": "rolling_memory", "budget_tokens": 800 }]'),
  tools: texts,
  memory: memory.prefault({}),
  session: session.prefault({}),
  reply_format: z.record(z.string(), z.unknown()).optional().describe('a JSON Schema: { "type": "object", … }'),
  workflow: object({
    levels: z.array(level).min(1).max(20).describe('a list of levels: [{ "title": "…", "goal": "…" }]'),
  }).optional(),
  safety,
});

function whole(most: number) {
  return z.int().min(1).max(most).describe(`a whole number from 1 to ${most}, without quotes`);
}

/** A companion's cartridge: parsed, checked and frozen all the way down. */
export type CompanionCartridge = DeepReadonly<z.infer<typeof companionSchema>>;

/** The layers a companion names, in its order, each with its budget in tokens (null: whole). */
export function layersOf(companion: CompanionCartridge): { layer: ContextLayerName; budgetTokens: number | null }[] {
  return companion.context.flatMap((entry) => {
    const { layer: name, budget_tokens: budget } = typeof entry === 'string' ? { layer: entry } : entry;
    return isContextLayer(name) ? [{ layer: name, budgetTokens: budget ?? contextLayers[name] }] : [];
  });
}

export function isContextLayer(name: string): name is ContextLayerName {
  return Object.hasOwn(contextLayers, name);
}
