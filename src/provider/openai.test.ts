import { afterEach, beforeEach, expect, test } from 'vitest';
import { collect, failing, texts } from '../../test/fixtures/model-events.ts';
import { burst, startOpenAiUpstream } from '../../test/fixtures/openai-upstream.ts';
import {
  drops,
  fails,
  keepsSilent,
  type ReplyPart,
  refusedOrigin,
  replies,
  says,
} from '../../test/fixtures/scripted-upstream.ts';
import { SimulatedClock, systemClock } from '../core/clock.ts';
import type { ModelCall } from '../engine/ports/model.ts';
import { createOpenAiProvider } from './openai.ts';

type Upstream = Awaited<ReturnType<typeof startOpenAiUpstream>>;

const secret = 'Šitas sakinys yra mokinio.';
const call: ModelCall = {
  system: 'You are the Trickster.',
  messages: [
    { role: 'assistant', content: 'Look at this.' },
    { role: 'user', content: secret },
  ],
  tools: [],
  brief: null,
};
const tool = { name: 'transition_phase', description: 'Moves on.', parameters: { type: 'object', properties: {} } };
const never = new AbortController().signal;

let upstream: Upstream;
beforeEach(async () => {
  upstream = await startOpenAiUpstream();
});
afterEach(() => upstream.close());

const provider = (options: { baseUrl?: string; apiKey?: string } = {}) =>
  createOpenAiProvider({ model: 'm-1', apiKey: 'sk-test', baseUrl: upstream.url, clock: systemClock, ...options });

const said = (parts: readonly ReplyPart[], options = {}) => {
  upstream.respondWith(replies(parts, options));
  return collect(provider().stream(call, never));
};

test('text arrives token by token, then usage, then the end', async () => {
  upstream.respondWith(says('Hel', 'lo, ', 'mokiny! 🙂'));
  expect(await collect(provider().stream(call, never))).toEqual([
    { type: 'text', text: 'Hel' },
    { type: 'text', text: 'lo, ' },
    { type: 'text', text: 'mokiny! 🙂' },
    { type: 'usage', inputTokens: 10, outputTokens: 3 },
    { type: 'end', reason: 'stop' },
  ]);
});

test('a burst arrives whole', async () => {
  upstream.respondWith(burst(200));
  const events = await collect(provider().stream(call, never));
  expect(texts(events)).toHaveLength(200);
  expect(events.slice(200)).toEqual([
    { type: 'usage', inputTokens: 10, outputTokens: 200 },
    { type: 'end', reason: 'stop' },
  ]);
});

test('the request carries the key, the system prompt, the messages and the tools', async () => {
  await collect(provider().stream({ ...call, tools: [tool] }, never));
  const [request] = upstream.requests;
  expect(request?.path).toBe('/v1/chat/completions');
  expect(request?.headers.authorization).toBe('Bearer sk-test');
  expect(request?.body).toEqual({
    model: 'm-1',
    messages: [{ role: 'system', content: call.system }, ...call.messages],
    stream: true,
    stream_options: { include_usage: true },
    tools: [{ type: 'function', function: tool }],
  });
});

test('a server of one’s own is asked without a key, and without tools where there are none', async () => {
  await collect(createOpenAiProvider({ model: 'm', baseUrl: upstream.url, clock: systemClock }).stream(call, never));
  expect(upstream.requests[0]?.headers).not.toHaveProperty('authorization');
  expect(upstream.requests[0]?.body).not.toHaveProperty('tools');
});

test('a tool call whose arguments come in pieces arrives whole', async () => {
  const given = '{"signal":"understood","response_text":"Gerai, „supratai“."}';
  const events = await said([{ tool: { name: 'transition_phase', arguments: given, id: 'c9', pieces: 7 } }]);
  expect(events).toEqual([
    { type: 'tool_call', id: 'c9', name: 'transition_phase', arguments: given },
    { type: 'usage', inputTokens: 10, outputTokens: 1 },
    { type: 'end', reason: 'tool_calls' },
  ]);
});

test('several tool calls, before and after text, each arrive whole', async () => {
  const events = await said([
    { tool: { name: 'first', arguments: '{"a":1}', pieces: 3 } },
    { text: ['between'] },
    { tool: { name: 'second', arguments: '{"b":2}' } },
  ]);
  expect(events.filter(({ type }) => type === 'tool_call')).toEqual([
    { type: 'tool_call', id: 'call_1', name: 'first', arguments: '{"a":1}' },
    { type: 'tool_call', id: 'call_2', name: 'second', arguments: '{"b":2}' },
  ]);
  expect(events.filter(({ type }) => type === 'text')).toEqual([{ type: 'text', text: 'between' }]);
});

test('a reply without [DONE] is complete where it had a finish reason', async () => {
  expect((await said([{ text: ['a'] }], { done: false })).at(-1)).toEqual({ type: 'end', reason: 'stop' });
});

test('a reply with [DONE] and no finish reason is complete', async () => {
  expect((await said([{ text: ['a'] }], { finish: null })).at(-1)).toEqual({ type: 'end', reason: 'other' });
});

