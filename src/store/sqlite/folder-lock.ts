import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../core/errors.ts';
import { codeOf } from './error-code.ts';

/**
 * Takes a data folder for one server. A second server on the same folder would mark the first one's live turns as
 * interrupted. The lock is SQLite's own on an empty file, so that the operating system lets go of it however the
 * process ends. Throws an `AppError` of one sentence where another process has it.
 */
export function lockFolder(folder: string): Disposable {
  const lock = new Database(join(folder, 'server.lock'), { timeout: 0 });
  try {
    lock.pragma('locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!codeOf(error).startsWith('SQLITE_BUSY')) throw error;
    throw new AppError(
      'INTERNAL',
      `DATA_DIR: another server is running on ${folder}; stop it, or choose another folder.`,
    );
  }
  return { [Symbol.dispose]: () => void lock.close() };
}
