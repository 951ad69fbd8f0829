import { expect, test } from 'vitest';
import { collect, texts } from '../../test/fixtures/model-events.ts';
import { SimulatedClock } from '../core/clock.ts';
import type { LessonBrief, ModelCall, ModelMessage } from '../engine/ports/model.ts';
import { createOfflineProvider } from './offline.ts';

const never = new AbortController().signal;
const tool = { name: 'transition_phase', description: 'Moves on.', parameters: { type: 'object' } };
const points: LessonBrief['points'] = [
  {
    id: 'headline',
    description: 'The student notices that the headline promises more than the article delivers',
    isMandatory: true,
    technique: 'clickbait',
    realWorld: 'Thumbnails of scenes that never come',
  },
  {
    id: 'crowd',
    description: 'Recognises the appeal to what everyone else is doing',
    isMandatory: true,
    technique: 'false_consensus',
    realWorld: null,
  },
  { id: 'date', description: 'Sees that the photograph is old', isMandatory: false, technique: null, realWorld: null },
];
const sawHeadline = 'The headline promised a ban and the article has none.';
const sawCrowd = 'They appeal to everyone sharing it.';
const sawNothing = 'It looks rather normal to me, honestly.';

/** The call that follows these messages of the student. */
function callAfter(
  said: readonly string[],
  options: { offered?: boolean; brief?: Partial<LessonBrief> } = {},
): ModelCall {
  const brief: LessonBrief = {
    kind: 'dialogue',
    language: 'en',
    title: 'The headline that pulls',
    opening: 'Phones are banned from Monday. Why are you still waiting?',
    keyLesson: 'A headline is a promise; see whether the article keeps it',
    points,
    exchangeNumber: said.length,
    maxExchanges: 6,
    said,
    ...options.brief,
  };
  const messages = said.flatMap((content): ModelMessage[] => [
    { role: 'assistant', content: brief.opening },
    { role: 'user', content },
  ]);
  return { system: '', messages, tools: options.offered ? [tool] : [], brief };
}

async function reply(call: ModelCall): Promise<{ text: string; signal: string | null }> {
  const events = await collect(
    createOfflineProvider({ clock: new SimulatedClock(), wordDelayMs: 0 }).stream(call, never),
  );
  const called = events.find((event) => event.type === 'tool_call');
  expect(events.at(-1)).toEqual({ type: 'end', reason: called ? 'tool_calls' : 'stop' });
  if (called) expect(called.name).toBe('transition_phase');
  return { text: texts(events).join(''), signal: called ? called.arguments : null };
}

test('the first reply says that no AI is behind it, goes back to the opening and asks', async () => {
  const { text } = await reply(callAfter([sawNothing]));
  expect(text).toMatch(/^No AI is behind me today: [^.]+\. I began with “Why are you still waiting\?” /);
  expect(text).toMatch(/\?$/);
});

test('later replies do not say it again', async () => {
  expect((await reply(callAfter([sawNothing, sawNothing]))).text).not.toContain('No AI');
});

test('what a message brought is noticed in the student’s own words, once', async () => {
  const noticed = await reply(callAfter([sawNothing, sawHeadline]));
  expect(noticed.text).toContain('“headline” and “promised”');
  const after = await reply(callAfter([sawNothing, sawHeadline, sawNothing]));
  expect(after.text).not.toContain('headline');
});

test('it asks about a mandatory point that is still open, and never about one that was covered', async () => {
  const { text } = await reply(callAfter([sawNothing, sawHeadline]));
  expect(text).toMatch(/“(appeal|everyone|else|doing)”/);
  expect(text).not.toContain('“photograph”');
  const other = await reply(callAfter([sawNothing, sawCrowd]));
  expect(other.text).toMatch(/“(article|delivers|promises|headline)”/);
});

test('near the end it names the technique as a person would', async () => {
  const { text } = await reply(callAfter([sawNothing, sawHeadline, sawNothing, sawNothing]));
  expect(text).toContain('“false consensus”');
});

test('an answer of a word or two is asked to be a sentence', async () => {
  expect((await reply(callAfter([sawNothing, 'idk']))).text).toContain('detail');
});

test('the same conversation gets the same reply, another exchange other words', async () => {
  const call = callAfter([sawNothing, sawNothing]);
  expect(await reply(call)).toEqual(await reply(call));
  const replies = [];
  for (let length = 1; length <= 4; length += 1)
    replies.push((await reply(callAfter(Array(length).fill(sawNothing)))).text);
  expect(new Set(replies).size).toBe(4);
});

test('it signals understood once every mandatory point is covered and the tool is offered', async () => {
  const said = [sawHeadline, sawNothing, sawCrowd];
  expect((await reply(callAfter(said, { offered: true }))).signal).toBe('{"signal":"understood"}');
  const early = await reply(callAfter(said));
  expect(early.signal).toBeNull();
  expect(early.text).toMatch(/\?$/);
});

