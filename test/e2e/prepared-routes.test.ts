import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companionValue } from '../../src/cartridge/companion-fixture.ts';
import { type Caller, createCaller } from '../fixtures/caller.ts';
import { secret, startTestServer, type TestServer } from '../fixtures/running-server.ts';

type Me = { user_id: string; school_id: string };
type ProfileView = { user_id: string; profile: Record<string, unknown>; version: number; updated_at: string | null };
type Item = { id: string; type: string; key: string; value: unknown; timestamp: string; expires_at: string };
type ItemList = { items: Item[]; pagination: Record<string, number> };
type Analysis = {
  terms: string[];
  memories: (Item & { relevance_score: number })[];
  context_score: number;
  completeness_score: number;
  confidence_score: number;
  suggested_actions: string[];
};
type Objectives = { user_id: string; items: { cartridge_id: string; reason: string; generated_at: string }[] };

const layers = ['persona', 'safety', 'safety_configuration', 'language'];
const counsel = companionValue({
  id: 'counsel',
  context: [...layers, 'profile_narrative', 'objectives'],
  tools: [],
  memory: {},
  session: { on_end: [] },
});
const manager = companionValue({
  id: 'manager',
  context: [...layers, 'typed_memories', 'context_analysis'],
  tools: [],
  memory: { typed: { relevance: 'balanced', ttl_days: 7 } },
  session: { on_end: [] },
});
const seedManager = { ...manager, id: 'z-manager', memory: { typed: { threshold: 5, top: 1 } }, language: 'lt' };

let server: TestServer;
let student: Caller;
let me: Me;

beforeAll(async () => {
  server = await startTestServer({
    files: {
      'cartridges/counsel/cartridge.json': JSON.stringify(counsel),
      'cartridges/manager/cartridge.json': JSON.stringify(manager),
      'cartridges/z-manager/cartridge.json': JSON.stringify(seedManager),
      'prompts/default/remember-objectives.md': 'Prepare the next conversation.',
    },
  });
  student = await server.join();
  me = await whoIs(student);
});
afterAll(() => server[Symbol.asyncDispose]());

const whoIs = async (caller: Caller) => (await caller.json<Me>('GET', '/api/me')).body;

/** Somebody that an identity provider names. */
async function someone(role: string, schoolId: string, userId = `${role}-${schoolId}`): Promise<Caller> {
  const token = await new SignJWT({ sub: userId, role, school_id: schoolId })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .sign(new TextEncoder().encode(secret));
  return createCaller(() => server.url, token);
}

