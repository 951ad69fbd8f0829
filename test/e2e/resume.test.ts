import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { Tokens } from '../../src/http/tokens.ts';
import { type Caller, createCaller, type SseEvent } from '../fixtures/caller.ts';
import { type EventReader, openStream, seqsOf, shownText } from '../fixtures/fault-client.ts';
import { type HeldReply, type HeldUpstream, startHeldUpstream } from '../fixtures/fault-upstream.ts';
import { secret, startTestServer, type TestServer } from '../fixtures/running-server.ts';

const words = ['Only ', 'ten ', 'pląces ', '🦊 “left”, ', 'hurry\n', 'now. '];
const whole = words.join('');
/** Tokens and the terminal event. */
const events = words.length + 1;
const everyCut = Array.from({ length: events + 1 }, (_, index) => index);

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

type LiveTurn = { sessionId: string; path: string; stream: EventReader; reply: HeldReply };

/** A turn whose stream is open and whose model has not said a word. */
async function begin(sessionId?: string, on: { server: TestServer; student: Caller } = { server, student }) {
  const id = sessionId ?? (await on.student.talk()).session_id;
  const url = `${on.server.url}/api/sessions/${id}/respond`;
  const stream = await openStream(url, { token: on.student.token, body: { message: 'Is it true?' } });
  const reply = await upstream.next();
  const path = `/api/sessions/${id}/turns/${stream.turnId}/events`;
  return { sessionId: id, path, stream, reply } satisfies LiveTurn;
}

/** The two ways to say how far one has read. */
const ways = [
  ['Last-Event-ID', (turnId: string, seq: number) => ({ query: '', headers: { 'last-event-id': `${turnId}:${seq}` } })],
  ['?after=', (_: string, seq: number) => ({ query: `?after=${seq}`, headers: {} })],
] as const;

async function resume(path: string, token: string, place: { query: string; headers: Record<string, string> }) {
  return openStream(`${server.url}${path}${place.query}`, { token, headers: place.headers });
}

/** The whole of a turn as one client saw it through its connections: every event once, in order, one at the end. */
function expectWhole(seen: readonly SseEvent[], terminal = 'done'): void {
  expect(seqsOf(seen)).toEqual(Array.from({ length: events }, (_, index) => index + 1));
  expect(seen.map(({ event }) => event)).toEqual([...words.map(() => 'token'), terminal]);
  expect(Buffer.from(shownText(seen))).toEqual(Buffer.from(whole));
}

/** What a client has that read `cut` events and then what was kept of the turn: the rest of the text as one token. */
function expectWholeFromKept(before: readonly SseEvent[], after: readonly SseEvent[]): void {
  const hasText = before.length >= words.length;
  expect(after.map(({ event }) => event)).toEqual(hasText ? ['done'] : ['token', 'done']);
  expect(seqsOf(after)).toEqual(hasText ? [events] : [events - 1, events]);
  expect(Buffer.from(shownText([...before, ...after]))).toEqual(Buffer.from(whole));
}

/** A second sign-in of a caller's. */
async function anotherDevice(of: Caller, claims: { schoolId?: string; userId?: string; hours?: number } = {}) {
  const tokens = new Tokens({ clock: systemClock, secret: new TextEncoder().encode(secret), identityProvider: null });
  const identity = await tokens.identify(of.token);
  if (!identity) throw new Error('the token is not good');
  const { schoolId = identity.schoolId, userId = identity.userId, hours = 1 } = claims;
  const { token } = await tokens.sign({ ...identity, schoolId, userId }, hours);
  return createCaller(() => server.url, token);
}

