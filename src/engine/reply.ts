import type { Clock } from '../core/clock.ts';
import type { Random } from '../core/random.ts';
import type { Settings } from '../core/settings.ts';
import type { CompiledSafety } from '../safety/compile.ts';
import { createReplyFilter, type LeakedCall, type ReplyPolicy, type Violation } from '../safety/reply-filter.ts';
import { openModelStream, orAborted } from './model-stream.ts';
import { type ModelCall, ModelError, type ModelEvent, type ModelProvider, type ToolCall } from './ports/model.ts';
import type { TurnWriter } from './ports/turn-log.ts';

/** What the student has been shown of a turn; each `say` is one `token` event. Read at the end, not at each token. */
export type Voice = { readonly text: string; readonly tokenLengths: readonly number[]; say(text: string): void };

/** A voice that speaks into a turn's log. */
export function createVoice(writer: TurnWriter): Voice {
  const tokens: string[] = [];
  let said: string | null = '';
  return {
    get text() {
      said ??= tokens.join('');
      return said;
    },
    get tokenLengths() {
      return tokens.map(({ length }) => length);
    },
    say(text) {
      if (text === '') return;
      tokens.push(text);
      said = null;
      writer.token(text);
    },
  };
}

/** What one call to the model came to: `calls` it made as calls, `leakedCalls` it wrote out as text. */
export type Reply = {
  violation: Violation | null;
  calls: readonly ToolCall[];
  leakedCalls: readonly LeakedCall[];
  /** Characters the model wrote, shown or not. */
  received: number;
  intensity: number;
  pressureExceeded: boolean;
  usage: { inputTokens: number; outputTokens: number };
  endReason: string;
  firstTokenMs: number | null;
};

/** Takes the model's text as it comes and gives back what of it is meant to be read. */
export type ReplyReader = { push(text: string): string; end(): string };

export type ReplyInput = {
  provider: ModelProvider;
  call: ModelCall;
  policy: ReplyPolicy;
  voice: Voice;
  /** Aborts the provider: the learner's stop, or the server going down. */
  signal: AbortSignal;
  /** Where the reply is not plain text; null where all of it is meant to be read. */
  reader: ReplyReader | null;
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
  const { voice, reader } = input;
  const filter = createReplyFilter(parts.safety, input.policy);
  const startedAt = parts.clock.now();
  const calls: ToolCall[] = [];
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
      voice.say(filter.push(reader ? reader.push(event.text) : event.text));
      received += event.text.length;
      return filter.violation === null && received <= parts.settings.replyCharacters;
    }
    if (event.type === 'tool_call') calls.push({ id: event.id, name: event.name, arguments: event.arguments });
    else if (event.type === 'end') endReason = event.reason;
    else {
      usage.inputTokens += event.inputTokens;
      usage.outputTokens += event.outputTokens;
    }
    return true;
  };
  const { rest } = stream;
  let isWanted = take(stream.first);
  const takeRest = async () => {
    while (isWanted) {
      const ready = rest.ready?.();
      if (ready) {
        isWanted = take(ready);
        continue;
      }
      let next: IteratorResult<ModelEvent>;
      try {
        next = await rest.next();
      } catch (thrown) {
        throw stream.failure(thrown);
      }
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
  if (filter.violation === null && reader) voice.say(filter.push(reader.end()));
  if (filter.violation === null) voice.say(filter.end());
  return {
    violation: filter.violation,
    calls,
    leakedCalls: filter.leakedCalls,
    received,
    intensity: filter.intensity,
    pressureExceeded: filter.pressureExceeded,
    usage,
    endReason,
    firstTokenMs,
  };
}
