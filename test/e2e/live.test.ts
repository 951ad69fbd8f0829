import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../fixtures/caller.ts';
import { openStream, seqsOf, shownText } from '../fixtures/fault-client.ts';
import { type HeldReply, type HeldUpstream, startHeldUpstream } from '../fixtures/fault-upstream.ts';
import { eventsOf, isEnd, type LiveClient, type LiveMessage, openLive } from '../fixtures/live-client.ts';
import { startTestServer, type TestServer } from '../fixtures/running-server.ts';

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

const open = (who: Caller = student) => openLive(`${server.url}/api/live`, { token: who.token });
const respond = (sessionId: string, id = 'm1') => ({
  type: 'respond',
  session_id: sessionId,
  message: 'Is it true?',
  client_message_id: id,
});

/** Says something over the socket; the turn's id and the model's reply, of which not a word is said. */
async function begin(client: LiveClient, sessionId: string) {
  client.say(respond(sessionId));
  const [answer] = await client.read(1);
  return { answer, turnId: String(answer?.turn_id), reply: await upstream.next() };
}

/** Every event that comes from now on, with the bytes of its data as they came, in the form of an event stream. */
function framesOf(client: LiveClient): string[] {
  const frames: string[] = [];
  client.socket.on('message', (data) => {
    const text = Buffer.isBuffer(data) ? data.toString() : '';
    const [, type, turnId, seq, json] =
      /^\{"type":"(\w+)","turn_id":"([^"]+)","seq":(\d+),"data":(.*)\}$/su.exec(text) ?? [];
    if (type !== undefined) frames.push(`id: ${turnId}:${seq}\nevent: ${type}\ndata: ${json}`);
  });
  return frames;
}

/** A whole reply. */
function answer(reply: HeldReply, ...texts: readonly string[]): void {
  reply.say(...texts);
  reply.finish();
}

const framesIn = (raw: string) => raw.split('\n\n').filter((frame) => frame.startsWith('id: '));

describe('one turn over an event stream and over a WebSocket', () => {
  it.each([
    ['that ends well', 'done', words, 'finish'],
    ['that is withdrawn', 'redact', ['So then: ', 'you should kill ', 'yourself now. '], 'finish'],
    ['that breaks in the middle', 'error', words, 'drop'],
  ] as const)('%s is the same, byte for byte, whoever began it', async (_, terminal, said, end) => {
    using live = await open();
    const frames = framesOf(live);
    const [byStream, bySocket] = [await student.talk(), await student.talk()];
    const first = await openStream(`${server.url}/api/sessions/${byStream.session_id}/respond`, {
      token: student.token,
      body: { message: 'Is it true?' },
    });
    live.say({ type: 'follow', turn_id: first.turnId });
    await live.read(1);
    const speak = async (reply: HeldReply) => {
      reply.say(...said);
      await live.read(1);
      reply[end]();
      expect((await live.readTo((message) => isEnd(message))).at(-1)?.type).toBe(terminal);
    };
    await speak(await upstream.next());
    await first.rest();
    expect(frames).toEqual(framesIn(first.raw));

    frames.length = 0;
    const { turnId, reply } = await begin(live, bySocket.session_id);
    const path = `/api/sessions/${bySocket.session_id}/turns/${turnId}/events`;
    const second = await openStream(`${server.url}${path}`, { token: student.token });
    await speak(reply);
    await second.rest();
    expect(frames).toEqual(framesIn(second.raw));
    expect(frames.length).toBeGreaterThan(1);
  });

  it('is the same from every event on, from the log and from what was kept', async () => {
    for (const turnLogKeepMs of [60_000, 0]) {
      await using own = await startTestServer({ env: upstream.env, settings: { turnLogKeepMs } });
      const pupil = await own.join('Rasa');
      const { session_id: id } = await pupil.talk();
      using live = await openLive(`${own.url}/api/live`, { token: pupil.token });
      const { turnId, reply } = await begin(live, id);
      answer(reply, ...words);
      await live.readTo((message) => isEnd(message));
      const path = `/api/sessions/${id}/turns/${turnId}/events`;
      // Once the log is gone the text that was kept is one token.
      while (turnLogKeepMs === 0 && (await pupil.follow(path)).events.length > 2);
      const frames = framesOf(live);
      for (let after = 0; after <= words.length + 1; after += 1) {
        frames.length = 0;
        live.say({ type: 'follow', turn_id: turnId, after });
        const [answer] = await live.read(1);
        if (after <= words.length) await live.readTo((message) => isEnd(message));
        const stream = await pupil.follow(`${path}?after=${after}`);
        expect(answer).toMatchObject({ type: 'turn', ended: stream.status === 204 });
        expect(frames).toEqual(framesIn(stream.raw));
      }
    }
  });
});

