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
import { chatRequest, systemOf } from '../fixtures/model-server.ts';
import { fails, replies, says } from '../fixtures/scripted-upstream.ts';

type View = { active: boolean; remembered: Record<string, string>; memory: Memory; exchanges: { content: string }[] };
type Memory = {
  recent_summary: string | null;
  key_facts: string[];
  topics: string[];
  last_session_date: string | null;
};

const maestro = 'maestro-mathematics';
let house: CompanionServer;

beforeAll(async () => {
  house = await startCompanionServer();
});
afterAll(() => house[Symbol.asyncDispose]());

beforeEach(() => {
  house.answers.set('talk', () => says('Let us see.'));
  house.answers.set('summary', () => saysJson({ summary: 'They worked on fractions and chose to draw them.' }));
  house.answers.set('key_facts', () =>
    saysJson({
      decisions: [{ text: 'Fractions are drawn as pizzas', from: 1 }],
      preferences: [{ text: 'Likes pictures', from: 1 }],
      learned: ['Halves and quarters add up'],
    }),
  );
  house.answers.set('topics', () => saysJson({ topics: ['adding fractions', 'pizza drawings'] }));
  house.answers.set('learnings', () => saysJson({ learnings: ['Can add halves and quarters'] }));
  house.answers.set('parent_note', () =>
    saysJson({
      summary: 'Your child practised fractions.',
      highlights: ['Drew pizzas'],
      concerns: null,
      suggestions: ['Cook together'],
    }),
  );
});

const view = async (caller: Caller, id: string) => (await caller.json<View>('GET', `/api/conversations/${id}`)).body;
const memoryOf = async (caller: Caller) =>
  (await caller.json<Memory>('GET', `/api/conversations/memory?cartridge_id=${maestro}`)).body;

/** A conversation of one exchange, ended and remembered. */
async function remembered(caller: Caller, said = 'I like pictures. Fractions as pizzas: halves and quarters?') {
  const { id } = await converse(caller, maestro);
  await sayTo(caller, id, said);
  expect((await caller.request('POST', `/api/conversations/${id}/end`)).status).toBe(202);
  await eventually(async () => Object.keys((await view(caller, id)).remembered).length === 5);
  return id;
}