test('a reply that stops with neither is broken off', async () => {
  upstream.respondWith(replies([{ text: ['a'] }], { finish: null, done: false, usage: null }));
  const { before, error } = await failing(provider().stream(call, never), secret);
  expect(before).toEqual([{ type: 'text', text: 'a' }]);
  expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
});

test.each([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content_filter'],
  ['tool_calls', 'stop'],
  ['something_new', 'other'],
])('a finish reason of %s without a tool call ends as %s', async (finish, reason) => {
  expect((await said([{ text: ['a'] }], { finish })).at(-1)).toEqual({ type: 'end', reason });
});

test.each(['stop', 'tool_calls', null])(
  'a finish reason of %s after a tool call ends as tool_calls',
  async (finish) => {
    const events = await said([{ tool: { name: 'first', arguments: '{}' } }], { finish });
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'tool_calls' });
  },
);

test('lines that end in CRLF, comments and torn characters make no difference', async () => {
  const tokens = ['Lietu', 'viškai: ąčęėįšųūž', ' 🙂', ' "kabutės"\n'];
  for (const splitBytes of [1, 7, 100]) {
    const parts = [{ raw: ': ping\r\n\r\n' }, { text: tokens }];
    const events = await said(parts, { lineEnd: '\r\n', splitBytes });
    expect(texts(events)).toEqual(tokens);
  }
});

test('reasoning, nulls and empty deltas say nothing', async () => {
  const raw = [
    { choices: [{ delta: { role: 'assistant', content: null } }] },
    { choices: [{ delta: { reasoning_content: 'Hmm.' }, finish_reason: null }] },
    { choices: [{ delta: { content: '', tool_calls: null } }] },
    { choices: [] },
    { choices: [{ index: 0, delta: { content: 'Yes.' } }], usage: null },
  ]
    .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
    .join('');
  const events = await said([{ raw }], { usage: null });
  expect(events).toEqual([
    { type: 'text', text: 'Yes.' },
    { type: 'end', reason: 'stop' },
  ]);
});

const asksForUsage = ({ body }: { body: unknown }) => JSON.stringify(body).includes('stream_options');
const refusesUsage = fails(400, { body: { error: { message: 'Unrecognized request argument: stream_options' } } });

test('a server that turns down stream_options is asked without them, and from then on at once', async () => {
  upstream.respondWhen((request) => (asksForUsage(request) ? refusesUsage : says('a')));
  const one = provider();
  for (let asked = 0; asked < 2; asked += 1) {
    expect(await collect(one.stream(call, never))).toContainEqual({ type: 'text', text: 'a' });
  }
  expect(upstream.requests.map(asksForUsage)).toEqual([true, false, false]);
});

test('a class that calls such a server all at once is answered too', async () => {
  upstream.respondWhen((request) => (asksForUsage(request) ? refusesUsage : says('a')));
  const one = provider();
  const all = await Promise.all(Array.from({ length: 10 }, () => collect(one.stream(call, never))));
  expect(all.map((events) => texts(events).join(''))).toEqual(Array(10).fill('a'));
});

test.each([400, 401, 403, 404, 422])('a status of %i is final', async (status) => {
  upstream.respondWith(fails(status, { body: { error: { message: `About: ${secret}`, code: 'some_code' } } }));
  const { error } = await failing(provider().stream(call, never), secret);
  expect(error).toMatchObject({ code: 'MODEL_REFUSED', retryable: false, retryAfterMs: null });
  expect(error.message).toBe(`openai answered with status ${status} (some_code)`);
  expect(upstream.requests).toHaveLength(1);
});

test.each([408, 409, 429, 500, 502, 503])('a status of %i can be tried again', async (status) => {
  upstream.respondWith(fails(status));
  const { error } = await failing(provider().stream(call, never), secret);
  expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true, retryAfterMs: null });
  expect(upstream.requests).toHaveLength(1);
});

test('a pause that the server asks for is told in milliseconds, from seconds and from a date', async () => {
  const clock = new SimulatedClock(Date.UTC(2026, 10, 21, 9, 0, 0));
  const one = createOpenAiProvider({ model: 'm', baseUrl: upstream.url, clock });
  upstream.respondWith(
    fails(429, { retryAfter: '7' }),
    fails(429, { retryAfter: 'Sat, 21 Nov 2026 09:00:30 GMT' }),
    fails(429, { retryAfter: 'Sat, 21 Nov 2026 08:00:00 GMT' }),
    fails(503, { retryAfter: 'soon' }),
  );
  const pauses: (number | null)[] = [];
  for (let asked = 0; asked < 4; asked += 1)
    pauses.push((await failing(one.stream(call, never), secret)).error.retryAfterMs);
  expect(pauses).toEqual([7_000, 30_000, null, null]);
});

