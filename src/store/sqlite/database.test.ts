import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from './database.ts';

const folder = mkdtempSync(join(tmpdir(), 'trickster-database-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function aFile(): string {
  files += 1;
  return join(folder, 'deep', `${files}.db`);
}

function open(file: string) {
  const opened = openDatabase(file);
  onTestFinished(() => void opened.db.close());
  return opened.db;
}

describe('opening a database', () => {
  it('sets what durability and privacy need', () => {
    const db = open(aFile());
    const settings = ['journal_mode', 'synchronous', 'secure_delete', 'foreign_keys', 'trusted_schema', 'busy_timeout'];
    expect(settings.map((name) => db.pragma(name, { simple: true }))).toEqual(['wal', 2, 1, 1, 0, 5_000]);
  });

  it('makes the file and its WAL in a folder it makes too, for this user alone to read', () => {
    const file = aFile();
    open(file);
    for (const suffix of ['', '-wal', '-shm']) expect(statSync(file + suffix).mode & 0o777).toBe(0o600);
  });

  it('makes every table strict and with rows that name their owner', () => {
    const db = open(aFile());
    const tables = db.prepare<[], { name: string; strict: number; type: string }>('PRAGMA table_list').all();
    const own = tables.filter(({ name, type }) => type === 'table' && !name.startsWith('sqlite_'));
    expect(own.filter((table) => table.strict === 0)).toEqual([]);
    // The last two are hashes: an index of a table that names its owner, and who is to be named no more.
    const shared = new Set([
      'schools',
      'cartridge_versions',
      'prompt_texts',
      'rate_windows',
      'memory_item_terms',
      'erased_people',
    ]);
    for (const { name } of own.filter((table) => !shared.has(table.name))) {
      const columns = db.prepare<[], { name: string }>(`PRAGMA table_info(${name})`).all();
      expect(
        columns.map((column) => column.name),
        name,
      ).toContain('school_id');
    }
  });

  const damages: [string, (file: string) => void][] = [
    ['something else', (file) => writeFileSync(file, 'This is a diary, and no database at all. '.repeat(200))],
    ['cut short', (file) => truncateSync(file, 5_000)],
    ['overwritten at its head', (file) => writeFileSync(file, readFileSync(file).fill(0xff, 0, 200))],
  ];

  it.each(damages)('says in one sentence that a file is damaged: %s', (_, damage) => {
    const file = aFile();
    openDatabase(file).db.close();
    damage(file);
    expect(() => openDatabase(file)).toThrow(
      `The database ${file} is damaged or is not a database: restore a backup, or move the file away to start empty.`,
    );
  });

  it('says in one sentence that a file cannot be reached', () => {
    expect(() => openDatabase(folder)).toThrow(`The database ${folder} cannot be opened (EISDIR).`);
  });

  it('says in one sentence that a file is from a newer program', () => {
    const file = aFile();
    const db = openDatabase(file).db;
    db.pragma('user_version = 99');
    db.close();
    expect(() => openDatabase(file)).toThrow(/^The database .* is at schema version 99, but .*\.$/);
    // And it was left as it was.
    const later = new Database(file);
    onTestFinished(() => void later.close());
    expect(later.pragma('user_version', { simple: true })).toBe(99);
  });
});