describe('a maestro', () => {
  it('remembers an ended conversation in parts, and the next one carries them within their budget', async () => {
    const student = await house.as('student', 'Ona');
    const id = await remembered(student);
    expect(await view(student, id)).toMatchObject({
      active: false,
      remembered: { summary: 'done', key_facts: 'done', topics: 'done', learnings: 'done', parent_note: 'skipped' },
    });
    expect(await memoryOf(student)).toMatchObject({
      recent_summary: 'They worked on fractions and chose to draw them.',
      key_facts: ['Fractions are drawn as pizzas', 'Likes pictures', 'Halves and quarters add up'],
      topics: ['adding fractions', 'pizza drawings'],
      last_session_date: expect.stringMatching(/Z$/u),
    });
    const next = await converse(student, maestro);
    expect(next.memory).toMatchObject({ topics: ['adding fractions', 'pizza drawings'] });
    expect(next.greeting).toContain('adding fractions');
    await sayTo(student, next.id, 'Again!');
    const system = systemOf(house.asked('talk').at(-1));
    expect(system).toContain('They worked on fractions and chose to draw them.');
    expect(system).toContain('| Likes pictures (');
    expect(system).toContain('Topics: adding fractions, pizza drawings');
    const layer = /session_memory\]\n([\s\S]*?)\n\[\//u.exec(system)?.[1] ?? '';
    expect(Math.ceil(layer.length / 4)).toBeLessThanOrEqual(350);
    expect(layer).not.toBe('');
  });

  it('does not forget what was said a moment ago: the first reply waits for it, but not without end', async () => {
    await using own = await startCompanionServer({ settings: { rememberWaitMs: 1_500 } });
    own.answers.set('talk', () => says('Let us see.'));
    const student = await own.as('student', 'Hasty');
    const summary = JSON.stringify({ summary: 'They had just begun with volcanoes.' });
    // The summary of the first conversation takes its time; those of others never come.
    own.answers.set('summary', (request) =>
      replies(
        JSON.stringify(request.body).includes('Volcanoes?') ? [{ waitMs: 400 }, { text: [summary] }] : [{ hang: true }],
      ),
    );
    const talk = async (said: string) => {
      const { id } = await converse(student, maestro);
      await sayTo(student, id, said);
      return { id, system: systemOf(own.asked('talk').at(-1)) };
    };
    const { id } = await talk('Volcanoes?');
    await student.request('POST', `/api/conversations/${id}/end`);
    const next = await talk('And now?');
    expect(next.system).toContain('They had just begun with volcanoes.');
    // Begun while the last goes on, which is ended by that.
    const third = await talk('Still there?');
    expect(third.system).toContain('They had just begun with volcanoes.');
    expect((await view(student, third.id)).exchanges).toHaveLength(2);
  });

  it('keeps nothing of a conversation that left nothing, as the model says, and no apology of the model’s', async () => {
    const student = await house.as('student', 'Brief');
    house.answers.set('summary', () => saysJson({ summary: '' }));
    const id = await remembered(student, 'hi');
    expect((await view(student, id)).remembered).toMatchObject({ summary: 'skipped', topics: 'done' });
    house.answers.set('summary', () => says('I cannot summarise this conversation.'));
    const { id: second } = await converse(student, maestro);
    await sayTo(student, second, 'Fractions?');
    await student.request('POST', `/api/conversations/${second}/end`);
    await eventually(async () => (await view(student, second)).remembered['summary'] === 'failed');
    expect((await memoryOf(student)).recent_summary).toBeNull();
  });

  it('greets by name and by what was talked about, and plainly whoever it has not met', async () => {
    const student = await house.as('student', 'Greeted');
    const greet = async (more = '') =>
      (
        await student.json<{ greeting: string; topics: string[] }>(
          'GET',
          `/api/conversations/greeting?cartridge_id=${maestro}&name=Jonas${more}`,
        )
      ).body;
    expect((await greet()).topics).toEqual([]);
    expect((await greet()).greeting).toMatch(/^Hello, Jonas!/u);
    await remembered(student);
    const known = await greet();
    expect(known.greeting).toContain('Jonas');
    expect(known.greeting).toContain('adding fractions');
    expect((await greet('&language=lt')).greeting).toContain('Praėjusį kartą');
  });

  it('carries the last three conversations, merged, and no more', async () => {
    const student = await house.as('student', 'Three');
    for (const number of [1, 2, 3, 4]) {
      house.answers.set('summary', () => saysJson({ summary: `Conversation number ${number} took place.` }));
      house.answers.set('topics', () => saysJson({ topics: [`topic ${number}`] }));
      await remembered(student, `Something about case ${number}.`);
    }
    const { topics, recent_summary: summary } = await memoryOf(student);
    expect(topics).toEqual(['topic 4', 'topic 3', 'topic 2']);
    expect(summary).toBe('Conversation number 4 took place.');
    const { id } = await converse(student, maestro);
    await sayTo(student, id, 'Hello again.');
    const system = systemOf(house.asked('talk').at(-1));
    expect(system).toContain('Conversation number 2');
    expect(system).not.toContain('Conversation number 1');
  });

  it('makes each part on its own: one that fails loses no other, and is seen to have failed', async () => {
    const student = await house.as('student', 'Partly');
    house.answers.set('topics', () => fails(500));
    house.answers.set('learnings', () => says('I would rather not.'));
    const id = await remembered(student);
    expect((await view(student, id)).remembered).toEqual({
      summary: 'done',
      key_facts: 'done',
      topics: 'failed',
      learnings: 'failed',
      parent_note: 'skipped',
    });
    expect((await memoryOf(student)).recent_summary).toBe('They worked on fractions and chose to draw them.');
  });

  it('ends once, by whichever of call and clock comes first', async () => {
    const student = await house.as('student', 'Once');
    const { id } = await converse(student, maestro);
    await sayTo(student, id, 'Fractions, please.');
    const summaries = () =>
      house
        .asked('summary')
        .filter((request) => JSON.stringify(chatRequest(request).messages).includes('Fractions, please.'));
    const ends = await Promise.all(
      Array.from({ length: 5 }, () => student.request('POST', `/api/conversations/${id}/end`)),
    );
    expect(ends.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    await eventually(async () => Object.keys((await view(student, id)).remembered).length === 5);
    expect(summaries()).toHaveLength(1);
  });

  it('takes no more messages once it has ended', async () => {
    const student = await house.as('student', 'Over');
    const id = await remembered(student);
    const problem = await student.problem('POST', `/api/conversations/${id}/messages`, { message: 'One more?' });
    expect(problem.code).toBe('SESSION_ENDED');
  });

  it('leaves nothing to remember where nothing was said', async () => {
    const student = await house.as('student', 'Silent');
    const { id } = await converse(student, maestro);
    await student.request('POST', `/api/conversations/${id}/end`);
    await eventually(async () => Object.keys((await view(student, id)).remembered).length === 5);
    expect(Object.values((await view(student, id)).remembered)).toEqual(Array.from({ length: 5 }, () => 'skipped'));
    expect(await memoryOf(student)).toMatchObject({ recent_summary: null, key_facts: [], topics: [] });
  });

  it('keeps what shows signs of crisis out of every memory, and answers it with help lines', async () => {
    const student = await house.as('student', 'Hurt');
    const { id } = await converse(student, maestro);
    await sayTo(student, id, 'Fractions are fine.');
    const turn = await sayTo(student, id, 'I want to kill myself.');
    expect(turn.text.length).toBeGreaterThan('Let us see.'.length);
    await student.request('POST', `/api/conversations/${id}/end`);
    await eventually(async () => Object.keys((await view(student, id)).remembered).length === 5);
    const tasks = house.upstream.requests.filter((request) => chatRequest(request).model === 'fast-model');
    expect(tasks.some((request) => JSON.stringify(request.body).includes('Fractions are fine.'))).toBe(true);
    expect(tasks.some((request) => JSON.stringify(request.body).includes('kill myself'))).toBe(false);
  });

  it('is not told again as new what it was reminded of', async () => {
    const student = await house.as('student', 'Again');
    await remembered(student);
    house.answers.set('talk', () => says('You like pictures, and fractions are drawn as pizzas.'));
    await remembered(student, 'Yes, go on.');
    expect((await memoryOf(student)).key_facts).toEqual([
      'Fractions are drawn as pizzas',
      'Likes pictures',
      'Halves and quarters add up',
    ]);
  });

  it('lists conversations by page, the latest first, and only one’s own', async () => {
    const student = await house.as('student', 'Lister');
    for (let count = 0; count < 5; count += 1) await converse(student, maestro, { title: `Talk ${count}` });
    type List = { items: { title: string }[]; pagination: object };
    const list = async (more: string) => (await student.json<List>('GET', `/api/conversations?${more}`)).body;
    expect((await list('limit=2&page=2')).pagination).toEqual({ page: 2, limit: 2, total: 5, pages: 3 });
    expect((await list('limit=2&page=2')).items).toHaveLength(2);
    expect((await list('active=false')).items).toEqual([]);
    expect((await list('cartridge_id=maestro-history')).items).toEqual([]);
    const other = await house.as('student', 'Other');
    expect((await other.json<List>('GET', '/api/conversations')).body.items).toEqual([]);
    const { id } = await converse(student, maestro);
    expect((await other.request('GET', `/api/conversations/${id}`)).status).toBe(404);
    expect((await other.request('POST', `/api/conversations/${id}/end`)).status).toBe(404);
    expect((await other.problem('POST', `/api/conversations/${id}/messages`, { message: 'Hi' })).code).toBe(
      'NOT_FOUND',
    );
  });
});