test('an error that is not JSON is read by its status', async () => {
  upstream.respondWith(fails(502, { headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' }));
  expect((await failing(provider().stream(call, never), secret)).error.code).toBe('MODEL_UNAVAILABLE');
});

test('an error inside the stream ends it, by its own status where it names one', async () => {
  upstream.respondWith(
    replies([{ text: ['a'] }, { raw: `data: {"error":{"message":"${secret}","code":"overloaded"}}\n\n` }]),
    replies([{ raw: `data: {"object":"error","message":"${secret}","code":400}\n\n` }]),
  );
  const first = await failing(provider().stream(call, never), secret);
  expect(first.before).toEqual([{ type: 'text', text: 'a' }]);
  expect(first.error).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
  expect(first.error.message).toContain('overloaded');
  expect((await failing(provider().stream(call, never), secret)).error).toMatchObject({ code: 'MODEL_REFUSED' });
});

test('a malformed chunk fails after what came before it', async () => {
  upstream.respondWith(replies([{ text: ['a', 'b'] }, { raw: 'data: {"choices":[{"delta"\n\n' }, { hang: true }]));
  const { before, error } = await failing(provider().stream(call, never), secret);
  expect(texts(before)).toEqual(['a', 'b']);
  expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
  expect(await upstream.requests[0]?.closed).toBe('abandoned');
});

test('a connection that is cut, dropped or refused can be tried again', async () => {
  upstream.respondWith(replies([{ text: ['a'] }, { cut: true }]), drops());
  const cut = await failing(provider().stream(call, never), secret);
  expect(cut.before).toEqual([{ type: 'text', text: 'a' }]);
  const dropped = await failing(provider().stream(call, never), secret);
  const refused = await failing(provider({ baseUrl: `${await refusedOrigin()}/v1` }).stream(call, never), secret);
  for (const { error } of [cut, dropped, refused]) {
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
  }
  expect(refused.error.message).toContain('ECONNREFUSED');
});

test.each([
  ['the response', keepsSilent()],
  ['the first token', replies([{ hang: true }])],
])('an abort before %s ends the request', async (_, reply) => {
  upstream.respondWith(reply);
  const controller = new AbortController();
  const arrived = upstream.nextRequest();
  const first = provider().stream(call, controller.signal)[Symbol.asyncIterator]().next();
  const request = await arrived;
  controller.abort(new Error('stopped'));
  await expect(first).rejects.toThrow('stopped');
  expect(await request.closed).toBe('abandoned');
});

test('an abort drops what was read and not taken, and closes the connection', async () => {
  upstream.respondWith(replies([{ text: ['a', 'b', 'c'] }, { hang: true }]));
  const controller = new AbortController();
  const events = provider().stream(call, controller.signal)[Symbol.asyncIterator]();
  expect((await events.next()).value).toEqual({ type: 'text', text: 'a' });
  controller.abort(new Error('stopped'));
  await expect(events.next()).rejects.toThrow('stopped');
  expect(await upstream.requests[0]?.closed).toBe('abandoned');
});

test('leaving the loop closes the connection', async () => {
  upstream.respondWith(replies([{ text: ['a'] }, { hang: true }]));
  for await (const event of provider().stream(call, never)) {
    expect(event).toEqual({ type: 'text', text: 'a' });
    break;
  }
  expect(await upstream.requests[0]?.closed).toBe('abandoned');
});

test.each([
  ['the response', keepsSilent()],
  ['the first token', replies([{ hang: true }])],
])('a reply given up before %s closes the connection and answers who waited', async (_, reply) => {
  upstream.respondWith(reply);
  const arrived = upstream.nextRequest();
  const events = provider().stream(call, never)[Symbol.asyncIterator]();
  const first = events.next();
  const request = await arrived;
  await events.return?.();
  expect(await first).toEqual({ done: true, value: undefined });
  expect(await request.closed).toBe('abandoned');
});

test('complete replies leave their connection for the next', async () => {
  const one = provider();
  for (let asked = 0; asked < 20; asked += 1) {
    await collect(one.stream(call, never));
    await upstream.requests.at(-1)?.closed;
  }
  // Not one in all: a connection may still be on its way back when the next call is made.
  expect(upstream.connections()).toBeLessThan(10);
});

test('a server that never ends a complete reply is left', async () => {
  const clock = new SimulatedClock();
  const done = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  upstream.respondWith(replies([{ text: ['a'] }, { raw: done }, { hang: true }]));
  const one = createOpenAiProvider({ model: 'm', baseUrl: upstream.url, clock });
  expect((await collect(one.stream(call, never))).at(-1)).toEqual({ type: 'end', reason: 'stop' });
  clock.advance(1_000);
  expect(await upstream.requests[0]?.closed).toBe('abandoned');
});

test('a reader slower than the server makes it wait, and gets everything', async () => {
  const tokens = Array.from({ length: 60_000 }, (_, index) => `t${index} `);
  upstream.respondWith(replies([{ text: tokens }]));
  const one = provider();
  const events = one.stream(call, never)[Symbol.asyncIterator]();
  const read = [(await events.next()).value];
  const meanwhile = async () => {
    for (let asked = 0; asked < 50; asked += 1) await collect(one.stream(call, never));
    return 'still waiting';
  };
  expect(await Promise.race([upstream.requests[0]?.closed, meanwhile()])).toBe('still waiting');
  for (;;) {
    const { value, done } = await events.next();
    if (done) break;
    read.push(value);
  }
  expect(read.flatMap((event) => (event?.type === 'text' ? [event.text] : []))).toEqual(tokens);
});
