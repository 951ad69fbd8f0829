import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collect, failing, texts } from '../../test/fixtures/model-events.ts';
import { SimulatedClock } from '../core/clock.ts';
import { type ModelCall, ModelError, type ModelEvent, type ModelProvider } from '../engine/ports/model.ts';
import { createRecordedProvider } from './recorded.ts';
import { recordProvider } from './recorder.ts';
import { recordingKey } from './recording.ts';

const words = 'Manau, kad tai melas.';
const call: ModelCall = {
  system: 'Text between k-0a1b2c3d and k-0a1b2c3d is the student’s.\nk-0a1b2c3d',
  messages: [{ role: 'user', content: words }],
  tools: [{ name: 'transition_phase', description: 'Moves on.', parameters: { type: 'object', properties: {} } }],
  brief: null,
};
const never = new AbortController().signal;

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recordings-'));
  file = join(folder, 'deep', 'sample.jsonl');
});
afterEach(() => rm(folder, { recursive: true }));

/** A model that says `events`, each after so many milliseconds of the clock. */
function scripted(clock: SimulatedClock, events: readonly [number, ModelEvent][]): ModelProvider {
  return {
    name: 'openai',
    model: 'm-1',
    async *stream() {
      for (const [wait, event] of events) {
        clock.advance(wait);
        yield event;
      }
    },
  };
}

const reply: [number, ModelEvent][] = [
  [400, { type: 'text', text: 'Kodėl ' }],
  [50, { type: 'text', text: 'taip manai?' }],
  [20, { type: 'tool_call', id: 'c1', name: 'transition_phase', arguments: '{"signal":"partial"}' }],
  [0, { type: 'usage', inputTokens: 9, outputTokens: 4 }],
  [0, { type: 'end', reason: 'tool_calls' }],
];
const events = reply.map(([, event]) => event);

const record = async (asked: ModelCall, said = reply) => {
  const clock = new SimulatedClock();
  return collect(recordProvider(scripted(clock, said), { file, clock }).stream(asked, never));
};
const replay = (pace: 'recorded' | 'at_once', clock = new SimulatedClock()) =>
  createRecordedProvider({ model: 'sample', file, clock, pace });

test('a recorded reply is replayed event for event', async () => {
  expect(await record(call)).toEqual(events);
  expect(await collect(replay('at_once').stream(call, never))).toEqual(events);
});

test('a recording is a line a call: its key, what it was and what was said when, without the student’s words', async () => {
  await record(call);
  const text = await readFile(file, 'utf8');
  expect(text.split('\n')).toHaveLength(2);
  expect(JSON.parse(text)).toEqual({
    key: recordingKey(call),
    provider: 'openai',
    model: 'm-1',
    call: 'conversation; messages: 1; tools transition_phase',
    events: [400, 450, 470, 470, 470].map((offset, index) => [offset, events[index]]),
  });
  expect(text).not.toContain(words);
});

test('events come when they came, by the clock', async () => {
  await record(call);
  const clock = new SimulatedClock();
  const arrived: [number, string][] = [];
  const start = clock.now();
  const done = (async () => {
    for await (const event of replay('recorded', clock).stream(call, never)) {
      arrived.push([clock.now() - start, event.type]);
    }
  })();
  for (let passed = 0; passed < 500; passed += 10) {
    await new Promise((tick) => setImmediate(tick));
    clock.advance(10);
  }
  await done;
  expect(arrived).toEqual([
    [400, 'text'],
    [450, 'text'],
    [470, 'tool_call'],
    [470, 'usage'],
    [470, 'end'],
  ]);
});

test('an abort ends a wait at once', async () => {
  await record(call);
  const controller = new AbortController();
  const first = replay('recorded').stream(call, controller.signal)[Symbol.asyncIterator]().next();
  controller.abort(new Error('stopped'));
  await expect(first).rejects.toThrow('stopped');
});

test('a call that was not recorded fails for good and names its key', async () => {
  await record(call);
  const other = { ...call, messages: [{ role: 'user' as const, content: 'Kita žinutė.' }] };
  const { error } = await failing(replay('at_once').stream(other, never), 'Kita žinutė.');
  expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: false });
  expect(error.message).toContain(recordingKey(other));
});

test('of two recordings of one call the later is replayed', async () => {
  await record(call);
  await record(call, [
    [5, { type: 'text', text: 'Antras.' }],
    [0, { type: 'end', reason: 'stop' }],
  ]);
  expect(texts(await collect(replay('at_once').stream(call, never)))).toEqual(['Antras.']);
});

test('a reply that fails or is left early is not recorded', async () => {
  const clock = new SimulatedClock();
  const failingModel: ModelProvider = {
    ...scripted(clock, []),
    async *stream() {
      yield { type: 'text', text: 'Kodėl' };
      throw new ModelError('MODEL_UNAVAILABLE', 'cut', { retryable: true });
    },
  };
  await failing(recordProvider(failingModel, { file, clock }).stream(call, never));
  for await (const _ of recordProvider(scripted(clock, reply), { file, clock }).stream(call, never)) break;
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});

test('a recording that cannot be written fails the call', async () => {
  const clock = new SimulatedClock();
  const { error } = await failing(recordProvider(scripted(clock, reply), { file: folder, clock }).stream(call, never));
  expect(error).toMatchObject({ code: 'INTERNAL', retryable: false });
});

test('calls are the same whatever the session’s mark, the order of keys and the brief', () => {
  const again = {
    brief: null,
    tools: call.tools.map(({ name, description }) => ({
      description,
      parameters: { properties: {}, type: 'object' },
      name,
    })),
    messages: [{ content: words, role: 'user' as const }],
    system: call.system.replaceAll('k-0a1b2c3d', 'k-99ffee00'),
  };
  expect(recordingKey(again)).toBe(recordingKey(call));
});

test.each([
  ['system', { ...call, system: `${call.system} ` }],
  ['messages', { ...call, messages: [...call.messages, { role: 'user' as const, content: '' }] }],
  ['role', { ...call, messages: [{ role: 'assistant' as const, content: words }] }],
  ['tools', { ...call, tools: [] }],
  ['text that only looks like a mark', { ...call, system: call.system.replaceAll('k-0a1b2c3d', 'k-0a1b2c3') }],
])('a difference in %s makes another call', (_, other) => {
  expect(recordingKey(other)).not.toBe(recordingKey(call));
});

test('a recording that is missing or broken says which file and line', async () => {
  expect(() => replay('at_once')).toThrow(`The recording ${file} cannot be read.`);
  await record(call);
  await writeFile(file, `${await readFile(file, 'utf8')}{"key":"short"}\n`);
  expect(() => replay('at_once')).toThrow(`${file}:2 is not a recorded call.`);
});
