import type { AddressInfo } from 'node:net';
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws';
import { afterEach, expect, test, vi } from 'vitest';
import { SimulatedClock } from '../../core/clock.ts';
import { createClient } from './client.ts';
import { webSocket } from './live-transport.ts';
import type { TurnEvent } from './turn-event.ts';

const beatMs = 20_000;
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

type Said = { type: string; turn_id?: string; client_message_id?: string; after?: number };
type Answer = (socket: ServerSocket, said: Said) => void;

const say = (socket: ServerSocket, ...messages: readonly object[]) => {
  for (const message of messages) socket.send(JSON.stringify(message));
};
const token = (turnId: string, seq: number) => ({ type: 'token', turn_id: turnId, seq, data: { text: `${seq} ` } });
const done = (turnId: string, seq: number) => ({ type: 'done', turn_id: turnId, seq, data: {} });
const turn = (turnId: string, messageId?: string) => ({
  type: 'turn',
  turn_id: turnId,
  session_id: 's',
  ended: false,
  client_message_id: messageId,
});

/** A server that does with each message what `answer` says, and a client of it whose time stands still. */
async function meet(answer: Answer) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((listening) => server.once('listening', listening));
  const said: Said[] = [];
  const opened: ServerSocket[] = [];
  server.on('connection', (socket) => {
    opened.push(socket);
    socket.on('message', (data) => {
      const message = JSON.parse(Buffer.isBuffer(data) ? data.toString() : '') as Said;
      said.push(message);
      answer(socket, message);
    });
  });
  closers.push(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  const clock = new SimulatedClock();
  const client = createClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock,
    random: () => 0,
    transport: webSocket(),
  });
  return { client, clock, said, opened };
}

