import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { ModelCall, ModelProvider, ToolDefinition } from '../../src/engine/ports/model.ts';
import { createGeminiProvider } from '../../src/provider/gemini.ts';
import { createOfflineProvider } from '../../src/provider/offline.ts';
import { createOpenAiProvider } from '../../src/provider/openai.ts';
import { createRecordedProvider } from '../../src/provider/recorded.ts';
import { recordProvider } from '../../src/provider/recorder.ts';
import { startGeminiUpstream } from '../fixtures/gemini-upstream.ts';
import { collect, texts } from '../fixtures/model-events.ts';
import { startOpenAiUpstream } from '../fixtures/openai-upstream.ts';
import { replies } from '../fixtures/scripted-upstream.ts';

/** What every adapter to the model port does alike, over real HTTP where it calls anyone. */

const never = new AbortController().signal;
const transition: ToolDefinition = {
  name: 'transition_phase',
  description: 'Ends this part of the lesson.',
  parameters: { type: 'object', properties: { signal: { type: 'string' } }, required: ['signal'] },
};

/** A student who has just seen the one point of the lesson. */
const call = (student: string, tools: readonly ToolDefinition[]): ModelCall => ({
  system: 'You are the Trickster. k-0a1b2c3d',
  messages: [
    { role: 'assistant', content: 'Ar tiki šia antrašte?' },
    { role: 'user', content: student },
  ],
  tools,
  brief: {
    kind: 'dialogue',
    language: 'lt',
    title: 'Antraštė',
    opening: 'Ar tiki šia antrašte?',
    keyLesson: 'Antraštė yra pažadas.',
    points: [{ id: 'a', description: 'Antraštė meluoja', isMandatory: true, technique: null, realWorld: null }],
    exchangeNumber: 1,
    maxExchanges: 5,
    said: [student],
  },
});
const talk = call('Nežinau, ką apie tai manyti.', []);
/** A call whose reply does not end by itself, where somebody sends it. */
const unending: ModelCall = { ...talk, system: 'You never stop.' };
const ending = call('Šita antraštė meluoja.', [transition]);

type Subject = {
  provider: ModelProvider;
  /** A call whose reply is still coming after its first token. */
  long: ModelCall;
  /** Settles when the connection that the last call opened is closed; null where it opens none. */
  released: (() => Promise<unknown>) | null;
  close: () => Promise<void>;
};

const tokens = ['Kodėl ', 'taip ', 'manai, ', 'mokiny? 🙂'];
const spoken = replies([{ text: tokens }], { everyMs: 1 });
const ended = replies([
  { text: ['Gerai.'] },
  { tool: { name: 'transition_phase', arguments: '{"signal":"understood"}', pieces: 4 } },
]);

const subjects: Record<string, () => Promise<Subject>> = {
  async openai() {
    const upstream = await startOpenAiUpstream({ otherwise: spoken });
    return {
      provider: createOpenAiProvider({ model: 'm', baseUrl: upstream.url, clock: systemClock }),
      ...scriptFor(upstream),
    };
  },
  async gemini() {
    const upstream = await startGeminiUpstream({ otherwise: spoken });
    return { provider: createGeminiProvider({ model: 'm', baseUrl: upstream.url }), ...scriptFor(upstream) };
  },
  async recorded() {
    const folder = await mkdtemp(join(tmpdir(), 'recordings-'));
    const file = join(folder, 'sample.jsonl');
    await using upstream = await startOpenAiUpstream();
    const inner = createOpenAiProvider({ model: 'm', baseUrl: upstream.url, clock: systemClock });
    const recorder = recordProvider(inner, { file, clock: systemClock });
    upstream.respondWith(spoken, ended);
    for (const asked of [talk, ending]) await collect(recorder.stream(asked, never));
    return {
      provider: createRecordedProvider({ model: 'sample', file, clock: systemClock, pace: 'recorded' }),
      long: talk,
      released: null,
      close: () => rm(folder, { recursive: true }),
    };
  },
  async offline() {
    return {
      provider: createOfflineProvider({ clock: systemClock, wordDelayMs: 1 }),
      long: talk,
      released: null,
      close: async () => {},
    };
  },
};

