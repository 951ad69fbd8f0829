import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../fixtures/caller.ts';
import {
  type CompanionServer,
  converse,
  eventually,
  saysJson,
  sayTo,
  startCompanionServer,
} from '../fixtures/companion-server.ts';
import { replies, says } from '../fixtures/scripted-upstream.ts';

const bad = 'You should kill yourself now, really.';
const wait = (milliseconds: number) => ({ waitMs: milliseconds });

let house: CompanionServer;

beforeAll(async () => {
  house = await startCompanionServer({ settings: { objectivesDelayMs: 1 } });
  house.answers.set('objectives', () => saysJson({ priority_questions: ['q?'], check_on: [], updates_to_share: [] }));
});
afterAll(() => house[Symbol.asyncDispose]());

/** The next reply shows a widget first, and then says this. */
function shows(widget: object, said: string): void {
  let round = 0;
  house.answers.set('talk', () => {
    round += 1;
    const tool = { name: 'show_widget', arguments: JSON.stringify(widget), pieces: 2 };
    return round === 1 ? replies([{ tool }]) : says(said);
  });
}

type Widget = { id: string; status: string };
const widgetsOf = async (caller: Caller, id: string) =>
  (await caller.json<{ widgets: Widget[] }>('GET', `/api/conversations/${id}`)).body.widgets;

it('the rest of a structured reply is judged as its words are, and withdrawn with them', async () => {
  const student = await house.as('student', 'structured');
  const { id } = await converse(student, 'project-manager', { project_id: 'one' });
  const reply = {
    user_explanation: 'The form is sent twice.',
    technical_instruction: 'Remove one listener.',
    confidence: 0.8,
    metadata: { memory_keys: [], insights: ['two listeners'] },
  };
  for (const spoilt of [
    { technical_instruction: bad },
    { metadata: { insights: [bad] } },
    { metadata: { [bad]: 1 } },
  ]) {
    house.answers.set('talk', () => saysJson({ ...reply, ...spoilt }));
    const turn = await sayTo(student, id, 'Why?');
    expect(turn.last.event).toBe('redact');
    expect(JSON.stringify(turn.last.data)).not.toContain('kill yourself');
    const view = await (await student.request('GET', `/api/conversations/${id}`)).text();
    expect(view).not.toContain('kill yourself');
  }
  house.answers.set('talk', () => saysJson(reply));
  expect((await sayTo(student, id, 'Why?')).last.event).toBe('done');
});

it('a widget is judged too, and goes with a reply that is withdrawn', async () => {
  const student = await house.as('student', 'widgets');
  const { id } = await converse(student, 'counselor');
  shows({ kind: 'choice', title: 'Which?', options: [bad, 'Physics'] }, 'Please choose.');
  expect((await sayTo(student, id, 'Hi')).last.event).toBe('redact');
  shows({ kind: 'choice', title: 'Which?', options: ['Chemistry', 'Physics'] }, bad);
  expect((await sayTo(student, id, 'Hi')).last.event).toBe('redact');
  expect(await widgetsOf(student, id)).toEqual([]);
  shows({ kind: 'choice', title: 'Which?', options: ['Chemistry', 'Physics'] }, 'Please choose.');
  expect((await sayTo(student, id, 'Hi')).last.event).toBe('done');
  expect(await widgetsOf(student, id)).toMatchObject([{ title: 'Which?', status: 'pending' }]);
});

