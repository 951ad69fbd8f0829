import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { Tokens } from '../../src/http/tokens.ts';
import type { Caller } from '../fixtures/caller.ts';
import { type HeldReply, type HeldUpstream, startHeldUpstream } from '../fixtures/fault-upstream.ts';
import { secret, startTestServer, type TestServer } from '../fixtures/running-server.ts';
import { refusedOrigin } from '../fixtures/scripted-upstream.ts';
import { collect, failureOf, textOf, watchClient, type Watching } from '../fixtures/watched-client.ts';

const words = ['Only ', 'ten ', 'pląces ', '🦊 “left”, ', 'hurry\n', 'now. '];
const whole = words.join('');

let upstream: HeldUpstream;
let server: TestServer;
let student: Caller;

beforeAll(async () => {
  upstream = await startHeldUpstream();
  server = await startTestServer({ env: upstream.env });
  student = await server.join('Ona');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

function answer(reply: HeldReply, ...texts: readonly string[]): void {
  reply.say(...texts);
  reply.finish();
}

const watch = (options: Partial<Watching> = {}) => watchClient(server.url, { token: student.token, ...options });
const talk = async () => (await student.talk()).session_id;

describe('what a client over a WebSocket is refused', () => {
  it('is thrown with its code and what came with it', async () => {
    using watched = watch();
    const { client } = watched;
    const id = await talk();
    const turn = collect(client.respond(id, { message: 'Is it true?' }));
    const reply = await upstream.next();
    const { active_turn_id: turnId } = await student.view(id);
    expect(await failureOf(client.respond(id, { message: 'And now?' }))).toMatchObject({
      name: 'ProblemError',
      code: 'TURN_IN_PROGRESS',
      status: 409,
      problem: { turn_id: turnId },
    });
    expect(await failureOf(client.follow(id, 'nowhere'))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await failureOf(client.respond(id, { message: ' ' }))).toMatchObject({ code: 'INVALID_REQUEST' });
    // An id that the server will not take cannot be named in its answer.
    const unnamed = { message: 'Is it true?', clientMessageId: 'm'.repeat(201) };
    expect(await failureOf(client.respond(id, unnamed))).toMatchObject({ code: 'INVALID_REQUEST' });
    // Far too long a message costs the socket, and the turns that are read over it go on over the next.
    expect(await failureOf(client.respond(id, { message: 'ž'.repeat(40_000) }))).toMatchObject({ status: 413 });
    answer(reply, ...words);
    expect(textOf(await turn)).toBe(whole);
    expect(watched.sockets).toHaveLength(2);
  });

  it('is who it is without a token or a cookie, and with a token that has run out', async () => {
    const id = await talk();
    using nobody = watch({ token: null });
    expect(await failureOf(nobody.client.respond(id, { message: 'Hi' }))).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(nobody.asked).toEqual(['POST /api/tickets']);
    using stranger = watch({ token: `${student.token}x` });
    expect(await failureOf(stranger.client.respond(id, { message: 'Hi' }))).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(stranger.sockets).toEqual([]);
  });

  it('is a turn after its token has run out, though the socket was open before', async () => {
    const tokens = new Tokens({ clock: systemClock, secret: new TextEncoder().encode(secret), identityProvider: null });
    const identity = await tokens.identify(student.token);
    if (!identity) throw new Error('the token is not good');
    const { token, expiresAt } = await tokens.sign(identity, 2 / 3_600);
    using watched = watch({ token });
    const id = await talk();
    const turn = collect(watched.client.respond(id, { message: 'Is it true?' }));
    answer(await upstream.next(), ...words);
    expect(textOf(await turn)).toBe(whole);
    await new Promise((resolve) => setTimeout(resolve, expiresAt - Date.now() + 1));
    expect(await failureOf(watched.client.respond(id, { message: 'And now?' }))).toMatchObject({
      code: 'UNAUTHENTICATED',
      status: 401,
    });
    expect(watched.asked).toEqual(['POST /api/tickets', 'POST /api/tickets']);
  });

  it('is nothing where the page’s cookie will do, and then no ticket is asked for', async () => {
    const headers = { cookie: `trickster=${student.token}`, origin: server.url };
    using watched = watch({ token: null, headers });
    const turn = collect(watched.client.respond(await talk(), { message: 'Is it true?' }));
    answer(await upstream.next(), ...words);
    expect(textOf(await turn)).toBe(whole);
    expect(watched.asked).toEqual([]);
  });
});

describe('where no WebSocket gets through', () => {
  it('turns come by event streams', async () => {
    const dead = (await refusedOrigin()).replace('http', 'ws');
    for (const openSocket of [() => new WebSocket(dead), null]) {
      using watched = watch({ openSocket });
      const id = await talk();
      const turn = collect(watched.client.respond(id, { message: 'Is it true?' }));
      answer(await upstream.next(), ...words);
      expect(textOf(await turn)).toBe(whole);
      expect(watched.asked.at(-1)).toBe(`POST /api/sessions/${id}/respond`);
      expect(watched.sockets).toHaveLength(openSocket ? 2 : 0);
    }
  });
});
