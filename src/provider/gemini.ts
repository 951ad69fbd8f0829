import { type Content, GoogleGenerativeAI, GoogleGenerativeAIFetchError, type Part } from '@google/generative-ai';
import { z } from 'zod';
import {
  type ModelCall,
  ModelError,
  type ModelEvent,
  type ModelMessage,
  type ModelProvider,
} from '../engine/ports/model.ts';
import { readGeminiChunk } from './gemini-chunk.ts';
import { reduceParameters } from './gemini-schema.ts';
import { failureOfStatus, unavailable } from './model-failure.ts';

const name = 'gemini';

export type GeminiOptions = {
  model: string;
  /** Left out for a server of one's own that asks for none. */
  apiKey?: string | undefined;
  /** Google's own unless given; without the version's path. */
  baseUrl?: string | undefined;
};

const contentFilters = ['SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'];

/** Google's Gemini through `streamGenerateContent`. */
export function createGeminiProvider({ model, apiKey, baseUrl }: GeminiOptions): ModelProvider {
  const client = new GoogleGenerativeAI(apiKey ?? '');
  return {
    name,
    model,
    async *stream(call, signal) {
      signal.throwIfAborted();
      // Leaving early aborts too: the package alone would go on reading, and buying, the reply.
      using request = abortWith(signal);
      try {
        const { stream, response } = await client
          .getGenerativeModel({ model, ...instructionsOf(call) }, baseUrl === undefined ? {} : { baseUrl })
          .generateContentStream({ contents: contentsOf(call.messages) }, { signal: request.signal });
        // The same failure as the stream's, a second time.
        response.catch(() => {});
        yield* readReply(stream, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw failureOf(error);
      }
    },
  };
}

async function* readReply(stream: AsyncIterable<unknown>, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  let calls = 0;
  let finishReason: string | null = null;
  let usage: ModelEvent | null = null;
  for await (const json of stream) {
    const chunk = readGeminiChunk(json, calls + 1);
    if (chunk.error) throw failureOfStatus(name, chunk.error.status, { code: chunk.error.code });
    for (const event of chunk.said) {
      signal.throwIfAborted();
      if (event.type === 'tool_call') calls += 1;
      yield event;
    }
    usage = chunk.usage ?? usage;
    finishReason = chunk.finishReason ?? finishReason;
  }
  signal.throwIfAborted();
  if (finishReason === null) throw unavailable(name, 'the reply broke off');
  if (usage) yield usage;
  yield { type: 'end', reason: endReason(finishReason, calls) };
}

function instructionsOf({ system, tools }: ModelCall) {
  const functionDeclarations = tools.map(({ name: tool, description, parameters }) => {
    const reduced = reduceParameters(parameters);
    return { name: tool, description, ...(reduced ? { parameters: reduced } : {}) };
  });
  return {
    ...(system === '' ? {} : { systemInstruction: system }),
    ...(tools.length === 0 ? {} : { tools: [{ functionDeclarations }] }),
  };
}

/** Gemini wants the roles to alternate and the user to speak first, be it without a word. */
function contentsOf(messages: readonly ModelMessage[]): Content[] {
  const contents: Content[] = messages[0]?.role === 'user' ? [] : [{ role: 'user', parts: [{ text: '…' }] }];
  for (const message of messages) {
    const as = message.role === 'assistant' ? 'model' : 'user';
    const parts = partsOf(message);
    const last = contents.at(-1);
    if (last?.role === as) last.parts.push(...parts);
    else contents.push({ role: as, parts });
  }
  return contents;
}

function partsOf(message: ModelMessage): Part[] {
  if (message.role === 'tool')
    return [{ functionResponse: { name: message.name, response: { result: message.content } } }];
  if (message.toolCalls === undefined) return [{ text: message.content }];
  const calls = message.toolCalls.map(({ name: tool, arguments: text }) => ({
    functionCall: { name: tool, args: readArguments(text) },
  }));
  return message.content === '' ? calls : [{ text: message.content }, ...calls];
}

/** A call's arguments as an object, which is what Gemini wants to hear its own calls as. */
function readArguments(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function endReason(finishReason: string, calls: number): Extract<ModelEvent, { type: 'end' }>['reason'] {
  if (finishReason === 'STOP') return calls > 0 ? 'tool_calls' : 'stop';
  if (finishReason === 'MAX_TOKENS') return 'length';
  return contentFilters.includes(finishReason) ? 'content_filter' : 'other';
}

function failureOf(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (!(error instanceof GoogleGenerativeAIFetchError) || error.status === undefined) {
    return unavailable(name, 'the connection failed or the reply could not be read');
  }
  return failureOfStatus(name, error.status, { retryAfterMs: retryDelayOf(error.errorDetails) });
}

/** Google asks for a delay in the error's details (`"7s"`); the package keeps its headers to itself. */
function retryDelayOf(details: unknown): number | null {
  const delays = z.array(z.object({ retryDelay: z.string().optional() })).safeParse(details);
  const delay = delays.data?.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
  const seconds = Number.parseFloat(delay ?? '');
  return seconds > 0 ? Math.ceil(seconds * 1000) : null;
}

/** A signal that aborts with `signal`, and when it is disposed. */
function abortWith(signal: AbortSignal): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      signal.removeEventListener('abort', abort);
      controller.abort();
    },
  };
}
