import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NewMemoryItem } from '../../engine/ports/prepared-store.ts';
import { analyseText } from '../../memory/search-text.ts';
import { openDatabase } from './database.ts';
import { itemOperations } from './memory-items.ts';

const ona = { schoolId: 'school', userId: 'ona' };
const jonas = { schoolId: 'school', userId: 'jonas' };

/** What every secret word begins with, and no other byte of the database. */
const secretBeginning = 'qxwkzqj';

function anItem(text: string, key: string): NewMemoryItem {
  const item = {
    id: `${key}-${text.length}`,
    projectId: 'shop',
    type: 'error',
    key,
    value: JSON.stringify(text),
    text,
  };
  return { ...item, ...analyseText(text), createdAt: 1, expiresAt: 100 };
}

function openItems() {
  const folder = mkdtempSync(join(tmpdir(), 'trickster-items-'));
  const file = join(folder, 'items.db');
  const { db } = openDatabase(file);
  onTestFinished(() => {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const bytes = () => {
    expect(db.pragma('wal_checkpoint(TRUNCATE)')).toMatchObject([{ busy: 0 }]);
    return readFileSync(file).toString('latin1') + readFileSync(`${file}-wal`).toString('latin1');
  };
  const entries = () => db.prepare<[], number>('SELECT count(*) FROM memory_item_terms').pluck().get();
  return { db, bytes, entries, operations: itemOperations(db) };
}

describe('a memory item that was taken out', () => {
  const keys = Array.from({ length: 80 }, (_, index) => `key ${index}`);
  const ways: [string, (operations: ReturnType<typeof itemOperations>) => void][] = [
    ['with its project', (items) => void items.deleteItems(ona, { projectId: 'shop' })],
    ['with its type', (items) => void items.deleteItems(ona, { projectId: 'shop', type: 'error' })],
    ['by its key', (items) => keys.forEach((key) => items.deleteItems(ona, { projectId: 'shop', key }))],
    ['by another in its place', (items) => keys.forEach((key) => items.putItem(ona, anItem('quiet waters', key)))],
    ['when its time was over', (items) => void items.expireItems(100, 1_000)],
  ];

  it.each(ways)('is in no byte of the database nor its WAL: %s', (_, takeOut) => {
    const { db, bytes, operations, entries } = openItems();
    // In many commits among what others keep, so that pages were split and filled up again.
    for (const [index, key] of keys.entries()) {
      const secret = anItem(`Told of ${secretBeginning}${index} and of ${secretBeginning}${index}s`, key);
      db.transaction(() => operations.putItem(ona, secret))();
      db.transaction(() => operations.putItem(jonas, { ...anItem(`Still lake ${index}`, key), expiresAt: 900 }))();
    }
    expect(bytes()).toContain(secretBeginning);
    db.transaction(() => takeOut(operations))();
    expect(bytes()).not.toContain(secretBeginning);
    operations.deleteItems(ona, { projectId: 'shop' });
    const search = { projectId: 'shop', stems: ['lak'], now: 2, limit: 100 };
    expect(operations.itemCandidates(jonas, search)).toHaveLength(80);
    operations.deleteItems(jonas, { projectId: 'shop' });
    expect(entries()).toBe(0);
  });
});

describe('the index of items', () => {
  it('holds no word of anyone’s while they are there', () => {
    const { db, operations } = openItems();
    operations.putItem(ona, anItem(`Told of ${secretBeginning}`, 'key'));
    const types = db.prepare<[], string>(
      'SELECT DISTINCT typeof(scope) || typeof(term) || typeof(item) || typeof(weight) FROM memory_item_terms',
    );
    expect(types.pluck().all()).toEqual(['integerintegerintegerinteger']);
  });
});
