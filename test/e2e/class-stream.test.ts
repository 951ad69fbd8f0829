import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionView } from '../../src/http/protocol.ts';
import { type Caller, type SseEvent } from '../fixtures/caller.ts';
import { watchClass } from '../fixtures/class-watch.ts';
import { startHeldUpstream } from '../fixtures/fault-upstream.ts';
import { startTestServer, type TestServer } from '../fixtures/running-server.ts';

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

const watch = (enough: (events: SseEvent[]) => boolean, meanwhile: () => Promise<unknown>, after?: string) =>
  watchClass({ url: server.url, token: teacher.token, classId }, { enough, meanwhile, after });

const rowsOf = (events: SseEvent[], id: string) =>
  events.filter((event) => event.event === 'session' && event.data['session_id'] === id);

describe('the stream of a class', () => {
  it('begins with how everything stands, and tells of each step, turn by turn, without a word of it', async () => {
    const student = await server.join('Rasa');
    let id = '';
    const events = await watch(
      (seen) => rowsOf(seen, id).some((event) => event.data['turns'] === 1),
      async () => {
        id = (await student.talk()).session_id;
        await student.say(id, 'something that nobody else should read');
      },
    );
    expect(events[0]?.event).toBe('snapshot');
    expect(rowsOf(events, id).map(({ data }) => [data['phase'], data['turns']])).toEqual([
      ['start', 0],
      ['talk', 0],
      ['talk', 1],
    ]);
    expect(rowsOf(events, id).at(-1)?.data).toMatchObject({ student: 'Rasa', status: 'active', redactions: 0 });
    expect(JSON.stringify(events)).not.toContain('nobody else');
  });

  it('goes on from the last event seen, with nothing missing', async () => {
    const student = await server.join();
    let id = '';
    const first = await watch(
      (seen) => rowsOf(seen, id).length >= 1,
      async () => {
        id = (await student.json<SessionView>('POST', '/api/sessions', { cartridge_id: 'test-lesson' })).body
          .session_id;
      },
    );
    await student.json('POST', `/api/sessions/${id}/choice`, { choice: 1 });
    const again = await watch(
      (seen) => rowsOf(seen, id).length >= 1,
      async () => {},
      first.at(-1)?.id,
    );
    expect(again.map((event) => event.event)).not.toContain('snapshot');
    expect(rowsOf(again, id)[0]?.data).toMatchObject({ phase: 'search' });
  });

  it('after a restart begins with a snapshot again', async () => {
    const before = await watch(
      (seen) => seen.length >= 1,
      async () => {},
    );
    await server.restart();
    const events = await watch(
      (seen) => seen.length >= 1,
      async () => {},
      before.at(-1)?.id || 'old:1',
    );
    expect(events[0]?.event).toBe('snapshot');
    expect(events[0]?.data).toMatchObject({
      sessions: expect.arrayContaining([expect.objectContaining({ status: 'active' })]),
    });
  });

  it('is for its teacher alone', async () => {
    const student = await server.join();
    expect((await student.request('GET', `/api/classes/${classId}/events`)).status).toBe(404);
    expect((await teacher.request('GET', '/api/classes/none/events')).status).toBe(404);
  });

  it('tells of a sign of crisis at once, with its kind and severity and not the words', async () => {
    const student = await server.join('Jonas');
    const { session_id: id } = await student.talk();
    const events = await watch(
      (seen) => seen.some((event) => event.event === 'alert'),
      () => student.say(id, 'I want to kill myself'),
    );
    const alert = events.find((event) => event.event === 'alert');
    expect(alert?.data).toMatchObject({ session_id: id, kind: 'self_harm', severity: expect.any(Number) });
    expect(JSON.stringify(events)).not.toContain('kill myself');
  });
});