/** Answers the call that offers a tool with one that uses it, and the unending one without an end. */
function scriptFor(upstream: Awaited<ReturnType<typeof startOpenAiUpstream>>) {
  upstream.respondWhen(({ body }) => {
    const asked = JSON.stringify(body);
    if (asked.includes(unending.system)) return replies([{ text: tokens.slice(0, 2) }, { hang: true }]);
    return asked.includes(transition.name) ? ended : null;
  });
  return {
    long: unending,
    released: () => upstream.requests.at(-1)?.closed ?? Promise.resolve(),
    close: () => upstream.close(),
  };
}

describe.each(Object.entries(subjects))('the %s provider', (name, start) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await start();
  });
  afterEach(() => subject.close());

  test('has a name and a model', () => {
    expect(subject.provider.name).toBe(name);
    expect(subject.provider.model).not.toBe('');
  });

  test('says a reply in several pieces and ends it once, at the end', async () => {
    const events = await collect(subject.provider.stream(talk, never));
    expect(texts(events).length).toBeGreaterThan(2);
    expect(texts(events)).not.toContain('');
    expect(texts(events).join('')).toMatch(/\p{L}.*\?/u);
    expect(events.filter(({ type }) => type === 'end')).toEqual([{ type: 'end', reason: 'stop' }]);
    expect(events.at(-1)?.type).toBe('end');
  });

  test('counts tokens in whole numbers, once, where it counts them', async () => {
    const counts = (await collect(subject.provider.stream(talk, never))).filter((event) => event.type === 'usage');
    expect(counts.length).toBe(name === 'offline' ? 0 : 1);
    for (const { inputTokens, outputTokens } of counts) {
      expect([inputTokens, outputTokens].every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true);
    }
  });

  test('calls a tool with whole arguments and ends with tool_calls', async () => {
    const events = await collect(subject.provider.stream(ending, never));
    const calls = events.filter((event) => event.type === 'tool_call');
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ name: 'transition_phase', id: expect.stringMatching(/./) });
    expect(JSON.parse(calls[0]?.arguments ?? '')).toEqual({ signal: 'understood' });
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'tool_calls' });
  });

  test('says the same to two at once as to one', async () => {
    const alone = await collect(subject.provider.stream(talk, never));
    const [one, other] = await Promise.all([
      collect(subject.provider.stream(talk, never)),
      collect(subject.provider.stream(talk, never)),
    ]);
    expect(one).toEqual(alone);
    expect(other).toEqual(alone);
  });

  test('says nothing to a call that was aborted before it began', async () => {
    const stream = subject.provider.stream(talk, AbortSignal.abort(new Error('stopped')));
    await expect(collect(stream)).rejects.toThrow('stopped');
  });

  test('says nothing more after an abort, not even what had arrived, and lets go', async () => {
    const controller = new AbortController();
    const events = subject.provider.stream(subject.long, controller.signal)[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({ type: 'text' });
    controller.abort(new Error('stopped'));
    await expect(events.next()).rejects.toThrow('stopped');
    if (subject.released) expect(await subject.released()).toBe('abandoned');
  });

  test('lets go when it is left early', async () => {
    for await (const event of subject.provider.stream(subject.long, never)) {
      expect(event.type).toBe('text');
      break;
    }
    if (subject.released) expect(await subject.released()).toBe('abandoned');
  });

  test('a call can be made again after one was aborted', async () => {
    const controller = new AbortController();
    const left = collect(subject.provider.stream(talk, controller.signal));
    controller.abort(new Error('stopped'));
    await expect(left).rejects.toThrow('stopped');
    expect((await collect(subject.provider.stream(talk, never))).at(-1)?.type).toBe('end');
  });
});
