import { Worker } from 'node:worker_threads';
import { type Logger, silentLogger } from '../core/logger.ts';
import type { Store } from '../engine/ports/store.ts';
import { DatabaseClient } from './sqlite/client.ts';

export type SqliteOptions = {
  /** A database file, made where there is none, or `:memory:`. */
  file: string;
  logger?: Logger;
};

/**
 * The store in one SQLite file, in a thread of its own: what is called at the same time is committed together, and a
 * call that writes resolves once its commit is on the disk. Brings the file to the newest schema first. Rejects with
 * an `AppError` of one sentence where the file is damaged, in use, or from a newer program.
 */
export async function openSqliteStore({ file, logger = silentLogger }: SqliteOptions): Promise<Store> {
  const worker = new Worker(new URL('./sqlite/worker.ts', import.meta.url), { workerData: { file } });
  const client = new DatabaseClient(worker, logger);
  const { fromVersion, version } = await client.opened;
  logger.info('store_opened', { from_version: fromVersion, version });
  return storeOver(client);
}

function storeOver(client: DatabaseClient): Store {
  return {
    firstClass: (make) => client.call('firstClass', make),
    createClass: (record) => client.call('createClass', record),
    classesOf: (owner) => client.call('classesOf', owner),
    classOf: (owner, classId) => client.call('classOf', owner, classId),
    classOfStudent: (schoolId, classId) => client.call('classOfStudent', schoolId, classId),
    classSessions: (owner, classId, since) => client.call('classSessions', owner, classId, since),
    classAlerts: (owner, classId, since) => client.call('classAlerts', owner, classId, since),
    freezeSessions: (owner, freeze) => client.call('freezeSessions', owner, freeze),
    sessionOwner: (owner, classId, sessionId) => client.call('sessionOwner', owner, classId, sessionId),
    joinClass: (joinCode, student) => client.call('joinClass', joinCode, student),
    keepCartridge: (version) => client.call('keepCartridge', version),
    cartridge: (hash) => client.call('cartridge', hash),
    createSession: (session) => client.call('createSession', session),
    loadSession: (owner, sessionId) => client.call('loadSession', owner, sessionId),
    saveSession: (owner, change) => client.call('saveSession', owner, change),
    recentOutcomes: (owner, exceptSessionId, limit) => client.call('recentOutcomes', owner, exceptSessionId, limit),
    beginTurn: (turn) => client.call('beginTurn', turn),
    settleTurn: (settlement) => client.call('settleTurn', settlement),
    turn: (owner, sessionId, turnId) => client.call('turn', owner, sessionId, turnId),
    turnOfMessage: (owner, sessionId, messageId) => client.call('turnOfMessage', owner, sessionId, messageId),
    latestTurn: (owner, sessionId, kind) => client.call('latestTurn', owner, sessionId, kind),
    trace: (schoolId, sessionId, turnId) => client.call('trace', schoolId, sessionId, turnId),
    interruptLiveTurns: (now) => client.call('interruptLiveTurns', now),
    promptTexts: (hashes) => client.call('promptTexts', hashes),
    countUse: (use) => client.call('countUse', use),
    ping: () => client.call('ping'),
    close: () => client.close(),
  };
}
