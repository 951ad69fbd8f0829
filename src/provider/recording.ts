import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ModelBrief, ModelCall } from '../engine/ports/model.ts';

/**
 * A recording: one line of JSON for each call that was answered in full. `key` finds it again; `call` says in words
 * which call it was, without anybody's words; `person` is the hash of whose it was; `events` are what the model said, each with the milliseconds that had
 * passed since the call.
 */
export const recordedLine = z.object({
  // First, so that it is found without reading what was said.
  person: z.string().optional(),
  key: z.string().regex(/^[0-9a-f]{64}$/),
  provider: z.string(),
  model: z.string(),
  call: z.string(),
  events: z.array(
    z.tuple([
      z.number().nonnegative(),
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('text'), text: z.string() }),
        z.object({ type: z.literal('tool_call'), id: z.string(), name: z.string(), arguments: z.string() }),
        z.object({ type: z.literal('usage'), inputTokens: z.int(), outputTokens: z.int() }),
        z.object({
          type: z.literal('end'),
          reason: z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'other']),
        }),
      ]),
    ]),
  ),
});

export type RecordedLine = z.infer<typeof recordedLine>;

/** The random mark that fences a student's words in a prompt: another in each session, so it must not count. */
const sessionMark = /k-[0-9a-f]{8}(?![0-9a-f])/g;

/** What makes two calls the same: SHA-256, in hex, over their system prompt, messages and tools. */
export function recordingKey({ system, messages, tools }: ModelCall): string {
  const canonical = JSON.stringify(sortKeys({ system, messages, tools })).replace(sessionMark, 'k-00000000');
  return createHash('sha256').update(canonical).digest('hex');
}

/** A call in words, for whoever reads a recording or a miss: what it was for and its size. */
export function describeCall({ brief, messages, tools }: ModelCall): string {
  const what = brief ? wordsFor(brief) : 'conversation';
  const offered = tools.length === 0 ? 'no tools' : `tools ${tools.map(({ name }) => name).join(', ')}`;
  return `${what}; messages: ${messages.length}; ${offered}`;
}

function wordsFor(brief: ModelBrief): string {
  if (brief.kind === 'task') return `task ${brief.task}, ${brief.said.length} messages`;
  if (brief.kind === 'conversation') return `conversation with “${brief.title}”, exchange ${brief.said.length}`;
  return `${brief.kind} of “${brief.title}”, exchange ${brief.exchangeNumber}`;
}

/** The same data with every object's keys in alphabetical order, so that it is always written alike. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}
