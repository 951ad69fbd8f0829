import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatRequest, type ModelServer, startModelServer, systemOf, transitionCall } from '../fixtures/model-server.ts';
import { drops, fails, replies, says } from '../fixtures/scripted-upstream.ts';
import type { Caller } from '../fixtures/caller.ts';

let house: ModelServer;
let student: Caller;

beforeAll(async () => {
  house = await startModelServer();
  student = await house.server.join('Ona');
});
afterAll(() => house[Symbol.asyncDispose]());

const last = () => house.upstream.requests.at(-1);
const requestCount = () => house.upstream.requests.length;
/** A session with one exchange behind it, so that the next may end the phase. */
async function talkOnce() {
  const { session_id: id } = await student.talk();
  house.upstream.respondWith(says('Sign ', 'up!'));
  await student.say(id, 'Hello');
  return id;
}

describe('a turn', () => {
  it('streams the reply as it comes, with ids from 1 and one terminal event', async () => {
    const { session_id: id } = await student.talk();
    house.upstream.respondWith(says('Only ', 'ten ', 'left.'));
    const turn = await student.say(id, 'Is it true?');
    expect(turn.events.map((event) => event.event)).toEqual(['token', 'token', 'token', 'done']);
    expect(turn.events.map((event) => event.id)).toEqual([1, 2, 3, 4].map((seq) => `${turn.turnId}:${seq}`));
    expect(turn.text).toBe('Only ten left.');
    expect(turn.last.data).toEqual({ phase_transition: null, next_phase: null, exchanges_count: 1 });
    expect(turn.raw.startsWith('retry: ')).toBe(true);
  });

  it('keeps both messages, in order, with the turn they belong to', async () => {
    const id = await talkOnce();
    const { exchanges, exchanges_count: count, active_turn_id: live } = await student.view(id);
    expect(exchanges.map(({ role, content }) => [role, content])).toEqual([
      ['student', 'Hello'],
      ['trickster', 'Sign up!'],
    ]);
    expect(count).toBe(1);
    expect(live).toBeNull();
  });

  it('sends the system prompt, the history and the message, oldest first', async () => {
    const id = await talkOnce();
    house.upstream.respondWith(says('Why not?'));
    await student.say(id, 'Why?');
    expect(chatRequest(last()).messages.slice(1)).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Sign up!' },
      { role: 'user', content: 'Why?' },
    ]);
    expect(chatRequest(last()).messages[0]?.role).toBe('system');
    expect(systemOf(last())).toContain('You are the Trickster.');
    expect(systemOf(last())).toContain('Student signed up at once');
  });
});

