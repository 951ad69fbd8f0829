import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, createCaller } from '../fixtures/caller.ts';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '../fixtures/running-server.ts';
import { plantNote } from '../fixtures/parent-note.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';

type Consents = {
  items: { student_id: string; kind: string; granted: boolean; changed_at: string | null; by: string | null }[];
};
type Notes = { items: { id: string; viewed_at: string | null }[]; pagination: Record<string, number> };

let server: TestServer;
let teacher: Caller;
let classId: string;

beforeAll(async () => {
  server = await startTestServer();
  teacher = await server.teacher();
  const { body } = await teacher.json<{ items: { id: string }[] }>('GET', '/api/classes');
  classId = body.items[0]?.id ?? '';
});
afterAll(() => server[Symbol.asyncDispose]());

const idOf = async (caller: Caller) => (await caller.json<{ user_id: string }>('GET', '/api/me')).body.user_id;

/** A student and somebody who cares for them. */
async function family(name = 'Ąžuolas') {
  const student = await server.join(name);
  const studentId = await idOf(student);
  const linked = await teacher.json<{ guardian_id: string; student_id: string; link: string }>(
    'POST',
    `/api/classes/${classId}/guardians`,
    { student_id: studentId, display_name: 'Mama' },
  );
  expect(linked.status).toBe(201);
  const link = new URL(linked.body.link);
  const guardian = createCaller(() => server.url, link.searchParams.get('token') ?? '');
  return { student, studentId, guardian, guardianId: linked.body.guardian_id, link };
}

function note(userId: string, schoolId: string, id: string, generatedAt: number): Promise<void> {
  const said = { subject: 'Fizika', durationMinutes: 20, summary: 'Jėgos ir judėjimas.', highlights: ['Klausė'] };
  return plantNote(server, { schoolId, userId }, { id, ...said, suggestions: ['Skaityti'], generatedAt });
}

it('a guardian who was brought in by mistake is taken out by the teacher, and reads nothing from then on', async () => {
  const { student, studentId, guardian, guardianId } = await family();
  const put = (caller: Caller, answer: object) => caller.request('PUT', '/api/me/consents', answer);
  expect((await put(guardian, { kind: 'parent_notes', granted: true })).status).toBe(200);
  const path = `/api/students/${studentId}/guardians`;
  const { body } = await teacher.json<{ items: object[] }>('GET', path);
  expect(body.items).toMatchObject([{ guardian_id: guardianId, display_name: 'Mama' }]);
  for (const caller of [student, guardian])
    for (const [method, where] of [
      ['GET', path],
      ['DELETE', `${path}/${guardianId}`],
    ] as const)
      expect((await caller.request(method, where)).status).toBe(404);
  for (const where of [`${path}/nobody`, `/api/students/nobody/guardians/${guardianId}`])
    expect((await teacher.request('DELETE', where)).status).toBe(404);
  expect((await teacher.request('DELETE', `${path}/${guardianId}`)).status).toBe(204);
  expect((await teacher.request('DELETE', `${path}/${guardianId}`)).status).toBe(404);
  expect((await teacher.json<{ items: object[] }>('GET', path)).body.items).toEqual([]);
  expect((await guardian.json<{ items: object[] }>('GET', '/api/me/consents')).body.items).toEqual([]);
  expect((await put(guardian, { student_id: studentId, kind: 'parent_notes', granted: true })).status).toBe(404);
  const { body: own } = await student.json<{ items: object[] }>('GET', '/api/me/consents');
  expect(own.items).toMatchObject([{ granted: false, changed_at: null }]);
});

