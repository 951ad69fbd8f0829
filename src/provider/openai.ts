import type { IncomingMessage } from 'node:http';
import type { OpenAI } from 'openai';
import type { Clock } from '../core/clock.ts';
import type { ModelCall, ModelMessage, ModelProvider } from '../engine/ports/model.ts';
import { ChatStream } from './chat-stream.ts';
import { failureOfStatus, parseRetryAfter, unavailable } from './model-failure.ts';
import { createNodeFetch } from './node-fetch.ts';

const name = 'openai';

export type OpenAiOptions = {
  model: string;
  /** Left out for a server of one's own that asks for none. */
  apiKey?: string | undefined;
  /** OpenAI's own, or any server that speaks Chat Completions: `http://127.0.0.1:11434/v1`. */
  baseUrl?: string | undefined;
  clock: Clock;
};

type Package = typeof import('openai');
type Params = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;

/**
 * OpenAI, and every server that speaks its Chat Completions. The package makes the request; its body is read here
 * (`chat-stream.ts`), because the package's own iterator takes several times the CPU.
 */
export function createOpenAiProvider({ model, apiKey, baseUrl, clock }: OpenAiOptions): ModelProvider {
  const { fetch, bodyOf } = createNodeFetch();
  // Loaded beside the rest of the start, and not at all where another provider is used.
  const loading = import('openai').then((openai) => ({ openai, client: createClient(openai) }));
  /** Some servers turn down a request for usage; they are asked once. */
  let asksForUsage = true;

  function createClient({ OpenAI: Client }: Package): OpenAI {
    return new Client({
      // The package wants a key; the header it would send is taken out where there is none.
      apiKey: apiKey ?? 'none',
      ...(apiKey === undefined ? { defaultHeaders: { authorization: null } } : {}),
      baseURL: baseUrl ?? 'https://api.openai.com/v1',
      // Given so that the package does not look for them in the environment.
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      logLevel: 'off',
      maxRetries: 0,
      fetch,
    });
  }

  async function open(call: ModelCall, signal: AbortSignal): Promise<IncomingMessage> {
    const { openai, client } = await loading;
    // Others may be told no while this call is on its way.
    const asked = asksForUsage;
    try {
      const params = paramsOf(call, model, asked);
      return bodyOf(await client.chat.completions.create(params, { signal }).asResponse());
    } catch (error) {
      if (asked && refusesUsage(openai, error)) {
        asksForUsage = false;
        return open(call, signal);
      }
      throw failureOf(openai, error);
    }
  }

  function failureOf({ APIError }: Package, error: unknown): Error {
    if (error instanceof APIError && typeof error.status === 'number') {
      const { status, code, headers } = error;
      const retryAfterMs = parseRetryAfter(headers?.get('retry-after') ?? null, clock);
      return failureOfStatus(name, status, { code: code ?? error.type, retryAfterMs });
    }
    const cause = error instanceof Error ? error.cause : undefined;
    return unavailable(name, 'the connection failed', cause instanceof Error && 'code' in cause ? cause.code : null);
  }

  return {
    name,
    model,
    stream: (call, signal) => new ChatStream({ provider: name, clock, signal, open: (request) => open(call, request) }),
  };
}

function refusesUsage({ APIError }: Package, error: unknown): boolean {
  if (!(error instanceof APIError) || (error.status !== 400 && error.status !== 422)) return false;
  return `${error.message} ${JSON.stringify(error.error ?? '')}`.includes('stream_options');
}

function messageOf(message: ModelMessage): Params['messages'][number] {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  if (message.toolCalls === undefined) return { role: message.role, content: message.content };
  const calls = message.toolCalls.map(({ id, name: tool, arguments: text }) => ({
    id,
    type: 'function' as const,
    function: { name: tool, arguments: text },
  }));
  return { role: 'assistant', content: message.content === '' ? null : message.content, tool_calls: calls };
}

function paramsOf(call: ModelCall, model: string, asksForUsage: boolean): Params {
  return {
    model,
    messages: [
      ...(call.system === '' ? [] : [{ role: 'system' as const, content: call.system }]),
      ...call.messages.map(messageOf),
    ],
    stream: true,
    ...(asksForUsage ? { stream_options: { include_usage: true } } : {}),
    ...(call.tools.length === 0
      ? {}
      : {
          tools: call.tools.map(({ name, description, parameters }) => ({
            type: 'function' as const,
            function: { name, description, parameters: { ...parameters } },
          })),
        }),
  };
}
