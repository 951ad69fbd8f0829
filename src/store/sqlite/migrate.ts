import type { Database } from 'better-sqlite3';
import { AppError } from '../../core/errors.ts';
import { lessons } from '../migrations/0001-lessons.ts';
import { classBoard } from '../migrations/0002-class-board.ts';
import { jobs } from '../migrations/0003-jobs.ts';
import { memorySearch } from '../migrations/0004-memory-search.ts';
import { companions } from '../migrations/0005-companions.ts';
import { prepared } from '../migrations/0006-prepared.ts';
import { privacy } from '../migrations/0007-privacy.ts';
import { noNarrative } from '../migrations/0008-no-narrative.ts';

/** One step of the schema, numbered by its place in the list. Once released it is never edited: add the next one. */
export type Migration = { name: string; sql: string };

/** Every step there is, oldest first. A database's `user_version` is how many of them it has had. */
export const migrations: readonly Migration[] = [
  lessons,
  classBoard,
  jobs,
  memorySearch,
  companions,
  prepared,
  privacy,
  noNarrative,
];

/**
 * Brings a database to the newest schema, each step in a transaction of its own. Call it before `foreign_keys` is
 * switched on, so that a step may rebuild a table; references are checked at the end of each step instead.
 * Throws an `AppError` of one sentence where the database comes from a newer program.
 */
export function migrate(
  db: Database,
  steps: readonly Migration[] = migrations,
): { fromVersion: number; version: number } {
  const fromVersion = versionOf(db);
  if (fromVersion > steps.length) {
    throw new AppError(
      'INTERNAL',
      `The database ${db.name} is at schema version ${fromVersion}, but this program knows no later one than ` +
        `${steps.length}: start the newer program, or restore a backup made by this one.`,
    );
  }
  steps.forEach((step, index) => {
    // Read again under the lock: another process may have taken this step meanwhile.
    const take = db.transaction(() => {
      if (versionOf(db) > index) return;
      db.exec(step.sql);
      const orphans = db.prepare('PRAGMA foreign_key_check').all();
      if (orphans.length > 0) throw new AppError('INTERNAL', `Migration ${step.name} left ${orphans.length} orphans.`);
      db.pragma(`user_version = ${index + 1}`);
    });
    if (versionOf(db) <= index) take.immediate();
  });
  return { fromVersion, version: versionOf(db) };
}

function versionOf(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}
