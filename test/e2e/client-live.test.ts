import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type TurnEvent } from '../../src/web/client/client.ts';
import type { Caller } from '../fixtures/caller.ts';
import { type HeldReply, type HeldUpstream, startHeldUpstream } from '../fixtures/fault-upstream.ts';
import { startTestServer, type TestServer } from '../fixtures/running-server.ts';
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
const seqsOf = (events: readonly TurnEvent[]) => events.map(({ seq }) => seq);
const talk = async () => (await student.talk()).session_id;

describe('a client over a WebSocket', () => {
  it('has many turns at once over one socket, for one ticket, as event streams have them', async () => {
    using watched = watch();
    const plain = createClient({ baseUrl: server.url, token: student.token });
    const ids = [await talk(), await talk(), await talk()];
    const turns = ids.map((id) => collect(watched.client.respond(id, { message: 'Is it true?' })));
    for (const _ of ids) answer(await upstream.next(), ...words);
    for (const [index, turn] of turns.entries()) {
      const seen = await turn;
      expect(textOf(seen)).toBe(whole);
      const [id, turnId] = [ids[index] ?? '', seen[0]?.turn_id ?? ''];
      expect(await collect(plain.follow(id, turnId))).toEqual(seen);
      expect(await collect(watched.client.follow(id, turnId, { after: 2 }))).toEqual(seen.slice(2));
    }
    expect(watched.asked).toEqual(['POST /api/tickets']);
    expect(watched.sockets).toHaveLength(1);
  });

  it('whose socket is lost after any event goes on by itself with the same bytes', async () => {
    for (let cut = 0; cut <= words.length; cut += 1) {
      using watched = watch();
      const states: string[] = [];
      const turn = watched.client.respond(
        await talk(),
        { message: 'Is it true?' },
        {
          onConnection: ({ kind }) => {
            states.push(kind);
            if (cut === 0 && kind === 'open') watched.sockets[0]?.close();
          },
        },
      );
      const seen = collect(turn, ({ seq }) => seq === cut && watched.sockets[0]?.close());
      const reply = await upstream.next();
      for (const word of words) {
        reply.say(word);
        await pause(2);
      }
      reply.finish();
      expect(textOf(await seen)).toBe(whole);
      expect(seqsOf(await seen)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(states).toEqual(['connecting', 'open', 'waiting', 'connecting', 'open']);
    }
  });

  it('whose socket is lost before it is answered says the same message again, which is heard once', async () => {
    const id = await talk();
    using watched = watch({
      openSocket: (url) => {
        const socket = new WebSocket(url);
        if (watched.sockets.length > 0) return socket;
        const send = socket.send.bind(socket);
        socket.send = (data) => {
          send(data);
          socket.close();
        };
        return socket;
      },
    });
    const seen = collect(watched.client.respond(id, { message: 'Is it true?' }));
    answer(await upstream.next(), ...words);
    expect(textOf(await seen)).toBe(whole);
    expect(watched.sockets).toHaveLength(2);
    expect((await student.view(id)).exchanges).toHaveLength(2);
  });

  it('comes back to a server that was restarted in the middle of a turn, and may say it again', async () => {
    const { port } = new URL(await refusedOrigin());
    await using own = await startTestServer({ env: { ...upstream.env, PORT: port } });
    const pupil = await own.join('Rasa');
    const { session_id: id } = await pupil.talk();
    using watched = watchClient(own.url, { token: pupil.token, random: () => 0.9 });
    const message = { message: 'Is it true?', clientMessageId: 'm1' };
    const cutOff = collect(watched.client.respond(id, message));
    (await upstream.next()).say(...words.slice(0, 2));
    await own.restart();
    expect((await cutOff).at(-1)).toMatchObject({ type: 'error', code: 'INTERRUPTED', retryable: true });
    const again = collect(watched.client.respond(id, message));
    answer(await upstream.next(), ...words);
    expect(textOf(await again)).toBe(whole);
    expect((await pupil.view(id)).exchanges).toHaveLength(2);
    expect(watched.sockets[0]?.readyState).toBe(WebSocket.CLOSED);
  });

  it('stops a turn over its socket, and without one by a request', async () => {
    using watched = watch();
    const id = await talk();
    let turnId = '';
    const turn = collect(watched.client.respond(id, { message: 'Is it true?' }), (event) => {
      if (turnId === '') void watched.client.stop(id, event.turn_id);
      turnId = event.turn_id;
    });
    (await upstream.next()).say(...words.slice(0, 2));
    expect((await turn).at(-1)).toMatchObject({ type: 'done', stopped: true });
    expect(watched.asked).toEqual(['POST /api/tickets']);
    await expect(watched.client.stop(id, 'nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    watched.client.close();
    await watched.client.stop(id, turnId);
    expect(watched.asked.at(-1)).toBe(`POST /api/sessions/${id}/turns/${turnId}/stop`);
  });

  it('gives a turn to all who read it, each from where it asked, also when it is withdrawn', async () => {
    using watched = watch();
    const { client } = watched;
    const id = await talk();
    const message = { message: 'Is it true?', clientMessageId: 'm1' };
    const begun = Promise.withResolvers<string>();
    const first = collect(client.respond(id, message), ({ turn_id: turnId }) => begun.resolve(turnId));
    const reply = await upstream.next();
    reply.say('So then: ');
    const turnId = await begun.promise;
    const others = [client.respond(id, message), client.follow(id, turnId), client.follow(id, turnId, { after: 1 })];
    const read = others.map((turn) => collect(turn));
    await pause(50);
    answer(reply, 'you should kill ', 'yourself now. ');
    const seen = await first;
    expect(seen.at(-1)?.type).toBe('redact');
    const [again, all, rest] = await Promise.all(read);
    expect(again).toEqual(seen);
    expect(all).toEqual(seen);
    expect(rest).toEqual(seen.slice(1));
    expect(await collect(client.follow(id, turnId, { after: 9 }))).toEqual([]);
    expect(
      await collect(createClient({ baseUrl: server.url, token: student.token }).follow(id, turnId, { after: 9 })),
    ).toEqual([]);
    expect(watched.sockets).toHaveLength(1);
  });

  it('can leave a turn, which goes on, as do the others', async () => {
    using watched = watch();
    const [left, kept] = [await talk(), await talk()];
    const leaving = new AbortController();
    const gone = failureOf(watched.client.respond(left, { message: 'Is it true?' }, { signal: leaving.signal }));
    const leftReply = await upstream.next();
    const turn = collect(watched.client.respond(kept, { message: 'Is it true?' }));
    const reply = await upstream.next();
    leaving.abort(new Error('left'));
    expect(await gone).toMatchObject({ message: 'left' });
    leftReply.say('Only ');
    for await (const _ of watched.client.follow(left, (await student.view(left)).active_turn_id ?? '')) break;
    answer(leftReply, ...words.slice(1));
    answer(reply, ...words);
    expect(textOf(await turn)).toBe(whole);
    await expect.poll(async () => (await student.view(left)).exchanges.length).toBe(2);
  });
});