describe('a guardian', () => {
  it('is brought in by the class’s teacher alone, for a student of theirs', async () => {
    const { student, studentId, guardian, guardianId, link } = await family();
    expect(link.pathname).toBe('/guardian');
    expect(link.origin).toBe(server.url);
    const { link: outside } = (await (
      await fetch(`${server.url}/api/classes/${classId}/guardians`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${teacher.token}`,
          'content-type': 'application/json',
          'x-forwarded-proto': 'https, http',
        },
        body: JSON.stringify({ student_id: studentId }),
      })
    ).json()) as { link: string };
    expect(new URL(outside).origin).toBe(server.url.replace('http:', 'https:'));
    expect((await guardian.json('GET', '/api/me')).body).toMatchObject({
      user_id: guardianId,
      role: 'guardian',
      display_name: 'Mama',
    });
    const ask = (caller: Caller, path: string, body: object) => caller.request('POST', path, body);
    const path = `/api/classes/${classId}/guardians`;
    expect((await ask(teacher, path, { student_id: 'nobody' })).status).toBe(404);
    expect((await ask(teacher, '/api/classes/none/guardians', { student_id: studentId })).status).toBe(404);
    for (const caller of [student, guardian])
      expect((await ask(caller, path, { student_id: studentId })).status).toBe(404);
    expect((await ask(teacher, path, {})).status).toBe(422);
  });

  it('comes in by the link, which leaves no token in the address', async () => {
    const { link, guardianId } = await family();
    const followed = await fetch(link, { redirect: 'manual' });
    expect(followed.status).toBe(303);
    expect(followed.headers.get('location')).toBe('/guardian');
    expect(followed.headers.get('referrer-policy')).toBe('no-referrer');
    const cookie = followed.headers.get('set-cookie')?.split(';')[0] ?? '';
    const me = await fetch(`${server.url}/api/me`, { headers: { cookie } });
    expect(await me.json()).toMatchObject({ user_id: guardianId });
  });

  it('is kept in a browser by their own link alone, and nobody is made into a student by a link', async () => {
    const [first, second] = [await family('Ona'), await family('Jurgis')];
    const follow = (link: URL, cookie: string) => fetch(link, { redirect: 'manual', headers: { cookie } });
    const cookie = (await follow(first.link, '')).headers.get('set-cookie')?.split(';')[0] ?? '';
    for (const page of ['guardian', 'teacher']) {
      const spoilt = await follow(new URL(`/${page}?token=${second.student.token}`, server.url), cookie);
      expect([spoilt.status, spoilt.headers.get('set-cookie')]).toEqual([303, null]);
    }
    const useless = await follow(new URL('/guardian?token=nonsense', server.url), cookie);
    expect(useless.headers.get('set-cookie')).toBeNull();
    const asTeacher = await follow(new URL(`/teacher?token=${first.guardian.token}`, server.url), '');
    expect(asTeacher.headers.get('set-cookie')).toBeNull();
    // On a computer that several use, the next guardian is themself, and sees their own child alone.
    const next = (await follow(second.link, cookie)).headers.get('set-cookie')?.split(';')[0] ?? '';
    const seen = await fetch(`${server.url}/api/me/consents`, { headers: { cookie: next } });
    const { items } = (await seen.json()) as Consents;
    expect(items.map((item) => item.student_id)).toEqual([second.studentId]);
  });

  it('can be given a second child by the teacher of both, and by nobody else', async () => {
    const [first, second] = [await family('Ona'), await family('Jurgis')];
    const path = `/api/classes/${classId}/guardians`;
    const given = { student_id: second.studentId, guardian_id: first.guardianId };
    const { status, body } = await teacher.json<{ guardian_id: string }>('POST', path, given);
    expect([status, body.guardian_id]).toEqual([201, first.guardianId]);
    const { body: seen } = await first.guardian.json<Consents>('GET', '/api/me/consents');
    expect(seen.items.map((item) => item.student_id).toSorted()).toEqual(
      [first.studentId, second.studentId].toSorted(),
    );
    for (const guardian_id of ['nobody', first.studentId])
      expect((await teacher.request('POST', path, { ...given, guardian_id })).status).toBe(404);
  });
});

describe('consents', () => {
  const granted = async (caller: Caller) =>
    (await caller.json<Consents>('GET', '/api/me/consents')).body.items.map((item) => [
      item.student_id,
      item.granted,
      item.by,
    ]);

  it('stand as nobody’s until a guardian agrees; a student sees and withdraws, and cannot agree', async () => {
    const { student, studentId, guardian, guardianId } = await family();
    expect(await granted(guardian)).toEqual([[studentId, false, null]]);
    const put = (caller: Caller, body: object) => caller.json<Consents>('PUT', '/api/me/consents', body);
    const agreed = await put(guardian, { kind: 'parent_notes', granted: true });
    expect(agreed).toMatchObject({
      status: 200,
      body: { items: [{ student_id: studentId, kind: 'parent_notes', granted: true, by: guardianId }] },
    });
    expect(agreed.body.items[0]?.changed_at).toMatch(/^\d{4}-.*Z$/u);
    expect(await granted(student)).toEqual([[studentId, true, guardianId]]);
    expect((await put(student, { consents: { parent_notes: false } })).status).toBe(200);
    expect(await granted(guardian)).toEqual([[studentId, false, studentId]]);
    const refused = await student.problem('PUT', '/api/me/consents', { kind: 'parent_notes', granted: true });
    expect(refused).toMatchObject({ status: 422, code: 'INVALID_REQUEST', errors: [{ path: 'granted' }] });
    expect(await granted(guardian)).toEqual([[studentId, false, studentId]]);
  });

  it('are of the children in one’s care alone', async () => {
    const { guardian, guardianId, student } = await family();
    const stranger = await family();
    const put = (caller: Caller, body: object) => caller.request('PUT', '/api/me/consents', body);
    const ofStranger = { student_id: stranger.studentId, kind: 'parent_notes', granted: true };
    for (const caller of [guardian, student]) expect((await put(caller, ofStranger)).status).toBe(404);
    expect((await put(teacher, ofStranger)).status).toBe(404);
    expect((await teacher.request('GET', '/api/me/consents')).status).toBe(404);
    expect(await granted(stranger.guardian)).toEqual([[stranger.studentId, false, null]]);
    // With a second child it has to be said which.
    const store = await openSqliteStore({ file: join(server.folder, 'data', 'trickster.db') });
    const { body } = await guardian.json<{ school_id: string }>('GET', '/api/me');
    await store.companions.keepGuardian(body.school_id, {
      guardianId,
      guardianName: null,
      studentId: stranger.studentId,
      studentName: null,
      createdAt: 1,
    });
    await store.close();
    const unclear = await guardian.problem('PUT', '/api/me/consents', { kind: 'parent_notes', granted: true });
    expect(unclear).toMatchObject({ status: 422, errors: [{ path: 'student_id' }] });
    expect((await put(guardian, ofStranger)).status).toBe(200);
    expect((await granted(guardian)).filter(([, isGranted]) => isGranted)).toHaveLength(1);
  });

  it.each([{}, { kind: 'everything', granted: true }, { kind: 'parent_notes' }, { consents: { other: true } }, []])(
    'are refused where they make no sense: %j',
    async (body) => {
      const { guardian } = await family();
      expect((await guardian.request('PUT', '/api/me/consents', body)).status).toBe(422);
    },
  );
});

describe('notes for guardians', () => {
  it('are read page by page while consent stands, marked as read, and hidden at once when it is withdrawn', async () => {
    const { student, studentId, guardian } = await family('Ieva');
    const { body: me } = await guardian.json<{ school_id: string }>('GET', '/api/me');
    for (let index = 1; index <= 3; index += 1)
      await note(studentId, me.school_id, `${studentId}-${index}`, index * 1_000);
    const read = async (query = '') => (await guardian.json<Notes>('GET', `/api/parent-notes${query}`)).body;
    expect(await read()).toEqual({ items: [], pagination: { page: 1, limit: 20, total: 0, pages: 0 } });
    await guardian.json('PUT', '/api/me/consents', { kind: 'parent_notes', granted: true });
    const first = await read('?limit=2');
    expect(first.pagination).toEqual({ page: 1, limit: 2, total: 3, pages: 2 });
    expect(first.items.map(({ id }) => id)).toEqual([`${studentId}-3`, `${studentId}-2`]);
    expect(first.items[0]).toEqual({
      id: `${studentId}-3`,
      student_id: studentId,
      student_name: 'Ieva',
      cartridge_id: 'maestro',
      subject: 'Fizika',
      duration_minutes: 20,
      summary: 'Jėgos ir judėjimas.',
      highlights: ['Klausė'],
      concerns: null,
      suggestions: ['Skaityti'],
      generated_at: '1970-01-01T00:00:03.000Z',
      viewed_at: null,
    });
    expect((await read('?page=2&limit=2')).items.map(({ id }) => id)).toEqual([`${studentId}-1`]);
    expect((await read('?student_id=someone-else')).items).toEqual([]);
    const viewed = await guardian.json<{ viewed_at: string }>('POST', `/api/parent-notes/${studentId}-1/viewed`);
    expect(viewed.status).toBe(200);
    const again = await guardian.json<{ viewed_at: string }>('POST', `/api/parent-notes/${studentId}-1/viewed`);
    expect(again.body.viewed_at).toBe(viewed.body.viewed_at);
    const stranger = await family();
    await stranger.guardian.json('PUT', '/api/me/consents', { kind: 'parent_notes', granted: true });
    expect((await stranger.guardian.request('POST', `/api/parent-notes/${studentId}-2/viewed`)).status).toBe(404);
    for (const caller of [student, teacher])
      expect((await caller.request('GET', '/api/parent-notes')).status).toBe(404);
    await student.json('PUT', '/api/me/consents', { kind: 'parent_notes', granted: false });
    expect((await read()).items).toEqual([]);
    expect((await guardian.request('POST', `/api/parent-notes/${studentId}-2/viewed`)).status).toBe(404);
  });

  it('go when the guardian whose consent they stood on is erased', async () => {
    const { studentId, guardian, student } = await family();
    await guardian.json('PUT', '/api/me/consents', { kind: 'parent_notes', granted: true });
    expect((await guardian.json<{ rows: object }>('DELETE', '/api/me')).body.rows).toEqual({
      consents: 1,
      guardians: 1,
      users: 1,
    });
    const { body } = await student.json<Consents>('GET', '/api/me/consents');
    expect(body.items).toMatchObject([{ student_id: studentId, granted: false, by: null }]);
  });
});
