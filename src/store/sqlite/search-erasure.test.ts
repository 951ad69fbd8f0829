import { readFileSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../core/random.ts';
import { aDocument, indexIntegrity, openSearch } from './search.fixture.ts';

const ona = { schoolId: 'school', userId: 'ona' };
const jonas = { schoolId: 'school', userId: 'jonas' };
const onaElsewhere = { schoolId: 'elsewhere', userId: 'ona' };

/** Where the bytes of a text are found, of the database file and its WAL. */
function traces(file: string, text: string): string[] {
  return ['', '-wal'].filter((suffix) => readFileSync(file + suffix).includes(text));
}

function checkpoint(db: Database.Database): void {
  expect(db.pragma('wal_checkpoint(TRUNCATE)')).toMatchObject([{ busy: 0 }]);
}

/** Every token of the index, as it tells them. */
function tokens(db: Database.Database): string[] {
  return db.prepare<[], string>('SELECT term FROM search_vocabulary').pluck().all();
}

/** Everything that the index keeps of itself, as one text: its pages and the words that lead to them. */
function innards(db: Database.Database): string {
  const pages = db.prepare<[], Buffer>('SELECT block FROM search_index_data').pluck().all();
  const leads = db.prepare<[], Buffer | string>('SELECT term FROM search_index_idx').pluck().all();
  return [...pages, ...leads].map((bytes) => bytes.toString('latin1')).join('\n');
}

/** What every secret word begins with, and no other byte of the database. */
const secretBeginning = 'qxwkzqj';

describe('what was taken out', () => {
  const ways: [string, (search: ReturnType<typeof openSearch>, ids: string[]) => void][] = [
    ['by ids', ({ indexer }, ids) => void indexer.remove(ona, ids)],
    ['with all of its owner', ({ indexer }) => void indexer.removeOwner(ona, 1_000)],
    ['with all about a learner', ({ indexer }) => void indexer.removeLearner('school', 'emma', 1_000)],
    [
      'by putting something else in its place',
      ({ put }, ids) => put(...ids.map((id) => aDocument(ona, 'Something else', { id }))),
    ],
    [
      'after it was archived',
      ({ indexer }, ids) => {
        indexer.archive(ona, ids);
        indexer.remove(ona, ids);
      },
    ],
  ];

  it.each(ways)('is in no byte of the database nor its WAL: %s', (_, takeOut) => {
    const search = openSearch();
    const { db, file, put, indexer } = search;
    const secrets = Array.from({ length: 60 }, (__, index) => `${secretBeginning}${index + 10}`);
    const ids: string[] = [];
    // In many commits among what others say, so that the index has many segments and has merged some of them.
    for (const secret of secrets) {
      const document = aDocument(ona, `She told of ${secret} and of ${secret}s`, { learnerId: 'emma' });
      ids.push(document.id);
      put(document, aDocument(jonas, `Quiet waters ${document.id} of another day`));
    }
    checkpoint(db);
    expect(secrets.filter((secret) => traces(file, secret).length === 0)).toEqual([]);
    db.transaction(() => takeOut(search, ids))();
    checkpoint(db);
    expect(traces(file, secretBeginning)).toEqual([]);
    expect(innards(db)).not.toContain(secretBeginning.slice(1));
    indexIntegrity(db);
    expect(indexer.removeOwner(jonas, 1_000)).toBe(60);
    indexer.removeOwner(ona, 1_000);
    expect(tokens(db)).toEqual([]);
  });

  it('is gone from an index of many pages too, and the words that led to a page with it', () => {
    const { db, file, put, indexer } = openSearch();
    const random = seededRandom(5);
    const letters = 'abcdefghijklmnoprstuvz';
    const ending = () => Array.from({ length: 4 }, () => letters[Math.floor(random.fraction() * 22)]).join('');
    for (let batch = 0; batch < 20; batch += 1) {
      const texts = Array.from({ length: 30 }, () =>
        Array.from({ length: 40 }, () => `${secretBeginning}${ending()}`).join(' '),
      );
      put(...texts.map((text) => aDocument(ona, text)), ...texts.map(() => aDocument(jonas, ending())));
    }
    const leads = db.prepare<[], number>('SELECT count(*) FROM search_index_idx').pluck();
    expect(leads.get()).toBeGreaterThan(20);
    const remove = db.transaction(() => indexer.removeOwner(ona, 100));
    const removed = [];
    for (let count = remove(); count > 0; count = remove()) removed.push(count);
    expect(removed).toEqual([100, 100, 100, 100, 100, 100]);
    checkpoint(db);
    // Four letters of it, wherever a lead or a page may have cut it.
    for (const piece of ['qxwk', 'xwkz', 'wkzq', 'kzqj']) {
      expect(innards(db), piece).not.toContain(piece);
      expect(traces(file, piece), piece).toEqual([]);
    }
    indexIntegrity(db);
  });

  it('is only what is the owner’s own, whatever ids are named', async () => {
    const { put, indexer, find } = openSearch();
    for (const owner of [ona, jonas, onaElsewhere]) put(aDocument(owner, 'Volcano', { id: 'same', learnerId: 'emma' }));
    expect(indexer.remove(ona, ['same', 'same', 'none'])).toBe(1);
    expect([await find(ona, 'volcano'), await find(jonas, 'volcano')]).toEqual([[], ['same']]);
    expect(indexer.archive(jonas, ['same'])).toBe(1);
    expect(await find(onaElsewhere, 'volcano', { includeArchive: false })).toEqual(['same']);
    expect(indexer.removeLearner('school', 'emma', 10)).toBe(1);
    expect([await find(jonas, 'volcano'), await find(onaElsewhere, 'volcano')]).toEqual([[], ['same']]);
    expect(indexer.removeOwner(onaElsewhere, 10)).toBe(1);
    expect(indexer.removeOwner(onaElsewhere, 10)).toBe(0);
  });

  it('comes back with a transaction that was undone', async () => {
    const { put, indexer, find, db } = openSearch();
    put(aDocument(ona, 'Volcano', { id: 'kept' }));
    const undone = db.transaction(() => {
      indexer.removeOwner(ona, 10);
      indexer.put(aDocument(ona, 'Volcano', { id: 'never' }));
      throw new Error('undone');
    });
    expect(undone).toThrow('undone');
    expect(await find(ona, 'volcano')).toEqual(['kept']);
    indexIntegrity(db);
  });
});
