import { afterAll, beforeAll, expect, it } from 'vitest';
import { companionValue } from '../../src/cartridge/companion-fixture.ts';
import {
  type CompanionServer,
  converse,
  eventually,
  saysJson,
  sayTo,
  startCompanionServer,
} from '../fixtures/companion-server.ts';
import { says } from '../fixtures/scripted-upstream.ts';

type View = { active: boolean; remembered: Record<string, string> };

let house: CompanionServer;
const guide = (minutes: number, more: object = {}) =>
  JSON.stringify(
    companionValue({
      session: { inactivity_minutes: minutes, on_end: ['summary'], ...more },
      memory: { sessions: {} },
    }),
  );

beforeAll(async () => {
  house = await startCompanionServer({
    files: {
      'cartridges/guide/cartridge.json': guide(0.005),
      'cartridges/slow/cartridge.json': guide(60).replace('"guide"', '"slow"'),
      'cartridges/single/cartridge.json': guide(60, { one_at_a_time: true }).replace('"guide"', '"single"'),
      'prompts/default/remember-summary.md': 'Answer {"summary": "…"}.',
    },
    env: { CARTRIDGES_DIR: 'cartridges', PROMPTS_DIR: 'prompts' },
    settings: { idleSweepMs: 30 },
  });
  house.answers.set('summary', () => saysJson({ summary: 'They talked.' }));
  house.answers.set('talk', () => says('Go on.'));
});
afterAll(() => house[Symbol.asyncDispose]());

it('a conversation that nobody touches ends by itself, and is remembered', async () => {
  const student = await house.as('student', 'Idle');
  const { id } = await converse(student, 'guide');
  await sayTo(student, id, 'Hello.');
  const view = async () => (await student.json<View>('GET', `/api/conversations/${id}`)).body;
  await eventually(async () => (await view()).remembered['summary'] === 'done');
  expect((await view()).active).toBe(false);
});

it('one that is talked in goes on', async () => {
  const student = await house.as('student', 'Talker');
  const { id } = await converse(student, 'slow');
  await sayTo(student, id, 'Hello.');
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect((await student.json<View>('GET', `/api/conversations/${id}`)).body.active).toBe(true);
});

it('one that was due while the server was down ends when it is back', async () => {
  const student = await house.as('student', 'Restarted');
  const { id } = await converse(student, 'guide');
  await sayTo(student, id, 'Before the restart.');
  await house.server.restart();
  await eventually(
    async () => (await student.json<View>('GET', `/api/conversations/${id}`)).body.remembered['summary'] === 'done',
  );
});

it('a companion with one conversation at a time ends the earlier one when the next begins', async () => {
  const student = await house.as('student', 'Single');
  const first = await converse(student, 'single');
  await sayTo(student, first.id, 'The first talk.');
  const second = await converse(student, 'single');
  const view = async (id: string) => (await student.json<View>('GET', `/api/conversations/${id}`)).body;
  expect((await view(first.id)).active).toBe(false);
  expect((await view(second.id)).active).toBe(true);
  await eventually(async () => (await view(first.id)).remembered['summary'] === 'done');
});
