import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companionValue } from '../../src/cartridge/companion-fixture.ts';
import { type Caller, createCaller } from '../fixtures/caller.ts';
import { secret, startTestServer, type TestServer } from '../fixtures/running-server.ts';

type Me = { user_id: string; school_id: string };
type Class = { id: string; title: string; join_code: string };
type Students = {
  items: { user_id: string; display_name: string | null; joined_at: string }[];
  pagination: Record<string, number>;
};
type Student = { user_id: string; display_name: string | null; classes: object[]; companions: object[] };

const counsel = companionValue({
  id: 'counsel',
  title: 'Patarėja „Aušra“',
  context: ['persona', 'safety', 'safety_configuration', 'language', 'profile_narrative', 'objectives'],
  tools: [],
  memory: { rolling: { update: 'session' } },
  session: { on_end: [] },
});
const mentor = companionValue({
  id: 'guide',
  context: ['persona', 'safety', 'safety_configuration', 'language', 'rolling_memory'],
  tools: [],
  memory: { rolling: {} },
  session: { on_end: [] },
});

let server: TestServer;
let teacher: Caller;
let school: string;

beforeAll(async () => {
  server = await startTestServer({
    files: {
      'cartridges/counsel/cartridge.json': JSON.stringify(counsel),
      'cartridges/guide/cartridge.json': JSON.stringify(mentor),
      'prompts/default/remember-objectives.md': 'Prepare the next conversation.',
    },
  });
  teacher = await server.teacher();
  school = (await whoIs(teacher)).school_id;
});
afterAll(() => server[Symbol.asyncDispose]());

const whoIs = async (caller: Caller) => (await caller.json<Me>('GET', '/api/me')).body;

async function someone(role: string, schoolId: string, userId = `${role}-${schoolId}`): Promise<Caller> {
  const token = await new SignJWT({ role, school_id: schoolId })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .sign(new TextEncoder().encode(secret));
  return createCaller(() => server.url, token);
}

const makeClass = async (title: string) => (await teacher.json<Class>('POST', '/api/classes', { title })).body;

async function join(code: string, name: string | null): Promise<Caller & { id: string }> {
  const response = await fetch(`${server.url}/api/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, display_name: name }),
  });
  const { token, user_id: id } = (await response.json()) as { token: string; user_id: string };
  return { ...createCaller(() => server.url, token), id };
}

describe('the students of a class', () => {
  it('are listed to its teacher, who joined last first, a page at a time', async () => {
    const room = await makeClass('9b');
    const path = `/api/classes/${room.id}/students`;
    const none = await teacher.json<Students>('GET', path);
    expect(none).toEqual({
      status: 200,
      body: { items: [], pagination: { page: 1, limit: 20, total: 0, pages: 0 } },
    });
    const names = ['Žygimantas', '<b>Ona</b> 🦊', null];
    const ids = [];
    for (const name of names) {
      ids.push((await join(room.join_code, name)).id);
      // Two who join within one millisecond have no order.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const { body } = await teacher.json<Students>('GET', path);
    expect(body.items.map((item) => [item.user_id, item.display_name])).toEqual(
      ids.map((id, index) => [id, names[index]]).toReversed(),
    );
    expect(body.items[0]?.joined_at).toMatch(/^\d{4}-\d{2}-\d{2}T.*Z$/);
    const second = await teacher.json<Students>('GET', `${path}?page=2&limit=2`);
    expect(second.body.items.map((item) => item.user_id)).toEqual([ids[0]]);
    expect(second.body.pagination).toEqual({ page: 2, limit: 2, total: 3, pages: 2 });
    expect((await teacher.request('GET', `${path}?limit=101`)).status).toBe(422);
  });

  it('are nobody else’s to see', async () => {
    const room = await makeClass('10a');
    const student = await join(room.join_code, 'Ieva');
    const path = `/api/classes/${room.id}/students`;
    for (const other of [
      student,
      await someone('teacher', school),
      await someone('facilitator', school),
      await someone('guardian', school),
      await someone('teacher', 'elsewhere'),
    ])
      expect((await other.request('GET', path)).status).toBe(404);
    expect((await teacher.request('GET', '/api/classes/none/students')).status).toBe(404);
    expect((await fetch(`${server.url}${path}`)).status).toBe(401);
  });
});

describe('one student', () => {
  it('is told to their teacher: name, classes, and who prepares for them', async () => {
    const room = await makeClass('11c „Žvaigždė“');
    const { id } = await join(room.join_code, 'Rūta');
    const { status, body } = await teacher.json<Student>('GET', `/api/students/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      user_id: id,
      display_name: 'Rūta',
      classes: [{ id: room.id, title: '11c „Žvaigždė“', joined_at: expect.stringMatching(/Z$/) }],
      companions: [{ id: 'counsel', title: 'Patarėja „Aušra“', language: expect.any(String) }],
    });
  });

  it('is told to the school’s other staff without classes that are not theirs, and to nobody else', async () => {
    const room = await makeClass('11d');
    const student = await join(room.join_code, null);
    const path = `/api/students/${student.id}`;
    const facilitator = await someone('facilitator', school);
    const seen = await facilitator.json<Student>('GET', path);
    expect(seen.body).toMatchObject({ user_id: student.id, display_name: null, classes: [] });
    for (const other of [
      student,
      await someone('teacher', school),
      await someone('guardian', school),
      await someone('facilitator', 'elsewhere'),
    ])
      expect((await other.request('GET', path)).status).toBe(404);
    const { user_id: teacherId } = await whoIs(teacher);
    for (const nobody of ['none', teacherId, encodeURIComponent('a/ą🎒')])
      expect((await teacher.request('GET', `/api/students/${nobody}`)).status).toBe(404);
  });
});

describe('the list of companions', () => {
  it('says of each whether it reads the profile and when its rolling memory is made', async () => {
    const staff = await someone('facilitator', school);
    const { body } = await staff.json<{ items: { id: string; kind: string }[] }>('GET', '/api/cartridges');
    expect(body.items.filter(({ kind }) => kind === 'companion')).toMatchObject([
      { id: 'counsel', uses_profile: true, uses_projects: false, rolling_memory: 'session' },
      { id: 'guide', uses_profile: false, rolling_memory: 'exchange' },
    ]);
    for (const item of body.items.filter(({ kind }) => kind === 'lesson'))
      expect(item).not.toHaveProperty('uses_profile');
  });
});
