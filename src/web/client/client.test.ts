import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { createClient, type ClientOptions } from './client.ts';
import { ConnectionLostError, ProblemError } from './problem.ts';
import type { ClientClock, Connectivity } from './surroundings.ts';
import type { TurnEvent } from './turn-event.ts';
import type { ConnectionState } from './turn-stream.ts';

const turnId = 'turn_A-1';
const frames = [
  `id: ${turnId}:1\nevent: token\ndata: {"text":"Ačiū"}\n\n`,
  `id: ${turnId}:2\nevent: token\ndata: {"text":" 🦊 už"}\n\n`,
  `id: ${turnId}:3\nevent: token\ndata: {"text":" klausimą."}\n\n`,
  `id: ${turnId}:4\nevent: done\ndata: {"phase_transition":null,"next_phase":null,"exchanges_count":1}\n\n`,
];
const spoken = 'Ačiū 🦊 už klausimą.';

type Request = { method: string; path: string; body: string; headers: IncomingMessage['headers'] };
type Answer = (response: ServerResponse, request: Request) => void;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server that answers each request as `answers` says, one after the other, and keeps what it was asked. */
async function serve(...answers: Answer[]): Promise<{ baseUrl: string; requests: Request[] }> {
  const requests: Request[] = [];
  const server = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      const request = { method: incoming.method ?? '', path: incoming.url ?? '', body, headers: incoming.headers };
      const answer = answers[requests.push(request) - 1];
      if (answer) answer(response, request);
      else response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Answers with `parts`, then ends the response properly or cuts the line. */
function stream(parts: readonly (string | Buffer)[], end: 'end' | 'cut' = 'end'): Answer {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Turn-Id': turnId });
    response.flushHeaders();
    const rest = [...parts];
    const next = () => {
      const part = rest.shift();
      if (part !== undefined) response.write(part, () => setImmediate(next));
      else if (end === 'end') response.end();
      else response.destroy();
    };
    next();
  };
}

const cut: Answer = (response) => response.destroy();

function refuse(status: number, code: string, rest: { headers?: Record<string, string>; body?: object } = {}): Answer {
  return (response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/problem+json', ...rest.headers })
      .end(JSON.stringify({ status, code, title: code, ...rest.body }));
}

/** Waits are asked for but take no time, so that no test sleeps; the watchdog never fires. */
function impatient(waits: number[] = []): ClientClock {
  return {
    now: () => 0,
    after(milliseconds, fire) {
      if (milliseconds === 40_000) return { cancel() {} };
      waits.push(milliseconds);
      const handle = setImmediate(fire);
      return { cancel: () => clearImmediate(handle) };
    },
  };
}

function clientFor(baseUrl: string, options: Partial<ClientOptions> = {}) {
  return createClient({
    baseUrl,
    clock: impatient(),
    random: () => 0.5,
    ...options,
  });
}

async function collect(events: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const seen: TurnEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

function textOf(events: readonly TurnEvent[]): string {
  return events.map((event) => (event.type === 'token' ? event.text : '')).join('');
}

test('a reply cut at any byte is resumed and ends with the same text, each event once', async () => {
  const bytes = Buffer.from(`retry: 10\n: ping\n\n${frames.join('')}`.replaceAll('\n', '\r\n'));
  for (let at = 0; at < bytes.length; at += 1) {
    const { baseUrl, requests } = await serve(stream([bytes.subarray(0, at)], 'cut'), (response, request) => {
      const after = Number(String(request.headers['last-event-id'] ?? ':0').split(':')[1]);
      stream(frames.slice(after))(response, request);
    });
    const events = await collect(clientFor(baseUrl).respond('s1', { message: 'Labas', clientMessageId: 'm1' }));
    expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 4]);
    expect(textOf(events)).toBe(spoken);
    expect(events.at(-1)).toMatchObject({ type: 'done', turn_id: turnId, exchanges_count: 1 });
    if (requests.length > 1) {
      expect(requests[1]).toMatchObject({ method: 'GET', path: `/api/sessions/s1/turns/${turnId}/events` });
    }
  }
});

test('a reply is cut at every event in turn and still comes whole', async () => {
  const { baseUrl, requests } = await serve(
    ...frames.map((frame, index) => stream([frame], index < 3 ? 'cut' : 'end')),
  );
  const events = await collect(clientFor(baseUrl).respond('s1', { message: 'Labas' }));
  expect(textOf(events)).toBe(spoken);
  expect(requests.map((request) => request.headers['last-event-id'])).toEqual([
    undefined,
    `${turnId}:1`,
    `${turnId}:2`,
    `${turnId}:3`,
  ]);
});

