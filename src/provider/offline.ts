import type { Clock } from '../core/clock.ts';
import { pause } from '../core/pause.ts';
import type { ModelCall, ModelProvider } from '../engine/ports/model.ts';
import { doTask, speakAsCompanion } from './offline-companion.ts';
import { guessLanguage, linesFor } from './offline-lines.ts';
import { type Speech, speakInDebrief, speakInDialogue } from './offline-speech.ts';

const name = 'offline';
const transitionTool = 'transition_phase';

/**
 * A character with no model behind it, that needs no key: it speaks from the lesson's brief and what the student
 * wrote, always the same to the same, a word every `wordDelayMs`.
 */
export function createOfflineProvider({
  model = 'lesson',
  clock,
  wordDelayMs = 25,
}: {
  model?: string;
  clock: Clock;
  wordDelayMs?: number;
}): ModelProvider {
  return {
    name,
    model,
    async *stream(call, signal) {
      const { text, signal: outcome } = speak(call);
      for (const word of text.match(/\s*\S+/gu) ?? []) {
        await pause(wordDelayMs, clock, signal);
        yield { type: 'text', text: word };
      }
      signal.throwIfAborted();
      if (outcome !== null) {
        const given = JSON.stringify({ signal: outcome });
        yield { type: 'tool_call', id: 'call_1', name: transitionTool, arguments: given };
      }
      yield { type: 'end', reason: outcome === null ? 'stop' : 'tool_calls' };
    },
  };
}

function speak({ brief, messages, tools }: ModelCall): Speech {
  if (brief === null)
    return { text: linesFor(guessLanguage(messages.at(-1)?.content ?? '')).nothingToSay, signal: null };
  if (brief.kind === 'conversation') return { text: speakAsCompanion(brief), signal: null };
  if (brief.kind === 'task') return { text: doTask(brief), signal: null };
  const { said } = brief;
  if (brief.kind === 'debrief') return { text: speakInDebrief(brief, said), signal: null };
  const maySignal = tools.some((tool) => tool.name === transitionTool);
  return speakInDialogue(brief, said.slice(-Math.max(1, brief.exchangeNumber)), maySignal);
}
