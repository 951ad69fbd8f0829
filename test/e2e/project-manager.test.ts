import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../fixtures/caller.ts';
import { type CompanionServer, converse, saysJson, sayTo, startCompanionServer } from '../fixtures/companion-server.ts';
import { chatRequest, systemOf } from '../fixtures/model-server.ts';
import { says } from '../fixtures/scripted-upstream.ts';

let house: CompanionServer;

beforeAll(async () => {
  house = await startCompanionServer();
});
afterAll(() => house[Symbol.asyncDispose]());

const reply = (changes: object = {}) => ({
  user_explanation: 'Your login form sends the password twice.',
  technical_instruction: '1. Remove the second listener.',
  confidence: 0.8,
  metadata: { memory_keys: [], insights: ['The form has two submit listeners'] },
  ...changes,
});
const answer = (value: object) => house.answers.set('talk', () => saysJson(value));
const begin = async (caller: Caller, project: string) =>
  (await converse(caller, 'project-manager', { project_id: project })).id;
const systemOfLast = () => systemOf(house.asked('talk').at(-1));

describe('the project manager', () => {
  it('streams the explanation alone, and gives the whole reply at the end', async () => {
    const teacher = await house.as('teacher', 'Rasa');
    const text = JSON.stringify(reply());
    house.answers.set('talk', () => says(...(text.match(/.{1,7}/gsu) ?? [])));
    const turn = await sayTo(teacher, await begin(teacher, 'shop'), 'The login sends my password twice.');
    expect(turn.text).toBe(reply().user_explanation);
    expect(turn.events.filter(({ event }) => event === 'token').length).toBeGreaterThan(3);
    expect(turn.last.data).toMatchObject({
      exchanges_count: 1,
      structured: { ...reply(), metadata: { processing_time: expect.any(Number) } },
      workflow: { current_depth: 0, original_problem: 'The login sends my password twice.' },
    });
  });

  it('is asked once more where its reply does not fit, and what was shown stays', async () => {
    const teacher = await house.as('teacher', 'Retry');
    const id = await begin(teacher, 'retry');
    let asked = 0;
    house.answers.set('talk', () => ((asked += 1) === 1 ? saysJson(reply({ confidence: 7 })) : saysJson(reply())));
    const turn = await sayTo(teacher, id, 'It fails.');
    expect(turn.text).toBe(reply().user_explanation);
    expect(turn.last).toMatchObject({ event: 'done', data: { structured: { confidence: 0.8 } } });
    house.answers.set('talk', () =>
      (asked += 1) === 3
        ? saysJson(reply({ user_explanation: 'What was read.', confidence: 7 }))
        : saysJson(reply({ user_explanation: 'What nobody read.' })),
    );
    const mended = await sayTo(teacher, id, 'Once more.');
    expect(mended.text).toBe('What was read.');
    expect(mended.last.data).toMatchObject({ structured: { user_explanation: 'What was read.', confidence: 0.8 } });
    house.answers.set('talk', () => ((asked += 1) === 5 ? saysJson(reply({ confidence: 7 })) : saysJson(reply())));
    await sayTo(teacher, id, 'It fails.');
    expect(chatRequest(house.asked('talk').at(-1)).messages.at(-1)?.content).toContain('confidence: ');
    let plain = 0;
    house.answers.set('talk', () => ((plain += 1) === 1 ? says('In plain words.') : saysJson(reply())));
    expect((await sayTo(teacher, id, 'Again.')).text).toBe(reply().user_explanation);
  });

  it('whose reply never fits ends in an error that can be tried again, and nothing is lost', async () => {
    const teacher = await house.as('teacher', 'Never');
    const id = await begin(teacher, 'never');
    house.answers.set('talk', () => says('No JSON today.'));
    const message = { message: 'Keep my words.', client_message_id: 'once' };
    const path = `/api/conversations/${id}/messages`;
    const failed = await teacher.request('POST', path, message);
    expect(await failed.text()).toContain('"code":"MODEL_REPLY_INVALID"');
    answer(reply());
    expect(await (await teacher.request('POST', path, message)).text()).toContain('event: done');
    const { body } = await teacher.json<{ exchanges: { role: string; content: string }[] }>(
      'GET',
      `/api/conversations/${id}`,
    );
    expect(body.exchanges.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'Keep my words.',
    ]);
  });

  it('is heard again where what was shown broke off in the middle', async () => {
    const teacher = await house.as('teacher', 'Cut');
    const id = await begin(teacher, 'cut');
    let asked = 0;
    house.answers.set('talk', () =>
      (asked += 1) === 1 ? says('{"user_explanation":"Your login f') : saysJson(reply()),
    );
    const turn = await sayTo(teacher, id, 'It fails.');
    expect(turn.last).toMatchObject({ event: 'done', data: { structured: { confidence: 0.8 } } });
    expect(turn.text).toBe(`Your login f…\n\n${reply().user_explanation}`);
  });

  it('weighs what it remembers of the project, and of no other', async () => {
    const teacher = await house.as('teacher', 'Weigher');
    const items = [
      ['shop-a', 'error', 'login-500', { message: 'The login route fails with status 500' }],
      ['shop-a', 'solution', 'login-fix', { text: 'Restarting the session service mended the login route' }],
      ['shop-a', 'context', 'colour', { text: 'The logo is green' }],
      ['shop-b', 'error', 'elsewhere', { message: 'The login route of another project' }],
    ] as const;
    for (const [project_id, type, key, value] of items)
      expect((await teacher.request('POST', '/api/memories', { project_id, type, key, value })).status).toBe(201);
    answer(reply());
    await sayTo(teacher, await begin(teacher, 'shop-a'), 'Why does the login route fail again?');
    const system = systemOfLast();
    expect(system).toContain('[error] login-500');
    expect(system).toContain('[solution] login-fix');
    expect(system).not.toContain('elsewhere');
    expect(system).not.toContain('The logo is green');
    expect(system).toMatch(/context score: \d\.\d\d/u);
    expect(system).toContain('"user_explanation"');
    const stranger = await house.as('teacher', 'Else');
    await sayTo(stranger, await begin(stranger, 'shop-a'), 'Why does the login route fail again?');
    expect(systemOfLast()).not.toContain('login-500');
  });

  it('remembers what was asked and answered, for the next conversation', async () => {
    const teacher = await house.as('teacher', 'Messages');
    answer(reply({ user_explanation: 'The cache holds an old stylesheet.' }));
    await sayTo(teacher, await begin(teacher, 'cache'), 'The stylesheet does not change.');
    await sayTo(teacher, await begin(teacher, 'cache'), 'What about the stylesheet?');
    expect(systemOfLast()).toContain('[message]');
    expect(systemOfLast()).toContain('The cache holds an old stylesheet.');
  });

  it('reads the last ten messages and the present one', async () => {
    const teacher = await house.as('teacher', 'Ten');
    const id = await begin(teacher, 'ten');
    for (let number = 1; number <= 7; number += 1) await sayTo(teacher, id, `Message ${number}.`);
    const { messages } = chatRequest(house.asked('talk').at(-1));
    const said = messages.filter(({ role }) => role !== 'system').map(({ content }) => content);
    expect(said).toHaveLength(11);
    expect(said[0]).toBe('Message 2.');
    expect(said.at(-1)).toBe('Message 7.');
  });

  it('goes deeper when it is sure and has found something new, and keeps the problem', async () => {
    const teacher = await house.as('teacher', 'Deep');
    const id = await begin(teacher, 'deep');
    const depth = async (changes: object, message: string) => {
      answer(reply(changes));
      return (await sayTo(teacher, id, message)).last.data['workflow'] as Record<string, unknown>;
    };
    const insight = (text: string) => ({ metadata: { insights: [text] } });
    expect(await depth({ confidence: 0.94 }, 'Auth is broken.')).toMatchObject({ current_depth: 0 });
    expect(
      await depth({ confidence: 0.95, ...insight('Tokens expire before they are used') }, 'Deeper.'),
    ).toMatchObject({ current_depth: 1, original_problem: 'Auth is broken.', completed_stages: 1 });
    expect(await depth({ confidence: 0.99, ...insight('Tokens expire before they are used') }, 'And?')).toMatchObject({
      current_depth: 1,
    });
    expect(
      await depth(
        { technical_instruction: 'ANALYSIS_COMPLETE', ...insight('Server clocks differ by four minutes') },
        'Go on.',
      ),
    ).toMatchObject({ current_depth: 2, completed_stages: 2 });
    answer(reply());
    const next = await begin(teacher, 'deep');
    await sayTo(teacher, next, 'Where were we?');
    expect(systemOfLast()).toContain('| Auth is broken.');
    expect(systemOfLast()).toContain('at depth 2');
  });

  it('takes the next conversation for a new problem where the last is solved, or the project is forgotten', async () => {
    const teacher = await house.as('teacher', 'Again');
    const ask = async (id: string, message: string) =>
      (await sayTo(teacher, id, message)).last.data['workflow'] as Record<string, unknown>;
    const finds = (...insights: string[]) =>
      answer(reply({ confidence: 0.97, metadata: { memory_keys: [], insights } }));
    const first = await begin(teacher, 'garage');
    const found = ['brakes squeal', 'pads worn', 'disc scored', 'fluid leaking', 'hose cracked'];
    let workflow: Record<string, unknown> = {};
    for (const insight of found) {
      finds(insight);
      workflow = await ask(first, 'The brakes fail.');
    }
    expect(workflow).toMatchObject({ analysis_complete: true, original_problem: 'The brakes fail.' });
    answer(reply());
    expect(await ask(first, 'Thank you.')).toMatchObject({ analysis_complete: true });
    const second = await begin(teacher, 'garage');
    const anew = { analysis_complete: false, current_depth: 0, original_problem: 'The lights flicker.' };
    expect(await ask(second, 'The lights flicker.')).toMatchObject(anew);
    expect(await ask(await begin(teacher, 'garage'), 'Where were we?')).toMatchObject(anew);
    await teacher.request('DELETE', '/api/memories?project_id=garage');
    const third = await begin(teacher, 'garage');
    expect(await ask(third, 'The horn is silent.')).toMatchObject({ original_problem: 'The horn is silent.' });
  });
});