async function collect(events: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const seen: TurnEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

const seqsOf = (events: readonly TurnEvent[]) => events.map(({ seq }) => seq);

test('a silent server is asked for the next event, and one that answers is waited for', async () => {
  let asked = 0;
  const { client, clock, said, opened } = await meet((socket) => {
    asked += 1;
    say(socket, turn('t'));
    if (asked === 1) say(socket, token('t', 1));
    if (asked === 4) say(socket, done('t', 2));
  });
  const events = collect(client.follow('s', 't'));
  for (let count = 1; count < 4; count += 1) {
    await vi.waitFor(() => expect(said).toHaveLength(count));
    // The answer has come once the client has answered a ping that was sent after it.
    await ponged(opened[0]);
    clock.advance(beatMs);
    clock.advance(beatMs);
  }
  expect(seqsOf(await events)).toEqual([1, 2]);
  expect(said.map(({ after }) => after)).toEqual([0, 1, 1, 1]);
  expect(opened).toHaveLength(1);
});

test('a server that does not answer is given up within a minute, and the turn goes on over another socket', async () => {
  const { client, clock, said, opened } = await meet((socket) => {
    if (said.length === 1) say(socket, turn('t'), token('t', 1));
    if (opened.length === 2) say(socket, turn('t'), token('t', 2), done('t', 3));
  });
  const events = collect(client.follow('s', 't'));
  await vi.waitFor(() => expect(said).toHaveLength(1));
  await ponged(opened[0]);
  for (let beat = 0; beat < 3; beat += 1) clock.advance(beatMs);
  await vi.waitFor(() => {
    clock.advance(1_000);
    expect(opened).toHaveLength(2);
  });
  expect(seqsOf(await events)).toEqual([1, 2, 3]);
  expect(said.map(({ after }) => after)).toEqual([0, 1, 1]);
});

test('a message that is never answered is said again over another socket', async () => {
  const { client, clock, said, opened } = await meet((socket, { client_message_id: id }) => {
    if (opened.length === 2) say(socket, turn('t', id), done('t', 1));
  });
  const events = collect(client.respond('s', { message: 'Labas', clientMessageId: 'm' }));
  await vi.waitFor(() => expect(said).toHaveLength(1));
  for (let beat = 0; beat < 3; beat += 1) clock.advance(beatMs);
  await vi.waitFor(() => {
    clock.advance(1_000);
    expect(opened).toHaveLength(2);
  });
  expect(seqsOf(await events)).toEqual([1]);
  expect(said.map(({ client_message_id: id }) => id)).toEqual(['m', 'm']);
});

test('a long pause between turns is no silence, and a socket that nobody needs is let go of', async () => {
  const { client, clock, said, opened } = await meet((socket, { turn_id: id = '' }) =>
    say(socket, turn(id), done(id, 1)),
  );
  await collect(client.follow('s', 'a'));
  clock.advance(beatMs);
  await collect(client.follow('s', 'b'));
  expect(opened).toHaveLength(1);
  const closed = new Promise((resolve) => opened[0]?.once('close', resolve));
  clock.advance(beatMs);
  expect(opened[0]?.readyState).toBe(1);
  clock.advance(beatMs);
  await closed;
  await collect(client.follow('s', 'c'));
  expect(opened).toHaveLength(2);
  client.close();
  await new Promise((resolve) => opened[1]?.once('close', resolve));
  expect(said).toHaveLength(3);
});

test('a client that is closed while a turn is read closes its socket when the turn has ended', async () => {
  const { client, said, opened } = await meet((socket) => say(socket, turn('t')));
  const events = collect(client.follow('s', 't'));
  await vi.waitFor(() => expect(said).toHaveLength(1));
  await ponged(opened[0]);
  client.close();
  const [socket] = opened;
  if (socket) say(socket, done('t', 1));
  const closed = new Promise((resolve) => socket?.once('close', resolve));
  expect(seqsOf(await events)).toEqual([1]);
  await closed;
});

test('what this version does not know is passed over', async () => {
  const { client } = await meet((socket) => {
    socket.send(Buffer.from('{"type":"turn","turn_id":"t"}'));
    for (const text of ['', 'null', '[]', '{', '{"type":7}', '{"type":"turn"}']) socket.send(text);
    say(
      socket,
      turn('t'),
      { type: 'weather', turn_id: 't', seq: 1, data: {} },
      { type: 'token', turn_id: 't', seq: 2 },
    );
    say(socket, token('another', 1), token('t', 2), token('t', 2), done('t', 3));
  });
  expect(seqsOf(await collect(client.follow('s', 't')))).toEqual([2, 3]);
});

test('a turn is asked for from where none of its readers misses an event, and all are told that it is withdrawn', async () => {
  const { client, said } = await meet((socket) => {
    if (said.length === 1) say(socket, turn('t'), token('t', 1), token('t', 2));
    const redact = { type: 'redact', turn_id: 't', seq: 3, data: { fallback_text: '…', boundary: null } };
    if (said.length === 4) say(socket, turn('t'), turn('t'), turn('t'), redact);
  });
  const read = Promise.withResolvers<void>();
  const first: TurnEvent[] = [];
  const whole = (async () => {
    for await (const event of client.follow('s', 't')) {
      first.push(event);
      if (event.seq === 2) read.resolve();
    }
  })();
  await read.promise;
  const others = [9, 1, 7].map((after) => collect(client.follow('s', 't', { after })));
  await whole;
  expect(said.map(({ after }) => after)).toEqual([0, 2, 1, 1]);
  expect(seqsOf(first)).toEqual([1, 2, 3]);
  for (const other of others) expect((await other).map(({ type }) => type)).toEqual(['redact']);
});

test('a turn that is refused after it was answered is told to all who read it', async () => {
  const { client } = await meet((socket) =>
    say(socket, turn('t'), { type: 'problem', code: 'NOT_FOUND', status: 404, turn_id: 't', retry_after_seconds: 2 }),
  );
  const failure: unknown = await collect(client.follow('s', 't')).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'ProblemError', code: 'NOT_FOUND', status: 404, retryAfterMs: 2_000 });
});

/** Resolves once the other side has read all that was sent to it before. */
async function ponged(socket: ServerSocket | undefined): Promise<void> {
  await new Promise((resolve) => {
    socket?.once('pong', resolve);
    socket?.ping();
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
}
