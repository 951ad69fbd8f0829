import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller, Turn } from '../fixtures/caller.ts';
import { type EventReader, openStream, shownText } from '../fixtures/fault-client.ts';
import { type ModelServer, chatRequest, startModelServer, transitionCall } from '../fixtures/model-server.ts';
import { fails, replies, says } from '../fixtures/scripted-upstream.ts';

let house: ModelServer;
let student: Caller;

beforeAll(async () => {
  house = await startModelServer();
  student = await house.server.join('Ona');
});
afterAll(() => house[Symbol.asyncDispose]());

const question = 'Ar tai tiesa?';
const asked = () => house.upstream.requests.length;
const lastWords = () =>
  chatRequest(house.upstream.requests.at(-1))
    .messages.filter(({ role }) => role === 'user')
    .map(({ content }) => content);
const said = async (sessionId: string) => (await student.view(sessionId)).exchanges.map(({ content }) => content);

async function talk(): Promise<string> {
  return (await student.talk()).session_id;
}

async function open(sessionId: string, clientMessageId: string, message = question): Promise<EventReader> {
  const body = { message, client_message_id: clientMessageId };
  return openStream(`${house.server.url}/api/sessions/${sessionId}/respond`, { token: student.token, body });
}

/** A reply whose model falls silent after its first words. */
function beginReply(...texts: string[]) {
  house.upstream.respondWith(replies([{ text: texts }, { hang: true }]));
}

async function stop(sessionId: string, turnId: string): Promise<void> {
  await student.request('POST', `/api/sessions/${sessionId}/turns/${turnId}/stop`);
}

describe('the same client_message_id', () => {
  it('sent again while its turn is live follows that turn from its beginning', async () => {
    const id = await talk();
    beginReply('Only ten ', 'places. ');
    const first = await open(id, 'm1');
    const begun = await first.read(2);
    const requests = asked();
    const second = await open(id, 'm1');
    expect(second.turnId).toBe(first.turnId);
    expect(await second.read(2)).toEqual(begun);
    await stop(id, first.turnId);
    expect(await second.rest()).toEqual(await first.rest());
    expect(asked()).toBe(requests);
    expect(await said(id)).toEqual([question, 'Only ten places. ']);
  });

  it('sent many times at once makes one turn', async () => {
    const id = await talk();
    const requests = asked();
    house.upstream.respondWith(says('Only ten ', 'left. '));
    const turns = await Promise.all(Array.from({ length: 8 }, () => student.say(id, question, 'm1')));
    expect(new Set(turns.map(({ turnId }) => turnId)).size).toBe(1);
    for (const turn of turns) expect(turn.events).toEqual(turns[0]?.events);
    expect(turns[0]?.last.event).toBe('done');
    expect(asked()).toBe(requests + 1);
    expect(await said(id)).toEqual([question, 'Only ten left. ']);
  });

  it.each([
    ['done', () => house.upstream.respondWith(says('Only ten ', 'left. '))],
    ['redact', () => house.upstream.respondWith(says('Well. ', 'You should kill yourself, really. '))],
    ['error', () => house.upstream.respondWith(fails(401))],
  ])('after a turn that ended for good with %s is that turn again, also after a restart', async (event, prepare) => {
    const id = await talk();
    prepare();
    const first = await student.say(id, question, 'm1');
    expect(first.last.event).toBe(event);
    const requests = asked();
    const kept = await said(id);
    const again = await student.say(id, question, 'm1');
    expect(again.turnId).toBe(first.turnId);
    expect(again.last.data).toEqual(first.last.data);
    await house.server.restart();
    const later = await student.say(id, question, 'm1');
    expect(later.turnId).toBe(first.turnId);
    expect(later.last.data).toEqual(first.last.data);
    expect(shownText(later.events)).toBe(shownText(again.events));
    expect(asked()).toBe(requests);
    expect(await said(id)).toEqual(kept);
    // It stands in nobody's way.
    house.upstream.respondWith(says('Next. '));
    expect((await student.say(id, 'And now?', 'm2')).last.event).toBe('done');
  });

  it('after a stop is the stopped turn', async () => {
    const id = await talk();
    beginReply('Only ten ', 'places. ');
    const first = await open(id, 'm1');
    await first.read(2);
    await stop(id, first.turnId);
    const again = await student.say(id, question, 'm1');
    expect(again.turnId).toBe(first.turnId);
    expect(again.last.data).toMatchObject({ stopped: true });
  });

  it.each([false, true])(
    'after errors that may pass makes a turn each time, for words that stand once (with a restart: %s)',
    async (withRestart) => {
      const id = await talk();
      const failed: Turn[] = [];
      for (let time = 0; time < 3; time += 1) {
        house.upstream.respondWith(fails(500), fails(500), fails(500));
        const turn = await student.say(id, question, 'm1');
        expect(turn.last).toMatchObject({ event: 'error', data: { code: 'MODEL_UNAVAILABLE', retryable: true } });
        expect(await said(id)).toEqual([question]);
        failed.push(turn);
        if (withRestart && time === 1) await house.server.restart();
      }
      house.upstream.respondWith(says('Only ten left. '));
      const turn = await student.say(id, question, 'm1');
      expect(turn.last.event).toBe('done');
      expect(new Set([turn, ...failed].map(({ turnId }) => turnId)).size).toBe(4);
      expect(lastWords()).toEqual([question]);
      expect(await said(id)).toEqual([question, 'Only ten left. ']);
      // The turns that failed are still what they were.
      for (const { turnId, last } of failed) {
        const replayed = await student.follow(`/api/sessions/${id}/turns/${turnId}/events`);
        expect(replayed.last.data).toEqual(last.data);
      }
      expect((await student.say(id, question, 'm1')).turnId).toBe(turn.turnId);
    },
  );

  it('with other words answers the words it was first sent with', async () => {
    const id = await talk();
    house.upstream.respondWith(fails(500), fails(500), fails(500));
    await student.say(id, question, 'm1');
    house.upstream.respondWith(says('Yes. '));
    await student.say(id, 'Something else', 'm1');
    expect(lastWords()).toEqual([question]);
    expect(await said(id)).toEqual([question, 'Yes. ']);
  });

  it('is a learner’s own: in another session it is another message', async () => {
    const [one, other] = [await talk(), await talk()];
    house.upstream.respondWith(says('One. '), says('Other. '));
    const turns = [await student.say(one, question, 'm1'), await student.say(other, question, 'm1')];
    expect(turns.map(({ text }) => text)).toEqual(['One. ', 'Other. ']);
  });
});