test('a line lost before the answer began sends the same message with the same id', async () => {
  const { baseUrl, requests } = await serve(cut, cut, stream(frames));
  const events = await collect(clientFor(baseUrl).respond('s1', { message: 'Labas' }));
  expect(textOf(events)).toBe(spoken);
  expect(requests).toHaveLength(3);
  expect(new Set(requests.map((request) => request.body)).size).toBe(1);
  expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
    message: 'Labas',
    client_message_id: expect.any(String),
  });
});

test('characters split between chunks arrive whole', async () => {
  const bytes = Buffer.from(frames.join(''));
  const { baseUrl } = await serve(stream(Array.from(bytes, (_, index) => bytes.subarray(index, index + 1))));
  expect(textOf(await collect(clientFor(baseUrl).follow('s1', turnId)))).toBe(spoken);
});

test('events that were seen before are not given again', async () => {
  const { baseUrl } = await serve(stream(frames.slice(0, 2), 'cut'), stream(frames));
  const events = await collect(clientFor(baseUrl).respond('s1', { message: 'Labas' }));
  expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 4]);
});

test('following from a sequence number asks for what came after it', async () => {
  const { baseUrl, requests } = await serve(stream(frames.slice(2)));
  const events = await collect(clientFor(baseUrl).follow('s1', turnId, { after: 2 }));
  expect(textOf(events)).toBe(' klausimą.');
  expect(requests[0]?.headers['last-event-id']).toBe(`${turnId}:2`);
});

test('a redaction that comes in place of the tokens still to come ends the turn', async () => {
  const redact = `id: ${turnId}:9\nevent: redact\ndata: {"fallback_text":"Let us go on.","boundary":"violence"}\n\n`;
  const { baseUrl } = await serve(stream(frames.slice(0, 1), 'cut'), stream([redact]));
  const events = await collect(clientFor(baseUrl).respond('s1', { message: 'Labas' }));
  expect(events.at(-1)).toEqual({
    type: 'redact',
    turn_id: turnId,
    seq: 9,
    fallback_text: 'Let us go on.',
    boundary: 'violence',
  });
});

test('an error event is an event, not an exception', async () => {
  const error = `id: ${turnId}:1\nevent: error\ndata: {"code":"MODEL_TIMEOUT","message":"Too slow","retryable":true}\n\n`;
  const { baseUrl } = await serve(stream([error]));
  expect(await collect(clientFor(baseUrl).debrief('s1'))).toEqual([
    {
      type: 'error',
      turn_id: turnId,
      seq: 1,
      code: 'MODEL_TIMEOUT',
      message: 'Too slow',
      retryable: true,
      partial_text: '',
    },
  ]);
});

test('a refusal is thrown with its code and what came with it, and is not tried again', async () => {
  const { baseUrl, requests } = await serve(refuse(409, 'TURN_IN_PROGRESS', { body: { turn_id: turnId } }));
  const failure: unknown = await collect(clientFor(baseUrl).respond('s1', { message: 'Labas' })).catch(
    (error) => error,
  );
  expect(failure).toBeInstanceOf(ProblemError);
  expect(failure).toMatchObject({ code: 'TURN_IN_PROGRESS', status: 409, problem: { turn_id: turnId } });
  expect(requests).toHaveLength(1);
});

test('Retry-After is waited for, and too long a wait is left to the caller', async () => {
  const waits: number[] = [];
  const busy = await serve(refuse(429, 'RATE_LIMITED', { headers: { 'Retry-After': '7' } }), stream(frames));
  const client = clientFor(busy.baseUrl, { clock: impatient(waits) });
  expect(textOf(await collect(client.respond('s1', { message: 'Labas' })))).toBe(spoken);
  expect(waits).toEqual([7000]);

  const closed = await serve(refuse(429, 'RATE_LIMITED', { headers: { 'Retry-After': '3600' } }));
  const failure: unknown = await collect(clientFor(closed.baseUrl).debrief('s1')).catch((error) => error);
  expect(failure).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 3_600_000 });
});

test('attempts back off with full jitter and end after eight failures in a row', async () => {
  const waits: number[] = [];
  const { baseUrl, requests } = await serve(...Array.from({ length: 9 }, () => cut));
  const client = clientFor(baseUrl, {
    clock: impatient(waits),
    random: () => 1,
  });
  await expect(collect(client.respond('s1', { message: 'Labas' }))).rejects.toBeInstanceOf(ConnectionLostError);
  expect(requests).toHaveLength(8);
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
});

