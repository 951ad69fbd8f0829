import type { Database } from 'better-sqlite3';
import { AppError } from '../../core/errors.ts';
import { codeOf } from './error-code.ts';
import { type OperationName, type Operations, outsideOperations, readingOperations } from './operations.ts';
import type { Answer, Call, Failure } from './protocol.ts';

/** Runs calls in one transaction and answers each of them once it is committed. Throws only where nothing can be undone. */
export type RunBatch = (calls: readonly Call[]) => Answer[];

/**
 * Every call that writes has a savepoint, so that one that fails is undone alone; later calls see what earlier ones
 * wrote. Where the transaction itself is lost every call fails, for none of it was kept. Calls that only read take no
 * write lock and cost no fsync.
 */
export function batchRunner(db: Database, operations: Operations): RunBatch {
  const begin = { read: db.prepare('BEGIN'), write: db.prepare('BEGIN IMMEDIATE') };
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const save = db.prepare('SAVEPOINT call');
  const release = db.prepare('RELEASE call');
  const undo = db.prepare('ROLLBACK TO call');

  // The client's types pair each name with its input.
  const operationOf = (name: OperationName) => operations[name] as (...values: readonly unknown[]) => unknown;

  function runCall({ id, name, input }: Call): Answer {
    const isWriting = !readingOperations.has(name);
    if (isWriting) save.run();
    try {
      const value = operationOf(name)(...input);
      if (isWriting) release.run();
      return { id, value };
    } catch (error) {
      // After a full disk or a failed write SQLite has undone the whole transaction, and there is nothing to go on with.
      if (!db.inTransaction) throw error;
      if (isWriting) {
        undo.run();
        release.run();
      }
      return { id, failure: failureOf(name, error) };
    }
  }

  function runTogether(calls: readonly Call[]): Answer[] {
    if (calls.length === 0) return [];
    try {
      (calls.every(({ name }) => readingOperations.has(name)) ? begin.read : begin.write).run();
      const answers = calls.map(runCall);
      commit.run();
      return answers;
    } catch (error) {
      if (db.inTransaction) rollback.run();
      return calls.map(({ id, name }) => ({ id, failure: failureOf(name, error) }));
    }
  }

  function runAlone({ id, name, input }: Call): Answer {
    try {
      return { id, value: operationOf(name)(...input) };
    } catch (error) {
      return { id, failure: failureOf(name, error) };
    }
  }

  return (calls) => {
    const alone = calls.filter(({ name }) => outsideOperations.has(name));
    if (alone.length === 0) return runTogether(calls);
    return [...runTogether(calls.filter((call) => !alone.includes(call))), ...alone.map(runAlone)];
  };
}

/** What may be told of an error: its code and the operation. SQLite's own text can quote what was written. */
function failureOf(name: OperationName, error: unknown): Failure {
  if (error instanceof AppError) {
    return { code: error.code, message: error.message, retryable: error.retryable };
  }
  const code = codeOf(error);
  const retryable = /^SQLITE_(BUSY|LOCKED|FULL|IOERR)/.test(code);
  return { code: 'INTERNAL', message: `store: ${name} failed (${code})`, retryable };
}
