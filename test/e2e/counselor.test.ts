import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../fixtures/caller.ts';
import {
  type CompanionServer,
  converse,
  eventually,
  saysJson,
  sayTo,
  startCompanionServer,
} from '../fixtures/companion-server.ts';
import { systemOf } from '../fixtures/model-server.ts';
import { replies, says } from '../fixtures/scripted-upstream.ts';

type Widget = { id: string; kind: string; status: string; value: unknown };
type Profile = { profile: Record<string, unknown>; version: number };

let house: CompanionServer;

beforeAll(async () => {
  house = await startCompanionServer({ settings: { objectivesDelayMs: 1 } });
});
afterAll(() => house[Symbol.asyncDispose]());

beforeEach(() => {
  house.answers.set('talk', () => says('Let us look at it.'));
  house.answers.set('summary', () => saysJson({ summary: 'They talked about applying to Vilnius.' }));
  house.answers.set('rolling', () => saysJson({ summary: 'Wants to study in Vilnius; the essay is open.', facts: [] }));
  house.answers.set('key_facts', () => saysJson({ decisions: [], preferences: [], learned: [] }));
  house.answers.set('topics', () => saysJson({ topics: ['applications'] }));
  house.answers.set('objectives', () =>
    saysJson({ priority_questions: ['How far is the essay?'], check_on: ['The reference'], updates_to_share: [] }),
  );
});

const systemOfLast = () => systemOf(house.asked('talk').at(-1));
const put = (caller: Caller, profile: object, more: object = {}) =>
  caller.json<Profile>('PUT', '/api/profiles/student-' + nameOf(caller), { profile, ...more });
const names = new Map<Caller, string>();
const nameOf = (caller: Caller) => names.get(caller) ?? '';
async function student(name: string): Promise<Caller> {
  const caller = await house.as('student', name);
  names.set(caller, name);
  return caller;
}
const profile = {
  school_year: '11',
  gpa: { value: 9.1, scale: 10 },
  schools: [{ name: 'Vilnius University', deadline: '2027-06-01' }],
  deadlines: [{ title: 'Essay', due_on: '2027-01-15' }],
};
const widget = (args: object) => ({ tool: { name: 'show_widget', arguments: JSON.stringify(args), pieces: 2 } });

/** A turn in which a widget is shown; gives the widget. */
async function shown(caller: Caller, id: string, args: object): Promise<Widget> {
  let round = 0;
  house.answers.set('talk', () => ((round += 1) === 1 ? replies([widget(args)]) : says('Please confirm.')));
  const turn = await sayTo(caller, id, 'Show me.');
  const [first] = turn.last.data['widgets'] as Widget[];
  if (!first) throw new Error('no widget was shown');
  return first;
}

