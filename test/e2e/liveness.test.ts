import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '../../src/http/protocol.ts';
import type { Caller } from '../fixtures/caller.ts';
import { type EventReader, openStream, shownText } from '../fixtures/fault-client.ts';
import { type MortalServer, startMortalServer } from '../fixtures/fault-process.ts';
import { type HeldUpstream, startHeldUpstream } from '../fixtures/fault-upstream.ts';
import { startTestServer } from '../fixtures/running-server.ts';

let upstream: HeldUpstream;

beforeAll(async () => {
  upstream = await startHeldUpstream();
});
afterAll(() => upstream[Symbol.asyncDispose]());

/** Says something as a client that keeps the stream open. */
async function respond(
  url: string,
  { token }: Caller,
  sessionId: string,
  clientMessageId = 'm1',
): Promise<EventReader> {
  const body = { message: 'Is it true?', client_message_id: clientMessageId };
  return openStream(`${url}/api/sessions/${sessionId}/respond`, { token, body });
}

const heartbeats = (raw: string) => raw.split('\n').filter((line) => line === ':').length;

describe('a stream in which nothing is said', () => {
  it('beats before the first token and between tokens, after its retry: and with what keeps proxies from buffering', async () => {
    await using server = await startTestServer({ env: upstream.env, settings: { heartbeatMs: 10, reconnectMs: 1234 } });
    const student = await server.join();
    const { session_id: id } = await student.talk();
    const stream = await respond(server.url, student, id);
    const reply = await upstream.next();
    expect(await stream.readUntil((raw) => heartbeats(raw) >= 4)).toBe(true);
    expect(stream.raw.startsWith('retry: 1234\n')).toBe(true);
    expect(stream.raw).not.toContain('event:');
    reply.say('Only ten ');
    expect(await stream.readUntil((raw) => raw.includes('event: token'))).toBe(true);
    const before = heartbeats(stream.raw);
    expect(await stream.readUntil((raw) => heartbeats(raw) >= before + 3)).toBe(true);
    reply.finish();
    expect((await stream.rest()).at(-1)?.event).toBe('done');
  });

  it('is open for as long as its client reads, however short the time in which a stalled one is cut off', async () => {
    await using server = await startTestServer({ env: upstream.env, settings: { heartbeatMs: 20 } });
    const student = await server.join();
    const { session_id: id } = await student.talk();
    const stream = await respond(server.url, student, id);
    const reply = await upstream.next();
    expect(await stream.readUntil((raw) => heartbeats(raw) >= 20)).toBe(true);
    reply.say('Yes. ');
    reply.finish();
    expect(shownText(await stream.rest())).toBe('Yes. ');
  });
});

describe('a server that is told to stop', () => {
  let server: MortalServer;
  let student: Caller;

  beforeAll(async () => {
    server = await startMortalServer(upstream.env);
    student = await server.join();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('lets the turns end that are nearly done, takes no new ones, and goes', async () => {
    const { session_id: id } = await student.talk();
    const { session_id: other } = await student.talk();
    const stream = await respond(server.url, student, id);
    const reply = await upstream.next();
    reply.say('Only ten ');
    expect(shownText(await stream.read(1))).toBe('Only ten ');
    server.signal('SIGTERM');
    await server.stopping;
    const refused = await student.request('POST', `/api/sessions/${other}/respond`, { message: 'And now?' });
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/u);
    const problem = (await refused.json()) as Problem;
    expect(problem).toMatchObject({ status: 503, code: 'MODEL_UNAVAILABLE' });
    // Nothing was kept of what was refused, so nothing may say that it was.
    expect(problem.detail).not.toContain('is kept');
    reply.say('left. ');
    reply.finish();
    expect((await stream.rest()).map(({ event }) => event)).toEqual(['token', 'done']);
    expect(await server.exited).toEqual({ code: 0, signal: null });

    await server.start();
    expect((await student.view(id)).exchanges.map(({ content }) => content)).toEqual([
      'Is it true?',
      'Only ten left. ',
    ]);
    expect((await student.view(other)).exchanges).toEqual([]);
  });

  it('hands over the streams of a turn that never ends, which can be tried again at the next start', async () => {
    const { session_id: id } = await student.talk();
    const stream = await respond(server.url, student, id);
    const reply = await upstream.next();
    reply.say('Only ten ', 'places ');
    const before = await stream.read(2);
    server.signal('SIGTERM');
    // The end of the response and no terminal event: the client is to come back.
    expect(await stream.rest()).toEqual([]);
    expect(await reply.closed).toBe('abandoned');
    // By itself and in order: what does not end by then is ended with code 1 within ten seconds.
    expect(await server.exited).toEqual({ code: 0, signal: null });

    await server.start();
    const path = `/api/sessions/${id}/turns/${stream.turnId}/events`;
    const after = await student.follow(path, { 'last-event-id': `${stream.turnId}:2` });
    expect(after.events.map(({ id: place, event }) => [place, event])).toEqual([[`${stream.turnId}:3`, 'error']]);
    expect(after.last.data).toMatchObject({ code: 'INTERRUPTED', retryable: true, partial_text: shownText(before) });
    const again = await respond(server.url, student, id);
    expect(again.turnId).not.toBe(stream.turnId);
    const retried = await upstream.next();
    retried.say('Only ten left. ');
    retried.finish();
    expect((await again.rest()).at(-1)?.event).toBe('done');
    expect((await student.view(id)).exchanges.map(({ content }) => content)).toEqual([
      'Is it true?',
      'Only ten left. ',
    ]);
  });

  it('goes at once where there is nothing to wait for, whoever keeps a connection open', async () => {
    const idle = await student.request('GET', '/healthz');
    await idle.text();
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});