it('what is confirmed adds to the profile, takes nothing out of it, and prepares the next talk anew', async () => {
  const student = await house.as('student', 'confirms');
  const path = '/api/profiles/student-confirms';
  const ktu = { name: 'KTU', status: 'applied', deadline: '2027-01-02' };
  await student.json('PUT', path, { profile: { schools: [ktu] }, version: 0 });
  await eventually(async () => house.asked('objectives').length === 1);
  const { id } = await converse(student, 'counselor');
  const confirm = async (widget: object, value?: unknown) => {
    shows(widget, 'Please look.');
    const { last } = await sayTo(student, id, 'Hi');
    const [shown] = last.data['widgets'] as Widget[];
    const answer = { status: 'confirmed', ...(value === undefined ? {} : { value }) };
    return student.request('POST', `/api/conversations/${id}/widgets/${shown?.id}`, answer);
  };
  const profile = async () => (await student.json<{ profile: Record<string, unknown> }>('GET', path)).body.profile;
  const card = { kind: 'school_card', title: 'KTU?', school: { name: 'KTU', location: 'Kaunas' } };
  expect((await confirm(card)).status).toBe(200);
  expect(await profile()).toEqual({ schools: [ktu] });
  const deadline = { kind: 'date', title: 'Essay', date: '2026-11-28', profile_field: 'deadlines' };
  expect((await confirm(deadline)).status).toBe(200);
  expect(await profile()).toMatchObject({ deadlines: [{ title: 'Essay', due_on: '2026-11-28' }] });
  await eventually(async () => house.asked('objectives').length === 2);
  // A choice is no date: it is kept in the conversation, and belongs nowhere in the profile.
  const soon = { kind: 'choice', title: 'When?', options: ['soon', 'later'], profile_field: 'deadlines' };
  expect((await confirm(soon, 'soon')).status).toBe(200);
  expect(await profile()).toMatchObject({ deadlines: [{ title: 'Essay', due_on: '2026-11-28' }] });
});

it('what does not fit the profile is said, and can be answered again', async () => {
  const student = await house.as('student', 'full');
  const interests = Array.from({ length: 49 }, (_, index) => `interest ${index}`);
  await student.json('PUT', '/api/profiles/student-full', { profile: { interests }, version: 0 });
  const { id } = await converse(student, 'counselor');
  shows({ kind: 'checklist', title: 'What else?', items: ['a', 'b', 'c'], profile_field: 'interests' }, 'Tick them.');
  const [shown] = (await sayTo(student, id, 'Hi')).last.data['widgets'] as Widget[];
  const path = `/api/conversations/${id}/widgets/${shown?.id}`;
  const ticked = (...done: string[]) => ({
    status: 'confirmed',
    value: ['a', 'b', 'c'].map((item) => ({ item, done: done.includes(item) })),
  });
  expect(await student.problem('POST', path, ticked('a', 'b', 'c'))).toMatchObject({ status: 422 });
  expect(await widgetsOf(student, id)).toMatchObject([{ status: 'pending' }]);
  expect((await student.request('POST', path, ticked('b'))).status).toBe(200);
});

it('a profile that changes while the sheet is made has the sheet made again', async () => {
  const student = await house.as('student', 'racing');
  const answer = JSON.stringify({ priority_questions: ['q?'], check_on: [], updates_to_share: [] });
  house.answers.set('objectives', () => replies([wait(400), { text: [answer] }]));
  const before = house.asked('objectives').length;
  const put = (value: number, version: number) =>
    student.json('PUT', '/api/profiles/student-racing', { profile: { gpa: { value, scale: 10 } }, version });
  await put(9, 0);
  await eventually(async () => house.asked('objectives').length === before + 1);
  await put(5, 1);
  await eventually(async () => house.asked('objectives').length === before + 2);
});

it('what a task spells with escapes is judged as it will be read, and remembered nowhere', async () => {
  const student = await house.as('student', 'escapes');
  house.answers.set('talk', () => says('I hear you.'));
  house.answers.set('topics', () => says('{"topics":["you should k\\u0069ll yourself"]}'));
  house.answers.set('summary', () => saysJson({ summary: 'They worked on fractions.' }));
  house.answers.set('key_facts', () => saysJson({ decisions: [], preferences: [], learned: [] }));
  house.answers.set('learnings', () => saysJson({ learnings: [] }));
  const { id } = await converse(student, 'maestro-mathematics');
  await sayTo(student, id, 'Fractions please.');
  await student.request('POST', `/api/conversations/${id}/end`);
  type View = { remembered: Record<string, string> };
  const remembered = async () => (await student.json<View>('GET', `/api/conversations/${id}`)).body.remembered;
  await eventually(async () => (await remembered())['topics'] === 'failed');
  expect(await remembered()).toMatchObject({ summary: 'done' });
  const { body } = await student.json('GET', '/api/conversations/memory?cartridge_id=maestro-mathematics');
  expect(JSON.stringify(body)).not.toContain('kill');
});
