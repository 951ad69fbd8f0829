import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCaller } from '../fixtures/caller.ts';
import { lessonData } from '../fixtures/lesson.ts';
import { startOpenAiUpstream } from '../fixtures/openai-upstream.ts';
import { writeTestFile } from '../fixtures/running-server.ts';
import { says } from '../fixtures/scripted-upstream.ts';

const root = join(import.meta.dirname, '../..');
const cli = join(root, 'src/cli.ts');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trickster-cli-'));
  await writeTestFile(folder, 'good/test-lesson/cartridge.json', JSON.stringify(lessonData, null, 2));
  await writeTestFile(
    folder,
    'bad/test-lesson/cartridge.json',
    JSON.stringify({ ...lessonData, initial_phase: 'nowhere' }, null, 2),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function run(...args: string[]): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], { cwd: root }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out: `${stdout}${stderr}` });
    });
  });
}

describe('check', () => {
  it('passes the lessons and companions that ship', async () => {
    const { code, out } = await run('check');
    expect(out).toMatch(/^11 cartridges, 0 errors, 0 warnings$/mu);
    expect(code).toBe(0);
  });

  it('says where and what is wrong, and exits with 1 on an error', async () => {
    const { code, out } = await run('check', join(folder, 'bad'));
    expect(out).toMatch(/cartridge\.json:\d+:\d+: error: .*initial_phase/u);
    expect(code).toBe(1);
  });

  it('exits with 0 where there are warnings alone', async () => {
    const { code, out } = await run('check', join(folder, 'good'));
    expect(out).toContain('warning');
    expect(code).toBe(0);
  });

  it('exits with 1 where there is no such folder', async () => {
    expect((await run('check', join(folder, 'none'))).code).toBe(1);
  });
});

describe('a wrong start', () => {
  it.each([
    ['PORT', 'abc'],
    ['DATA_DIR', join(root, 'package.json')],
    ['CARTRIDGES_DIR', '/no/such/folder'],
    ['PROMPTS_DIR', '/no/such/folder'],
    ['MODEL_STANDARD', 'recorded:there-is-none'],
  ])('is one line that names the variable: %s', async (name, value) => {
    const child = spawn(process.execPath, [join(root, 'src/main.ts')], {
      cwd: root,
      env: { ...process.env, PORT: '0', DATA_DIR: join(folder, 'var'), [name]: value },
    });
    let err = '';
    child.stderr.on('data', (text) => (err += String(text)));
    const [code] = await once(child, 'exit');
    expect(code).toBe(1);
    const told = err.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
    expect(told).toEqual([expect.stringMatching(new RegExp(`^Trickster cannot start\\. ${name}: `, 'u'))]);
  });

  it('is said of a command that there is not', async () => {
    expect(await run('fly')).toMatchObject({ code: 2, out: expect.stringContaining('check [folder]') });
  });
});

describe('record', () => {
  it('writes what the model says, chunk by chunk, and the recording plays it back without the model', async () => {
    const upstream = await startOpenAiUpstream();
    const name = `cli-test-${process.pid}`;
    const file = join(root, 'data/recordings', `${name}.jsonl`);
    const lessons = { CARTRIDGES_DIR: join(folder, 'good'), PORT: '0', RATE_LIMIT_TURNS_PER_MINUTE: '0' };
    const talkOnce = async (args: string[], env: Record<string, string>) => {
      const child = spawn(process.execPath, args, {
        cwd: root,
        env: { ...process.env, ...lessons, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let [url, code] = ['', ''];
      for await (const line of createInterface({ input: child.stdout })) {
        url ||= /http:\/\/[\d.:]+/u.exec(line)?.[0] ?? '';
        code ||= /Join code: (\w+)/u.exec(line)?.[1] ?? '';
        if (code) break;
      }
      const joined = await fetch(`${url}/api/join`, { method: 'POST', body: JSON.stringify({ code }) });
      const { token } = (await joined.json()) as { token: string };
      const student = createCaller(() => url, token);
      const turn = await student.say((await student.talk()).session_id, 'Is it true?');
      child.kill('SIGINT');
      await once(child, 'exit');
      return turn.text;
    };
    try {
      upstream.respondWith(says('Of ', 'course ', 'it is.'));
      const openai = { OPENAI_API_KEY: 'sk', OPENAI_BASE_URL: upstream.url, MODEL_STANDARD: 'openai:m' };
      expect(await talkOnce([cli, 'record', name], { ...openai, DATA_DIR: join(folder, 'one') })).toBe(
        'Of course it is.',
      );
      await upstream.close();
      expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(1);
      const replay = { MODEL_STANDARD: `recorded:${name}`, DATA_DIR: join(folder, 'two') };
      expect(await talkOnce([join(root, 'src/main.ts')], replay)).toBe('Of course it is.');
    } finally {
      await rm(file, { force: true });
      await upstream.close().catch(() => {});
    }
  });
});
