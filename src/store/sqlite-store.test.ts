import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { SimulatedClock } from '../core/clock.ts';
import { jsonLogger } from '../core/logger.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'trickster-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function open(name: string) {
  const file = join(folder, name);
  const store = await openSqliteStore({ file });
  onTestFinished(() => store.close());
  return { file, store };
}

/** How many commits a WAL holds: the frames that end one carry the database's size. */
function commitsIn(wal: Buffer): number {
  const pageSize = wal.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + 24 + pageSize <= wal.length; at += 24 + pageSize) {
    if (wal.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}

const versions = Array.from({ length: 100 }, (_, index) => ({
  hash: `h${index}`,
  cartridgeId: 'c',
  text: 't',
  keptAt: 1,
}));

describe('the SQLite store', () => {
  it('commits together what is called together', async () => {
    const { file, store } = await open('together.db');
    const before = commitsIn(readFileSync(`${file}-wal`));
    await Promise.all(versions.map((version) => store.keepCartridge(version)));
    expect(commitsIn(readFileSync(`${file}-wal`)) - before).toBe(1);
  });

  it('has a call on the disk by the time it resolves', async () => {
    const { file, store } = await open('alone.db');
    const before = commitsIn(readFileSync(`${file}-wal`));
    for (const [index, version] of versions.slice(0, 5).entries()) {
      await store.keepCartridge(version);
      expect(commitsIn(readFileSync(`${file}-wal`)) - before).toBe(index + 1);
    }
  });

  it('writes nothing for calls that only read', async () => {
    const { file, store } = await open('reading.db');
    await store.keepCartridge({ hash: 'h', cartridgeId: 'c', text: 't', keptAt: 1 });
    const before = readFileSync(`${file}-wal`);
    await Promise.all([
      store.cartridge('h'),
      store.ping(),
      store.promptTexts(['h']),
      store.loadSession({ schoolId: 's', userId: 'u' }, 'x'),
    ]);
    expect(readFileSync(`${file}-wal`).equals(before)).toBe(true);
  });

  it('leaves one whole file behind when it is closed', async () => {
    const { file, store } = await open('closed.db');
    await Promise.all(versions.map((version) => store.keepCartridge(version)));
    await store.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
    const db = new Database(file, { readonly: true });
    onTestFinished(() => void db.close());
    expect(db.prepare('SELECT count(*) FROM cartridge_versions').pluck().get()).toBe(100);
  });

  it('serves from memory for tests', async () => {
    const store = await openSqliteStore({ file: ':memory:' });
    onTestFinished(() => store.close());
    await store.keepCartridge({ hash: 'h', cartridgeId: 'c', text: 't', keptAt: 1 });
    expect(await store.cartridge('h')).toMatchObject({ text: 't' });
  });

  it('does not open a damaged file, and says so in one sentence', async () => {
    const file = join(folder, 'damaged.db');
    writeFileSync(file, 'no database at all '.repeat(500));
    await expect(openSqliteStore({ file })).rejects.toMatchObject({
      name: 'AppError',
      code: 'INTERNAL',
      message: expect.stringMatching(/^The database .*damaged\.db is damaged or is not a database: .*\.$/),
    });
  });

  it('logs which schema it found and which it is at', async () => {
    const lines: string[] = [];
    const logger = jsonLogger(new SimulatedClock(), (line) => lines.push(line));
    const store = await openSqliteStore({ file: ':memory:', logger });
    await store.close();
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ event: 'store_opened', from_version: 0 }]);
    expect(lines).toHaveLength(1);
  });

  it('has no WebAssembly code freed while threads come and go', async () => {
    const program = `
      const { openSqliteStore } = await import(${JSON.stringify(new URL('./sqlite-store.ts', import.meta.url).href)});
      console.log('loaded');
      for (let time = 0; time < 8; time += 1) await (await openSqliteStore({ file: ':memory:' })).close();
      console.log('closed');
    `;
    const file = join(folder, 'threads.mjs');
    writeFileSync(file, program);
    const { stdout } = await promisify(execFile)(process.execPath, ['--trace-wasm-code-gc', file]);
    expect(stdout.slice(stdout.indexOf('loaded'))).toBe('loaded\nclosed\n');
  });
});
