import { afterEach, beforeEach, expect, test } from 'vitest';
import { startGeminiUpstream } from '../../test/fixtures/gemini-upstream.ts';
import { collect, failing, texts } from '../../test/fixtures/model-events.ts';
import {
  drops,
  fails,
  keepsSilent,
  type ReplyPart,
  refusedOrigin,
  replies,
} from '../../test/fixtures/scripted-upstream.ts';
import type { ModelCall } from '../engine/ports/model.ts';
import { createGeminiProvider } from './gemini.ts';

type Upstream = Awaited<ReturnType<typeof startGeminiUpstream>>;

const secret = 'Šitas sakinys yra mokinio.';
const call: ModelCall = { system: 'Be brief.', messages: [{ role: 'user', content: secret }], tools: [], brief: null };
const never = new AbortController().signal;

let upstream: Upstream;
beforeEach(async () => {
  upstream = await startGeminiUpstream();
});
afterEach(() => upstream.close());

const provider = (baseUrl = upstream.url) =>
  createGeminiProvider({ model: 'gemini-2.5-flash', apiKey: 'g-test', baseUrl });

const said = (parts: readonly ReplyPart[], options = {}) => {
  upstream.respondWith(replies(parts, options));
  return collect(provider().stream(call, never));
};

/** What was asked, as the wire had it. */
const asked = async (messages: ModelCall['messages'], tools: ModelCall['tools'] = []) => {
  await collect(provider().stream({ ...call, messages, tools }, never));
  return upstream.requests.at(-1)?.body;
};

test('text arrives piece by piece, then usage, then the end', async () => {
  upstream.respondWith(replies([{ text: ['Hel', 'lo, mokiny! 🙂'] }], { usage: { inputTokens: 12, outputTokens: 5 } }));
  expect(await collect(provider().stream(call, never))).toEqual([
    { type: 'text', text: 'Hel' },
    { type: 'text', text: 'lo, mokiny! 🙂' },
    { type: 'usage', inputTokens: 12, outputTokens: 5 },
    { type: 'end', reason: 'stop' },
  ]);
});

test('the request names the model, the key and the system prompt', async () => {
  await collect(provider().stream(call, never));
  const [request] = upstream.requests;
  expect(request?.path).toBe('/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse');
  expect(request?.headers['x-goog-api-key']).toBe('g-test');
  expect(request?.body).toMatchObject({
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [{ role: 'user', parts: [{ text: secret }] }],
  });
});

test('neighbouring messages of one role are put together', async () => {
  const body = await asked([
    { role: 'user', content: 'one' },
    { role: 'user', content: 'two' },
    { role: 'assistant', content: 'three' },
    { role: 'user', content: 'four' },
  ]);
  expect(body).toMatchObject({
    contents: [
      { role: 'user', parts: [{ text: 'one' }, { text: 'two' }] },
      { role: 'model', parts: [{ text: 'three' }] },
      { role: 'user', parts: [{ text: 'four' }] },
    ],
  });
});

test('a conversation that the character opened begins with a user who has said nothing', async () => {
  const body = await asked([
    { role: 'assistant', content: 'Look!' },
    { role: 'user', content: 'At what?' },
  ]);
  expect(body).toMatchObject({
    contents: [
      { role: 'user', parts: [{ text: '…' }] },
      { role: 'model', parts: [{ text: 'Look!' }] },
      { role: 'user', parts: [{ text: 'At what?' }] },
    ],
  });
});

test('tools are declared with as much of their schema as Gemini takes', async () => {
  const body = await asked(call.messages, [
    {
      name: 'transition_phase',
      description: 'Moves on.',
      parameters: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        additionalProperties: false,
        required: ['signal', 'gone'],
        properties: {
          signal: { type: 'string', enum: ['understood', 'partial'], description: 'What the student shows.' },
          response_text: { type: ['string', 'null'], minLength: 1 },
          kind: { const: 'fixed' },
          note: { anyOf: [{ type: 'null' }, { type: 'string', pattern: '^a' }], description: 'A note.' },
          scores: { type: 'array', items: { type: 'number', minimum: 0 } },
          inner: { type: 'object', properties: { deep: { type: 'boolean', default: true } }, required: ['deep'] },
        },
      },
    },
    { name: 'bare', description: 'Takes nothing.', parameters: { type: 'object', properties: {} } },
  ]);
  expect(body).toMatchObject({ tools: expect.anything() });
  const { tools } = body as { tools: unknown };
  expect(tools).toEqual([
    {
      functionDeclarations: [
        {
          name: 'transition_phase',
          description: 'Moves on.',
          parameters: {
            type: 'object',
            required: ['signal'],
            properties: {
              signal: {
                type: 'string',
                format: 'enum',
                enum: ['understood', 'partial'],
                description: 'What the student shows.',
              },
              response_text: { type: 'string', nullable: true },
              kind: { type: 'string', format: 'enum', enum: ['fixed'] },
              note: { type: 'string', nullable: true, description: 'A note.' },
              scores: { type: 'array', items: { type: 'number' } },
              inner: { type: 'object', properties: { deep: { type: 'boolean' } }, required: ['deep'] },
            },
          },
        },
        { name: 'bare', description: 'Takes nothing.' },
      ],
    },
  ]);
});

