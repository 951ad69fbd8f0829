import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { type Logger, silentLogger } from '../core/logger.ts';
import type { CompanionStore } from '../engine/ports/companion-store.ts';
import type { MemorySearch } from '../engine/ports/memory-search.ts';
import type { PreparedStore } from '../engine/ports/prepared-store.ts';
import type { PrivacyStore } from '../engine/ports/privacy-store.ts';
import type { Queue } from '../engine/ports/queue.ts';
import type { Store } from '../engine/ports/store.ts';
import { DatabaseClient } from './sqlite/client.ts';

export type SqliteOptions = {
  /** A database file, made where there is none, or `:memory:`. */
  file: string;
  logger?: Logger;
};

// A thread strips the types of what it loads with WebAssembly, and V8 can crash where it frees such code while another
// thread uses it (docs/decisions/0018-webassembly-code.md).
setFlagsFromString('--no-wasm-code-gc');

/** The queue is in the store's file, and closes with the store. */
export type SqliteStore = Store & {
  readonly queue: Queue;
  readonly companions: CompanionStore;
  readonly prepared: PreparedStore;
  readonly privacy: PrivacyStore;
  readonly search: MemorySearch;
};

/**
 * The store and the queue in one SQLite file, in a thread of its own: what is called at the same time is committed together, and a
 * call that writes resolves once its commit is on the disk. Brings the file to the newest schema first. Rejects with
 * an `AppError` of one sentence where the file is damaged, in use, or from a newer program.
 */
export async function openSqliteStore({ file, logger = silentLogger }: SqliteOptions): Promise<SqliteStore> {
  const worker = new Worker(new URL('./sqlite/worker.ts', import.meta.url), { workerData: { file } });
  const client = new DatabaseClient(worker, logger);
  const { fromVersion, version } = await client.opened;
  logger.info('store_opened', { from_version: fromVersion, version });
  const listeners: Listeners = new Set();
  return {
    ...storeOver(client, listeners),
    queue: queueOver(client, listeners),
    companions: companionsOver(client, listeners),
    prepared: preparedOver(client),
    privacy: privacyOver(client),
    search: {
      searchMemory: (owner, request) => client.call('searchMemory', owner, request),
      similarWords: (owner, words) => client.call('similarWords', owner, words),
    },
  };
}

/** Who is woken when this process has put jobs in; what another process puts in is found when it is looked for. */
type Listeners = Set<{ wake(): void }>;

function wakeAll(listeners: Listeners): void {
  for (const listener of listeners) listener.wake();
}

