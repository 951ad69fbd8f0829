import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../fixtures/caller.ts';
import { type CompanionServer, eventually, saysJson, startCompanionServer } from '../fixtures/companion-server.ts';
import { systemOf } from '../fixtures/model-server.ts';
import { fails, says } from '../fixtures/scripted-upstream.ts';

type Update = { summary: string; turn_count: number; status: string };

let house: CompanionServer;

beforeAll(async () => {
  house = await startCompanionServer();
});
afterAll(() => house[Symbol.asyncDispose]());

const path = '/api/conversation-memory';
const turns = (count: number, content: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: content(index),
  }));
const post = async (caller: Caller, body: object) =>
  (await caller.json<{ conversation_update: Update }>('POST', path, body)).body.conversation_update;
const read = async (caller: Caller) =>
  (await caller.json<{ conversation_update: Update }>('GET', path)).body.conversation_update;
const found = async (caller: Caller, words: string) =>
  (await caller.json<{ count: number }>('GET', `${path}?search=${words}&include_archive=true`)).body.count;

it('a full memory whose summary cannot be written loses no turn, and is summarised when it can be', async () => {
  const caller = await house.as('facilitator', 'full');
  house.answers.set('rolling', () => fails(400));
  await post(caller, { conversation_turns: turns(50, (index) => `Plain remark number ${index}.`) });
  const full = await post(caller, { conversation_turns: turns(2, () => 'Remember the walrus plan.') });
  expect(full).toMatchObject({ turn_count: 52, summary: '' });
  expect(await found(caller, 'walrus')).toBe(2);
  house.answers.set('rolling', () => saysJson({ summary: 'The walrus plan was made.', facts: [] }));
  expect(await post(caller, { conversation_turns: turns(2, () => 'And so on we went.') })).toMatchObject({
    turn_count: 2,
    summary: 'The walrus plan was made.',
  });
  expect(await found(caller, 'walrus')).toBeGreaterThan(2);
});

it('a summary asked for afresh that fails is written afresh later', async () => {
  const caller = await house.as('facilitator', 'afresh');
  house.answers.set('rolling', () => saysJson({ summary: 'The first summary.', facts: [] }));
  await post(caller, { conversation_turns: turns(4, () => 'We spoke of fractions.') });
  let tries = 0;
  house.answers.set('rolling', () => {
    tries += 1;
    return tries <= 3 ? fails(503) : saysJson({ summary: 'The summary made afresh.', facts: [] });
  });
  await post(caller, { conversation_turns: [], force_regenerate: true });
  await eventually(async () => (await read(caller)).summary === 'The summary made afresh.');
});

it('turns in Lithuanian are remembered in Lithuanian, whatever the companion speaks first', async () => {
  const caller = await house.as('facilitator', 'lietuviškai');
  const summary =
    'Ema jau moka trupmenas, bet dar bijo kontrolinio darbo, todėl sutarėme pradėti nuo lengvesnių uždavinių.';
  house.answers.set('rolling', () => saysJson({ summary, facts: [] }));
  const said = 'Šiandien su Ema kalbėjome apie trupmenas ir apie tai, kad ji labai bijo kontrolinio darbo mokykloje.';
  expect(await post(caller, { conversation_turns: [{ role: 'user', content: said }] })).toMatchObject({ summary });
  expect(systemOf(house.asked('rolling').at(-1) ?? never())).toContain('Lithuanian');
  expect(await found(caller, 'mokykla')).toBeGreaterThan(0);
});

it('an apology never takes the place of what is remembered', async () => {
  const caller = await house.as('facilitator', 'apology');
  const summary = 'They spoke of fractions, and of volcanoes.';
  house.answers.set('rolling', () => saysJson({ summary, facts: [] }));
  const turn = { role: 'user', content: 'Fractions and volcanoes.' };
  expect(await post(caller, { conversation_turns: [turn] })).toMatchObject({ summary });
  house.answers.set('rolling', () => says("I'm sorry, but I can't help with that request."));
  expect(await post(caller, { conversation_turns: [turn] })).toMatchObject({ summary, turn_count: 2 });
});

it('what shows signs of crisis is not remembered, nor what was answered to it', async () => {
  const caller = await house.as('facilitator', 'crisis');
  house.answers.set('rolling', () => saysJson({ summary: 'They spoke of fractions.', facts: [] }));
  const said = [
    'We spoke of fractions.',
    'Good.',
    'I want to kill myself.',
    'The walrus is listening.',
    'And decimals.',
  ];
  const update = await post(caller, {
    conversation_turns: said.map((content, index) => turns(5, () => content)[index]),
  });
  expect(update.turn_count).toBe(3);
  expect(await found(caller, 'kill')).toBe(0);
  expect(await found(caller, 'walrus')).toBe(0);
  expect(await found(caller, 'decimals')).toBe(1);
});

function never(): never {
  throw new Error('nothing was asked');
}