describe('a profile', () => {
  const profileOf = (userId: string) => `/api/profiles/${encodeURIComponent(userId)}`;
  const put = (caller: Caller, userId: string, body: unknown, headers: Record<string, string> = {}) =>
    caller.request('PUT', profileOf(userId), body, headers);

  it('is empty at first, saved, and read again with its version', async () => {
    const caller = await server.join();
    const { user_id: id } = await whoIs(caller);
    const empty = await caller.json<ProfileView>('GET', profileOf(id));
    expect(empty).toEqual({ status: 200, body: { user_id: id, profile: {}, version: 0, updated_at: null } });
    const profile = { school_year: 11, gpa: { value: 9.2, scale: 10 }, interests: ['fizika ąčę 🎒'], notes: null };
    const saved = await caller.json<ProfileView>('PUT', profileOf(id), { profile, version: 0 });
    expect(saved.status).toBe(200);
    expect(saved.body).toEqual({
      user_id: id,
      profile: { school_year: '11', gpa: { value: 9.2, scale: 10 }, interests: ['fizika ąčę 🎒'] },
      version: 1,
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const response = await caller.request('GET', profileOf(id));
    expect(response.headers.get('etag')).toBe('"1"');
    expect(await response.json()).toEqual(saved.body);
  });

  it('is not overwritten by who has not read it: by version, by If-Match, and both', async () => {
    const caller = await server.join();
    const { user_id: id } = await whoIs(caller);
    const body = { profile: { notes: 'pirmas' } };
    expect((await put(caller, id, body, { 'if-match': '*' })).status).toBe(409);
    expect((await put(caller, id, { ...body, version: 0 })).status).toBe(200);
    const conflict = await put(caller, id, { profile: { notes: 'antras' }, version: 0 });
    expect(conflict.status).toBe(409);
    expect(await conflict.json()).toMatchObject({ code: 'CHANGED_MEANWHILE', version: 1 });
    expect((await put(caller, id, body, { 'if-match': '"7"' })).status).toBe(409);
    expect((await put(caller, id, body, { 'if-match': '"1"' })).status).toBe(200);
    expect((await put(caller, id, body, { 'if-match': '*' })).status).toBe(200);
    expect((await put(caller, id, { ...body, version: 3 }, { 'if-match': '"3"' })).status).toBe(200);
    for (const [version, header] of [
      [4, '"3"'],
      [null, 'W/"4"'],
      [null, 'four'],
    ] as const)
      expect((await put(caller, id, { ...body, version }, { 'if-match': header })).status).toBe(422);
    // Without a version the last one to save wins.
    const saves = await Promise.all([1, 2, 3].map((n) => put(caller, id, { profile: { notes: `${n}` } })));
    expect(saves.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { body: last } = await caller.json<ProfileView>('GET', profileOf(id));
    expect(last.version).toBe(7);
  });

  it('of two who save at one version one is told', async () => {
    const caller = await server.join();
    const { user_id: id } = await whoIs(caller);
    const saves = await Promise.all(
      ['a', 'b'].map((notes) => put(caller, id, { profile: { notes }, version: 0 }).then(({ status }) => status)),
    );
    expect(saves.toSorted((one, other) => one - other)).toEqual([200, 409]);
  });

  it.each([
    ['an unknown field', { shoe_size: 44 }, 'profile.shoe_size', 'is not a field there is'],
    [
      'an unknown field within',
      { gpa: { value: 4, scale: 4, rank: 1 } },
      'profile.gpa.rank',
      'is not a field there is',
    ],
    [
      'a date that is none',
      { deadlines: [{ title: 'Esė', due_on: '2026-02-30' }] },
      'profile.deadlines.0.due_on',
      'must be a date, yyyy-mm-dd',
    ],
    [
      'a score of another kind',
      { testing: [{ test: 'SAT', score: {}, taken_on: '2026-02-03' }] },
      'profile.testing.0.score',
      'must be a number or a text',
    ],
    ['too much', { notes: 'x'.repeat(2_001) }, 'profile.notes', 'may have at most 2000 characters'],
    ['nothing', undefined, 'profile', 'must be an object'],
  ])('with %s is answered with 422 that names the field', async (_, profile, path, message) => {
    const problem = await student.problem('PUT', profileOf(me.user_id), { profile });
    expect(problem).toMatchObject({ status: 422, code: 'INVALID_REQUEST', errors: [{ path, message }] });
  });

  it('is for the student, their teacher, and the school’s facilitators and admins', async () => {
    await student.json('PUT', profileOf(me.user_id), { profile: { notes: 'mano' } });
    const allowed = [
      student,
      await server.teacher(),
      await someone('facilitator', me.school_id),
      await someone('admin', me.school_id),
    ];
    for (const caller of allowed) {
      expect((await caller.json<ProfileView>('GET', profileOf(me.user_id))).body.profile).toMatchObject({
        notes: 'mano',
      });
      expect((await put(caller, me.user_id, { profile: { notes: 'mano' } })).status).toBe(200);
    }
    const others = [
      await server.join(),
      await someone('teacher', me.school_id, 'a-teacher-of-others'),
      await someone('guardian', me.school_id),
    ];
    for (const caller of others) {
      expect(await caller.problem('GET', profileOf(me.user_id))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
      expect((await put(caller, me.user_id, { profile: {} })).status).toBe(404);
    }
    expect((await student.json<ProfileView>('GET', profileOf(me.user_id))).body.profile).toEqual({ notes: 'mano' });
  });

  it('of the same name in another school is another', async () => {
    const namesake = await someone('student', 'elsewhere', me.user_id);
    const principal = await someone('admin', 'elsewhere');
    for (const caller of [namesake, principal])
      expect((await caller.json<ProfileView>('GET', profileOf(me.user_id))).body.version).toBe(0);
    expect((await put(namesake, me.user_id, { profile: { notes: 'kito' } })).status).toBe(200);
    expect((await student.json<ProfileView>('GET', profileOf(me.user_id))).body.profile).toEqual({ notes: 'mano' });
  });
});

describe('objectives', () => {
  const objectives = async (caller: Caller, query: string) =>
    caller.json<Objectives>('GET', `/api/objectives?${query}`);

  async function waitFor(caller: Caller, userId: string, reason: string): Promise<Objectives['items']> {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const { items } = (await objectives(caller, `user_id=${userId}`)).body;
      if (items.some((item) => item.reason === reason)) return items;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`no objectives were made after ${reason}`);
  }

  it('are made after a significant change of the profile, and when they are asked for', async () => {
    const caller = await server.join();
    const teacher = await server.teacher();
    const { user_id: id } = await whoIs(caller);
    await caller.json('PUT', `/api/profiles/${id}`, { profile: { notes: 'be pokyčių' } });
    const deadlines = [{ title: 'Esė', due_on: '2027-01-15' }];
    await caller.json('PUT', `/api/profiles/${id}`, { profile: { deadlines } });
    const made = await waitFor(teacher, id, 'profile');
    expect(made).toMatchObject([
      {
        cartridge_id: 'counsel',
        objectives: { priority_questions: expect.any(Array), check_on: expect.any(Array) },
        generated_at: expect.stringMatching(/Z$/),
      },
    ]);
    const refreshed = await teacher.json('POST', '/api/objectives/refresh', { user_id: id });
    expect(refreshed).toEqual({ status: 202, body: { user_id: id, cartridge_ids: ['counsel'], status: 'queued' } });
    await waitFor(teacher, id, 'asked');
    const ofManager = await objectives(teacher, `user_id=${id}&cartridge_id=manager`);
    expect(ofManager.body.items).toEqual([]);
  });

  it('are for staff who may know the student, and not for the student', async () => {
    const body = { user_id: me.user_id };
    const outsiders = [
      student,
      await someone('teacher', me.school_id, 'a-teacher-of-others'),
      await someone('guardian', me.school_id),
      await someone('teacher', 'elsewhere'),
    ];
    for (const caller of outsiders) {
      expect((await objectives(caller, `user_id=${me.user_id}`)).status).toBe(404);
      expect((await caller.request('POST', '/api/objectives/refresh', body)).status).toBe(404);
    }
    const elsewhere = await someone('admin', 'elsewhere');
    expect((await objectives(elsewhere, `user_id=${me.user_id}`)).body.items).toEqual([]);
    for (const role of ['facilitator', 'admin'])
      expect((await objectives(await someone(role, me.school_id), `user_id=${me.user_id}`)).status).toBe(200);
  });

  it('want a student, and a companion that comes prepared', async () => {
    const teacher = await server.teacher();
    expect(await teacher.problem('GET', '/api/objectives')).toMatchObject({
      status: 422,
      errors: [{ path: 'user_id' }],
    });
    expect(await teacher.problem('POST', '/api/objectives/refresh', {})).toMatchObject({ status: 422 });
    const body = { user_id: me.user_id, cartridge_id: 'manager' };
    expect((await teacher.request('POST', '/api/objectives/refresh', body)).status).toBe(404);
  });
});

describe('memories', () => {
  const post = (caller: Caller, body: unknown) => caller.json<Item>('POST', '/api/memories', body);
  const list = async (caller: Caller, query: string) =>
    (await caller.json<ItemList>('GET', `/api/memories?${query}`)).body;
  const remove = (caller: Caller, query: string) =>
    caller.json<{ deleted: number }>('DELETE', `/api/memories?${query}`);

  it('are kept, listed in pages, replaced by key, and deleted', async () => {
    const caller = await server.join();
    const base = { project_id: 'svetainė', type: 'error' };
    const value = { error_message: 'Redis nepasiekiamas 🎒', tries: [1, null, true] };
    const made = await post(caller, { ...base, key: 'log 1', value });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ project_id: 'svetainė', type: 'error', key: 'log 1', value });
    const lives = Date.parse(made.body.expires_at) - Date.parse(made.body.timestamp);
    // As the first companion with typed memory says.
    expect(lives).toBe(7 * 24 * 3_600_000);
    for (const key of ['log 2', 'log 3']) await post(caller, { ...base, key, value: null });
    await post(caller, { ...base, type: 'solution', key: 'log 1', value: 'Paleisti iš naujo' });
    await post(caller, { ...base, key: 'log 1', value: 'kitas' });
    const query = `project_id=${encodeURIComponent('svetainė')}`;
    const all = await list(caller, query);
    expect(all.items.map(({ type, key }) => `${type} ${key}`)).toEqual([
      'error log 1',
      'solution log 1',
      'error log 3',
      'error log 2',
    ]);
    expect(all.items[0]?.value).toBe('kitas');
    expect(all.pagination).toEqual({ page: 1, limit: 20, total: 4, pages: 1 });
    const second = await list(caller, `${query}&type=error&limit=2&page=2`);
    expect(second.items.map(({ key }) => key)).toEqual(['log 2']);
    expect(second.pagination).toEqual({ page: 2, limit: 2, total: 3, pages: 2 });
    expect((await remove(caller, `${query}&type=error&key=log+2`)).body).toEqual({ deleted: 1 });
    expect((await remove(caller, `${query}&type=error`)).body).toEqual({ deleted: 2 });
    expect((await remove(caller, query)).body).toEqual({ deleted: 1 });
    expect((await remove(caller, query)).body).toEqual({ deleted: 0 });
    expect((await list(caller, query)).items).toEqual([]);
  });

  it.each([
    ['no project', { type: 'error', key: 'k', value: 1 }, 'project_id'],
    ['a type there is not', { project_id: 'p', type: 'secret', key: 'k', value: 1 }, 'type'],
    ['an empty key', { project_id: 'p', type: 'error', key: ' ', value: 1 }, 'key'],
    ['a key of several lines', { project_id: 'p', type: 'error', key: 'a\nb', value: 1 }, 'key'],
    ['a key that is too long', { project_id: 'p', type: 'error', key: 'k'.repeat(201), value: 1 }, 'key'],
    ['no value', { project_id: 'p', type: 'error', key: 'k' }, 'value'],
    ['a value over 16 KiB', { project_id: 'p', type: 'error', key: 'k', value: 'ą'.repeat(8_200) }, 'value'],
    [
      'a value nested without end',
      `{"project_id":"p","type":"error","key":"k","value":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
      'value',
    ],
  ])('with %s are answered with 422', async (_, body, path) => {
    const problem = await student.problem('POST', '/api/memories', body);
    expect(problem).toMatchObject({ status: 422, code: 'INVALID_REQUEST' });
    expect(problem.errors?.map((error) => error.path)).toEqual([path]);
  });

  it('are asked for and deleted by project alone', async () => {
    for (const [method, query, path] of [
      ['GET', '', 'project_id'],
      ['GET', '?project_id=p&type=secret', 'type'],
      ['GET', '?project_id=p&limit=0', 'limit'],
      ['GET', '?project_id=p&page=x', 'page'],
      ['DELETE', '?type=error', 'project_id'],
    ] as const) {
      const problem = await student.problem(method, `/api/memories${query}`);
      expect(problem).toMatchObject({ status: 422, errors: [{ path }] });
    }
  });

  it('of 16 KiB are taken', async () => {
    const caller = await server.join();
    const made = await post(caller, { project_id: 'p', type: 'context', key: 'k', value: 'ą'.repeat(8_191) });
    expect(made.status).toBe(201);
  });

  it('cannot be put in without end', async () => {
    const caller = await server.join();
    const bodies = Array.from({ length: 121 }, (_, index) => ({
      project_id: 'p',
      type: 'message',
      key: `${index}`,
      value: 1,
    }));
    const statuses: number[] = [];
    for (const body of bodies) statuses.push((await post(caller, body)).status);
    // The minute may turn while they are put in.
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(120);
    expect(new Set(statuses).size).toBeLessThanOrEqual(2);
    expect((await list(caller, 'project_id=p')).pagination['total']).toBeGreaterThanOrEqual(120);
  });

  it('and analyses reach nothing of another person’s or another school’s', async () => {
    const caller = await server.join();
    const { user_id: id } = await whoIs(caller);
    const item = { project_id: 'bendras', type: 'error', key: 'k', value: 'Redis connection refused' };
    await post(caller, item);
    const outsiders = [
      await server.join(),
      await server.teacher(),
      await someone('admin', me.school_id),
      await someone('student', 'elsewhere', id),
    ];
    for (const outsider of outsiders) {
      expect((await list(outsider, 'project_id=bendras')).items).toEqual([]);
      const body = { project_id: 'bendras', message: 'redis connection refused' };
      expect((await outsider.json<Analysis>('POST', '/api/context/analysis', body)).body.memories).toEqual([]);
      expect((await remove(outsider, 'project_id=bendras')).body).toEqual({ deleted: 0 });
    }
    expect((await list(caller, 'project_id=bendras')).items).toHaveLength(1);
    const guardian = await someone('guardian', me.school_id);
    expect((await guardian.request('GET', '/api/memories?project_id=bendras')).status).toBe(404);
    expect((await fetch(`${server.url}/api/memories?project_id=bendras`)).status).toBe(401);
  });
});

describe('a context analysis', () => {
  let caller: Caller;
  const analyse = async (body: Record<string, unknown>) =>
    (await caller.json<Analysis>('POST', '/api/context/analysis', { project_id: 'shop', ...body })).body;

  beforeAll(async () => {
    caller = await server.join();
    const values: Record<string, [string, unknown]> = {
      error: ['e1', { message: 'Redis connection refused at startup' }],
      solution: ['s1', { steps: ['Restart redis', 'Raise its connection limit'] }],
      dependency: ['d1', 'redis 7.2'],
      context: ['c1', 'The shop sells bicycles'],
      message: ['m1', { user_input: 'Good morning' }],
    };
    for (const [type, [key, value]] of Object.entries(values))
      await caller.json('POST', '/api/memories', { project_id: 'shop', type, key, value });
  });

  it('names the terms, the memories by relevance, the scores and what to do', async () => {
    const analysis = await analyse({ message: 'Why is the redis connection refused?' });
    expect(analysis).toMatchObject({ terms: ['redis', 'connection', 'refused'] });
    expect(analysis.memories.map(({ key }) => key)).toEqual(['e1', 's1', 'd1']);
    expect(analysis.memories[0]).toEqual({
      id: expect.any(String),
      type: 'error',
      key: 'e1',
      value: { message: 'Redis connection refused at startup' },
      timestamp: expect.stringMatching(/Z$/),
      relevance_score: expect.any(Number),
    });
    const scores = analysis.memories.map((memory) => memory.relevance_score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    expect(analysis.completeness_score).toBe(0.75);
    const expected = analysis.context_score * 0.6 + 0.75 * 0.4;
    expect(analysis.confidence_score).toBeCloseTo(expected, 5);
    expect(analysis.suggested_actions.length).toBeGreaterThan(0);
  });

  it('goes by the companion that is named, and its language', async () => {
    const { memories, suggested_actions: actions } = await analyse({
      message: 'redis refused',
      cartridge_id: 'z-manager',
    });
    expect(memories.map(({ key }) => key)).toEqual(['e1']);
    expect(memories[0]?.relevance_score).toBeGreaterThan(5);
    expect(actions.join(' ')).toMatch(/[ąčęėįšųūž]/);
    expect(
      (
        await caller.request('POST', '/api/context/analysis', {
          project_id: 'shop',
          message: 'x',
          cartridge_id: 'counsel',
        })
      ).status,
    ).toBe(404);
  });

  it('of a message without terms, or a project without memories, asks for more', async () => {
    for (const body of [{ message: 'is it?' }, { message: '🎒' }, { message: 'redis', project_id: 'empty' }]) {
      const analysis = await analyse(body);
      expect(analysis).toMatchObject({ memories: [], context_score: 0, completeness_score: 0, confidence_score: 0 });
      expect(analysis.suggested_actions).toHaveLength(2);
    }
  });

  it('wants a project and a message', async () => {
    for (const [body, path] of [
      [{ message: 'x' }, 'project_id'],
      [{ project_id: 'p' }, 'message'],
      [{ project_id: 'p', message: ' ' }, 'message'],
      [{ project_id: 'p', message: 'x'.repeat(8_001) }, 'message'],
    ] as const)
      expect(await caller.problem('POST', '/api/context/analysis', body)).toMatchObject({
        status: 422,
        errors: [{ path }],
      });
  });
});

it('the contract tells of every route', async () => {
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: Record<string, object> };
  expect(Object.keys(document.paths['/api/memories'] ?? {})).toEqual(['get', 'post', 'delete']);
  expect(Object.keys(document.paths['/api/profiles/{user_id}'] ?? {})).toEqual(['get', 'put']);
  expect(document.paths).toHaveProperty(['/api/context/analysis', 'post', 'requestBody']);
  expect(document.paths).toHaveProperty(['/api/objectives/refresh', 'post']);
});
