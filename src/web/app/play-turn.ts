import { ProblemError } from '../client/problem.ts';
import type { DoneEvent, TurnEvent } from '../client/turn-event.ts';
import type { Bubble } from './bubble.ts';

/** How a turn ended, as far as the page is concerned. */
export type TurnEnd =
  | { kind: 'done'; event: DoneEvent }
  | { kind: 'redacted' }
  /** The reply failed; where `retryable`, the same message may be sent again. */
  | { kind: 'failed'; code: string; retryable: boolean }
  | { kind: 'refused'; problem: ProblemError }
  | { kind: 'lost' }
  /** The page went away. */
  | { kind: 'left' };

export type Playing = {
  signal: AbortSignal;
  /** Called after each change of what is shown, at most once a frame. */
  onShown: () => void;
};

/** Shows a turn's events in a bubble as they come, and says how it ended. Never throws. */
export async function playTurn(
  events: AsyncIterable<TurnEvent>,
  bubble: Bubble,
  { signal, onShown }: Playing,
): Promise<TurnEnd> {
  let text = '';
  let frame = 0;
  const show = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    bubble.say(text);
    onShown();
  };
  bubble.startWriting();
  onShown();
  try {
    for await (const event of events) {
      if (event.type === 'token') {
        text += event.text;
        if (frame === 0) frame = requestAnimationFrame(show);
        continue;
      }
      show();
      if (event.type === 'done') return { kind: 'done', event };
      if (event.type === 'error') return { kind: 'failed', code: event.code, retryable: event.retryable };
      bubble.withdraw(event.fallback_text);
      return { kind: 'redacted' };
    }
    return { kind: 'lost' };
  } catch (error) {
    if (signal.aborted) return { kind: 'left' };
    return error instanceof ProblemError ? { kind: 'refused', problem: error } : { kind: 'lost' };
  } finally {
    cancelAnimationFrame(frame);
    bubble.stopWriting();
    onShown();
  }
}