describe('messages on one socket', () => {
  it('are answered one after another, each by what it asked for', async () => {
    using live = await open();
    const { session_id: id } = await student.talk();
    live.say({ type: 'follow', turn_id: 'nowhere' }, respond(id), 'nonsense', respond(id, 'm2'), { type: 'stop' });
    const answers = await live.read(5);
    const turnId = answers[1]?.turn_id;
    expect(answers).toMatchObject([
      { type: 'problem', code: 'NOT_FOUND', turn_id: 'nowhere' },
      { type: 'turn', session_id: id, ended: false, client_message_id: 'm1' },
      { type: 'problem', code: 'INVALID_REQUEST', status: 400 },
      { type: 'problem', code: 'TURN_IN_PROGRESS', status: 409, turn_id: turnId, client_message_id: 'm2' },
      { type: 'problem', code: 'INVALID_REQUEST', errors: [{ path: 'turn_id' }] },
    ]);
    answer(await upstream.next(), 'Yes.');
    await live.readTo((message) => isEnd(message, turnId));
    live.say(respond(id, 'm2'));
    const [second] = await live.read(1);
    expect(second).toMatchObject({ type: 'turn', client_message_id: 'm2' });
    answer(await upstream.next(), 'No.');
    const events = eventsOf(await live.readTo((message) => isEnd(message)), String(second?.turn_id));
    expect(shownText(events)).toBe('No.');
    expect((await student.view(id)).exchanges).toHaveLength(4);
  });

  it('said twice with one id are one turn, whose events come once', async () => {
    using live = await open();
    const { session_id: id } = await student.talk();
    const { turnId, reply } = await begin(live, id);
    live.say(respond(id));
    expect((await live.read(1))[0]).toMatchObject({ type: 'turn', turn_id: turnId });
    answer(reply, ...words);
    const seen = eventsOf(await live.readTo((message) => isEnd(message)), turnId);
    expect(seqsOf(seen)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    live.say(respond(id));
    const [, ...again] = await live.readTo((message) => isEnd(message));
    expect(eventsOf(again, turnId)).toEqual(seen);
  });

  it('stop a turn where it stands', async () => {
    using live = await open();
    const { session_id: id } = await student.talk();
    const { turnId, reply } = await begin(live, id);
    reply.say(...words.slice(0, 2));
    await live.read(2);
    live.say({ type: 'stop', turn_id: turnId });
    const rest = await live.readTo((message) => isEnd(message));
    expect(rest[0]).toEqual({ type: 'stopping', turn_id: turnId });
    expect(rest.at(-1)).toMatchObject({ type: 'done', data: { stopped: true } });
    expect(await reply.closed).toBe('abandoned');
  });

  it('ask in vain for what is another’s', async () => {
    using live = await open();
    const { session_id: id } = await student.talk();
    const { turnId, reply } = await begin(live, id);
    const others = [await server.join('Jonas'), await server.teacher()];
    for (const other of others) {
      using stranger = await open(other);
      const asks = [{ type: 'follow', turn_id: turnId }, { type: 'stop', turn_id: turnId }, respond(id, 'm9')];
      stranger.say(...asks);
      expect((await stranger.read(3)).map(({ code }) => code)).toEqual(asks.map(() => 'NOT_FOUND'));
    }
    live.say({ type: 'follow', turn_id: turnId, session_id: (await student.talk()).session_id });
    expect((await live.read(1))[0]).toMatchObject({ type: 'problem', code: 'NOT_FOUND', turn_id: turnId });
    answer(reply, ...words);
    expect(shownText(eventsOf(await live.readTo((message) => isEnd(message)), turnId))).toBe(whole);
  });
});

describe('a socket', () => {
  it('carries many turns at once, each whole and in order', async () => {
    using live = await open();
    const turns: { turnId: string; reply: HeldReply; mark: string }[] = [];
    for (let count = 0; count < 24; count += 1) {
      const { session_id: id } = await student.talk();
      turns.push({ ...(await begin(live, id)), mark: `${count}: ` });
    }
    for (const { reply, mark } of turns) reply.say(mark);
    for (const word of words) for (const { reply } of turns) reply.say(word);
    for (const { reply } of turns.toReversed()) reply.finish();
    const seen: LiveMessage[] = [];
    for (const _ of turns) seen.push(...(await live.readTo((message) => isEnd(message))));
    for (const { turnId, mark } of turns) {
      const events = eventsOf(seen, turnId);
      expect(seqsOf(events)).toEqual(events.map((_, index) => index + 1));
      expect(shownText(events)).toBe(`${mark}${whole}`);
      expect(events.at(-1)?.event).toBe('done');
    }
  });

  it('that is lost after any event leaves its turn to the next, which has the rest', async () => {
    for (let cut = 0; cut <= words.length; cut += 1) {
      const { session_id: id } = await student.talk();
      const live = await open();
      const { turnId, reply } = await begin(live, id);
      reply.say(...words.slice(0, cut));
      const before = eventsOf(await live.read(cut), turnId);
      live.socket.terminate();
      reply.say(...words.slice(cut));
      using back = await open();
      back.say({ type: 'follow', turn_id: turnId, after: cut });
      reply.finish();
      const seen = [...before, ...eventsOf(await back.readTo((message) => isEnd(message)), turnId)];
      expect(seqsOf(seen)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(shownText(seen)).toBe(whole);
    }
  });
});