describe.each(ways)('a client that resumes with %s', (_, place) => {
  it.each(everyCut.slice(0, -1))('cut off after event %i of a live turn, ends with the same bytes', async (cut) => {
    const { path, stream, reply } = await begin();
    const saidBefore = Math.min(words.length, Math.max(cut, 3));
    reply.say(...words.slice(0, saidBefore));
    if (cut === words.length) reply.finish();
    const before = await stream.read(cut);
    stream.cut();
    const back = await resume(path, student.token, place(stream.turnId, cut));
    const during = await back.read(Math.max(0, saidBefore - cut));
    if (cut < words.length) {
      reply.say(...words.slice(saidBefore));
      reply.finish();
    }
    expectWhole([...before, ...during, ...(await back.rest())]);
  });

  it('cut off and back after every event, ends with the same bytes', async () => {
    const { path, stream, reply } = await begin();
    const seen: SseEvent[] = [];
    let current = stream;
    for (const word of words) {
      reply.say(word);
      seen.push(...(await current.read(1)));
      current.cut();
      current = await resume(path, student.token, place(stream.turnId, seen.length));
    }
    reply.finish();
    expectWhole([...seen, ...(await current.rest())]);
  });

  it('after the turn has ended gets the rest of it, from every event', async () => {
    const { path, stream, reply } = await begin();
    reply.say(...words);
    reply.finish();
    const all = await stream.rest();
    expectWhole(all);
    for (const cut of everyCut) {
      const back = await resume(path, student.token, place(stream.turnId, cut));
      expect(back.status).toBe(cut < events ? 200 : 204);
      expect(await back.rest()).toEqual(all.slice(cut));
    }
  });
});

describe('a turn', () => {
  it('goes on and settles when its only client has left', async () => {
    const { sessionId, path, stream, reply } = await begin();
    reply.say(...words.slice(0, 2));
    await stream.read(2);
    stream.cut();
    reply.say(...words.slice(2));
    reply.finish();
    expect(await reply.closed).toBe('answered');
    expectWhole(await (await resume(path, student.token, { query: '', headers: {} })).rest());
    expect((await student.view(sessionId)).exchanges.map(({ content }) => content)).toEqual(['Is it true?', whole]);
  });

  it('holds no stream open for a client that leaves at any moment of its request', async () => {
    await using own = await startTestServer({ env: { MODEL_STANDARD: 'offline' } });
    const pupil = await own.join('Rasa');
    const sessions = [];
    for (let ticks = 0; ticks < 12; ticks += 1) {
      const { session_id: id } = await pupil.talk();
      sessions.push(id);
      const leaving = request(`${own.url}/api/sessions/${id}/respond`, {
        method: 'POST',
        agent: false,
        headers: { authorization: `Bearer ${pupil.token}`, 'content-type': 'application/json' },
      });
      leaving.on('error', () => {});
      await new Promise<void>((flushed) => leaving.end('{"message":"Is it true?"}', flushed));
      for (let tick = 0; tick < ticks; tick += 1) await nextTick();
      leaving.destroy();
    }
    // What was heard is answered, and the session is free again, whoever listens.
    for (const id of sessions) await until(async () => (await pupil.view(id)).active_turn_id === null);
    await until(async () => (await metric(own, 'trickster_open_streams')) === 0);
    expect(await metric(own, 'trickster_live_turns')).toBe(0);
  });

  it('is the same on a second device that comes in the middle', async () => {
    const { path, stream, reply } = await begin();
    reply.say(...words.slice(0, 4));
    const first = await stream.read(4);
    const second = await resume(path, (await anotherDevice(student)).token, { query: '', headers: {} });
    expect(await second.read(4)).toEqual(first);
    reply.say(...words.slice(4));
    reply.finish();
    const ends = await Promise.all([stream.rest(), second.rest()]);
    expect(ends[1]).toEqual(ends[0]);
    expectWhole([...first, ...ends[0]]);
  });

  it('is whole for a client whose id is of another turn: it starts from the beginning', async () => {
    const { path, stream, reply } = await begin();
    reply.say(...words);
    reply.finish();
    const all = await stream.rest();
    const back = await resume(path, student.token, { query: '', headers: { 'last-event-id': 'another-turn:4' } });
    expect(await back.rest()).toEqual(all);
  });

  it('is shown to nobody but its student, live or ended, however they ask', async () => {
    const { path, stream, reply } = await begin();
    reply.say(...words.slice(0, 2));
    await stream.read(2);
    const { session_id: elsewhere } = await student.talk();
    const refuse = async () => {
      const strangers = [
        [await server.join('Jonas'), 404],
        [await server.teacher(), 404],
        [await anotherDevice(student, { schoolId: 'another-school' }), 404],
        [await anotherDevice(student, { userId: 'another-student' }), 404],
        [await anotherDevice(student, { hours: -1 }), 401],
      ] as const;
      for (const [stranger, status] of strangers) {
        for (const [, place] of ways) {
          const { query, headers } = place(stream.turnId, 1);
          const response = await stranger.request('GET', `${path}${query}`, undefined, headers);
          expect(response.status).toBe(status);
          // The address that the problem repeats holds random ids, which may hold anything.
          const { instance, ...problem } = (await response.json()) as Record<string, unknown>;
          expect(instance).toBe(path);
          expect(JSON.stringify(problem)).not.toContain('pl');
        }
      }
      const anonymous = await fetch(`${server.url}${path}`);
      expect(anonymous.status).toBe(401);
      expect((await student.request('GET', `/api/sessions/${elsewhere}/turns/${stream.turnId}/events`)).status).toBe(
        404,
      );
    };
    await refuse();
    reply.say(...words.slice(2));
    reply.finish();
    await stream.rest();
    await refuse();
  });
});