test('it signals partial in the last but one exchange where something is covered', async () => {
  const said = [sawHeadline, sawNothing, sawNothing, sawNothing, sawNothing];
  expect((await reply(callAfter(said, { offered: true }))).signal).toBe('{"signal":"partial"}');
  expect((await reply(callAfter(said.slice(0, 4), { offered: true }))).signal).toBeNull();
});

test('in the last exchange it closes and asks nothing more', async () => {
  const { text, signal } = await reply(callAfter(Array(6).fill(sawNothing), { offered: true }));
  expect(signal).toBe('{"signal":"max_reached"}');
  expect(text).not.toContain('?');
});

test('where no point is mandatory all of them count, and without points nothing is called understood', async () => {
  const optional = points.map((point) => ({ ...point, isMandatory: false }));
  const said = [sawHeadline, sawCrowd];
  expect((await reply(callAfter(said, { offered: true, brief: { points: optional } }))).signal).toBeNull();
  const all = [...said, 'That photograph is really old.'];
  expect((await reply(callAfter(all, { offered: true, brief: { points: optional } }))).signal).toContain('understood');
  expect((await reply(callAfter(said, { offered: true, brief: { points: [] } }))).signal).toBeNull();
});

test('messages of an earlier phase do not count in a dialogue', async () => {
  const call = callAfter([sawHeadline, sawCrowd, sawNothing], { offered: true, brief: { exchangeNumber: 1 } });
  expect((await reply(call)).signal).toBeNull();
});

test('a debrief reveals every point and technique and ties them to what was said', async () => {
  const { text, signal } = await reply(
    callAfter([sawNothing, sawHeadline], { offered: true, brief: { kind: 'debrief' } }),
  );
  expect(signal).toBeNull();
  expect(text.split('\n\n')).toEqual([
    'This summary comes straight from the lesson; no AI wrote it.',
    'What matters most? A headline is a promise; see whether the article keeps it.',
    'This is what there was to see.',
    `1. ${points[0]?.description}. Your words that came closest: “The headline promised a ban and the article has none”. ` +
      'This technique is called “clickbait”. Where will you meet it? Thumbnails of scenes that never come.',
    `2. ${points[1]?.description}. It did not come up in your answers: now you know what to look for. ` +
      'This technique is called “false consensus”.',
    `3. ${points[2]?.description}. It did not come up in your answers: now you know what to look for.`,
    'Now that you have seen it here, you will find it easier to spot elsewhere.',
  ]);
});

test('a Lithuanian lesson is spoken for in Lithuanian, any other in English', async () => {
  const lt = await reply(callAfter(['Man atrodo, kad čia melas.'], { brief: { language: 'lt' } }));
  expect(lt.text).toMatch(/^Šiandien už manęs nėra dirbtinio intelekto/);
  const debrief = await reply(callAfter(['Melas.'], { brief: { language: 'lt', kind: 'debrief' } }));
  expect(debrief.text).toMatch(/^Ši santrauka sudaryta tiesiai iš pamokos/);
  expect((await reply(callAfter([sawNothing], { brief: { language: 'pl' } }))).text).toMatch(/^No AI/);
});

test('without a lesson it says that it cannot go on, in the language it was written to', async () => {
  expect((await reply({ ...callAfter([sawNothing]), brief: null })).text).toMatch(/^No AI is behind me/);
  expect((await reply({ ...callAfter(['Ką manai apie tai, mokytojau?']), brief: null })).text).toMatch(/^Šiandien už/);
});

test('a word comes every so many milliseconds of the clock', async () => {
  const clock = new SimulatedClock();
  const start = clock.now();
  const events = createOfflineProvider({ clock, wordDelayMs: 25 }).stream(callAfter([sawNothing]), never);
  const arrived: number[] = [];
  for (const iterator = events[Symbol.asyncIterator](); arrived.length < 5; ) {
    const next = iterator.next();
    await new Promise((tick) => setImmediate(tick));
    clock.advance(25);
    expect((await next).value).toMatchObject({ type: 'text', text: expect.stringMatching(/^ ?\S+$/) });
    arrived.push(clock.now() - start);
  }
  expect(arrived).toEqual([25, 50, 75, 100, 125]);
});

test('an abort ends the wait for a word at once', async () => {
  const controller = new AbortController();
  const events = createOfflineProvider({ clock: new SimulatedClock() }).stream(
    callAfter([sawNothing]),
    controller.signal,
  );
  const first = events[Symbol.asyncIterator]().next();
  controller.abort(new Error('stopped'));
  await expect(first).rejects.toThrow('stopped');
});