describe('the transition tool', () => {
  it('is offered from min_exchanges on and not before', async () => {
    const id = await talkOnce();
    expect(chatRequest(last()).tools).toBeUndefined();
    house.upstream.respondWith(says('Hm.'));
    await student.say(id, 'It is a trick');
    expect(chatRequest(last()).tools?.map((tool) => tool.function.name)).toEqual(['transition_phase']);
  });

  it.each([
    ['understood', 'on_success', 'seen', 'trickster_loses'],
    ['partial', 'on_partial', 'half', 'partial'],
    ['max_reached', 'on_max_exchanges', 'taken', 'trickster_wins'],
  ])('with %s takes %s', async (signal, transition, phase, outcome) => {
    const id = await talkOnce();
    house.upstream.respondWith(replies([{ text: ['Well ', 'done.'] }, transitionCall(signal)]));
    const turn = await student.say(id, 'The hurry is a trick');
    expect(turn.text).toBe('Well done.');
    expect(turn.last).toMatchObject({
      event: 'done',
      data: { phase_transition: transition, next_phase: phase, exchanges_count: 2 },
    });
    expect(await student.view(id)).toMatchObject({
      current_phase: phase,
      is_terminal: true,
      status: 'completed',
      evaluation_outcome: outcome,
      reveal: { key_lesson: 'Hurry is a tool.' },
      available_actions: ['debrief'],
    });
  });

  it('called before min_exchanges is ignored, and traced', async () => {
    const { session_id: id } = await student.talk();
    house.upstream.respondWith(replies([{ text: ['Bravo.'] }, transitionCall('understood')]));
    const turn = await student.say(id, 'I see it');
    expect(turn.last.data).toMatchObject({ phase_transition: null });
    const trace = (
      await (
        await house.server.teacher()
      ).json<{ signals: unknown }>('GET', `/api/sessions/${id}/turns/${turn.turnId}/trace`)
    ).body;
    expect(trace.signals).toEqual([
      { signal: 'understood', from: 'tool_call', verdict: 'ignored', reason: 'before min_exchanges' },
    ]);
  });

  it('with an unknown signal, or arguments that are no JSON, is ignored', async () => {
    const id = await talkOnce();
    house.upstream.respondWith(
      replies([
        { text: ['Hm.'] },
        transitionCall('win'),
        { tool: { name: 'transition_phase', arguments: '{"signal":' } },
      ]),
    );
    expect((await student.say(id, 'x')).last.data).toMatchObject({ phase_transition: null });
  });

  it('called before the text, and several times: the first known signal counts, the text is shown', async () => {
    const id = await talkOnce();
    house.upstream.respondWith(
      replies([
        transitionCall('nonsense'),
        transitionCall('partial'),
        transitionCall('understood'),
        { text: ['Enough ', 'said.'] },
      ]),
    );
    const turn = await student.say(id, 'x');
    expect(turn.text).toBe('Enough said.');
    expect(turn.last.data).toMatchObject({ phase_transition: 'on_partial' });
  });

  it('says its response_text where the model says nothing else', async () => {
    const id = await talkOnce();
    house.upstream.respondWith(replies([transitionCall('understood', 'You saw it. Farewell!')]));
    const requests = requestCount();
    const turn = await student.say(id, 'x');
    expect(turn.text).toBe('You saw it. Farewell!');
    expect(turn.events.length).toBeGreaterThan(2);
    expect(turn.last.data).toMatchObject({ phase_transition: 'on_success' });
    expect(requestCount()).toBe(requests + 1);
  });

  it('does not say its response_text where the model speaks for itself', async () => {
    const id = await talkOnce();
    house.upstream.respondWith(replies([{ text: ['Bye.'] }, transitionCall('understood', 'Hidden words')]));
    expect((await student.say(id, 'x')).text).toBe('Bye.');
  });

  it('alone, without a word, is nudged for words, and the signal still counts', async () => {
    const id = await talkOnce();
    house.upstream.respondWith(replies([transitionCall('understood')]), says('There ', 'you go.'));
    const turn = await student.say(id, 'x');
    expect(turn.text).toBe('There you go.');
    expect(turn.last.data).toMatchObject({ phase_transition: 'on_success' });
    expect(chatRequest(last()).tools).toBeUndefined();
  });

  it('written out as text is never shown, and counts as the signal', async () => {
    const id = await talkOnce();
    house.upstream.respondWith(says('Well seen. ', 'transition', '_phase(', '{"signal": "under', 'stood"})'));
    const turn = await student.say(id, 'x');
    expect(turn.text.trim()).toBe('Well seen.');
    expect(turn.raw).not.toContain('transition_phase(');
    expect(turn.raw).not.toContain('signal');
    expect(turn.last.data).toMatchObject({ phase_transition: 'on_success' });
  });

  it('written out as text before min_exchanges is not shown either, and is ignored', async () => {
    const { session_id: id } = await student.talk();
    house.upstream.respondWith(says('Hm. ', '{"name": "transition_phase", "arguments": {"signal": "understood"}}'));
    const turn = await student.say(id, 'x');
    expect(turn.text.trim()).toBe('Hm.');
    expect(turn.last.data).toMatchObject({ phase_transition: null });
  });

  it('at max_exchanges is not needed: on_max_exchanges is forced', async () => {
    const { session_id: id } = await student.talk();
    for (let exchange = 1; exchange <= 3; exchange += 1) {
      house.upstream.respondWith(says('More.'));
      expect((await student.say(id, `message ${exchange}`)).last.data).toMatchObject({
        phase_transition: null,
        exchanges_count: exchange,
      });
    }
    house.upstream.respondWith(says('Time is up.'));
    expect((await student.say(id, 'message 4')).last.data).toMatchObject({
      phase_transition: 'on_max_exchanges',
      next_phase: 'taken',
      exchanges_count: 4,
    });
    expect(await student.problem('POST', `/api/sessions/${id}/respond`, { message: 'more' })).toMatchObject({
      status: 422,
      code: 'SESSION_ENDED',
    });
  });
});