test('a portal that answers with a page of its own counts as a lost line', async () => {
  const portal: Answer = (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Log in</h1>');
  const { baseUrl } = await serve(portal, stream(frames));
  expect(textOf(await collect(clientFor(baseUrl).respond('s1', { message: 'Labas' })))).toBe(spoken);
});

test('without a network nothing is sent until it is back', async () => {
  const { baseUrl, requests } = await serve(stream(frames));
  let online = false;
  const watchers = new Set<() => void>();
  const connectivity: Connectivity = {
    isOnline: () => online,
    watch(tell) {
      watchers.add(tell);
      return () => watchers.delete(tell);
    },
  };
  const states: ConnectionState['kind'][] = [];
  const onConnection = (state: ConnectionState) => {
    states.push(state.kind);
    if (state.kind !== 'offline') return;
    queueMicrotask(() => {
      expect(requests).toHaveLength(0);
      online = true;
      for (const tell of watchers) tell();
    });
  };
  const client = clientFor(baseUrl, { connectivity });
  expect(textOf(await collect(client.respond('s1', { message: 'Labas' }, { onConnection })))).toBe(spoken);
  expect(states).toEqual(['offline', 'connecting', 'open']);
  expect(watchers.size).toBe(0);
});

test('a connection that falls silent is given up and resumed', async () => {
  const silent: Answer = (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Turn-Id': turnId });
    response.write(frames[0]);
  };
  const { baseUrl, requests } = await serve(silent, stream(frames.slice(1)));
  let barks: (() => void)[] = [];
  const clock: ClientClock = {
    now: () => 0,
    after(milliseconds, fire) {
      const handle = milliseconds === 40_000 ? null : setImmediate(fire);
      if (!handle) barks.push(fire);
      return {
        cancel() {
          if (handle) clearImmediate(handle);
          else barks = barks.filter((other) => other !== fire);
        },
      };
    },
  };
  const seen: TurnEvent[] = [];
  for await (const event of clientFor(baseUrl, { clock }).respond('s1', { message: 'Labas' })) {
    seen.push(event);
    // The reader is about to wait for bytes that never come: let the 40 seconds pass.
    if (seen.length === 1) setImmediate(() => setImmediate(() => barks.at(-1)?.()));
  }
  expect(textOf(seen)).toBe(spoken);
  expect(requests[1]?.headers['last-event-id']).toBe(`${turnId}:1`);
});

test('leaving a stream closes the connection at once', async () => {
  const closed = Promise.withResolvers<void>();
  const { baseUrl } = await serve((response) => {
    response.on('close', closed.resolve);
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Turn-Id': turnId });
    response.write(frames[0]);
  });
  for await (const event of clientFor(baseUrl).follow('s1', turnId)) {
    expect(event.type).toBe('token');
    break;
  }
  await closed.promise;
});

test('aborting a stream that waits ends it with the reason given', async () => {
  const { baseUrl } = await serve((response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Turn-Id': turnId }).flushHeaders();
  });
  const leaving = new AbortController();
  const events = clientFor(baseUrl).follow('s1', turnId, {
    signal: leaving.signal,
    onConnection: (state) => state.kind === 'open' && leaving.abort(new Error('left')),
  });
  await expect(collect(events)).rejects.toThrow('left');
});

test('plain calls send what the protocol names and carry the token', async () => {
  const json =
    (value: object): Answer =>
    (response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  const { baseUrl, requests } = await serve(
    json({ token: 't' }),
    json({ items: [{ id: 'a' }] }),
    json({}),
    json({}),
    json({}),
    (response) => response.writeHead(202).end(),
    refuse(401, 'UNAUTHENTICATED'),
  );
  const client = clientFor(baseUrl, { token: 'secret' });
  await client.join('ABC234', 'Ona');
  expect(await client.cartridges()).toEqual([{ id: 'a' }]);
  await client.createSession('click-trap');
  await client.choose('s 1', { choice: 2 });
  await client.investigate('s1', 'who paid');
  await client.stop('s1', turnId);
  expect(await client.me()).toBeNull();
  expect(requests.map(({ method, path, body }) => [method, path, body === '' ? null : JSON.parse(body)])).toEqual([
    ['POST', '/api/join', { code: 'ABC234', display_name: 'Ona' }],
    ['GET', '/api/cartridges', null],
    ['POST', '/api/sessions', { cartridge_id: 'click-trap' }],
    ['POST', '/api/sessions/s%201/choice', { choice: 2 }],
    ['POST', '/api/sessions/s1/investigate', { query: 'who paid' }],
    ['POST', `/api/sessions/s1/turns/${turnId}/stop`, null],
    ['GET', '/api/me', null],
  ]);
  expect(requests.every((request) => request.headers.authorization === 'Bearer secret')).toBe(true);
});

test('a server that cannot be reached is a lost connection', async () => {
  const { baseUrl } = await serve(cut);
  await expect(clientFor(baseUrl).session('s1')).rejects.toBeInstanceOf(ConnectionLostError);
});
