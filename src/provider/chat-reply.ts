import type { ModelError, ModelEvent } from '../engine/ports/model.ts';
import { type ChatChunk, readChunk, type ToolCallDelta } from './chat-chunk.ts';
import { failureOfStatus, unavailable } from './model-failure.ts';
import type { ChunkSink } from './sse-parser.ts';

type ToolCall = { index: number | null; id: string; name: string; arguments: string };

/**
 * Makes a reply's events out of its chunks: text as it comes; tool calls, usage and the end when the reply is complete.
 * A reply is complete at `[DONE]`, or where the body ends after a finish reason.
 */
export class ChatReply implements ChunkSink {
  /** What was read and not yet taken, oldest first. */
  readonly events: ModelEvent[] = [];
  /** Why there is no more to come, where the reply is not complete. */
  failure: ModelError | null = null;
  /** Whether `end` is among the events that were read. */
  complete = false;
  #provider: string;
  #calls: ToolCall[] = [];
  #usage: ChatChunk['usage'] = null;
  #finishReason: string | null = null;

  constructor(provider: string) {
    this.#provider = provider;
  }

  text(text: string): void {
    this.events.push({ type: 'text', text });
  }

  chunk(json: unknown): void {
    if (this.failure) return;
    const chunk = readChunk(json);
    if (chunk === null) return this.malformed();
    if (chunk.error) return this.#fail(chunk.error);
    if (chunk.text !== '') this.text(chunk.text);
    for (const delta of chunk.toolCalls) this.#addToolCall(delta);
    this.#finishReason = chunk.finishReason ?? this.#finishReason;
    this.#usage = chunk.usage ?? this.#usage;
  }

  malformed(): void {
    this.failure ??= unavailable(this.#provider, 'a chunk of the reply could not be read');
  }

  done(): void {
    if (this.complete || this.failure) return;
    this.complete = true;
    for (const [position, call] of this.#calls.entries()) {
      const id = call.id || `call_${position + 1}`;
      this.events.push({ type: 'tool_call', id, name: call.name, arguments: call.arguments });
    }
    if (this.#usage) this.events.push({ type: 'usage', ...this.#usage });
    this.events.push({ type: 'end', reason: this.#endReason() });
  }

  /** The body is over. */
  bodyEnded(): void {
    if (this.#finishReason !== null) this.done();
    else if (!this.complete) this.failure ??= unavailable(this.#provider, 'the reply broke off');
  }

  #endReason(): Extract<ModelEvent, { type: 'end' }>['reason'] {
    switch (this.#finishReason) {
      case 'length':
      case 'content_filter':
        return this.#finishReason;
      case 'stop':
      case 'tool_calls':
      case null:
        // Some servers say `stop`, or nothing, after a tool call.
        if (this.#calls.length > 0) return 'tool_calls';
        return this.#finishReason === null ? 'other' : 'stop';
      default:
        return 'other';
    }
  }

  #addToolCall(delta: ToolCallDelta): void {
    let call = this.#callOf(delta);
    if (!call) {
      call = { index: delta.index, id: '', name: '', arguments: '' };
      this.#calls.push(call);
    }
    call.id ||= delta.id;
    call.name ||= delta.name;
    call.arguments += delta.arguments;
  }

  /** The call that a delta goes on with; undefined where it begins one. */
  #callOf({ index, id, name }: ToolCallDelta): ToolCall | undefined {
    const call = this.#calls.findLast((other) => index === null || other.index === index);
    // Servers that count wrongly, or not at all, still give another call another id, or its name.
    const isOther = id !== '' && call?.id !== '' && call?.id !== id;
    const isNamedAgain = index === null && name !== '' && call?.name !== '';
    return isOther || isNamedAgain ? undefined : call;
  }

  #fail(error: NonNullable<ChatChunk['error']>): void {
    this.failure =
      error.status === null
        ? unavailable(this.#provider, 'an error came in the reply', error.code)
        : failureOfStatus(this.#provider, error.status, { code: error.code });
  }
}