describe('another message during a turn', () => {
  it('is refused with the live turn, kept nowhere, and welcome when the turn is over', async () => {
    const id = await talk();
    beginReply('Only ten ');
    const live = await open(id, 'm1');
    await live.read(1);
    for (const clientMessageId of ['m2', null]) {
      const body = { message: 'Wait', client_message_id: clientMessageId };
      expect(await student.problem('POST', `/api/sessions/${id}/respond`, body)).toMatchObject({
        status: 409,
        code: 'TURN_IN_PROGRESS',
        turn_id: live.turnId,
      });
    }
    await stop(id, live.turnId);
    await live.rest();
    expect(await said(id)).toEqual([question, 'Only ten ']);
    house.upstream.respondWith(says('Yes. '));
    expect((await student.say(id, 'Wait', 'm2')).last.event).toBe('done');
  });

  it('sent at the same moment: one of them makes the turn', async () => {
    const id = await talk();
    house.upstream.respondWhen(() => replies([{ text: ['Only ten '] }, { hang: true }]));
    const streams = await Promise.all(['m1', 'm2', 'm3', 'm4'].map((name) => open(id, name)));
    house.upstream.respondWhen(() => null);
    expect(streams.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    const live = streams.find(({ status }) => status === 200);
    await live?.read(1);
    await stop(id, live?.turnId ?? '');
    await live?.rest();
    expect((await student.view(id)).exchanges.map(({ role }) => role)).toEqual(['student', 'trickster']);
  });
});

describe('a debrief', () => {
  it('that failed is made again when it is asked for again, and then no more', async () => {
    const id = await talk();
    house.upstream.respondWith(says('Sign up! '), replies([{ text: ['Bye. '] }, transitionCall('understood')]));
    await student.say(id, question);
    await student.say(id, 'It is the hurry');
    house.upstream.respondWith(fails(500), fails(500), fails(500));
    const failed = await student.follow(`/api/sessions/${id}/debrief`);
    expect(failed.last).toMatchObject({ event: 'error', data: { retryable: true } });
    house.upstream.respondWith(says('It was false urgency. '));
    const told = await student.follow(`/api/sessions/${id}/debrief`);
    expect(told.last).toMatchObject({ event: 'done', data: { debrief_complete: true } });
    const requests = asked();
    await house.server.restart();
    const again = await student.follow(`/api/sessions/${id}/debrief`);
    expect([again.turnId, again.text, again.last]).toEqual([told.turnId, told.text, told.last]);
    expect(asked()).toBe(requests);
  });
});