function storeOver(client: DatabaseClient, listeners: Listeners): Store {
  return {
    firstClass: (make) => client.call('firstClass', make),
    createClass: (record) => client.call('createClass', record),
    classesOf: (owner) => client.call('classesOf', owner),
    classOf: (owner, classId) => client.call('classOf', owner, classId),
    classOfStudent: (schoolId, classId) => client.call('classOfStudent', schoolId, classId),
    classSessions: (owner, classId, since) => client.call('classSessions', owner, classId, since),
    classAlerts: (owner, classId, since) => client.call('classAlerts', owner, classId, since),
    freezeSessions: (owner, freeze) => client.call('freezeSessions', owner, freeze),
    isFrozen: (owner, sessionId) => client.call('isFrozen', owner, sessionId),
    sessionOwner: (owner, classId, sessionId) => client.call('sessionOwner', owner, classId, sessionId),
    joinClass: (joinCode, student) => client.call('joinClass', joinCode, student),
    classStudents: (owner, classId, page) => client.call('classStudents', owner, classId, page),
    student: (schoolId, userId) => client.call('student', schoolId, userId),
    keepCartridge: (version) => client.call('keepCartridge', version),
    cartridge: (hash) => client.call('cartridge', hash),
    createSession: (session) => client.call('createSession', session),
    loadSession: (owner, sessionId) => client.call('loadSession', owner, sessionId),
    saveSession: (owner, change) => client.call('saveSession', owner, change),
    recentOutcomes: (owner, exceptSessionId, limit) => client.call('recentOutcomes', owner, exceptSessionId, limit),
    beginTurn: (turn) => client.call('beginTurn', turn),
    async settleTurn(settlement) {
      const outcome = await client.call('settleTurn', settlement);
      if (outcome === 'settled' && settlement.jobs.length > 0) wakeAll(listeners);
      return outcome;
    },
    turn: (owner, sessionId, turnId) => client.call('turn', owner, sessionId, turnId),
    turnById: (owner, turnId) => client.call('turnById', owner, turnId),
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

function queueOver(client: DatabaseClient, listeners: Listeners): Queue {
  return {
    async enqueue(job) {
      const outcome = await client.call('enqueue', job);
      if (outcome === 'enqueued') wakeAll(listeners);
      return outcome;
    },
    lease: (request) => client.call('lease', request),
    renew: (lease, until) => client.call('renew', lease, until),
    complete: (lease, now) => client.call('complete', lease, now),
    fail: (lease, failure) => client.call('fail', lease, failure),
    release: (lease, now) => client.call('release', lease, now),
    jobCounts: () => client.call('jobCounts'),
    failedJobs: (limit) => client.call('failedJobs', limit),
    onEnqueued(wake) {
      const listener = { wake };
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}

function companionsOver(client: DatabaseClient, listeners: Listeners): CompanionStore {
  return {
    async createConversation(make) {
      await client.call('createConversation', make);
      if (make.endsEarlier) wakeAll(listeners);
    },
    conversation: (owner, sessionId) => client.call('conversation', owner, sessionId),
    conversations: (owner, page) => client.call('conversations', owner, page),
    async endConversation(owner, sessionId, now) {
      const outcome = await client.call('endConversation', owner, sessionId, now);
      if (outcome === 'ended') wakeAll(listeners);
      return outcome;
    },
    async endIdleConversations(now, limit) {
      const ended = await client.call('endIdleConversations', now, limit);
      if (ended.length > 0) wakeAll(listeners);
      return ended;
    },
    alertedTurns: (owner, sessionId) => client.call('alertedTurns', owner, sessionId),
    keepPart: (owner, part) => client.call('keepPart', owner, part),
    partsOf: (owner, sessionId) => client.call('partsOf', owner, sessionId),
    recalledSessions: (owner, scope, limit) => client.call('recalledSessions', owner, scope, limit),
    isRemembering: (owner, scope, now) => client.call('isRemembering', owner, scope, now),
    rollingMemory: (owner, scope) => client.call('rollingMemory', owner, scope),
    rollingMemories: (owner, cartridgeId) => client.call('rollingMemories', owner, cartridgeId),
    rollIn: (owner, scope, turns) => client.call('rollIn', owner, scope, turns),
    keepSummary: (owner, scope, summary) => client.call('keepSummary', owner, scope, summary),
    markRolling: (owner, scope, failure) => client.call('markRolling', owner, scope, failure),
    clearMemory: (owner, scope, now) => client.call('clearMemory', owner, scope, now),
    archives: (owner, scope, limit) => client.call('archives', owner, scope, limit),
    facts: (owner, scope, all) => client.call('facts', owner, scope, all),
    keepFacts: (owner, scope, facts) => client.call('keepFacts', owner, scope, facts),
    learners: (owner) => client.call('learners', owner),
    keepLearner: (owner, learner) => client.call('keepLearner', owner, learner),
    keepParentNote: (note) => client.call('keepParentNote', note),
    parentNotes: (guardian, page) => client.call('parentNotes', guardian, page),
    viewParentNote: (guardian, noteId, now) => client.call('viewParentNote', guardian, noteId, now),
    keepGuardian: (schoolId, link) => client.call('keepGuardian', schoolId, link),
    removeGuardian: (schoolId, link) => client.call('removeGuardian', schoolId, link),
    guardiansOf: (schoolId, studentId) => client.call('guardiansOf', schoolId, studentId),
    childrenOf: (guardian) => client.call('childrenOf', guardian),
    consents: (schoolId, studentId) => client.call('consents', schoolId, studentId),
    keepConsent: (schoolId, consent) => client.call('keepConsent', schoolId, consent),
  };
}

function preparedOver(client: DatabaseClient): PreparedStore {
  return {
    putItem: (owner, item) => client.call('putItem', owner, item),
    items: (owner, page) => client.call('items', owner, page),
    deleteItems: (owner, which) => client.call('deleteItems', owner, which),
    itemCandidates: (owner, search) => client.call('itemCandidates', owner, search),
    expireItems: (now, limit) => client.call('expireItems', now, limit),
    workflow: (owner, projectId, now) => client.call('workflow', owner, projectId, now),
    saveWorkflow: (owner, projectId, workflow) => client.call('saveWorkflow', owner, projectId, workflow),
    profile: (schoolId, userId) => client.call('profile', schoolId, userId),
    saveProfile: (schoolId, userId, save) => client.call('saveProfile', schoolId, userId, save),
    objectives: (schoolId, userId, cartridgeId) => client.call('objectives', schoolId, userId, cartridgeId),
    allObjectives: (schoolId, userId) => client.call('allObjectives', schoolId, userId),
    saveObjectives: (schoolId, userId, objectives) => client.call('saveObjectives', schoolId, userId, objectives),
    profiledStudents: (after, limit) => client.call('profiledStudents', after, limit),
    teaches: (teacher, studentId) => client.call('teaches', teacher, studentId),
  };
}

function privacyOver(client: DatabaseClient): PrivacyStore {
  return {
    exportPerson: (owner) => client.call('exportPerson', owner),
    beginErasure: (owner, now) => client.call('beginErasure', owner, now),
    erasePerson: (owner, step) => client.call('erasePerson', owner, step),
    openErasures: (before, limit) => client.call('openErasures', before, limit),
    erasedAt: (owner) => client.call('erasedAt', owner),
    compact: (how) => client.call('compact', how),
    expireLessonTexts: (before, limit) => client.call('expireLessonTexts', before, limit),
  };
}
