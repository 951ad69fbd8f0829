/**
 * One chunk of a Chat Completions stream, as far as a reply needs it. Servers differ in what they leave out and in
 * what they write as null, so every field is looked for and none is relied on.
 */
export type ChatChunk = {
  /** What was said; empty where nothing was. */
  text: string;
  toolCalls: readonly ToolCallDelta[];
  finishReason: string | null;
  usage: { inputTokens: number; outputTokens: number } | null;
  /** The server says inside the stream that it failed; `status` where it names one. */
  error: { status: number | null; code: unknown } | null;
};

/** A piece of a tool call. `index` is null where the server counts none. */
export type ToolCallDelta = { index: number | null; id: string; name: string; arguments: string };

/** Reads a chunk's JSON; null where it is no chunk at all. */
export function readChunk(json: unknown): ChatChunk | null {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
  const choices = member(json, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const delta = member(choice, 'delta');
  const calls = member(delta, 'tool_calls');
  const finishReason = member(choice, 'finish_reason');
  return {
    text: textOf(member(delta, 'content')),
    toolCalls: Array.isArray(calls) ? calls.map(readToolCall) : [],
    finishReason: textOf(finishReason) || null,
    usage: readUsage(member(json, 'usage')),
    error: readError(json),
  };
}

/** The text of a chunk that holds a piece of text and nothing else that matters; null for any other. */
export function plainText(json: unknown): string | null {
  const chunk = readChunk(json);
  if (chunk === null || chunk.text === '' || chunk.toolCalls.length > 0) return null;
  return chunk.finishReason === null && chunk.usage === null && chunk.error === null ? chunk.text : null;
}

function readToolCall(call: unknown): ToolCallDelta {
  const called = member(call, 'function');
  const index = member(call, 'index');
  const given = member(called, 'arguments');
  return {
    index: typeof index === 'number' ? index : null,
    id: textOf(member(call, 'id')),
    name: textOf(member(called, 'name')),
    // Some servers give the arguments as the object itself.
    arguments: typeof given === 'object' && given !== null ? JSON.stringify(given) : textOf(given),
  };
}

function readUsage(usage: unknown): ChatChunk['usage'] {
  const inputTokens = member(usage, 'prompt_tokens');
  const outputTokens = member(usage, 'completion_tokens');
  if (typeof inputTokens !== 'number' && typeof outputTokens !== 'number') return null;
  return { inputTokens: countOf(inputTokens), outputTokens: countOf(outputTokens) };
}

function readError(json: object): ChatChunk['error'] {
  const error = member(json, 'error') ?? (member(json, 'object') === 'error' ? json : null);
  if (error === null || error === '') return null;
  const code = member(error, 'code');
  const status = [code, member(error, 'status')].find((value) => typeof value === 'number');
  return { status: typeof status === 'number' && status >= 400 && status < 600 ? status : null, code };
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.floor(value) : 0;
}
