import { describe, expect, it } from 'vitest';
import type { SettledTurn, TurnRecord } from './ports/store.ts';
import { settledEvents } from './settled-events.ts';

const done: SettledTurn = {
  text: 'one two three',
  tokenLengths: [4, 4, 5],
  terminal: { name: 'done', data: '{"exchanges_count":1}' },
  retryable: false,
};

function turn(settled: SettledTurn | null): TurnRecord {
  return {
    id: 't',
    sessionId: 's',
    kind: 'dialogue',
    status: 'done',
    clientMessageId: null,
    exchangeId: 'e',
    startedAt: 0,
    settledAt: 1,
    settled,
  };
}

describe('a turn whose log is gone', () => {
  it('is its whole text as one token, and the terminal event', () => {
    expect(settledEvents(turn(done), 0)).toEqual([
      { seq: 3, name: 'token', data: '{"text":"one two three"}' },
      { seq: 4, name: 'done', data: '{"exchanges_count":1}' },
    ]);
  });

  it.each([
    [1, '{"text":"two three"}'],
    [2, '{"text":"three"}'],
  ])('resumed after event %i goes on with the text that was not seen', (after, data) => {
    expect(settledEvents(turn(done), after)[0]).toEqual({ seq: 3, name: 'token', data });
  });

  it('resumed with all text seen is the terminal event; with that seen too, nothing', () => {
    expect(settledEvents(turn(done), 3)).toEqual([{ seq: 4, name: 'done', data: '{"exchanges_count":1}' }]);
    expect(settledEvents(turn(done), 4)).toEqual([]);
  });

  it('that was redacted has no text, only its end', () => {
    const redacted = { ...done, text: '', tokenLengths: [0, 0], terminal: { name: 'redact' as const, data: '{}' } };
    expect(settledEvents(turn(redacted), 0)).toEqual([{ seq: 1, name: 'redact', data: '{}' }]);
    expect(settledEvents(turn(redacted), 2)).toEqual([{ seq: 3, name: 'redact', data: '{}' }]);
    // Whoever has its end is not sent it again.
    expect(settledEvents(turn(redacted), 3)).toEqual([]);
  });

  it('that failed before its first token is its error, once', () => {
    const failed = { ...done, text: '', tokenLengths: [], terminal: { name: 'error' as const, data: '{}' } };
    expect(settledEvents(turn(failed), 0)).toEqual([{ seq: 1, name: 'error', data: '{}' }]);
    expect(settledEvents(turn(failed), 1)).toEqual([]);
  });

  it('that never settled is interrupted, wherever its client had got to', () => {
    const [event, ...more] = settledEvents(turn(null), 7);
    expect(event).toMatchObject({ seq: 8, name: 'error' });
    expect(JSON.parse(event?.data ?? '')).toMatchObject({ code: 'INTERRUPTED', retryable: true });
    expect(more).toEqual([]);
  });
});