describe('the counselor', () => {
  it('comes with seven parts in the order of the seed, the profile in prose', async () => {
    const caller = await student('Prepared');
    await put(caller, profile);
    const { id } = await converse(caller, 'counselor', {
      entry_context: { source: 'The planning page', query: 'Where to apply?' },
    });
    await sayTo(caller, id, 'I worry about my essay. The essay is not done.');
    const system = systemOfLast();
    const order = ['persona]', 'profile_narrative]', 'entry_context]', 'conversation_state]', 'tool_instructions]'];
    const places = order.map((name) => system.indexOf(name));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(system).toContain('Vilnius University');
    expect(system).not.toContain('"school_year"');
    expect(system).toContain('| The planning page. First question: Where to apply?');
    expect(system).toContain('Tone so far: worried');
    expect(system).toMatch(/Topics: .*essay/u);
  });

  it('remembers when the next conversation begins, and prepares for it', async () => {
    const caller = await student('Lazy');
    const first = await converse(caller, 'counselor');
    await sayTo(caller, first.id, 'I want to study in Vilnius.');
    const second = await converse(caller, 'counselor');
    const staff = await house.as('facilitator', 'Staff');
    await eventually(async () => {
      const { body } = await staff.json<{ items: object[] }>('GET', '/api/objectives?user_id=student-Lazy');
      return body.items.length > 0;
    });
    await sayTo(caller, second.id, 'Hello again.');
    const system = systemOfLast();
    expect(system).toContain('Wants to study in Vilnius; the essay is open.');
    expect(system).toContain('| ask: How far is the essay?');
    expect(system).toContain('| check on: The reference');
    for (const [layer, budget] of [
      ['conversation_summary', 200],
      ['objectives', 100],
      ['conversation_state', 100],
    ] as const) {
      const text = new RegExp(`${layer}\\]\\n([\\s\\S]*?)\\n\\[/`, 'u').exec(system)?.[1] ?? '';
      expect(text, layer).not.toBe('');
      expect(Math.ceil(text.length / 4), layer).toBeLessThanOrEqual(budget);
    }
  });

  it('shows widgets; what is confirmed reaches the profile and the next turn', async () => {
    const caller = await student('Widgets');
    await put(caller, profile);
    const { id } = await converse(caller, 'counselor');
    const card = await shown(caller, id, {
      kind: 'school_card',
      title: 'Add this school?',
      school: { name: 'KTU', deadline: '2027-05-20' },
    });
    expect(card).toMatchObject({ kind: 'school_card', status: 'pending' });
    const answer = (body: object) => caller.json<Widget>('POST', `/api/conversations/${id}/widgets/${card.id}`, body);
    const confirmed = await answer({ status: 'confirmed', value: { name: 'KTU', deadline: '2027-05-21' } });
    expect(confirmed).toMatchObject({ status: 200, body: { status: 'confirmed', value: { deadline: '2027-05-21' } } });
    const { body } = await caller.json<Profile>('GET', '/api/profiles/student-Widgets');
    expect(body.profile['schools']).toContainEqual({ name: 'KTU', deadline: '2027-05-21' });
    expect((await answer({ status: 'confirmed' })).status).toBe(409);
    house.answers.set('talk', () => says('Noted.'));
    await sayTo(caller, id, 'And now?');
    expect(systemOfLast()).toContain('| confirmed: Add this school?');
    expect(systemOfLast()).toContain('KTU');
  });

  it.each([
    ['a choice', { kind: 'choice', title: 'Which?', options: ['A', 'B'] }, { status: 'confirmed', value: ['A'] }],
    [
      'one of other options',
      { kind: 'choice', title: 'Which?', options: ['A', 'B'] },
      { status: 'confirmed', value: 'C' },
    ],
    ['a date', { kind: 'date', title: 'When?' }, { status: 'confirmed', value: 'soon' }],
    ['a checklist', { kind: 'checklist', title: 'What?', items: ['x'] }, { status: 'confirmed', value: 'x' }],
  ])('takes no value that %s cannot have, and the widget still waits', async (what, args, bad) => {
    const caller = await student(`Bad ${what}`);
    const { id } = await converse(caller, 'counselor');
    const first = await shown(caller, id, args);
    const problem = await caller.problem('POST', `/api/conversations/${id}/widgets/${first.id}`, bad);
    expect(problem).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(problem.errors?.[0]?.path).toMatch(/^value/u);
    const dismissed = await caller.json<Widget>('POST', `/api/conversations/${id}/widgets/${first.id}`, {
      status: 'dismissed',
    });
    expect(dismissed.body.status).toBe('dismissed');
  });

  it('goes on where the model’s widget is not whole: it is told why', async () => {
    const caller = await student('Broken widget');
    const { id } = await converse(caller, 'counselor');
    let round = 0;
    house.answers.set('talk', () =>
      (round += 1) === 1 ? replies([widget({ kind: 'choice', title: 'Only one', options: ['A'] })]) : says('Sorry.'),
    );
    const turn = await sayTo(caller, id, 'Show me.');
    expect(turn.last.data).toMatchObject({ widgets: [] });
    expect(JSON.stringify(house.asked('talk').at(-1)?.body)).toContain('the widget is not whole: options');
  });

  it('prepares anew when the profile changes in a way that matters', async () => {
    const caller = await student('Changed');
    const saved = await put(caller, profile);
    const before = house.asked('objectives').length;
    await put(caller, { ...profile, notes: 'Likes rain.' }, { version: saved.body.version });
    await put(
      caller,
      { ...profile, deadlines: [{ title: 'Essay', due_on: '2026-12-15' }] },
      { version: saved.body.version + 1 },
    );
    await eventually(async () => house.asked('objectives').length > before);
  });
});
