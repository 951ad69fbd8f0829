import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type CompanionServer,
  converse,
  eventually,
  saysJson,
  sayTo,
  startCompanionServer,
} from '../fixtures/companion-server.ts';
import { type Reply, replies, says } from '../fixtures/scripted-upstream.ts';

const fact = 'Wants to study biology in Vilnius';

let house: CompanionServer;

beforeAll(async () => {
  house = await startCompanionServer();
});
afterAll(() => house[Symbol.asyncDispose]());

function later(milliseconds: number, value: unknown): Reply {
  return replies([{ waitMs: milliseconds }, { text: [JSON.stringify(value)] }]);
}

it.each([
  ['the key facts', { key_facts: 400, rolling: 0 }],
  ['the running summary', { key_facts: 300, rolling: 900 }],
])('a fact that both jobs find in one conversation is kept once, though %s come last', async (what, wait) => {
  const caller = await house.as('student', what);
  const claim = { kind: 'decision', text: fact, from: 1, supersedes: null };
  house.answers.set('talk', () => says('Noted.'));
  house.answers.set('summary', () => saysJson({ summary: 'They talked about applying to Vilnius.' }));
  house.answers.set('topics', () => saysJson({ topics: ['biology'] }));
  house.answers.set('rolling', () => later(wait.rolling, { summary: 'Wants to study in Vilnius.', facts: [claim] }));
  house.answers.set('key_facts', () => later(wait.key_facts, { decisions: [claim], preferences: [], learned: [] }));
  const { id } = await converse(caller, 'counselor');
  await sayTo(caller, id, 'I want to study biology in Vilnius.');
  await caller.request('POST', `/api/conversations/${id}/end`);
  type View = { remembered: Record<string, string> };
  type Memory = { conversation_update: { status: string; facts: { text: string }[] } | null };
  await eventually(async () => {
    const { body } = await caller.json<View>('GET', `/api/conversations/${id}`);
    return Object.keys(body.remembered).length === 3;
  });
  const memory = await eventually(async () => {
    const { body } = await caller.json<Memory>('GET', '/api/conversation-memory?cartridge_id=counselor');
    return body.conversation_update?.status === 'current' ? body.conversation_update : null;
  });
  expect(memory.facts.map(({ text }) => text)).toEqual([fact]);
});
