import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NewJob } from '../../src/engine/ports/queue.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';

const program = fileURLToPath(new URL('./job-program.ts', import.meta.url));

type Note = { what: 'began' | 'ended'; key: string; attempt: number; pid: number };

async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'trickster-jobs-'));
  const file = join(folder, 'trickster.db');
  const ledger = join(folder, 'ledger');
  const store = await openSqliteStore({ file });
  const children = new Set<ChildProcess>();
  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL');
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const notes = (): Note[] =>
    existsSync(ledger)
      ? readFileSync(ledger, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Note)
      : [];
  const until = async (isSo: () => boolean | Promise<boolean>) => {
    const end = Date.now() + 25_000;
    while (!(await isSo())) {
      if (Date.now() > end) throw new Error(`it never came to be so: ${JSON.stringify(await store.queue.jobCounts())}`);
      await wait(10);
    }
  };
  const startWorker = async (leaseMs: number) => {
    const child = spawn(process.execPath, [program, file, ledger, String(leaseMs)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.add(child);
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    return {
      pid: child.pid,
      exited,
      end: async (signal: NodeJS.Signals) => {
        child.kill(signal);
        return exited;
      },
    };
  };
  const put = (key: string, over: Partial<NewJob> = {}) =>
    store.queue.enqueue({
      key,
      kind: 'write',
      payload: { ms: 30, text: `darbas ${key} – ąčęėįšųūž` },
      schoolId: null,
      ownerId: null,
      runAt: Date.now(),
      maxAttempts: 100,
      ...over,
    });
  const isEmpty = async () => {
    const { waiting, running } = await store.queue.jobCounts();
    return waiting + running === 0;
  };
  return { store, notes, until, startWorker, put, isEmpty };
}

describe('a process that is killed at its jobs', () => {
  it('leaves them to the next one, and each is done once for all to see', async () => {
    const { store, notes, until, startWorker, put, isEmpty } = await open();
    const keys = Array.from({ length: 40 }, (_, index) => `write:${index}`);
    for (const key of keys) await put(key);
    let begun = 0;
    for (let crash = 1; crash <= 4; crash += 1) {
      const worker = await startWorker(1_000);
      // Each time at another place: before, between and after the effects of the jobs that it is at.
      await until(() => notes().length >= begun + crash * 2 + 1);
      await wait(crash * 7);
      expect(await worker.end('SIGKILL')).toEqual([null, 'SIGKILL']);
      begun = notes().length;
      expect(await isEmpty()).toBe(false);
    }
    const last = await startWorker(1_000);
    await until(isEmpty);
    expect(await last.end('SIGTERM')).toEqual([0, null]);

    expect(await store.queue.jobCounts()).toEqual({ waiting: 0, running: 0, failed: 0 });
    for (const key of keys) {
      expect(await store.cartridge(key)).toMatchObject({ text: `darbas ${key} – ąčęėįšųūž` });
      const ended = notes().filter((note) => note.key === key && note.what === 'ended');
      // One that was killed between its end and its leaving the queue runs again; none is left out.
      expect(ended.length, key).toBeGreaterThanOrEqual(1);
    }
    // The kills did land in the middle of jobs, and those began again elsewhere as a further attempt.
    const again = notes().filter((note) => note.what === 'began' && note.attempt > 1);
    expect(again.length).toBeGreaterThanOrEqual(4);
    for (const { key, pid, attempt } of again) {
      const before = notes().find((note) => note.key === key && note.what === 'began' && note.attempt === attempt - 1);
      expect(before?.pid).not.toBe(pid);
    }
  });

  it('kills no more than so many others with the same job, which then stays to be seen', async () => {
    const { store, notes, until, startWorker, put, isEmpty } = await open();
    await put('crash:1', { kind: 'crash', maxAttempts: 3 });
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const worker = await startWorker(300);
      expect(await worker.exited).toEqual([null, 'SIGKILL']);
    }
    await put('write:1');
    const last = await startWorker(300);
    await until(isEmpty);
    expect(await last.end('SIGTERM')).toEqual([0, null]);
    expect(notes().filter(({ key }) => key === 'crash:1')).toHaveLength(3);
    expect(await store.queue.failedJobs(5)).toMatchObject([{ key: 'crash:1', code: 'INTERRUPTED', attempts: 3 }]);
    expect(await store.cartridge('write:1')).not.toBeNull();
  });
});

describe('processes that work on one queue', () => {
  it('share its jobs, and no two are at the same one', async () => {
    const { notes, until, startWorker, put, isEmpty } = await open();
    const workers = await Promise.all([startWorker(10_000), startWorker(10_000)]);
    const keys = Array.from({ length: 40 }, (_, index) => `write:${index}`);
    await Promise.all(keys.map((key) => put(key, { payload: { ms: 20, text: 'x' } })));
    await until(isEmpty);
    for (const worker of workers) expect(await worker.end('SIGTERM')).toEqual([0, null]);
    const began = notes().filter(({ what }) => what === 'began');
    expect(began.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
    expect(new Set(began.map(({ pid }) => pid)).size).toBe(2);
  });

  it('hand back what they are at when they are told to end', async () => {
    const { store, notes, until, startWorker, put, isEmpty } = await open();
    await put('write:long', { payload: { ms: 60_000, text: 'x' }, maxAttempts: 1 });
    const first = await startWorker(10_000);
    await until(() => notes().length === 1);
    expect(await first.end('SIGTERM')).toEqual([0, null]);
    expect(await store.queue.jobCounts()).toEqual({ waiting: 1, running: 0, failed: 0 });
    const second = await startWorker(10_000);
    await until(() => notes().length === 2);
    expect(notes().map(({ attempt }) => attempt)).toEqual([1, 1]);
    await second.end('SIGKILL');
    expect(await isEmpty()).toBe(false);
  });
});
