import { z } from 'zod';
import { defaultSettings } from '../core/settings.ts';
import { exchangeView, widgetView } from './protocol.ts';

/*
 * What goes over the wire for companions: requests are validated by these schemas, and `/openapi.json` is made from
 * them. Names are in snake_case, times in ISO 8601 UTC, ids opaque.
 */

const id = z.string().min(1).max(200);
const text = (most: number) =>
  z
    .string()
    .max(most, `may have at most ${most} characters`)
    .transform((value) => value.toWellFormed().trim() || null);

const entry = z.union([
  text(500),
  z
    .looseObject({ source: text(200).nullish(), query: text(400).nullish(), project_id: id.nullish() })
    .describe('Where they came from and a first question'),
]);

export const conversationRequest = z.object({
  cartridge_id: id,
  learner_id: id.nullish().describe('Whom it is about; absent: nobody in particular'),
  project_id: id.nullish().describe('Whose typed memory it draws on, where the companion keeps one'),
  title: text(200).nullish(),
  entry_context: entry.nullish(),
  language: z.string().min(2).max(20).nullish(),
});

export const pagination = z.object({ page: z.int(), limit: z.int(), total: z.int(), pages: z.int() });

export const memoryView = z.object({
  recent_summary: z.string().nullable(),
  key_facts: z.array(z.string()),
  topics: z.array(z.string()),
  last_session_date: z.iso.datetime().nullable(),
});

export const conversationItem = z.object({
  id,
  conversation_id: id,
  cartridge_id: id,
  learner_id: id.nullable(),
  project_id: id.nullable(),
  title: z.string().nullable(),
  entry_context: z.string().nullable(),
  language: z.string(),
  active: z.boolean(),
  message_count: z.int(),
  created_at: z.iso.datetime(),
  last_message_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable(),
});

export const conversationView = conversationItem.extend({
  cartridge_title: z.string(),
  greeting: z.string(),
  memory: memoryView,
  exchanges: z.array(exchangeView),
  exchanges_count: z.int(),
  widgets: z.array(widgetView),
  active_turn_id: id.nullable(),
  remembered: z
    .record(z.string(), z.enum(['done', 'failed', 'skipped']))
    .describe('Of an ended conversation: what became of each part of what is remembered; absent: not yet'),
  ai: z.enum(['model', 'offline']).describe('`offline` where no model is behind the companion'),
});

export const conversationList = z.object({ items: z.array(conversationItem), pagination });

export const endResponse = z.object({ conversation_id: id, status: z.literal('ended') });

export const widgetRequest = z.object({
  status: z.enum(['confirmed', 'dismissed']),
  value: z.unknown().optional().describe('As shown or changed; absent: as shown'),
});

export const greetingView = z.object({ greeting: z.string(), topics: z.array(z.string()) });

export const learnerRequest = z.object({
  id: id.nullish(),
  name: text(120).refine((name) => name !== null, 'must not be empty'),
});
export const learnerView = z.object({ id, name: z.string() });

const turn = z.object({
  role: z.enum(['user', 'assistant']),
  content: z
    .string()
    .max(defaultSettings.messageCharacters)
    .refine((value) => value.trim() !== '', 'must not be empty')
    .transform((value) => value.toWellFormed()),
});

export const memoryRequest = z.object({
  learner_id: id.nullish(),
  cartridge_id: id
    .nullish()
    .describe(
      'Absent: the one whose memory follows each reply (the mentor), or else the first that keeps one for the caller’s role',
    ),
  conversation_turns: z.array(turn).max(200).default([]),
  force_regenerate: z.boolean().nullish().describe('Starts the summary afresh from all turns'),
});

export const memoryEdit = z.object({
  learner_id: id.nullish(),
  cartridge_id: id.nullish(),
  summary: z
    .string()
    .max(8_000)
    .transform((value) => value.toWellFormed().trim()),
});

export const memoryUpdateView = z.object({
  success: z.literal(true),
  conversation_update: z
    .object({
      id,
      learner_id: id.nullable(),
      summary: z.string(),
      turn_count: z.int(),
      recent_turns: z.array(z.object({ role: z.string(), content: z.string(), at: z.iso.datetime() })),
      facts: z.array(
        z.object({
          id,
          kind: z.string(),
          text: z.string(),
          learned_at: z.iso.datetime(),
          superseded_at: z.iso.datetime().nullable(),
        }),
      ),
      status: z.enum(['current', 'pending', 'failed']).describe('Whether the summary has taken in every turn'),
      created_at: z.iso.datetime(),
      updated_at: z.iso.datetime(),
    })
    .nullable()
    .describe('Null where nothing is remembered'),
});

export const memorySearchView = z.object({
  success: z.literal(true),
  count: z.int(),
  results: z.array(
    z.object({
      kind: z.enum(['summary', 'fact', 'turn']),
      summary: z.string(),
      snippet: z.string(),
      matches: z.array(z.tuple([z.int(), z.int()])).describe('Where in the snippet the words stand'),
      turn_count: z.int(),
      date: z.iso.datetime(),
      learner_id: id.nullable(),
      learner_context: z.string(),
      archived: z.boolean(),
    }),
  ),
  corrected: z.array(z.object({ from: z.string(), to: z.string() })),
});

export const memoryClearedView = z.object({ success: z.literal(true), archived: z.boolean() });
