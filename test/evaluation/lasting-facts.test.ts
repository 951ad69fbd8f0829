import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../fixtures/caller.ts';
import { type CompanionServer, converse, saysJson, sayTo, startCompanionServer } from '../fixtures/companion-server.ts';
import { chatRequest, systemOf } from '../fixtures/model-server.ts';
import { says } from '../fixtures/scripted-upstream.ts';

/** Twenty things worth knowing: a word that is in no other of them, and the fact. */
const planted = [
  ['kayaking', 'Emma goes kayaking on Thursdays'],
  ['violin', 'Emma practises the violin before school'],
  ['dyslexia', 'Emma was tested for dyslexia in 2024'],
  ['counters', 'Emma reckons best with counters'],
  ['Kaunas', 'Emma moved here from Kaunas'],
  ['twins', 'Emma sits beside the twins'],
  ['dinosaurs', 'Emma reads anything about dinosaurs'],
  ['whisper', 'Emma answers better in a whisper'],
  ['stopwatch', 'A stopwatch makes Emma freeze'],
  ['greenhouse', 'Emma waters the greenhouse on Mondays'],
  ['chess', 'Emma won the chess afternoon'],
  ['spectacles', 'Emma forgets her spectacles at home'],
  ['theatre', 'Emma plays a fox in the theatre group'],
  ['allotment', 'Emma keeps bees with her uncle on an allotment'],
  ['origami', 'Emma explains symmetry with origami'],
  ['swimming', 'Emma learnt to swim; swimming is no fear any more'],
  ['marbles', 'Emma counts marbles to calm down'],
  ['Šiauliai', 'Emma spends holidays in Šiauliai'],
  ['podcast', 'Emma wants to record a podcast'],
  ['telescope', 'Emma has asked for a telescope'],
] as const;

const batches = 10;
const batchTurns = 20;
const facts = planted.map(([, text]) => text);

type Turn = { role: 'user' | 'assistant'; content: string };
type Memory = { conversation_update: { facts: { text: string; superseded_at: string | null }[]; status: string } };
type Found = { count: number; results: { kind: string; summary: string }[] };

let house: CompanionServer;
let facilitator: Caller;

/** Two of the facts somewhere among everyday talk. */
function turnsOf(batch: number): Turn[] {
  const said = planted.slice(batch * 2, batch * 2 + 2).map(([, text]) => `By the way: ${text}.`);
  return Array.from({ length: batchTurns }, (_, index) =>
    index % 2 === 0
      ? { role: 'user', content: said[(index - 4) / 10] ?? `Day ${batch * 10 + index / 2}: the usual reading hour.` }
      : { role: 'assistant', content: 'How did it go?' },
  );
}

describe('what the mentor learns', () => {
  beforeAll(async () => {
    house = await startCompanionServer();
    facilitator = await house.as('facilitator', 'Years');
    for (let batch = 0; batch < batches; batch += 1) {
      const earlier = facts.slice(0, batch * 2);
      house.answers.set('rolling', () =>
        saysJson({
          summary: `Emma and her days, as far as batch ${batch + 1}.`,
          facts: [
            ...planted.slice(batch * 2, batch * 2 + 2).map(([, text], index) => ({
              kind: 'context',
              text,
              from: 5 + index * 10,
              supersedes: null,
            })),
            // What is known already comes up again, as it does with models.
            ...earlier.slice(-2).map((text) => ({ kind: 'context', text, from: 1, supersedes: null })),
          ],
        }),
      );
      const body = { learner_id: 'emma', conversation_turns: turnsOf(batch) };
      const { status } = await facilitator.json('POST', '/api/conversation-memory', body);
      expect(status).toBe(200);
    }
  });
  afterAll(() => house[Symbol.asyncDispose]());

  it('outlasts two hundred turns: all twenty facts stand, each once', async () => {
    const { body } = await facilitator.json<Memory>('GET', '/api/conversation-memory?learner_id=emma');
    expect(body.conversation_update.status).toBe('current');
    expect(body.conversation_update.facts.map(({ text }) => text)).toEqual(facts);
    expect(body.conversation_update.facts.every((fact) => fact.superseded_at === null)).toBe(true);
  });

  it.each(planted)('is found by the word %s', async (word, text) => {
    const query = `learner_id=emma&search=${encodeURIComponent(word)}`;
    const { body } = await facilitator.json<Found>('GET', `/api/conversation-memory?${query}`);
    expect(body.results.filter(({ kind }) => kind === 'fact').map(({ summary }) => summary)).toContain(text);
  });

  it('is in the next conversation’s prompt as far as its budget goes, the latest first to stay', async () => {
    house.answers.set('talk', () => says('Hello.'));
    house.answers.set('rolling', () => saysJson({ summary: 'Emma and her days.', facts: [] }));
    const { id } = await converse(facilitator, 'mentor', { learner_id: 'emma' });
    const turn = await sayTo(facilitator, id, 'Hello.');
    const system = systemOf(house.asked('talk').at(-1));
    for (const text of facts) expect(system).toContain(`context: ${text}`);
    const teacher = await house.as('teacher', 'Reader');
    const { body } = await teacher.json<{ layers: { name: string; tokens?: number }[] }>(
      'GET',
      `/api/conversations/${id}/turns/${turn.turnId}/trace`,
    );
    expect(body.layers.find(({ name }) => name === 'rolling_memory')?.tokens).toBeLessThanOrEqual(1_800);
  });

  it('is given to every later summary, so that it is not told as new', () => {
    const last = house.asked('rolling').at(batches - 1);
    const read = chatRequest(last).messages.at(-1)?.content ?? '';
    for (const text of facts.slice(0, -2)) expect(read).toContain(`): ${text}`);
  });
});