describe('an empty reply', () => {
  it('is nudged once', async () => {
    const { session_id: id } = await student.talk();
    const requests = requestCount();
    house.upstream.respondWith(says(), says('Sorry, ', 'here I am.'));
    expect((await student.say(id, 'x')).text).toBe('Sorry, here I am.');
    expect(requestCount()).toBe(requests + 2);
    expect(chatRequest(last()).messages.at(-1)?.content).toContain('came back empty');
  });

  it('that stays empty is answered with a line in the language of the lesson', async () => {
    const { session_id: id } = await student.talk();
    house.upstream.respondWith(says(), says(' \n'));
    const turn = await student.say(id, 'x');
    expect(turn.text.trim()).toBe('I lost my thread for a moment. What makes you think so?');
    expect(turn.last.event).toBe('done');
  });

  it('in a Lithuanian lesson gets a Lithuanian line', async () => {
    const { body } = await student.json<{ session_id: string }>('POST', '/api/sessions', {
      cartridge_id: 'test-lesson',
      language: 'lt',
    });
    await student.json('POST', `/api/sessions/${body.session_id}/choice`, { choice: 0 });
    house.upstream.respondWith(says(), says());
    expect((await student.say(body.session_id, 'x')).text).toContain('Kodėl taip manai?');
    expect(systemOf(last())).toContain('Lithuanian');
  });
});

describe('a redaction', () => {
  const bad = 'You should kill yourself, really.';

  it('withdraws the reply, keeps the fallback alone, and outranks a transition', async () => {
    const id = await talkOnce();
    house.upstream.respondWith(replies([transitionCall('understood'), { text: ['Listen. ', ...bad.split(/(?<= )/)] }]));
    const turn = await student.say(id, 'x');
    expect(turn.last).toMatchObject({
      event: 'redact',
      data: { boundary: 'self_harm', fallback_text: expect.stringMatching(/\S/) },
    });
    expect(turn.raw).not.toContain('yourself');
    const view = await student.view(id);
    expect(view.current_phase).toBe('talk');
    expect(view.exchanges.at(-1)).toMatchObject({
      role: 'trickster',
      redacted: true,
      content: turn.last.data['fallback_text'],
    });
  });

  it('is told to the model once, and only when that turn settles', async () => {
    const { session_id: id } = await student.talk();
    house.upstream.respondWith(says(...bad.split(/(?<= )/)));
    await student.say(id, 'one');
    house.upstream.respondWith(fails(500), fails(500), fails(500));
    expect((await student.say(id, 'two')).last).toMatchObject({
      event: 'error',
      data: { code: 'MODEL_UNAVAILABLE', retryable: true },
    });
    expect(systemOf(last())).toContain('was withdrawn');
    house.upstream.respondWith(says('Fine.'));
    await student.say(id, 'three');
    expect(systemOf(last())).toContain('was withdrawn');
    house.upstream.respondWith(says('Fine.'));
    await student.say(id, 'four');
    expect(systemOf(last())).not.toContain('was withdrawn');
  });

  it('ends the call to the model at once', async () => {
    const { session_id: id } = await student.talk();
    house.upstream.respondWith(replies([{ text: bad.split(/(?<= )/) }, { hang: true }]));
    const next = house.upstream.nextRequest();
    const turn = student.say(id, 'x');
    expect(await (await next).closed).toBe('abandoned');
    expect((await turn).last.event).toBe('redact');
  });
});

