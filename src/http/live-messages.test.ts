import { describe, expect, it } from 'vitest';
import { eventHead, eventMessage, problemMessage, readMessage, serverMessage, tokenMessage } from './live-messages.ts';

const read = (value: unknown) => readMessage(JSON.stringify(value));

describe('a message', () => {
  it.each([
    { type: 'respond', session_id: 's', message: 'Kodėl?', client_message_id: 'm' },
    { type: 'respond', session_id: 's', message: 'Kodėl?' },
    { type: 'follow', turn_id: 't', after: 0 },
    { type: 'follow', turn_id: 't', session_id: 's' },
    { type: 'stop', turn_id: 't' },
  ])('is read: %j', (message) => {
    expect(read(message)).toMatchObject({ kind: 'message', message });
  });

  it.each([
    ['that is no JSON', '{"type":', { status: 400, detail: 'The message is not valid JSON.' }],
    ['of bytes', new ArrayBuffer(2), { status: 400, detail: 'A message is sent as text, not as bytes.' }],
    ['that is no object', '[]', { errors: [{ path: '', message: 'must be an object' }] }],
    ['that is null', 'null', { errors: [{ path: '', message: 'must be an object' }] }],
    ['of no type', '{}', { errors: [{ path: 'type', message: 'must be respond, follow or stop' }] }],
    ['of another type', '{"type":"token"}', { errors: [{ path: 'type', message: 'must be respond, follow or stop' }] }],
    [
      'without words',
      '{"type":"respond","session_id":"s","message":" "}',
      { errors: [{ path: 'message', message: 'must not be empty' }] },
    ],
    ['about no turn', '{"type":"stop"}', { errors: [{ path: 'turn_id', message: 'must be a string' }] }],
    [
      'from a place that is none',
      '{"type":"follow","turn_id":"t","after":"3"}',
      { errors: [{ path: 'after', message: 'must be a number' }] },
    ],
  ])('%s is invalid, and the answer says what is wrong', (_, data, problem) => {
    expect(readMessage(data)).toMatchObject({ kind: 'invalid', problem });
  });

  it('that is invalid still says what it is about', () => {
    expect(read({ type: 'respond', client_message_id: 'm' }).about).toEqual({ client_message_id: 'm' });
    expect(read({ type: 'follow', turn_id: 't', after: -1 }).about).toEqual({ turn_id: 't' });
    expect(read({ type: 'stop', turn_id: 7, client_message_id: 'x'.repeat(201) }).about).toEqual({});
  });

  it('of half a surrogate pair is kept as U+FFFD', () => {
    const message = { type: 'respond', session_id: 's', message: 'a\ud83e' };
    expect(read(message)).toMatchObject({ message: { message: 'a\ufffd' } });
  });
});

describe('what the server says', () => {
  const head = eventHead('t"1');

  it('is an event in the form of its schema, whatever is in its text', () => {
    const text = 'ą "left"\n\u2028 🦊 </script>';
    const token: unknown = JSON.parse(tokenMessage(head, 7, text));
    expect(token).toEqual({ type: 'token', turn_id: 't"1', seq: 7, data: { text } });
    const done: unknown = JSON.parse(eventMessage(head, { seq: 8, name: 'done', data: '{"exchanges_count":1}' }));
    expect(done).toEqual({ type: 'done', turn_id: 't"1', seq: 8, data: { exchanges_count: 1 } });
    expect(serverMessage.parse(token)).toEqual(token);
    expect(serverMessage.parse(done)).toEqual(done);
  });

  it('is a problem with the words of its code', () => {
    const problem: unknown = JSON.parse(
      problemMessage({ code: 'RATE_LIMITED', retryAfterSeconds: 1.2 }, { client_message_id: 'm', turn_id: 't' }),
    );
    expect(serverMessage.parse(problem)).toEqual(problem);
    expect(problem).toEqual({
      type: 'problem',
      title: 'Too many requests',
      status: 429,
      code: 'RATE_LIMITED',
      detail: 'Wait as long as Retry-After says and try again.',
      instance: '/api/live',
      turn_id: 't',
      retry_after_seconds: 2,
      client_message_id: 'm',
    });
  });

  it('names the live turn of a problem rather than the one that was asked about', () => {
    const problem = problemMessage({ code: 'TURN_IN_PROGRESS', turnId: 'live' }, { turn_id: 'asked' });
    expect(JSON.parse(problem)).toMatchObject({ turn_id: 'live' });
  });
});
