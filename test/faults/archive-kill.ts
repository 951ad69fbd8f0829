import { isMainThread } from 'node:worker_threads';
import Database from 'better-sqlite3';

/**
 * Loaded before a program whose database thread is to end the whole process inside a transaction: with the archive
 * `KILL_AT_ARCHIVE` (from 1), right before the statement `KILL_AT_STATEMENT` (from 0: the one that makes the archive).
 * `node --import archive-kill.ts <program>`
 */

const atArchive = Number(process.env['KILL_AT_ARCHIVE']);
const atStatement = Number(process.env['KILL_AT_STATEMENT']);
let archives = 0;
let statements = -1;

function count(sql: string): void {
  if (sql.includes('INSERT INTO memory_archives')) archives += 1;
  if (archives >= atArchive) statements += 1;
  if (statements < atStatement) return;
  process.kill(process.pid, 'SIGKILL');
  // Not one statement more until the signal is there.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

if (!isMainThread) {
  const { prototype } = Database;
  // oxlint-disable-next-line typescript/unbound-method -- it is applied to whichever database it is called on
  const prepare: (this: Database.Database, sql: string) => Database.Statement = prototype.prepare;
  const counted = function (this: Database.Database, sql: string) {
    const statement = Reflect.apply(prepare, this, [sql]);
    for (const name of ['run', 'get', 'all'] as const) {
      const real = statement[name];
      const value = (...input: unknown[]) => {
        count(sql);
        return Reflect.apply(real, statement, input);
      };
      Object.defineProperty(statement, name, { value });
    }
    return statement;
  };
  Object.defineProperty(prototype, 'prepare', { value: counted });
}
