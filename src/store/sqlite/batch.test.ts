import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../core/errors.ts';
import { type RunBatch, batchRunner } from './batch.ts';
import { openDatabase } from './database.ts';
import { createOperations, type OperationName, type Operations } from './operations.ts';
import type { Answer, Call } from './protocol.ts';

const now = 1_000;

/** A store's database whose operations a test may replace, and a runner over it. */
function open(replace: (db: Database.Database, operations: Operations) => Partial<Operations> = () => ({})) {
  const { db } = openDatabase(':memory:');
  onTestFinished(() => void db.close());
  const operations = createOperations(db);
  const runBatch: RunBatch = batchRunner(db, { ...operations, ...replace(db, operations) });
  const keptHashes = () => db.prepare<[], string>('SELECT hash FROM cartridge_versions ORDER BY hash').pluck().all();
  return { db, runBatch, keptHashes };
}

let calls = 0;
function call(name: OperationName, ...input: unknown[]): Call {
  calls += 1;
  return { id: calls, name, input };
}

const keep = (hash: string, text = 'text') => call('keepCartridge', { hash, cartridgeId: 'c', text, keptAt: now });

function failures(answers: readonly Answer[]): (string | null)[] {
  return answers.map((answer) => ('failure' in answer ? answer.failure.message : null));
}

describe('a batch', () => {
  it('answers each call in its place, and reads what an earlier call of it wrote', () => {
    const { runBatch, db } = open();
    const batch = [call('cartridge', 'a'), keep('a'), call('cartridge', 'a'), call('ping')];
    const answers = runBatch(batch);
    expect(answers.map((answer) => answer.id)).toEqual(batch.map(({ id }) => id));
    expect(answers.map((answer) => 'value' in answer && answer.value)).toEqual([
      null,
      undefined,
      { hash: 'a', cartridgeId: 'c', text: 'text', keptAt: now },
      undefined,
    ]);
    expect(db.inTransaction).toBe(false);
  });

  const size = 6;
  it.each(Array.from({ length: size }, (_, index) => index))(
    'undoes the call that fails alone: number %i',
    (failing) => {
      const { runBatch, keptHashes } = open((_, operations) => ({
        keepCartridge(version) {
          operations.keepCartridge(version);
          if (version.hash === `h${failing}`) throw new Error('what a learner wrote');
        },
      }));
      const answers = runBatch(Array.from({ length: size }, (_, index) => keep(`h${index}`)));
      expect(failures(answers)).toEqual(
        Array.from({ length: size }, (_, index) => (index === failing ? 'store: keepCartridge failed (Error)' : null)),
      );
      expect(keptHashes()).toEqual([0, 1, 2, 3, 4, 5].filter((index) => index !== failing).map((index) => `h${index}`));
    },
  );

  it('tells of a failure its code and never what was being written', () => {
    const { runBatch } = open();
    const session = { id: 'what a learner wrote', schoolId: 's', ownerId: 'o', ownerRole: 'student', createdAt: now };
    const [answer] = runBatch([call('createSession', session)]);
    expect(answer).toMatchObject({ failure: { code: 'INTERNAL', retryable: false } });
    expect(JSON.stringify(answer)).not.toContain('learner');
  });

  it('passes on the code of an error of the house', () => {
    const { runBatch } = open(() => ({
      ping() {
        throw new AppError('NOT_FOUND', 'store: nothing there', { retryable: true });
      },
    }));
    const [answer] = runBatch([call('ping')]);
    expect(answer).toMatchObject({ failure: { code: 'NOT_FOUND', message: 'store: nothing there', retryable: true } });
  });

  it('fails whole where the commit fails, keeps nothing of it, and goes on', () => {
    const { runBatch, keptHashes } = open((db, operations) => {
      db.exec(`CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT;
        CREATE TABLE children (id INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED) STRICT`);
      const orphan = db.prepare('INSERT INTO children VALUES (7)');
      return { interruptLiveTurns: (at) => orphan.run().changes && operations.interruptLiveTurns(at) };
    });
    const answers = runBatch([keep('a'), call('cartridge', 'a'), call('interruptLiveTurns', now)]);
    expect(failures(answers)).toEqual([
      'store: keepCartridge failed (SQLITE_CONSTRAINT_FOREIGNKEY)',
      'store: cartridge failed (SQLITE_CONSTRAINT_FOREIGNKEY)',
      'store: interruptLiveTurns failed (SQLITE_CONSTRAINT_FOREIGNKEY)',
    ]);
    expect(keptHashes()).toEqual([]);
    expect(failures(runBatch([keep('b')]))).toEqual([null]);
    expect(keptHashes()).toEqual(['b']);
  });

  it('answers no call with success that a full disk has undone', () => {
    const { db, runBatch, keptHashes } = open();
    runBatch([keep('before')]);
    const pages = Number(db.pragma('page_count', { simple: true }));
    db.pragma(`max_page_count = ${pages + 4}`);
    const answers = runBatch([keep('small'), keep('big', 'x'.repeat(100_000)), keep('after')]);
    const kept = keptHashes();
    for (const [index, hash] of ['small', 'big', 'after'].entries()) {
      expect(failures(answers)[index] === null, hash).toBe(kept.includes(hash));
    }
    expect(kept).toContain('before');
    expect(failures(answers)[1]).toBe('store: keepCartridge failed (SQLITE_FULL)');
    expect(answers[1]).toMatchObject({ failure: { retryable: true } });
    db.pragma('max_page_count = 1000000');
    expect(failures(runBatch([keep('later', 'x'.repeat(100_000))]))).toEqual([null]);
  });

  it('fails whole where an operation loses the transaction, the calls before it too', () => {
    const { runBatch, keptHashes } = open((db) => ({
      ping() {
        db.exec('ROLLBACK');
        throw new Error('lost');
      },
    }));
    expect(failures(runBatch([keep('a'), call('ping'), keep('b')])).every((message) => message !== null)).toBe(true);
    expect(keptHashes()).toEqual([]);
    expect(failures(runBatch([keep('c')]))).toEqual([null]);
  });
});
