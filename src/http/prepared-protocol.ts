import { z } from 'zod';
import { defaultSettings } from '../core/settings.ts';
import { profileSchema } from '../engine/profile.ts';
import { memoryItemTypes } from '../engine/project-memory.ts';
import { pagination } from './conversation-protocol.ts';

/*
 * What goes over the wire for characters that come prepared: requests are validated by these schemas, and
 * `/openapi.json` is made from them. Names are in snake_case, times in ISO 8601 UTC, ids opaque.
 */

const valueBytes = 16 * 1024;
const valueDepth = 32;

/** A name that people or programs gave: any text on one line. */
const named = z
  .string()
  .max(200, 'may have at most 200 characters')
  .refine((value) => value.trim() !== '', 'must not be empty')
  .refine((value) => !/\p{Cc}/u.test(value), 'must not hold control characters')
  .transform((value) => value.toWellFormed());

const language = z.string().min(2).max(20);

export const profileRequest = z.strictObject({
  profile: profileSchema,
  version: z.int().min(0).nullish().describe('The version it was changed from, 0 for none; or send `If-Match`'),
});

export const profileView = z.object({
  user_id: z.string(),
  profile: profileSchema,
  version: z.int().describe('0: there is none yet'),
  updated_at: z.iso.datetime().nullable(),
});

export const objectivesQuery = z.object({ user_id: named, cartridge_id: named.optional() });

export const objectivesView = z.object({
  user_id: z.string(),
  items: z.array(
    z.object({
      cartridge_id: z.string(),
      objectives: z.object({
        priority_questions: z.array(z.string()),
        check_on: z.array(z.string()),
        updates_to_share: z.array(z.string()),
      }),
      reason: z.string().describe('What they were made after: `session`, `daily`, `profile` or `asked`'),
      generated_at: z.iso.datetime(),
    }),
  ),
});

export const refreshRequest = z.object({
  user_id: named,
  cartridge_id: named.nullish().describe('Absent: every companion that comes prepared'),
});

export const refreshResponse = z.object({
  user_id: z.string(),
  cartridge_ids: z.array(z.string()),
  status: z.literal('queued'),
});

const type = z.enum(memoryItemTypes, `must be one of: ${memoryItemTypes.join(', ')}`);

export const memoryItemRequest = z.object({
  project_id: named,
  type,
  key: named.describe('An item of the same project, type and key gives way to this one'),
  value: z
    .unknown()
    .refine((value) => value !== undefined, 'must be there')
    .refine((value) => isShallow(value), `may be nested at most ${valueDepth} deep`)
    .refine((value) => !isShallow(value) || bytesOf(value) <= valueBytes, 'may have at most 16 KiB as JSON')
    .describe('Any JSON of at most 16 KiB'),
});

export const memoryItemsQuery = z.object({ project_id: named, type: type.optional() });
export const memoryItemsDelete = z.object({ project_id: named, type: type.optional(), key: named.optional() });

export const memoryItemView = z.object({
  id: z.string(),
  project_id: z.string(),
  type,
  key: z.string(),
  value: z.unknown(),
  timestamp: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});

export const memoryItemList = z.object({ items: z.array(memoryItemView), pagination });

export const memoryItemsDeleted = z.object({ deleted: z.int() });

export const analysisRequest = z.object({
  project_id: named,
  message: z
    .string()
    .max(defaultSettings.messageCharacters, `may have at most ${defaultSettings.messageCharacters} characters`)
    .refine((value) => value.trim() !== '', 'must not be empty'),
  cartridge_id: named.nullish().describe('Whose settings hold; absent: of the first companion with typed memory'),
  language: language.nullish().describe("Absent: the companion's"),
});

const scored = z.number().min(0).max(1);

export const analysisView = z.object({
  project_id: z.string(),
  terms: z.array(z.string()),
  memories: z.array(
    z.object({
      id: z.string(),
      type,
      key: z.string(),
      value: z.unknown(),
      timestamp: z.iso.datetime(),
      relevance_score: z.number(),
    }),
  ),
  context_score: scored,
  completeness_score: scored,
  confidence_score: scored,
  suggested_actions: z.array(z.string()),
});

/** Whether a value is nested no deeper than is taken in; goes no deeper itself. */
function isShallow(value: unknown, left = valueDepth): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return left > 0 && Object.values(value).every((inner) => isShallow(inner, left - 1));
}

function bytesOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}