test('function calls become tool calls, with ids of their own where they bring none', async () => {
  const events = await said([
    { tool: { name: 'transition_phase', arguments: '{"signal":"partial"}' } },
    { text: ['Well.'] },
    { tool: { name: 'other', arguments: '{}', id: 'f7' } },
    { tool: { name: 'third', arguments: '{}' } },
  ]);
  expect(events).toMatchObject([
    { type: 'tool_call', id: 'call_1', name: 'transition_phase', arguments: '{"signal":"partial"}' },
    { type: 'text', text: 'Well.' },
    { type: 'tool_call', id: 'f7', name: 'other', arguments: '{}' },
    { type: 'tool_call', id: 'call_3', name: 'third', arguments: '{}' },
    { type: 'usage' },
    { type: 'end', reason: 'tool_calls' },
  ]);
});

test.each([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['MALFORMED_FUNCTION_CALL', 'other'],
])('a finish reason of %s ends as %s', async (finish, reason) => {
  expect((await said([{ text: ['a'] }], { finish })).at(-1)).toEqual({ type: 'end', reason });
});

test('a blocked prompt ends as content_filter', async () => {
  const raw = 'data: {"promptFeedback":{"blockReason":"SAFETY"}}\r\n\r\n';
  expect(await said([{ raw }], { finish: null })).toEqual([{ type: 'end', reason: 'content_filter' }]);
});

test('thoughts are not part of the reply', async () => {
  const raw = 'data: {"candidates":[{"content":{"parts":[{"text":"Hmm.","thought":true}]}}]}\r\n\r\n';
  const events = await said([{ raw }, { text: ['Yes.'] }]);
  expect(events.filter(({ type }) => type === 'text')).toEqual([{ type: 'text', text: 'Yes.' }]);
});

test('torn characters make no difference', async () => {
  const tokens = ['Lietu', 'viškai: ąčęėįšųūž', ' 🙂'];
  const events = await said([{ text: tokens }], { splitBytes: 5 });
  expect(texts(events)).toEqual(tokens);
});

test.each([400, 401, 403, 404])('a status of %i is final', async (status) => {
  upstream.respondWith(fails(status, { body: { error: { message: `About: ${secret}`, code: status } } }));
  const { error } = await failing(provider().stream(call, never), secret);
  expect(error).toMatchObject({ code: 'MODEL_REFUSED', retryable: false, retryAfterMs: null });
});

test.each([408, 429, 500, 503])('a status of %i can be tried again', async (status) => {
  upstream.respondWith(fails(status));
  expect((await failing(provider().stream(call, never), secret)).error).toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    retryable: true,
    retryAfterMs: null,
  });
  expect(upstream.requests).toHaveLength(1);
});

test('a pause that Google asks for is told in milliseconds', async () => {
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.QuotaFailure' },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7.5s' },
  ];
  upstream.respondWith(fails(429, { body: { error: { code: 429, message: 'Slow down.', details } } }));
  expect((await failing(provider().stream(call, never), secret)).error.retryAfterMs).toBe(7_500);
});

test('an error inside the stream ends it by its own code', async () => {
  const raw = `data: {"error":{"code":503,"message":"${secret}","status":"UNAVAILABLE"}}\r\n\r\n`;
  upstream.respondWith(replies([{ text: ['a'] }, { raw }]));
  const { before, error } = await failing(provider().stream(call, never), secret);
  expect(before).toEqual([{ type: 'text', text: 'a' }]);
  expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
  expect(error.message).toContain('UNAVAILABLE');
});

test('a malformed chunk, a broken-off reply and a cut, dropped or refused connection can be tried again', async () => {
  upstream.respondWith(
    replies([{ text: ['a'] }, { raw: `data: {"candidates": ${secret}\r\n\r\n` }, { hang: true }]),
    replies([{ text: ['a'] }], { finish: null }),
    replies([{ text: ['a'] }, { cut: true }]),
    drops(),
  );
  for (let asking = 0; asking < 4; asking += 1) {
    expect((await failing(provider().stream(call, never), secret)).error).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      retryable: true,
    });
  }
  expect(await upstream.requests[0]?.closed).toBe('abandoned');
  const refused = await failing(provider(await refusedOrigin()).stream(call, never), secret);
  expect(refused.error).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
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

test('leaving the loop closes the connection', async () => {
  upstream.respondWith(replies([{ text: ['a'] }, { hang: true }]));
  for await (const event of provider().stream(call, never)) {
    expect(event).toEqual({ type: 'text', text: 'a' });
    break;
  }
  expect(await upstream.requests[0]?.closed).toBe('abandoned');
});

test('an aborted call is not made', async () => {
  const stream = provider().stream(call, AbortSignal.abort(new Error('stopped')));
  await expect(collect(stream)).rejects.toThrow('stopped');
  expect(upstream.requests).toHaveLength(0);
});
