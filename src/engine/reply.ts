import type { Clock } from '../core/clock.ts';
import type { Random } from '../core/random.ts';
import type { Settings } from '../core/settings.ts';
import { signals, transitionToolName, type Signal } from '../prompt/lesson-call.ts';
import type { CompiledSafety } from '../safety/compile.ts';
import { createReplyFilter, type ReplyPolicy, type Violation } from '../safety/reply-filter.ts';
import { type ModelStream, openModelStream, orAborted } from './model-stream.ts';
import { type ModelCall, ModelError, type ModelEvent, type ModelProvider } from './ports/model.ts';
import type { TurnWriter } from './ports/turn-log.ts';

/** What the student has been shown of a turn; each `say` is one `token` event. */
export type Voice = { readonly text: string; readonly tokenLengths: readonly number[]; say(text: string): void };

/** A voice that speaks into a turn's log. */
export function createVoice(writer: TurnWriter): Voice {
  const tokenLengths: number[] = [];
  let said = '';
  return {
    get text() {
      return said;
    },
    tokenLengths,
    say(text) {
      if (text === '') return;
      said += text;
      tokenLengths.push(text.length);
      writer.token(text);
    },
  };
}

/** Something the model said of the phase, and what became of it. */
export type HeardSignal = {
  signal: string;
  from: 'tool_call' | 'text';
  verdict: 'accepted' | 'ignored';
  reason?: string;
};

/** What one call to the model came to. `closing` is a tool call's `response_text`, for when nothing else was said. */
export type Reply = {
  violation: Violation | null;
  signal: Signal | null;
  heard: HeardSignal[];
  closing: string;
  intensity: number;
  pressureExceeded: boolean;
  usage: { inputTokens: number; outputTokens: number };
  endReason: string;
  firstTokenMs: number | null;
};

export type ReplyInput = {
  provider: ModelProvider;
  call: ModelCall;
  policy: ReplyPolicy;
  voice: Voice;
  /** Aborts the provider: the learner's stop, or the server going down. */
  signal: AbortSignal;
  /** Why a signal would be ignored; null where the transition tool was offered. */
  refuseSignal: string | null;
  onAttemptFailed: (error: ModelError) => void;
};

export type ReplyParts = { safety: CompiledSafety; settings: Settings; clock: Clock; random: Random };

/**
 * Streams one call's reply through the hold-back filter into the voice.
 *
 * Ends early, closing the provider's connection, at a violation or past the longest reply allowed. Throws `ModelError`
 * as `openModelStream` does; whatever was said by then has been said.
 */
export async function streamReply(parts: ReplyParts, input: ReplyInput): Promise<Reply> {
  const { voice } = input;
  const filter = createReplyFilter(parts.safety, input.policy);
  const startedAt = parts.clock.now();
  const calls: { name: string; arguments: string }[] = [];
  const usage = { inputTokens: 0, outputTokens: 0 };
  let endReason = 'cut';
  let firstTokenMs: number | null = null;
  let received = 0;
  using stream = await openModelStream(input.provider, input.call, {
    settings: parts.settings,
    clock: parts.clock,
    random: parts.random,
    signal: input.signal,
    onAttemptFailed: ({ error }) => input.onAttemptFailed(error),
  });
  /** Takes one event; false where nothing more is wanted. */
  const take = (event: ModelEvent): boolean => {
    if (event.type === 'text') {
      firstTokenMs ??= parts.clock.now() - startedAt;
      voice.say(filter.push(event.text));
      received += event.text.length;
      return filter.violation === null && received <= parts.settings.replyCharacters;
    }
    if (event.type === 'tool_call') calls.push(event);
    else if (event.type === 'end') endReason = event.reason;
    else {
      usage.inputTokens += event.inputTokens;
      usage.outputTokens += event.outputTokens;
    }
    return true;
  };
  let isWanted = take(stream.first);
  const takeRest = async () => {
    while (isWanted) {
      const next = await nextEvent(stream);
      if (next.done && endReason === 'cut')
        throw new ModelError('MODEL_UNAVAILABLE', `${input.provider.name}: the reply broke off`, { retryable: true });
      isWanted = isWanted && !next.done && take(next.value);
    }
  };
  try {
    // One race a reply and not one a token; what a provider says after it was aborted is not heard.
    await orAborted(takeRest(), stream.signal);
  } finally {
    isWanted = false;
  }
  if (filter.violation === null) voice.say(filter.end());
  const heard: HeardSignal[] = [];
  let signal: Signal | null = null;
  let closing = '';
  const claims = [
    ...calls.map((call) => ({ ...readToolCall(call), from: 'tool_call' as const })),
    ...filter.leakedCalls.map((leak) => ({
      name: leak.name,
      signal: leak.signal,
      closing: leak.responseText ?? '',
      from: 'text' as const,
    })),
  ];
  for (const claim of claims) {
    const known = signals.find((each) => each === claim.signal) ?? null;
    const reason =
      claim.name !== transitionToolName
        ? 'unknown tool'
        : known === null
          ? 'unknown signal'
          : (input.refuseSignal ?? (signal === null ? null : 'a signal was heard already'));
    heard.push({
      signal: claim.signal ?? '',
      from: claim.from,
      verdict: reason === null ? 'accepted' : 'ignored',
      ...(reason === null ? {} : { reason }),
    });
    if (claim.name === transitionToolName) closing ||= claim.closing;
    if (reason === null) signal = known;
  }
  return {
    violation: filter.violation,
    signal,
    heard,
    closing,
    intensity: filter.intensity,
    pressureExceeded: filter.pressureExceeded,
    usage,
    endReason,
    firstTokenMs,
  };
}

/** The next event of a stream; what goes wrong is said in the words of the port. */
async function nextEvent(stream: ModelStream): Promise<IteratorResult<ModelEvent>> {
  try {
    return await stream.rest.next();
  } catch (thrown) {
    throw stream.failure(thrown);
  }
}

/** Reads a tool call's arguments leniently: anything that is not the JSON asked for has no signal. */
function readToolCall(call: { name: string; arguments: string }): {
  name: string;
  signal: string | null;
  closing: string;
} {
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(call.arguments);
  } catch {
    // Weak models write what is not JSON; that is a call without a signal.
  }
  const fields = typeof parsed === 'object' && parsed !== null ? (parsed as Readonly<Record<string, unknown>>) : {};
  return {
    name: call.name,
    signal: typeof fields['signal'] === 'string' ? fields['signal'].slice(0, 40) : null,
    closing: typeof fields['response_text'] === 'string' ? fields['response_text'] : '',
  };
}
