import { z } from 'zod';
import { errorTable } from '../core/errors.ts';
import { defaultSettings } from '../core/settings.ts';

/**
 * What goes over the wire, as schemas: requests are validated by them, and `/openapi.json` is made from them.
 * Names are in snake_case, times in ISO 8601 UTC, ids opaque.
 */

const id = z.string().min(1).max(200);
/** Text as typed: at least one character that is not white space; a lone surrogate becomes U+FFFD. */
const typed = (limit: number) =>
  z
    .string()
    .max(limit, `may have at most ${limit} characters`)
    .refine((value) => value.trim() !== '', 'must not be empty')
    .transform((value) => value.toWellFormed());

export const roles = ['student', 'teacher', 'facilitator', 'guardian', 'admin'] as const;
export type Role = (typeof roles)[number];

export const displayName = z
  .string()
  .max(defaultSettings.displayNameCharacters, `may have at most ${defaultSettings.displayNameCharacters} characters`)
  .transform((value) => value.toWellFormed().trim() || null);

export const joinRequest = z.object({
  code: z.string().min(1).max(40),
  display_name: displayName.nullish(),
});

export const joinResponse = z.object({
  token: z.string().describe('A bearer token; the same is set as the HttpOnly cookie `trickster`'),
  expires_at: z.iso.datetime(),
  role: z.enum(roles),
  user_id: id,
  display_name: z.string().nullable(),
  class: z.object({ id, title: z.string() }),
});

export const classRequest = z.object({
  title: typed(120),
  cartridge_ids: z
    .array(id)
    .max(500)
    .nullish()
    .describe('The lessons the class may use; absent or null: all active ones'),
});

export const classView = z.object({
  id,
  title: z.string(),
  join_code: z.string(),
  cartridge_ids: z.array(id).nullable(),
  created_at: z.iso.datetime(),
});

export const controlRequest = z.object({
  action: z.enum(['freeze', 'resume', 'advance', 'bell']),
  session_id: id.nullish().describe('One session; absent: all that are active'),
  phase: id.nullish().describe('With `advance`: where to'),
});

export const controlResponse = z.object({ action: z.string(), session_ids: z.array(id) });

export const me = z.object({
  user_id: id,
  role: z.enum(roles),
  school_id: id,
  class_id: id.nullable(),
  display_name: z.string().nullable(),
});

export const cartridgeListItem = z.object({
  id,
  kind: z.enum(['lesson', 'companion']),
  title: z.string(),
  description: z.string(),
  language: z.string(),
  available_languages: z.array(z.string()),
  task_type: z.string().optional().describe('Of a lesson'),
  difficulty: z.int().optional().describe('Of a lesson'),
  time_minutes: z.number().optional().describe('Of a lesson'),
  uses_profile: z.boolean().optional().describe("Of a companion: it is told of the student's profile"),
  uses_projects: z.boolean().optional().describe('Of a companion: each of its conversations is about a project'),
  rolling_memory: z
    .enum(['exchange', 'session'])
    .nullable()
    .optional()
    .describe('Of a companion: when its rolling memory is brought up to date; null where it keeps none'),
});

export const sessionRequest = z.object({ cartridge_id: id, language: z.string().min(2).max(20).nullish() });

export const choiceRequest = z.union([
  z.object({ choice: z.int().min(0).describe("The choice's index") }),
  z.object({ target_phase: id.describe('Where one choice alone leads there') }),
]);

export const investigateRequest = z.object({ query: typed(500) });

export const messageRequest = z.object({
  message: typed(defaultSettings.messageCharacters),
  client_message_id: z.string().min(1).max(200).nullish().describe('The same id never makes two turns'),
});

export const exchangeView = z.object({
  id,
  role: z.enum(['student', 'trickster', 'user', 'assistant']),
  content: z.string(),
  phase: z.string(),
  turn_id: id,
  redacted: z.boolean(),
  created_at: z.iso.datetime(),
});

export const sessionView = z.object({
  session_id: id,
  cartridge_id: id,
  cartridge_title: z.string(),
  language: z.string(),
  status: z.enum(['active', 'completed']),
  frozen: z.boolean(),
  current_phase: z.string(),
  title: z.string(),
  content: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  trickster_intro: z.string().nullable(),
  interaction: z.looseObject({ type: z.string() }).nullable(),
  available_actions: z.array(z.enum(['choice', 'investigate', 'respond', 'debrief'])),
  is_terminal: z.boolean(),
  evaluation_outcome: z.enum(['trickster_wins', 'partial', 'trickster_loses']).nullable(),
  reveal: z.object({ key_lesson: z.string(), additional_resources: z.array(z.unknown()) }).nullable(),
  exchanges: z.array(exchangeView),
  exchanges_count: z.int(),
  active_turn_id: id.nullable(),
  ai: z.enum(['model', 'offline']).nullable().describe('`offline` where no model is behind the character'),
});

export const investigateResponse = z.object({
  query: z.string(),
  results: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  unlocked_queries: z.array(z.string()),
  available_queries: z.array(z.string()),
  searched_queries: z.array(z.string()),
  key_findings_found: z.int(),
  min_key_findings: z.int(),
  can_submit: z.boolean(),
});

export const widgetView = z.looseObject({
  id,
  kind: z.enum(['choice', 'date', 'checklist', 'school_card']),
  title: z.string(),
  status: z.enum(['pending', 'confirmed', 'dismissed']),
  value: z.unknown(),
});

export const turnEvents = {
  token: z.object({ text: z.string() }),
  redact: z.object({ fallback_text: z.string(), boundary: z.string() }),
  done: z.object({
    phase_transition: z.enum(['on_success', 'on_partial', 'on_max_exchanges']).nullable().optional(),
    next_phase: z.string().nullable().optional(),
    exchanges_count: z.int().optional(),
    debrief_complete: z.literal(true).optional(),
    stopped: z.literal(true).optional(),
    widgets: z.array(widgetView).optional().describe('Of a companion: what was shown to confirm'),
    structured: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Of a companion that answers in structure: all of its reply'),
    workflow: z.record(z.string(), z.unknown()).optional().describe('Of the same: how far its analysis has come'),
  }),
  error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean(), partial_text: z.string() }),
} as const;

export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.enum(Object.keys(errorTable) as [keyof typeof errorTable, ...(keyof typeof errorTable)[]]),
  detail: z.string(),
  instance: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  turn_id: id.optional(),
  initial_phase: z.string().optional(),
  version: z.int().optional().describe('With `CHANGED_MEANWHILE`: the version it is at now'),
});

export const stopResponse = z.object({ turn_id: id, status: z.literal('stopping') });

export type JoinResponse = z.infer<typeof joinResponse>;
export type ClassView = z.infer<typeof classView>;
export type CartridgeListItem = z.infer<typeof cartridgeListItem>;
export type SessionView = z.infer<typeof sessionView>;
export type InvestigateResponse = z.infer<typeof investigateResponse>;
export type Problem = z.infer<typeof problem>;
