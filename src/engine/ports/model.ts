import { AppError, type ErrorCode } from '../../core/errors.ts';

/** How able a model a cartridge asks for; the environment says which model that is. */
export type ModelTier = 'fast' | 'standard' | 'complex';

/** A tool call as the model made it; `arguments` is the text it wrote, JSON at best. */
export type ToolCall = { id: string; name: string; arguments: string };

/** What a model reads: words, its own calls of tools, and what the tools gave back. */
export type ModelMessage =
  | { role: 'user' | 'assistant'; content: string; toolCalls?: undefined }
  | { role: 'assistant'; content: string; toolCalls: readonly ToolCall[] }
  | { role: 'tool'; toolCallId: string; name: string; content: string };

/** A tool offered to the model. `parameters` is a JSON Schema of type object. */
export type ToolDefinition = { name: string; description: string; parameters: Readonly<Record<string, unknown>> };

/** A point of the lesson that the student should come to see, for a character that speaks without a model. */
export type BriefPoint = {
  id: string;
  description: string;
  isMandatory: boolean;
  technique: string | null;
  realWorld: string | null;
};

/**
 * The lesson in data rather than prose: what a provider with no model behind it needs to speak from the cartridge
 * alone. Providers that call a model ignore it.
 */
export type LessonBrief = {
  kind: 'dialogue' | 'debrief';
  language: string;
  title: string;
  opening: string;
  keyLesson: string;
  /** What the student said in the whole lesson, oldest first: their own words and nothing that was put beside them. */
  said: readonly string[];
  points: readonly BriefPoint[];
  /** The student's messages in this phase, this one included. */
  exchangeNumber: number;
  maxExchanges: number;
};

/** What a companion says, in data rather than prose, for a provider with no model behind it. */
export type ConversationBrief = {
  kind: 'conversation';
  language: string;
  title: string;
  /** What the person said in this conversation, oldest first. */
  said: readonly string[];
  /** What is remembered of earlier conversations: whole sentences, the most telling first. */
  remembered: readonly string[];
  /** Where the reply has to be JSON: the schema it has to fit. */
  replyFormat: unknown;
};

/** Work on what was said, with no one waiting for the words: a summary, facts, topics, a note. */
export type TaskBrief = {
  kind: 'task';
  task: string;
  language: string;
  /** The messages the task is about, oldest first. */
  said: readonly { role: 'user' | 'assistant'; content: string }[];
  /** What was written before and is to be brought up to date; empty where there is nothing. */
  earlier: string;
};

export type ModelBrief = LessonBrief | ConversationBrief | TaskBrief;

/** One request to a model. `system` is the whole system prompt; `messages` are oldest first and end with the user's. */
export type ModelCall = {
  system: string;
  messages: readonly ModelMessage[];
  tools: readonly ToolDefinition[];
  brief: ModelBrief | null;
  /** Whose words it holds, as `personHash` has it, so that a recording of it can be erased; sent nowhere. */
  person?: string;
};

/** What a model says, as it says it. A tool call comes whole, its `arguments` as the text the model wrote. */
export type ModelEvent =
  | { type: 'text'; text: string }
  | ({ type: 'tool_call' } & ToolCall)
  | { type: 'usage'; inputTokens: number; outputTokens: number }
  | { type: 'end'; reason: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other' };

/**
 * A model behind one adapter.
 *
 * `stream` makes one attempt: it neither retries nor times out (the engine does both). It throws a `ModelError` and
 * nothing else, except that once `signal` is aborted it may throw anything. Leaving the loop early (`return`) or
 * aborting the signal closes the connection at once. The last event of a complete reply is `end`; a stream that
 * stops without one throws `ModelError` `MODEL_UNAVAILABLE`.
 */
export interface ModelProvider {
  /** `openai`, `gemini`, `recorded` or `offline`: also the name of the provider's override prompt. */
  readonly name: string;
  readonly model: string;
  /** Whose override prompt it takes, where that is not its own name: a recording takes that of what was recorded. */
  readonly promptsOf?: string;
  stream(call: ModelCall, signal: AbortSignal): ModelEvents;
}

/** What a provider's `stream` gives. */
export interface ModelEvents extends AsyncIterable<ModelEvent> {
  [Symbol.asyncIterator](): ModelEventIterator;
}

export interface ModelEventIterator extends AsyncIterator<ModelEvent> {
  /** The next event where it is there already, so that tokens that came together cost no promise each. */
  ready?(): ModelEvent | undefined;
}

/** Why a provider failed. Retryable: 408, 409, 429, 5xx, a cut or refused connection. Final: 400, 401, 403, 404, 422. */
export class ModelError extends AppError {
  /** What the provider asked for in `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | null;

  constructor(
    code: ErrorCode,
    message: string,
    options: { retryable: boolean; retryAfterMs?: number | null; cause?: unknown },
  ) {
    super(code, message, options);
    this.name = 'ModelError';
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
