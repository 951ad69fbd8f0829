import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from './database.ts';
import { createOperations, type OperationName, readingOperations } from './operations.ts';

function open() {
  const { db } = openDatabase(':memory:');
  onTestFinished(() => void db.close());
  return db;
}

describe('the statements', () => {
  it('all find their rows by an index', () => {
    const db = open();
    const prepare = db.prepare.bind(db);
    const texts: string[] = [];
    db.prepare = ((sql: string) => {
      texts.push(sql);
      return prepare(sql);
    }) as typeof db.prepare;
    createOperations(db);
    expect(texts.length).toBeGreaterThan(25);
    for (const sql of texts) {
      const plan = prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql.replaceAll(/[?]|@\w+/g, 'NULL')}`).all();
      const scans = plan.map((step) => step.detail).filter((detail) => detail.startsWith('SCAN'));
      // A list given as JSON is read whole; so are the live turns, by the index of nothing else; a search index is looked into.
      const isFine = (scan: string) =>
        /json_each|CONSTANT ROW|USING INDEX live_turn$|search_\w+ VIRTUAL TABLE/.test(scan);
      expect(
        scans.filter((scan) => !isFine(scan)),
        sql,
      ).toEqual([]);
      // A guardian's notes come from several children's lists, which are short.
      if (sql.includes('JOIN parent_notes')) continue;
      expect(
        plan.map((step) => step.detail).filter((detail) => detail.includes('TEMP B-TREE')),
        sql,
      ).toEqual([]);
    }
  });
});

describe('the operations that only read', () => {
  const owner = { schoolId: 's', userId: 'u' };
  const scope = { cartridgeId: 'mentor', learnerId: null };
  const query = { must: [{ word: 'mokykla', stems: ['mokykl'] }], phrases: [], not: [], notPhrases: [] };
  const inputs: { [Name in OperationName]?: readonly unknown[] } = {
    classesOf: [owner],
    classOf: [owner, 'c'],
    classOfStudent: ['s', 'c'],
    classStudents: [owner, 'c', { offset: 0, limit: 10 }],
    student: ['s', 'u'],
    classSessions: [owner, 'c', 0],
    classAlerts: [owner, 'c', 0],
    sessionOwner: [owner, 'c', 'session'],
    isFrozen: [owner, 'session'],
    cartridge: ['hash'],
    loadSession: [owner, 'session'],
    recentOutcomes: [owner, 'session', 3],
    turn: [owner, 'session', 'turn'],
    turnById: [owner, 'turn'],
    turnOfMessage: [owner, 'session', 'message'],
    latestTurn: [owner, 'session', 'dialogue'],
    trace: ['s', 'session', 'turn'],
    promptTexts: [['hash']],
    conversation: [owner, 'session'],
    conversations: [owner, { offset: 0, limit: 10 }],
    recalledSessions: [owner, scope, 3],
    isRemembering: [owner, scope, 5],
    alertedTurns: [owner, 'session'],
    partsOf: [owner, 'session'],
    rollingMemory: [owner, scope],
    rollingMemories: [owner, 'mentor'],
    archives: [owner, scope, 10],
    facts: [owner, scope, true],
    learners: [owner],
    parentNotes: [owner, { offset: 0, limit: 10 }],
    guardiansOf: ['s', 'u'],
    childrenOf: [owner],
    consents: ['s', 'u'],
    items: [owner, { projectId: 'p', now: 0, offset: 0, limit: 10 }],
    itemCandidates: [owner, { projectId: 'p', stems: ['session'], now: 0, limit: 10 }],
    workflow: [owner, 'p', 0],
    profile: ['s', 'u'],
    objectives: ['s', 'u', 'counselor'],
    allObjectives: ['s', 'u'],
    profiledStudents: [null, 10],
    teaches: [owner, 'student'],
    exportPerson: [owner],
    openErasures: [0, 10],
    erasedAt: [owner],
    searchMemory: [owner, { query, match: 'any', includeArchive: true, limit: 10, offset: 0 }],
    similarWords: [owner, { words: query.must, includeArchive: true }],
    jobCounts: [],
    failedJobs: [10],
    ping: [],
  };

  it('work on a database that may not be written', () => {
    const db = open();
    const operations = createOperations(db);
    db.pragma('query_only = ON');
    expect(new Set(Object.keys(inputs))).toEqual(readingOperations);
    for (const name of readingOperations) {
      const operation = operations[name] as (...input: readonly unknown[]) => unknown;
      expect(() => operation(...(inputs[name] ?? [])), name).not.toThrow();
    }
  });
});