describe('a turn that came to no good end', () => {
  it.each(['stopped', 'broken off'])(
    '%s is the same for everyone who comes back, also after a restart',
    async (how) => {
      const { path, stream, reply } = await begin();
      reply.say(...words.slice(0, 3));
      const before = await stream.read(3);
      if (how === 'stopped') await student.request('POST', path.replace(/events$/u, 'stop'));
      else reply.drop();
      const all = [...before, ...(await stream.rest())];
      expect(seqsOf(all)).toEqual([1, 2, 3, 4]);
      expect(all.at(-1)).toMatchObject(
        how === 'stopped'
          ? { event: 'done', data: { stopped: true } }
          : { event: 'error', data: { retryable: true, partial_text: words.slice(0, 3).join('') } },
      );
      await server.restart();
      for (const cut of [0, 1, 3]) {
        const after = await (await resume(path, student.token, { query: `?after=${cut}`, headers: {} })).rest();
        expect(shownText([...all.slice(0, cut), ...after])).toBe(shownText(all));
        expect(after.at(-1)).toEqual(all.at(-1));
      }
      expect((await resume(path, student.token, { query: '?after=4', headers: {} })).status).toBe(204);
    },
  );

  it('stopped before its first word is over for who has seen its end, also after a restart', async () => {
    const { path, stream } = await begin();
    await student.request('POST', path.replace(/events$/u, 'stop'));
    expect(seqsOf(await stream.rest())).toEqual([1]);
    await server.restart();
    expect(seqsOf(await (await resume(path, student.token, { query: '', headers: {} })).rest())).toEqual([1]);
    expect((await resume(path, student.token, { query: '?after=1', headers: {} })).status).toBe(204);
  });
});

describe('a turn whose log is gone', () => {
  it('is served from what was kept, from every event, after a restart', async () => {
    const { path, stream, reply } = await begin();
    reply.say(...words);
    reply.finish();
    const all = await stream.rest();
    await server.restart();
    await expectKept({ path, all, turnId: stream.turnId });
  });

  it('is served from what was kept, from every event, once the log has expired', async () => {
    await using expiring = await startTestServer({ env: upstream.env, settings: { turnLogKeepMs: 0 } });
    const pupil = await expiring.join('Rasa');
    const { path, stream, reply } = await begin(undefined, { server: expiring, student: pupil });
    reply.say(...words);
    reply.finish();
    const all = await stream.rest();
    await until(async () => (await pupil.follow(path)).events.length === 2);
    await expectKept({ path, all, turnId: stream.turnId, url: expiring.url, token: pupil.token });
  });

  type Kept = { path: string; all: readonly SseEvent[]; turnId: string; url?: string; token?: string };

  async function expectKept({ path, all, turnId, url = server.url, token = student.token }: Kept): Promise<void> {
    for (const [, place] of ways) {
      for (const cut of everyCut.slice(0, -1)) {
        const { query, headers } = place(turnId, cut);
        const back = await openStream(`${url}${path}${query}`, { token, headers });
        expectWholeFromKept(all.slice(0, cut), await back.rest());
      }
      const { query, headers } = place(turnId, events);
      expect((await openStream(`${url}${path}${query}`, { token, headers })).status).toBe(204);
    }
  }
});

