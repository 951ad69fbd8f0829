import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { personHash } from '../core/person-hash.ts';
import { SimulatedClock } from '../core/clock.ts';
import type { ModelCall, ModelProvider } from '../engine/ports/model.ts';
import { forgetRecorded } from './forget-recorded.ts';
import { recordProvider } from './recorder.ts';

const ona = personHash({ schoolId: 's', userId: 'ona' });
const jonas = personHash({ schoolId: 's', userId: 'jonas' });

const echo: ModelProvider = {
  name: 'echo',
  model: 'echo',
  async *stream({ messages }) {
    yield { type: 'text', text: messages[0]?.content ?? '' };
    yield { type: 'end', reason: 'stop' };
  },
};

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trickster-recordings-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function record(file: string, person: string | undefined, content: string): Promise<void> {
  const call: ModelCall = {
    system: '',
    messages: [{ role: 'user', content }],
    tools: [],
    brief: null,
    ...(person === undefined ? {} : { person }),
  };
  for await (const event of recordProvider(echo, { file, clock: new SimulatedClock() }).stream(
    call,
    new AbortController().signal,
  ))
    void event;
}

it('takes a person’s lines out of every recording, and no other', async () => {
  const folder = await aFolder();
  const [one, two, other] = ['one.jsonl', 'two.jsonl', 'other.jsonl'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await record(one, ona, `She said "person":"${jonas}" ąčę`);
  await record(one, jonas, 'Ramus ežeras');
  await record(one, undefined, 'Nobody’s');
  await record(two, ona, 'Ona again');
  await record(other, jonas, `He said "person":"${ona}"`);
  const before = await readFile(other, 'utf8');
  await mkdir(join(folder, 'folder'));
  await writeFile(join(folder, 'notes.txt'), `"person":"${ona}"`);
  expect(await forgetRecorded(folder, ona)).toBe(2);
  const left = await readFile(one, 'utf8');
  expect(left).not.toContain('She said');
  expect(left.trim().split('\n')).toHaveLength(2);
  expect(left.endsWith('\n')).toBe(true);
  expect((await readFile(two, 'utf8')).trim()).toBe('');
  expect(await readFile(other, 'utf8')).toBe(before);
  expect((await readdir(folder)).sort()).toEqual(['folder', 'notes.txt', 'one.jsonl', 'other.jsonl', 'two.jsonl']);
  expect(await forgetRecorded(folder, ona)).toBe(0);
  await record(one, ona, 'Anew');
  expect((await readFile(one, 'utf8')).trim().split('\n')).toHaveLength(3);
});

it('finds nothing where nothing was ever recorded', async () => {
  expect(await forgetRecorded(join(await aFolder(), 'none'), ona)).toBe(0);
});