describe('a provider in trouble', () => {
  it('is asked again before the first token, and the student notices nothing', async () => {
    const { session_id: id } = await student.talk();
    house.upstream.respondWith(fails(429), drops(), says('Here.'));
    const turn = await student.say(id, 'x');
    expect(turn.events.map((event) => event.event)).toEqual(['token', 'done']);
  });

  it('that turns the key down is not asked again', async () => {
    const { session_id: id } = await student.talk();
    const requests = requestCount();
    house.upstream.respondWith(fails(401));
    expect((await student.say(id, 'x')).last).toMatchObject({
      event: 'error',
      data: { code: 'MODEL_REFUSED', retryable: false },
    });
    expect(requestCount()).toBe(requests + 1);
  });

  it('that is cut in the middle ends the turn with an error and the text so far, and nothing of it is kept as an exchange', async () => {
    const { session_id: id } = await student.talk();
    house.upstream.respondWith(replies([{ text: ['Half a ', 'reply '] }, { cut: true }]));
    const turn = await student.say(id, 'x', 'm1');
    expect(turn.last).toMatchObject({
      event: 'error',
      data: { retryable: true, partial_text: expect.stringContaining('Half a') },
    });
    expect((await student.view(id)).exchanges.map(({ role }) => role)).toEqual(['student']);
  });

  it('after a retryable error the same message makes a new turn, and its words stand once', async () => {
    const { session_id: id } = await student.talk();
    house.upstream.respondWith(fails(500), fails(500), fails(500));
    const failed = await student.say(id, 'Are you there?', 'm1');
    house.upstream.respondWith(says('Yes.'));
    const again = await student.say(id, 'Are you there?', 'm1');
    expect(again.turnId).not.toBe(failed.turnId);
    expect(chatRequest(last()).messages.slice(1)).toEqual([{ role: 'user', content: 'Are you there?' }]);
    expect((await student.view(id)).exchanges.map(({ content }) => content)).toEqual(['Are you there?', 'Yes.']);
  });

  it('never tells the student what the provider said of it', async () => {
    const { session_id: id } = await student.talk();
    house.upstream.respondWith(fails(400, { body: { error: { message: 'secret detail sk-123' } } }));
    expect((await student.say(id, 'x')).raw).not.toContain('secret detail');
  });
});

describe('stopping', () => {
  it('keeps what was said, tells every follower, and closes the call', async () => {
    const { session_id: id } = await student.talk();
    house.upstream.respondWith(replies([{ text: ['One two three four. '] }, { hang: true }]));
    const next = house.upstream.nextRequest();
    const response = await student.request('POST', `/api/sessions/${id}/respond`, { message: 'x' });
    const turnId = response.headers.get('x-turn-id') ?? '';
    const events = `/api/sessions/${id}/turns/${turnId}/events`;
    const follower = student.follow(events);
    await waitFor(async () => (await student.view(id)).active_turn_id === turnId);
    const upstream = await next;
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (let times = 0; times < 2; times += 1) {
      expect((await student.request('POST', `/api/sessions/${id}/turns/${turnId}/stop`)).status).toBe(202);
    }
    expect((await follower).last).toMatchObject({ event: 'done', data: { stopped: true, phase_transition: null } });
    expect(await response.text()).toContain('"stopped":true');
    expect(await upstream.closed).toBe('abandoned');
    expect((await student.view(id)).exchanges.at(-1)).toMatchObject({ role: 'trickster', redacted: false });
    expect((await student.request('POST', `/api/sessions/${id}/turns/${turnId}/stop`)).status).toBe(202);
  });
});

