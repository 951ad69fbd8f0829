import { z } from 'zod';
import type { ModelEvent } from '../engine/ports/model.ts';

/** One chunk of `streamGenerateContent`, as far as a reply needs it. */
const schema = z.object({
  candidates: z
    .array(
      z.object({
        content: z
          .object({
            parts: z
              .array(
                z.object({
                  text: z.string().optional(),
                  /** The model thinking aloud: not part of what it says. */
                  thought: z.boolean().optional(),
                  functionCall: z.object({ id: z.string().optional(), name: z.string(), args: z.unknown() }).optional(),
                }),
              )
              .optional(),
          })
          .optional(),
        finishReason: z.string().optional(),
      }),
    )
    .optional(),
  promptFeedback: z.object({ blockReason: z.string().optional() }).optional(),
  usageMetadata: z
    .object({
      promptTokenCount: z.number().default(0),
      candidatesTokenCount: z.number().default(0),
      thoughtsTokenCount: z.number().default(0),
    })
    .optional(),
  error: z.object({ code: z.number(), status: z.string().optional() }).optional(),
});

export type GeminiChunk = {
  said: readonly Extract<ModelEvent, { type: 'text' | 'tool_call' }>[];
  /** Why the reply ended, in Google's words; `SAFETY` too where the prompt was blocked. */
  finishReason: string | null;
  usage: Extract<ModelEvent, { type: 'usage' }> | null;
  error: { status: number; code: string | undefined } | null;
};

/** Reads a chunk, the first of whose tool calls is the reply's `callNumber`th. Throws where it is no chunk. */
export function readGeminiChunk(json: unknown, callNumber: number): GeminiChunk {
  const { candidates, promptFeedback, usageMetadata, error } = schema.parse(json);
  const candidate = candidates?.[0];
  const said: GeminiChunk['said'][number][] = [];
  let number = callNumber;
  for (const { text, thought, functionCall } of candidate?.content?.parts ?? []) {
    if (text && !thought) said.push({ type: 'text', text });
    if (!functionCall) continue;
    const { id = `call_${number}`, name, args } = functionCall;
    said.push({ type: 'tool_call', id, name, arguments: JSON.stringify(args ?? {}) });
    number += 1;
  }
  return {
    said,
    finishReason: candidate?.finishReason ?? (promptFeedback?.blockReason ? 'SAFETY' : null),
    usage: usageMetadata
      ? {
          type: 'usage',
          inputTokens: usageMetadata.promptTokenCount,
          outputTokens: usageMetadata.candidatesTokenCount + usageMetadata.thoughtsTokenCount,
        }
      : null,
    error: error ? { status: error.code, code: error.status } : null,
  };
}
