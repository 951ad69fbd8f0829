import { type Signal, signals, transitionToolName } from '../prompt/lesson-call.ts';
import type { Reply } from './reply.ts';

/** Something the model said of the phase, and what became of it. */
export type HeardSignal = {
  signal: string;
  from: 'tool_call' | 'text';
  verdict: 'accepted' | 'ignored';
  reason?: string;
};

type Claim = { name: string; signal: string | null; closing: string; from: HeardSignal['from'] };

/**
 * What the model said of the phase in all of a turn's replies: the first signal that may be one, and what became of
 * the others. `refusal` says why none may be; null where the transition tool was offered.
 */
export function hearSignals(
  replies: readonly Reply[],
  refusal: string | null,
): { signal: Signal | null; heard: HeardSignal[] } {
  const heard: HeardSignal[] = [];
  let accepted: Signal | null = null;
  for (const { name, signal, from } of replies.flatMap(claimsOf)) {
    const known = signals.find((each) => each === signal) ?? null;
    const reason = refusalOf({ name, known, refusal, isLate: accepted !== null });
    heard.push({
      signal: signal ?? '',
      from,
      verdict: reason === null ? 'accepted' : 'ignored',
      ...(reason === null ? {} : { reason }),
    });
    if (reason === null) accepted = known;
  }
  return { signal: accepted, heard };
}

/** The last words that a transition carried, for when nothing else was said. */
export function closingOf(reply: Reply): string {
  return claimsOf(reply).find(({ name, closing }) => name === transitionToolName && closing !== '')?.closing ?? '';
}

function refusalOf({
  name,
  known,
  refusal,
  isLate,
}: {
  name: string;
  known: Signal | null;
  refusal: string | null;
  isLate: boolean;
}): string | null {
  if (name !== transitionToolName) return 'unknown tool';
  if (known === null) return 'unknown signal';
  return refusal ?? (isLate ? 'a signal was heard already' : null);
}

function claimsOf({ calls, leakedCalls }: Reply): Claim[] {
  return [
    ...calls.map(readToolCall),
    ...leakedCalls.map(({ name, signal, responseText }) => ({
      name,
      signal,
      closing: responseText ?? '',
      from: 'text' as const,
    })),
  ];
}

/** Reads a tool call's arguments leniently: anything that is not the JSON asked for has no signal. */
function readToolCall(call: { name: string; arguments: string }): Claim {
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
    from: 'tool_call',
  };
}