describe('steering a class', () => {
  const control = (body: object) =>
    teacher.json<{ session_ids: string[] }>('POST', `/api/classes/${classId}/control`, body);

  it('freezes a lesson so that nothing can be done in it, and lets it go on', async () => {
    const student = await server.join();
    const { session_id: id } = await student.talk();
    expect((await control({ action: 'freeze', session_id: id })).body.session_ids).toEqual([id]);
    expect(await student.problem('POST', `/api/sessions/${id}/respond`, { message: 'hi' })).toMatchObject({
      status: 422,
      code: 'SESSION_FROZEN',
    });
    expect(await student.view(id)).toMatchObject({ frozen: true, available_actions: [] });
    await control({ action: 'resume' });
    expect((await student.say(id, 'hi')).last.event).toBe('done');
  });

  it('advances a session to a phase', async () => {
    const student = await server.join();
    const { session_id: id } = await student.talk();
    expect((await control({ action: 'advance', session_id: id, phase: 'half' })).body.session_ids).toEqual([id]);
    expect(await student.view(id)).toMatchObject({ current_phase: 'half', is_terminal: true });
    expect((await control({ action: 'advance', session_id: id, phase: 'nowhere' })).body.session_ids).toEqual([]);
  });

  it('tells why a phase does not fit anybody, and ends no live reply for it', async () => {
    await using upstream = await startHeldUpstream();
    await using own = await startTestServer({ env: upstream.env });
    const head = await own.teacher();
    const room = (await head.json<{ items: { id: string }[] }>('GET', '/api/classes')).body.items[0]?.id ?? '';
    const path = `/api/classes/${room}/control`;
    const pupil = await own.join();
    const { session_id: id } = await pupil.talk();
    const said = pupil.say(id, 'Is it true?');
    const reply = await upstream.next();
    reply.say('It is ');
    for (const more of [{}, { session_id: id }]) {
      const refused = await head.problem('POST', path, { action: 'advance', phase: 'nowhere', ...more });
      expect(refused).toMatchObject({ status: 422, code: 'INVALID_PHASE_TRANSITION' });
    }
    let updates: SseEvent[] = [];
    const watched = watchClass(
      { url: own.url, token: head.token, classId: room },
      {
        enough: (events) => (updates = rowsOf(events, id)).length >= 2,
        meanwhile: async () => {
          await head.json('POST', path, { action: 'freeze' });
          reply.say('so.');
          reply.finish();
        },
      },
    );
    const turn = await said;
    expect(turn.text).toBe('It is so.');
    expect(turn.last.data).not.toHaveProperty('stopped');
    await watched;
    // Its end does not hide from the board that the room was stopped meanwhile.
    expect(updates.map(({ data }) => data['frozen'])).toEqual([true, true]);
    const times = updates.map(({ data }) => String(data['updated_at']));
    expect(times.toSorted()).toEqual(times);
  });

  it('rings the bell: conversations end where they stand, and what has none stays', async () => {
    const student = await server.join();
    const talking = (await student.talk()).session_id;
    const choosing = (await student.json<SessionView>('POST', '/api/sessions', { cartridge_id: 'test-lesson' })).body
      .session_id;
    const { session_ids: ids } = (await control({ action: 'bell' })).body;
    expect(ids).toContain(talking);
    expect(await student.view(talking)).toMatchObject({ current_phase: 'taken', status: 'completed' });
    expect(await student.view(choosing)).toMatchObject({ current_phase: 'start' });
  });

  it('refuses what makes no sense', async () => {
    expect(await teacher.problem('POST', `/api/classes/${classId}/control`, { action: 'advance' })).toMatchObject({
      status: 422,
      errors: [{ path: 'phase' }],
    });
    expect(await teacher.problem('POST', `/api/classes/${classId}/control`, { action: 'explode' })).toMatchObject({
      status: 422,
    });
    expect(
      await teacher.problem('POST', `/api/classes/${classId}/control`, { action: 'freeze', session_id: 'none' }),
    ).toMatchObject({ status: 404 });
  });
});
