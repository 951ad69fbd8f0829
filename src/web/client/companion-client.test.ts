import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { createCompanionClient } from './companion-client.ts';
import { ConnectionLostError, ProblemError } from './problem.ts';
import type { TurnEvent } from './turn-event.ts';

type Asked = { method: string; url: string; body: unknown; lastEventId: string | undefined };

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server that answers each request with the next of `answers`; a text is JSON. */
async function serve(...answers: (string | ((response: ServerResponse) => void))[]) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request;
      const lastEventId = headers['last-event-id'];
      const answer = answers[asked.length];
      asked.push({
        method,
        url,
        body: body === '' ? null : JSON.parse(body),
        lastEventId: Array.isArray(lastEventId) ? lastEventId[0] : lastEventId,
      });
      if (typeof answer === 'function') answer(response);
      else response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer ?? '{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, client: createCompanionClient({ baseUrl, token: 't', random: () => 0 }) };
}

const streams =
  (frames: string, end: 'end' | 'cut' = 'end') =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Turn-Id': 't1' });
    response.write(frames, () => (end === 'end' ? response.end() : response.destroy()));
  };

const scope = { cartridgeId: 'mentor', learnerId: null };
const about = { cartridgeId: 'mentor', learnerId: 'ą b&c' };

test('a query holds what was asked and nothing else, whatever is in a name', async () => {
  const { asked, client } = await serve(
    '{"conversation_update":null}',
    '{"conversation_update":null}',
    '{"count":0,"results":[],"corrected":[]}',
    '{"success":true,"archived":true}',
  );
  expect(await client.memory(scope)).toBeNull();
  await client.memory(about);
  await client.searchMemory(about, { search: '"a phrase" -not', includeArchive: true, page: 2 });
  expect(await client.clearMemory(scope)).toBe(true);
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/conversation-memory?cartridge_id=mentor',
    'GET /api/conversation-memory?cartridge_id=mentor&learner_id=%C4%85+b%26c',
    'GET /api/conversation-memory?cartridge_id=mentor&learner_id=%C4%85+b%26c&search=%22a+phrase%22+-not&include_archive=true&page=2',
    'DELETE /api/conversation-memory?cartridge_id=mentor',
  ]);
});

test('conversations, widgets and learners are asked for where the protocol has them', async () => {
  const { asked, client } = await serve();
  await client.begin({ ...about, language: 'lt' });
  await client.conversations({ cartridgeId: 'mentor', active: true, page: 3 });
  await client.end('c/1');
  await client.answerWidget('c1', 'w/1', { status: 'confirmed', value: ['x'] });
  await client.editMemory(scope, 'Mine.');
  await client.addLearner('Emma');
  expect(asked.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['POST', '/api/conversations', { cartridge_id: 'mentor', learner_id: 'ą b&c', language: 'lt' }],
    ['GET', '/api/conversations?cartridge_id=mentor&active=true&page=3', null],
    ['POST', '/api/conversations/c%2F1/end', null],
    ['POST', '/api/conversations/c1/widgets/w%2F1', { status: 'confirmed', value: ['x'] }],
    ['PUT', '/api/conversation-memory', { cartridge_id: 'mentor', learner_id: null, summary: 'Mine.' }],
    ['POST', '/api/learners', { name: 'Emma' }],
  ]);
});

test('a reply that is cut goes on below the conversation, and its end brings what was shown', async () => {
  const done = { exchanges_count: 1, widgets: [{ id: 'w1' }], structured: { confidence: 0.5 }, workflow: { depth: 1 } };
  const { asked, client } = await serve(
    streams('id: t1:1\nevent: token\ndata: {"text":"Ačiū"}\n\n', 'cut'),
    streams(`id: t1:2\nevent: done\ndata: ${JSON.stringify(done)}\n\n`),
  );
  const events: TurnEvent[] = [];
  for await (const event of client.respond('c1', { message: 'Labas', clientMessageId: 'm1' })) events.push(event);
  expect(events.map(({ type }) => type)).toEqual(['token', 'done']);
  expect(events.at(-1)).toMatchObject(done);
  expect(asked).toMatchObject([
    {
      method: 'POST',
      url: '/api/conversations/c1/messages',
      body: { message: 'Labas', client_message_id: 'm1' },
    },
    { method: 'GET', url: '/api/conversations/c1/turns/t1/events', lastEventId: 't1:1' },
  ]);
});

test('a refusal and a lost connection are told apart', async () => {
  const { client } = await serve((response) =>
    response.writeHead(409).end(JSON.stringify({ code: 'CHANGED_MEANWHILE', status: 409 })),
  );
  const refused = await client.answerWidget('c1', 'w1', { status: 'dismissed' }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ProblemError);
  expect(refused).toMatchObject({ code: 'CHANGED_MEANWHILE', status: 409 });
  const away = createCompanionClient({ baseUrl: 'http://127.0.0.1:1' });
  await expect(away.learners()).rejects.toBeInstanceOf(ConnectionLostError);
});
