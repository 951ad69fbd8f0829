import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SignJWT } from 'jose';
import { earlyInAMinute } from '../fixtures/early-in-a-minute.ts';
import { lessonData } from '../fixtures/lesson.ts';
import { secret, startTestServer, type TestServer, writeTestFile } from '../fixtures/running-server.ts';
import { type Caller, createCaller } from '../fixtures/caller.ts';
import type { SessionView } from '../../src/http/protocol.ts';

let server: TestServer;
let student: Caller;

beforeAll(async () => {
  server = await startTestServer({
    files: {
      'cartridges/draft-lesson/cartridge.json': JSON.stringify({
        ...lessonData,
        task_id: 'draft-lesson',
        status: 'draft',
      }),
    },
  });
  student = await server.join();
});
afterAll(() => server[Symbol.asyncDispose]());

const begin = async () =>
  (await student.json<SessionView>('POST', '/api/sessions', { cartridge_id: 'test-lesson' })).body;
const signed = (claims: Record<string, unknown>, key = secret) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(claims['sub']))
    .sign(new TextEncoder().encode(key));

describe('a body', () => {
  it.each([
    ['that is no JSON', '{"cartridge_id":', 400, 'INVALID_REQUEST'],
    ['that is no object', '[]', 422, 'INVALID_REQUEST'],
    ['without the field', '{}', 422, 'INVALID_REQUEST'],
    ['with a field of the wrong type', '{"cartridge_id": 7}', 422, 'INVALID_REQUEST'],
    ['that is empty', '', 400, 'INVALID_REQUEST'],
  ])('%s is answered with a problem', async (_, body, status, code) => {
    const response = await student.request('POST', '/api/sessions', body, { 'content-type': 'application/json' });
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(await response.json()).toMatchObject({
      status,
      code,
      title: expect.any(String),
      detail: expect.any(String),
      instance: '/api/sessions',
    });
    expect(response.status).toBe(status);
  });

  it('names the field at fault', async () => {
    const { errors } = await student.problem('POST', '/api/sessions', { cartridge_id: 7 });
    expect(errors).toEqual([{ path: 'cartridge_id', message: 'must be a string' }]);
  });

  it('that is not UTF-8 is answered with 400', async () => {
    const response = await fetch(`${server.url}/api/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${student.token}`, 'content-type': 'application/json' },
      body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('over 64 KiB is answered with 413, also where it does not say its length', async () => {
    const { session_id: id } = await begin();
    const big = JSON.stringify({ message: 'x'.repeat(70_000) });
    expect((await student.request('POST', `/api/sessions/${id}/respond`, big)).status).toBe(413);
    const streamed = await fetch(`${server.url}/api/sessions/${id}/respond`, {
      method: 'POST',
      headers: { authorization: `Bearer ${student.token}` },
      body: new Blob([big]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(streamed.status).toBe(413);
  });

  it('with a message over 8,000 characters, or of white space, is answered with 422', async () => {
    const { session_id: id } = await student.talk();
    for (const message of ['x'.repeat(8_001), ' \n ']) {
      expect(await student.problem('POST', `/api/sessions/${id}/respond`, { message })).toMatchObject({
        status: 422,
        errors: [{ path: 'message' }],
      });
    }
    expect((await student.view(id)).exchanges).toEqual([]);
  });
});

describe('what is not yours', () => {
  it.each([
    ['GET', '/api/sessions/ID', undefined],
    ['POST', '/api/sessions/ID/choice', { choice: 0 }],
    ['POST', '/api/sessions/ID/investigate', { query: 'poster source' }],
    ['POST', '/api/sessions/ID/respond', { message: 'hi' }],
    ['GET', '/api/sessions/ID/debrief', undefined],
    ['GET', '/api/sessions/ID/turns/T/events', undefined],
    ['POST', '/api/sessions/ID/turns/T/stop', undefined],
    ['GET', '/api/sessions/ID/turns/T/trace', undefined],
  ])('%s %s is 404 for another student, another school and for an id that is not there', async (method, path, body) => {
    const { session_id: id } = await student.talk();
    const { turnId } = await student.say(id, 'hello');
    const real = path.replace('ID', id).replace('/T/', `/${turnId}/`);
    const other = await server.join();
    const sameName = createCaller(
      () => server.url,
      await signed({ sub: 'me', role: 'student', school_id: 'elsewhere' }),
    );
    for (const outsider of [other, sameName]) {
      expect(await outsider.problem(method, real, body)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
    expect(await student.problem(method, path.replace('ID', 'nope').replace('/T/', '/nope/'), body)).toMatchObject({
      status: 404,
    });
  });

  it('is a trace for students, and for the staff of another school', async () => {
    const { session_id: id } = await student.talk();
    const { turnId } = await student.say(id, 'hello');
    const path = `/api/sessions/${id}/turns/${turnId}/trace`;
    expect((await student.request('GET', path)).status).toBe(404);
    const stranger = createCaller(
      () => server.url,
      await signed({ sub: 't', role: 'teacher', school_id: 'elsewhere' }),
    );
    expect((await stranger.request('GET', path)).status).toBe(404);
    expect((await (await server.teacher()).request('GET', path)).status).toBe(200);
  });

  it('is a class, for students and other teachers', async () => {
    const teacher = await server.teacher();
    const made = await teacher.json<{ id: string; join_code: string }>('POST', '/api/classes', { title: '10b' });
    expect(made.status).toBe(201);
    expect((await teacher.request('GET', `/api/classes/${made.body.id}`)).status).toBe(200);
    expect((await student.request('GET', `/api/classes/${made.body.id}`)).status).toBe(404);
    expect((await student.request('POST', '/api/classes', { title: 'mine' })).status).toBe(404);
  });
});

describe('signing in', () => {
  it.each([
    ['no token', undefined],
    ['a token that is none', 'abc'],
    ['a token signed by someone else', 'forged'],
    ['a token that has expired', 'expired'],
    ['a token without a role', 'roleless'],
  ])('with %s is 401', async (_, kind) => {
    const past = Math.floor(Date.now() / 1000) - 10;
    const tokens: Record<string, string> = {
      abc: 'abc',
      forged: await signed({ sub: 'x', role: 'teacher', school_id: 's' }, 'another-secret-entirely-different'),
      expired: await signed({ sub: 'x', role: 'student', school_id: 's', exp: past }),
      roleless: await signed({ sub: 'x', school_id: 's' }),
    };
    const response = await fetch(
      `${server.url}/api/cartridges`,
      kind === undefined ? {} : { headers: { authorization: `Bearer ${tokens[kind]}` } },
    );
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('takes a token of someone the server has not seen before, if it signed it', async () => {
    const newcomer = createCaller(
      () => server.url,
      await signed({ sub: 'someone', role: 'student', school_id: 'a-new-school' }),
    );
    const view = await newcomer.talk();
    expect((await newcomer.say(view.session_id, 'hello')).last.event).toBe('done');
  });

  it('by cookie works for our own pages and not for another site', async () => {
    const headers = { cookie: `trickster=${student.token}` };
    expect((await fetch(`${server.url}/api/me`, { headers })).status).toBe(200);
    expect((await fetch(`${server.url}/api/me`, { headers: { ...headers, origin: server.url } })).status).toBe(200);
    expect(
      (await fetch(`${server.url}/api/me`, { headers: { ...headers, origin: 'https://evil.example' } })).status,
    ).toBe(401);
  });

  it('to a class that is not there is 404, and the code may be typed in any case, with spaces', async () => {
    expect(await student.problem('POST', '/api/join', { code: 'NOSUCH' })).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
    });
    const typed = ` ${server.running.joinCode.toLowerCase().slice(0, 3)} ${server.running.joinCode.slice(3)} `;
    const joined = await student.json<{ token: string; role: string }>('POST', '/api/join', {
      code: typed,
      display_name: 'Žygimantas 🎒',
    });
    expect(joined).toMatchObject({ status: 200, body: { role: 'student', display_name: 'Žygimantas 🎒' } });
  });
});

describe('in a lesson', () => {
  it('a cartridge that is not there, or not active, cannot be begun', async () => {
    for (const id of ['nothing', 'draft-lesson'])
      expect(await student.problem('POST', '/api/sessions', { cartridge_id: id })).toMatchObject({ status: 404 });
    const { body } = await student.json<{ items: { id: string }[] }>('GET', '/api/cartridges');
    expect(body.items.map((item) => item.id)).toEqual(['test-lesson']);
  });

  it('a language it is not in is refused with the ones it is in', async () => {
    const problem = await student.problem('POST', '/api/sessions', { cartridge_id: 'test-lesson', language: 'fr' });
    expect(problem).toMatchObject({
      status: 422,
      errors: [{ path: 'language', message: expect.stringContaining('lt') }],
    });
  });

  it('a phase that cannot be reached from here is refused, and nothing has moved', async () => {
    const { session_id: id } = await begin();
    for (const body of [{ target_phase: 'seen' }, { choice: 9 }, { target_phase: 'talk' }]) {
      expect(await student.problem('POST', `/api/sessions/${id}/choice`, body)).toMatchObject({
        status: 422,
        code: 'INVALID_PHASE_TRANSITION',
      });
    }
    for (const body of [{ choice: -1 }, { choice: '0' }, {}, { choice: 1.5 }]) {
      expect(await student.problem('POST', `/api/sessions/${id}/choice`, body)).toMatchObject({
        status: 422,
        code: 'INVALID_REQUEST',
      });
    }
    expect(await student.view(id)).toMatchObject({ current_phase: 'start' });
  });

  it('a message in a static phase is refused', async () => {
    const { session_id: id } = await begin();
    expect(await student.problem('POST', `/api/sessions/${id}/respond`, { message: 'hi' })).toMatchObject({
      status: 422,
      code: 'NOT_AN_AI_PHASE',
    });
  });

  it('the context label comes from the cartridge, and the client is not told it', async () => {
    const view = await begin();
    expect(JSON.stringify(view)).not.toContain('Student signed up at once');
    expect(view.interaction).toEqual({
      type: 'button',
      choices: [
        { index: 0, label: 'Sign up', target_phase: 'talk' },
        { index: 1, label: 'Look it up', target_phase: 'search' },
        { index: 2, label: 'Ask a friend', target_phase: 'talk' },
      ],
    });
  });

  it('what gives the trick away is in no view before the end', async () => {
    const view = await student.talk();
    for (const hidden of ['countdown that never ends', 'names the hurry', 'Hurry is a tool', 'false_urgency']) {
      expect(JSON.stringify(view)).not.toContain(hidden);
    }
  });

  it('an investigation unlocks as it goes, and shows what was found', async () => {
    const { session_id: id } = await begin();
    const entered = (await student.json<SessionView>('POST', `/api/sessions/${id}/choice`, { target_phase: 'search' }))
      .body;
    expect(entered.content.map((block) => block.id)).toEqual(['b-text']);
    const search = (query: string) =>
      student.json<Record<string, unknown>>('POST', `/api/sessions/${id}/investigate`, { query });
    expect((await search('old poster')).body).toMatchObject({ results: [], unlocked_queries: [] });
    expect((await search('poster source')).body).toMatchObject({
      results: [{ id: 'r-one' }],
      unlocked_queries: ['old poster'],
      can_submit: false,
    });
    expect(await student.problem('POST', `/api/sessions/${id}/choice`, { target_phase: 'talk' })).toMatchObject({
      code: 'INVALID_PHASE_TRANSITION',
    });
    expect((await search('old poster')).body).toMatchObject({ key_findings_found: 1, can_submit: true });
    expect((await student.view(id)).content.map((block) => block.id)).toEqual(['b-text', 'r-one', 'r-two']);
    expect(
      (await student.json<SessionView>('POST', `/api/sessions/${id}/choice`, { target_phase: 'talk' })).body
        .current_phase,
    ).toBe('talk');
  });
});

describe('a lesson edited under a running session', () => {
  const edited = (changes: object) => JSON.stringify({ ...lessonData, task_id: 'edited-lesson', ...changes });
  const lay = (changes: object) =>
    writeTestFile(server.folder, 'cartridges/edited-lesson/cartridge.json', edited(changes));
  const untilListed = async (title: string | null) => {
    for (let tries = 0; tries < 200; tries += 1) {
      const { body } = await student.json<{ items: { id: string; title: string }[] }>('GET', '/api/cartridges');
      const found = body.items.find((item) => item.id === 'edited-lesson')?.title ?? null;
      if (found === title) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`the lesson never became ${title}`);
  };

  it('goes on with the version it began with, and a new session gets the new one', async () => {
    await lay({ title: 'First' });
    await untilListed('First');
    const { session_id: id } = (
      await student.json<SessionView>('POST', '/api/sessions', { cartridge_id: 'edited-lesson' })
    ).body;
    await lay({ title: 'Second' });
    await untilListed('Second');
    expect(await student.view(id)).toMatchObject({ cartridge_title: 'First' });
    await server.restart();
    expect(await student.view(id)).toMatchObject({ cartridge_title: 'First' });
  });

  it('whose phase is gone says where to go on, and goes on there with its conversation', async () => {
    await lay({ title: 'Whole' });
    await untilListed('Whole');
    const { session_id: id } = await student.talk('edited-lesson');
    await student.say(id, 'hello');
    const phases = JSON.parse(JSON.stringify(lessonData.phases).replaceAll('"talk"', '"conversation"')) as unknown[];
    await lay({ title: 'Changed', phases });
    await untilListed('Changed');
    for (const [method, path, body] of [
      ['GET', `/api/sessions/${id}`, undefined],
      ['POST', `/api/sessions/${id}/respond`, { message: 'still there?' }],
      ['POST', `/api/sessions/${id}/choice`, { choice: 0 }],
    ] as const) {
      expect(await student.problem(method, path, body)).toMatchObject({
        status: 409,
        code: 'CARTRIDGE_CHANGED',
        initial_phase: 'start',
      });
    }
    const again = (await student.json<SessionView>('POST', `/api/sessions/${id}/choice`, { target_phase: 'start' }))
      .body;
    expect(again).toMatchObject({ current_phase: 'start', cartridge_title: 'Changed' });
    expect(again.exchanges).toHaveLength(2);
  });

  it('edited badly goes on being served as it last was', async () => {
    await lay({ title: 'Good' });
    await untilListed('Good');
    await writeTestFile(server.folder, 'cartridges/edited-lesson/cartridge.json', '{ "task_id": ');
    await writeTestFile(
      server.folder,
      'cartridges/marker-lesson/cartridge.json',
      JSON.stringify({ ...lessonData, task_id: 'marker-lesson', title: 'Marker' }),
    );
    for (let tries = 0; tries < 200; tries += 1) {
      const { body } = await student.json<{ items: { id: string }[] }>('GET', '/api/cartridges');
      if (body.items.some((item) => item.id === 'marker-lesson')) break;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    await untilListed('Good');
    expect((await student.json('POST', '/api/sessions', { cartridge_id: 'edited-lesson' })).status).toBe(201);
  });
});

describe('limits', () => {
  it('on turns and joins answer 429 with Retry-After', async () => {
    await using limited = await startTestServer({
      env: { RATE_LIMIT_TURNS_PER_MINUTE: '2', RATE_LIMIT_JOINS_PER_MINUTE: '1' },
    });
    await earlyInAMinute();
    const caller = await limited.join();
    const { session_id: id } = await caller.talk();
    for (const message of ['one', 'two']) expect((await caller.say(id, message)).last.event).toBe('done');
    const response = await caller.request('POST', `/api/sessions/${id}/respond`, { message: 'three' });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await caller.view(id)).exchanges).toHaveLength(4);
    const second = await caller.request('POST', '/api/join', { code: limited.running.joinCode });
    expect([second.status, await second.json()]).toMatchObject([429, { code: 'RATE_LIMITED' }]);
  });
});

describe('the contract', () => {
  it('is published, and knows every route of the server', async () => {
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, object>;
    };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toContain('/api/sessions/{id}/respond');
    const docs = await fetch(`${server.url}/docs`);
    expect(docs.headers.get('content-type')).toContain('text/html');
    expect(await docs.text()).toContain('/api/sessions/{id}/respond');
  });

  it('answers for its health', async () => {
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('trickster_live_turns');
  });

  it('says 404 as a problem where there is nothing', async () => {
    expect(await student.problem('GET', '/api/nothing')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });
});
