import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../core/errors.ts';
import { codeOf } from './error-code.ts';
import { migrate } from './migrate.ts';

const busyTimeoutMs = 5_000;

/** An open database at the newest schema, and the version it was found at. */
export type OpenDatabase = { db: Database.Database; fromVersion: number; version: number };

/**
 * Opens a database file (made where there is none, readable by this user alone) or `:memory:`, and migrates it.
 * Throws an `AppError` whose message is one sentence for whoever runs the server.
 */
export function openDatabase(file: string): OpenDatabase {
  let db: Database.Database | undefined;
  try {
    if (file !== ':memory:') makePrivate(file);
    db = new Database(file, { timeout: busyTimeoutMs });
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('secure_delete = ON');
    db.pragma('trusted_schema = OFF');
    const versions = migrate(db);
    db.pragma('foreign_keys = ON');
    return { db, ...versions };
  } catch (error) {
    db?.close();
    throw error instanceof AppError ? error : new AppError('INTERNAL', whyNotOpened(file, error));
  }
}

/** The WAL and its index, which SQLite makes, take their permissions from the database file. */
function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  closeSync(openSync(file, 'a', 0o600));
}

function whyNotOpened(file: string, error: unknown): string {
  const code = codeOf(error);
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return `The database ${file} is damaged or is not a database: restore a backup, or move the file away to start empty.`;
  }
  if (code.startsWith('SQLITE_BUSY')) return `The database ${file} is in use by another process.`;
  return `The database ${file} cannot be opened (${code}).`;
}
