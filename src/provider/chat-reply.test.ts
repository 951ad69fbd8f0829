import { expect, test } from 'vitest';
import { ChatReply } from './chat-reply.ts';

/** The tool calls of a reply whose deltas carried these, one list a chunk. */
function callsOf(...deltas: readonly unknown[][]) {
  const reply = new ChatReply('openai');
  for (const tool_calls of deltas) reply.chunk({ choices: [{ delta: { tool_calls } }] });
  reply.chunk({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] });
  reply.done();
  return reply.events.filter((event) => event.type === 'tool_call');
}

test('calls are told apart by index, however their pieces interleave', () => {
  const calls = callsOf(
    [{ index: 0, id: 'a', function: { name: 'one', arguments: '{"x"' } }],
    [
      { index: 1, id: 'b', function: { name: 'two', arguments: '{' } },
      { index: 0, function: { arguments: ':1}' } },
    ],
    [{ index: 1, function: { arguments: '}' } }],
  );
  expect(calls).toEqual([
    { type: 'tool_call', id: 'a', name: 'one', arguments: '{"x":1}' },
    { type: 'tool_call', id: 'b', name: 'two', arguments: '{}' },
  ]);
});

test('without an index, a new id or name begins a new call and anything else goes on with the last', () => {
  const calls = callsOf(
    [{ id: 'a', function: { name: 'one', arguments: '{' } }],
    [{ function: { arguments: '}' } }],
    [{ id: 'a', function: { arguments: ' ' } }],
    [{ id: 'b', function: { name: 'one', arguments: '{}' } }],
    [{ function: { name: 'two', arguments: '{}' } }],
  );
  expect(calls).toEqual([
    { type: 'tool_call', id: 'a', name: 'one', arguments: '{} ' },
    { type: 'tool_call', id: 'b', name: 'one', arguments: '{}' },
    { type: 'tool_call', id: 'call_3', name: 'two', arguments: '{}' },
  ]);
});

test('calls that share an index are told apart by id', () => {
  const calls = callsOf(
    [{ index: 0, id: 'a', function: { name: 'one', arguments: '{}' } }],
    [{ index: 0, id: 'b', function: { name: 'two', arguments: '{' } }],
    [{ index: 0, function: { arguments: '}' } }],
  );
  expect(calls).toEqual([
    { type: 'tool_call', id: 'a', name: 'one', arguments: '{}' },
    { type: 'tool_call', id: 'b', name: 'two', arguments: '{}' },
  ]);
});

test('arguments given as an object are written out, and missing ones are empty', () => {
  const calls = callsOf([
    { index: 0, id: 'a', function: { name: 'one', arguments: { signal: 'partial' } } },
    { index: 1, id: 'b', function: { name: 'two' } },
  ]);
  expect(calls.map((call) => call.arguments)).toEqual(['{"signal":"partial"}', '']);
});

test('usage that is repeated counts once, as it was last', () => {
  const reply = new ChatReply('openai');
  for (const completion_tokens of [1, 2, 3]) {
    reply.chunk({ choices: [{ delta: { content: 'a' } }], usage: { prompt_tokens: 5, completion_tokens } });
  }
  reply.done();
  expect(reply.events.filter(({ type }) => type === 'usage')).toEqual([
    { type: 'usage', inputTokens: 5, outputTokens: 3 },
  ]);
});

test('JSON that is no chunk is malformed', () => {
  for (const json of ['text', 7, null, []]) {
    const reply = new ChatReply('openai');
    reply.chunk(json);
    expect(reply.failure).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
  }
});

test('after [DONE] the end of the body adds nothing', () => {
  const reply = new ChatReply('openai');
  reply.chunk({ choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] });
  reply.done();
  const { length } = reply.events;
  reply.bodyEnded();
  expect(reply.events).toHaveLength(length);
  expect(reply.failure).toBeNull();
});