describe('a redacted turn', () => {
  const shown = 'Quixotic zeppelin. ';
  const bad = 'You should kill yourself, really. ';
  const withdrawn = ['uixotic', 'eppelin', 'yourself'];

  it('is told by no path again', async () => {
    const { sessionId, path, stream, reply } = await begin();
    reply.say(shown);
    const before = await stream.read(1);
    expect(shownText(before)).toContain('uixotic');
    const second = await resume(path, (await anotherDevice(student)).token, { query: '', headers: {} });
    await second.read(1);
    reply.say(bad);
    const ends = await Promise.all([stream.rest(), second.rest()]);
    for (const end of ends) {
      expect(end.at(-1)?.event).toBe('redact');
      expect(JSON.stringify(end)).not.toContain('yourself');
    }
    const fallback = String(ends[0].at(-1)?.data['fallback_text']);

    const tellNothing = async () => {
      for (const cut of [0, 1, 2, 3]) {
        const back = await resume(path, student.token, { query: `?after=${cut}`, headers: {} });
        const rest = await back.rest();
        expectNothing(back.raw);
        expect(rest.filter(({ event }) => event !== 'redact')).toEqual([]);
        if (cut < 2) expect(seqsOf(rest)).toEqual([cut + 1]);
      }
      const view = await student.view(sessionId);
      expect(view.exchanges.map(({ content }) => content)).toEqual(['Is it true?', fallback]);
      expectNothing(JSON.stringify(view));
      const teacher = await server.teacher();
      const trace = await teacher.request('GET', path.replace(/events$/u, 'trace'));
      expect(trace.status).toBe(200);
      expectNothing(await trace.text());
      await expectNothingOnDisk();
    };
    await tellNothing();

    // What is said next, and the debrief, are made from prompts that do not know it either.
    for (let exchange = 2; exchange <= 4; exchange += 1) {
      const next = await begin(sessionId);
      expectNothing(next.reply.request);
      next.reply.say('Well. ');
      next.reply.finish();
      await next.stream.rest();
    }
    const debrief = student.follow(`/api/sessions/${sessionId}/debrief`);
    const asked = await upstream.next();
    expectNothing(asked.request);
    asked.say('It was the hurry. ');
    asked.finish();
    expect((await debrief).last).toMatchObject({ event: 'done', data: { debrief_complete: true } });

    await server.restart();
    for (const cut of [0, 1]) {
      const back = await resume(path, student.token, { query: `?after=${cut}`, headers: {} });
      expect(seqsOf(await back.rest())).toEqual([cut + 1]);
      expectNothing(back.raw);
    }
    await expectNothingOnDisk();
  });

  function expectNothing(text: string): void {
    for (const word of withdrawn) expect(text).not.toContain(word);
  }

  async function expectNothingOnDisk(): Promise<void> {
    const folder = join(server.folder, 'data');
    const files = await readdir(folder);
    expect(files).toEqual(expect.arrayContaining(['trickster.db', 'trickster.db-wal']));
    const everything = Buffer.concat(await Promise.all(files.map((file) => readFile(join(folder, file)))));
    // The learner's own words show that this looks where text is kept.
    expect(everything.includes('Is it true?')).toBe(true);
    for (const word of withdrawn) expect(everything.includes(word)).toBe(false);
  }
});

async function metric({ url }: TestServer, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'mu').exec(text)?.[1]);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('it did not come about');
}