describe('one turn at a time', () => {
  it('answers a second message with 409 and the live turn, and a repeat with the same turn', async () => {
    const { session_id: id } = await student.talk();
    house.upstream.respondWith(replies([{ text: ['Wait '] }, { hang: true }]));
    const first = await student.request('POST', `/api/sessions/${id}/respond`, {
      message: 'x',
      client_message_id: 'm1',
    });
    const turnId = first.headers.get('x-turn-id') ?? '';
    expect(await student.problem('POST', `/api/sessions/${id}/respond`, { message: 'y' })).toMatchObject({
      status: 409,
      code: 'TURN_IN_PROGRESS',
      turn_id: turnId,
    });
    const repeat = await student.request('POST', `/api/sessions/${id}/respond`, {
      message: 'x',
      client_message_id: 'm1',
    });
    expect(repeat.headers.get('x-turn-id')).toBe(turnId);
    await student.request('POST', `/api/sessions/${id}/turns/${turnId}/stop`);
    expect(await repeat.text()).toContain('event: done');
    await first.text();
  });

  it('replays a finished turn for the id that made it, also after the lesson has moved on', async () => {
    const id = await talkOnce();
    house.upstream.respondWith(replies([{ text: ['Bye.'] }, transitionCall('understood')]));
    const turn = await student.say(id, 'x', 'm9');
    const again = await student.say(id, 'x', 'm9');
    expect(again.turnId).toBe(turn.turnId);
    expect(again.events).toEqual(turn.events);
  });
});

describe('the debrief', () => {
  it('is given at the end, from the whole conversation, and asked again is the same', async () => {
    const id = await talkOnce();
    house.upstream.respondWith(replies([{ text: ['Bye.'] }, transitionCall('understood')]));
    await student.say(id, 'It is the hurry');
    house.upstream.respondWith(says('It was ', 'false urgency.'));
    const debrief = await student.follow(`/api/sessions/${id}/debrief`);
    expect(debrief.last).toMatchObject({ event: 'done', data: { debrief_complete: true } });
    expect(systemOf(last())).toContain('Drop the adversarial stance');
    expect(chatRequest(last()).tools).toBeUndefined();
    expect(chatRequest(last()).messages.map(({ content }) => content)).toContain('It is the hurry');
    const requests = requestCount();
    const again = await student.follow(`/api/sessions/${id}/debrief`);
    expect(again.events).toEqual(debrief.events);
    expect(requestCount()).toBe(requests);
  });

  it('is refused before the end', async () => {
    const { session_id: id } = await student.talk();
    expect(await student.problem('GET', `/api/sessions/${id}/debrief`)).toMatchObject({
      status: 422,
      code: 'INVALID_PHASE_TRANSITION',
    });
  });

  it('is not started by a HEAD', async () => {
    const id = await talkOnce();
    house.upstream.respondWith(replies([{ text: ['Bye.'] }, transitionCall('understood')]));
    await student.say(id, 'x');
    const requests = requestCount();
    expect((await student.request('HEAD', `/api/sessions/${id}/debrief`)).status).toBe(200);
    expect(requestCount()).toBe(requests);
  });
});

describe('prompts', () => {
  it('of a session stay as they were at its first turn, whatever is edited later', async () => {
    const { writeTestFile } = await import('../fixtures/running-server.ts');
    const id = await talkOnce();
    await writeTestFile(house.server.folder, 'prompts/default/persona.md', 'You are someone else.');
    await waitFor(async () => {
      const { session_id: fresh } = await student.talk();
      house.upstream.respondWith(says('Hm.'));
      await student.say(fresh, 'x');
      return systemOf(last()).includes('You are someone else.');
    });
    house.upstream.respondWith(says('Hm.'));
    await student.say(id, 'again');
    expect(systemOf(last())).toContain('You are the Trickster.');
  });
});

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('it did not come about');
}
