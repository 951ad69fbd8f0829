import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { createProvider, type ProviderOptions } from './create-provider.ts';

const options: ProviderOptions = {
  clock: systemClock,
  openai: { apiKey: 'sk-test' },
  gemini: { apiKey: 'g-test' },
  recordings: 'nowhere',
};

test.each([
  ['openai:gpt-4o-mini', 'openai', 'gpt-4o-mini'],
  ['openai:llama3.1:8b', 'openai', 'llama3.1:8b'],
  ['openai:meta-llama/Llama-3.1-8B', 'openai', 'meta-llama/Llama-3.1-8B'],
  [' gemini:gemini-2.5-flash ', 'gemini', 'gemini-2.5-flash'],
  ['offline', 'offline', 'lesson'],
  ['offline:lesson', 'offline', 'lesson'],
])('%s is made', (spec, name, model) => {
  expect(createProvider(spec, options)).toMatchObject({ name, model });
});

test('a recording is found by its name', async () => {
  const recordings = await mkdtemp(join(tmpdir(), 'recordings-'));
  try {
    await writeFile(join(recordings, 'sample.jsonl'), '');
    expect(createProvider('recorded:sample', { ...options, recordings })).toMatchObject({
      name: 'recorded',
      model: 'sample',
    });
  } finally {
    await rm(recordings, { recursive: true });
  }
});

test.each([
  ['', '"" is not a model: write "openai:<model>", "gemini:<model>", "recorded:<name>" or "offline".'],
  ['gpt-4o', '"gpt-4o" is not a model'],
  ['OpenAI:gpt-4o', '"OpenAI:gpt-4o" is not a model'],
  ['openai', '"openai" names no model: write it as "openai:<model>".'],
  ['gemini:', '"gemini:" names no model'],
  ['recorded:../secrets', '"recorded:../secrets" does not name a recording.'],
  ['recorded:sample', 'cannot be read.'],
])('the spec %j is refused in one sentence', (spec, sentence) => {
  expect(() => createProvider(spec, options)).toThrow(sentence);
});

test('a model behind a key needs the key, unless it is a server of one’s own', () => {
  const bare = { ...options, openai: {}, gemini: {} };
  expect(() => createProvider('openai:m', bare)).toThrow(
    '"openai:m" needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server that asks for no key.',
  );
  expect(() => createProvider('gemini:m', bare)).toThrow('GEMINI_API_KEY');
  const own = { ...bare, openai: { baseUrl: 'http://127.0.0.1:11434/v1' } };
  expect(createProvider('openai:m', own)).toMatchObject({ name: 'openai' });
});
