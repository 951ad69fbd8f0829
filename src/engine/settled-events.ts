import type { TurnEvent } from './ports/turn-log.ts';
import type { SettledTurn, TurnRecord } from './ports/store.ts';
import { failedTurn } from './settlement.ts';

/**
 * The events of a turn whose log is gone, from what was kept when it settled: the text that came after the event
 * `after` as a single `token`, then the terminal event; nothing where the client has that already. A withdrawn reply is its
 * end alone, right after whatever of it the client has seen. A turn that never settled ends as interrupted; nobody knows
 * how far it had come, so its end follows what the client has seen too.
 */
export function settledEvents(turn: TurnRecord, after: number): TurnEvent[] {
  const { settled } = turn;
  if (!settled || turn.status === 'interrupted') return [end(after + 1, failedTurn('INTERRUPTED', true).terminal)];
  const tokens = settled.tokenLengths.length;
  if (after > tokens) return [];
  if (settled.terminal.name === 'redact') return [end(after + 1, settled.terminal)];
  const seen = settled.tokenLengths.slice(0, after).reduce((sum, length) => sum + length, 0);
  const rest = settled.text.slice(seen);
  const terminal = end(tokens + 1, settled.terminal);
  return rest === ''
    ? [terminal]
    : [{ seq: tokens, name: 'token', data: `{"text":${JSON.stringify(rest)}}` }, terminal];
}

function end(seq: number, { name, data }: SettledTurn['terminal']): TurnEvent {
  return { seq, name, data };
}
