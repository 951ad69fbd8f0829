import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { Tokens } from '../../src/http/tokens.ts';
import { type Caller, createCaller } from '../fixtures/caller.ts';
import { seqsOf, shownText } from '../fixtures/fault-client.ts';
import { startHeldUpstream } from '../fixtures/fault-upstream.ts';
import { eventsOf, isEnd, type LiveOptions, openLive } from '../fixtures/live-client.ts';
import { secret, startTestServer, type TestServer } from '../fixtures/running-server.ts';

const elsewhere = 'https://class.example';
const kilobyte = 1024;

let server: TestServer;
let student: Caller;

beforeAll(async () => {
  server = await startTestServer({ env: { MODEL_STANDARD: 'offline', ALLOWED_ORIGINS: elsewhere } });
  student = await server.join('Ona');
});
afterAll(() => server[Symbol.asyncDispose]());

async function ticketFor(caller: Caller): Promise<string> {
  const { status, body } = await caller.json<{ ticket: string; expires_at: string }>('POST', '/api/tickets');
  expect(status).toBe(201);
  expect(Date.parse(body.expires_at) - Date.now()).toBeLessThanOrEqual(30_000);
  return body.ticket;
}

/** How it went to open a socket: `opened` where it answers, else the refusal's status. */
async function knock(options: LiveOptions & { query?: string } = {}): Promise<string> {
  const { query = '', ...rest } = options;
  try {
    using client = await openLive(`${server.url}/api/live${query}`, rest);
    client.say({ type: 'follow', turn_id: 'nowhere' });
    return (await client.read(1))[0]?.code === 'NOT_FOUND' ? 'opened' : 'silent';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

describe('a socket is opened', () => {
  it('for a bearer’s token, wherever it comes from', async () => {
    expect(await knock({ token: student.token })).toBe('opened');
    expect(await knock({ token: student.token, headers: { origin: 'https://evil.example' } })).toBe('opened');
    expect(await knock({ token: `${student.token}x` })).toBe('refused: 401');
    expect(await knock()).toBe('refused: 401');
  });

  it('for the cookie from our own pages and the origins on the list, and no others', async () => {
    const cookie = `trickster=${student.token}`;
    const from = (origin: string) => knock({ headers: { cookie, origin } });
    expect(await from(server.url)).toBe('opened');
    expect(await from(elsewhere)).toBe('opened');
    for (const origin of ['https://evil.example', `${elsewhere}.evil.example`, 'http://class.example', 'null', '']) {
      expect([origin, await from(origin)]).toEqual([origin, 'refused: 401']);
    }
    expect(await knock({ headers: { cookie } })).toBe('refused: 401');
    expect(await knock({ headers: { cookie: 'trickster=nonsense', origin: server.url } })).toBe('refused: 401');
  });

  it('for a ticket, once', async () => {
    const query = `?ticket=${await ticketFor(student)}`;
    expect(await knock({ query, headers: { origin: 'https://evil.example' } })).toBe('opened');
    expect(await knock({ query })).toBe('refused: 401');
    expect(await knock({ query: '?ticket=' })).toBe('refused: 401');
    // Whoever shows a ticket is asked for nothing else: a bad one is not mended by a token.
    expect(await knock({ query: '?ticket=made-up', token: student.token })).toBe('refused: 401');
  });

  it('for as long as its person is not erased: then it is closed, and no ticket of theirs holds', async () => {
    const gone = await server.join('Jonas');
    const query = `?ticket=${await ticketFor(gone)}`;
    using client = await openLive(`${server.url}/api/live`, { token: gone.token });
    using other = await openLive(`${server.url}/api/live`, { token: student.token });
    expect((await gone.request('DELETE', '/api/me')).status).toBe(200);
    expect(await client.closed).toBe(1008);
    expect(await knock({ query })).toBe('refused: 401');
    other.say({ type: 'follow', turn_id: 'nowhere' });
    expect((await other.read(1))[0]?.code).toBe('NOT_FOUND');
  });

  it('for nobody who asks for a ticket without saying who it is for', async () => {
    const ask = (headers: Record<string, string>) => fetch(`${server.url}/api/tickets`, { method: 'POST', headers });
    expect((await ask({})).status).toBe(401);
    const cookie = `trickster=${student.token}`;
    expect((await ask({ cookie, origin: 'https://evil.example' })).status).toBe(401);
    expect((await ask({ cookie, origin: server.url })).status).toBe(201);
  });

  it('until the token runs out that its ticket was made for', async () => {
    const tokens = new Tokens({ clock: systemClock, secret: new TextEncoder().encode(secret), identityProvider: null });
    const identity = await tokens.identify(student.token);
    if (!identity) throw new Error('the token is not good');
    const { token, expiresAt } = await tokens.sign(identity, 2 / 3_600);
    const ticket = await ticketFor(createCaller(() => server.url, token));
    using client = await openLive(`${server.url}/api/live?ticket=${ticket}`);
    await new Promise((resolve) => setTimeout(resolve, expiresAt - Date.now() + 1));
    client.say({ type: 'follow', turn_id: 'nowhere' });
    expect((await client.rest()).map(({ code }) => code)).toEqual(['UNAUTHENTICATED']);
    expect(await client.closed).toBe(1008);
  });

  it('only by an upgrade: anything else is told so', async () => {
    const response = await student.request('GET', '/api/live');
    expect(response.status).toBe(426);
    expect(response.headers.get('upgrade')).toBe('websocket');
    expect(await response.json()).toMatchObject({ code: 'INVALID_REQUEST', status: 426 });
  });

  it('or else its connection is closed on both sides, whatever the client does with its own', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    let answer = '';
    socket.setEncoding('utf8').on('data', (piece: string) => (answer += piece));
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const key = Buffer.alloc(16).toString('base64');
    socket.write(
      `GET /api/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('end', resolve));
    expect(answer).toMatch(/^HTTP\/1\.1 401 /u);
    // What is sent to a closed connection is answered by a reset.
    const knocking = setInterval(() => socket.write('?'), 20);
    await closed;
    clearInterval(knocking);
  });
});

describe('what a client sends', () => {
  it('closes the socket with 1009 past 64 KiB, and up to there is read', async () => {
    using client = await openLive(`${server.url}/api/live`, { token: student.token });
    const fits = JSON.stringify({ type: 'follow', turn_id: 'nowhere', more: '' }).length;
    client.say(JSON.stringify({ type: 'follow', turn_id: 'nowhere', more: 'x'.repeat(64 * kilobyte - fits) }));
    expect((await client.read(1))[0]).toMatchObject({ code: 'NOT_FOUND' });
    client.say(JSON.stringify({ type: 'follow', turn_id: 'nowhere', more: 'x'.repeat(64 * kilobyte - fits + 1) }));
    expect(await client.closed).toBe(1009);
  });

  it('is a problem where it is bytes, a message too long, or nothing that we know, and the socket stays', async () => {
    using client = await openLive(`${server.url}/api/live`, { token: student.token });
    const { session_id: id } = await student.talk();
    client.say(
      Buffer.from(JSON.stringify({ type: 'follow', turn_id: 'nowhere' })),
      { type: 'respond', session_id: id, message: 'ž'.repeat(8_001), client_message_id: 'long' },
      { type: 'token', turn_id: 'x' },
      '',
      '['.repeat(60_000),
      { type: 'respond', session_id: id, message: 'Kodėl? 🦊', client_message_id: 'good' },
    );
    const answers = await client.read(6);
    expect(answers.map(({ code, type }) => code ?? type)).toEqual([
      ...Array.from({ length: 5 }, () => 'INVALID_REQUEST'),
      'turn',
    ]);
    expect(answers[1]).toMatchObject({ client_message_id: 'long', errors: [{ path: 'message' }] });
    await client.readTo((message) => isEnd(message));
    expect((await student.view(id)).exchanges[0]?.content).toBe('Kodėl? 🦊');
  });

  it('too often is told how long to wait', async () => {
    await using strict = await startTestServer({
      env: { MODEL_STANDARD: 'offline', RATE_LIMIT_TURNS_PER_MINUTE: '1' },
    });
    const pupil = await strict.join('Rasa');
    const { session_id: id } = await pupil.talk();
    using client = await openLive(`${strict.url}/api/live`, { token: pupil.token });
    const message = { type: 'respond', session_id: id, message: 'Kodėl?' };
    client.say(message);
    await client.readTo((one) => isEnd(one));
    client.say({ ...message, client_message_id: 'm2' });
    const [problem] = await client.read(1);
    expect(problem).toMatchObject({ code: 'RATE_LIMITED', status: 429, client_message_id: 'm2' });
    expect(problem?.['retry_after_seconds']).toBeGreaterThan(0);
  });
});

describe('a server that goes down', () => {
  it('lets a live turn end, says 1001, and the next one has the turn', async () => {
    await using upstream = await startHeldUpstream();
    await using own = await startTestServer({ env: upstream.env });
    const pupil = await own.join('Rasa');
    const { session_id: id } = await pupil.talk();
    using client = await openLive(`${own.url}/api/live`, { token: pupil.token });
    client.say({ type: 'respond', session_id: id, message: 'Is it true?' });
    const reply = await upstream.next();
    reply.say('Only ten places ');
    await client.read(2);
    const restarted = own.restart();
    reply.say('are left.');
    reply.finish();
    const rest = await client.rest();
    expect(await client.closed).toBe(1001);
    await restarted;
    const turnId = String(rest.find(({ seq }) => seq !== undefined)?.turn_id);
    expect(rest.at(-1)?.type).toBe('done');
    using back = await openLive(`${own.url}/api/live`, { token: pupil.token });
    back.say({ type: 'follow', turn_id: turnId });
    const events = eventsOf(await back.readTo((message) => isEnd(message)), turnId);
    expect(shownText(events)).toBe('Only ten places are left.');
  });
});

describe('a student who reads nothing', () => {
  it('is closed with 1013 while the turn goes on, and has the rest from a new socket', async () => {
    await using upstream = await startHeldUpstream();
    await using own = await startTestServer({
      env: upstream.env,
      settings: { clientBacklogBytes: 64 * kilobyte, replyCharacters: 100_000_000 },
    });
    const pupil = await own.join('Rasa');
    const { session_id: id } = await pupil.talk();
    using slow = await openLive(`${own.url}/api/live`, { token: pupil.token });
    slow.say({ type: 'respond', session_id: id, message: 'Is it true?' });
    const turnId = String((await slow.read(1))[0]?.turn_id);
    slow.socket.pause();
    const reply = await upstream.next();
    const line = `${'Only ten places are left, so hurry. '.repeat(3_000)}\n`;
    let said = '';
    for (let count = 1; count <= 150; count += 1) {
      said += `${count} ${line}`;
      reply.say(`${count} ${line}`);
    }
    reply.finish();
    expect(await reply.closed).toBe('answered');
    const path = `/api/sessions/${id}/turns/${turnId}/events`;
    expect((await pupil.follow(path)).last.event).toBe('done');
    slow.socket.resume();
    const before = eventsOf(await slow.rest(), turnId);
    expect(await slow.closed).toBe(1013);
    using back = await openLive(`${own.url}/api/live`, { token: pupil.token });
    back.say({ type: 'follow', turn_id: turnId, after: before.length });
    const seen = [...before, ...eventsOf(await back.readTo((message) => isEnd(message)), turnId)];
    expect(seqsOf(seen)).toEqual(seen.map((_, index) => index + 1));
    expect(before.map(({ event }) => event)).not.toContain('done');
    expect(shownText(seen) === said).toBe(true);
  });
});
