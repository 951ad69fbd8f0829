import type { Database } from 'better-sqlite3';
import type { CompanionStore } from '../../engine/ports/companion-store.ts';
import type { MemorySearch } from '../../engine/ports/memory-search.ts';
import type { PreparedStore } from '../../engine/ports/prepared-store.ts';
import type { PrivacyStore } from '../../engine/ports/privacy-store.ts';
import type { Queue } from '../../engine/ports/queue.ts';
import type { Store } from '../../engine/ports/store.ts';
import { classBoardOperations } from './class-board.ts';
import { classOperations } from './classes.ts';
import { conversationOperations } from './conversations.ts';
import { factOperations } from './facts.ts';
import { itemOperations } from './memory-items.ts';
import { memorySearchOperations } from './memory-search.ts';
import { noteOperations } from './parent-notes.ts';
import { privacyOperations } from './privacy.ts';
import { profileOperations } from './profiles.ts';
import { queueOperations } from './queue.ts';
import { rateOperations } from './rates.ts';
import { rollingOperations } from './rolling-memory.ts';
import { sessionOperations } from './sessions.ts';
import { textOperations } from './texts.ts';
import { turnOperations } from './turns.ts';
import { workflowOperations } from './workflows.ts';

/** The store and the queue are one database, so that calls of both are committed together. */
type Ports = Store & Queue & CompanionStore & PreparedStore & PrivacyStore & MemorySearch;

export type OperationName = Exclude<keyof Ports, 'close' | 'onEnqueued'>;

/** The ports' calls as plain synchronous functions, each of them the inside of one transaction. */
export type Operations = {
  [Name in OperationName]: (...input: Parameters<Ports[Name]>) => Awaited<ReturnType<Ports[Name]>>;
};

/** What only reads; everything else is taken to write. */
export const readingOperations: ReadonlySet<OperationName> = new Set<OperationName>([
  'classesOf',
  'classOf',
  'classOfStudent',
  'classStudents',
  'student',
  'classSessions',
  'classAlerts',
  'sessionOwner',
  'isFrozen',
  'cartridge',
  'loadSession',
  'recentOutcomes',
  'turn',
  'turnById',
  'turnOfMessage',
  'latestTurn',
  'trace',
  'promptTexts',
  'conversation',
  'conversations',
  'recalledSessions',
  'isRemembering',
  'alertedTurns',
  'partsOf',
  'rollingMemory',
  'rollingMemories',
  'archives',
  'facts',
  'learners',
  'parentNotes',
  'guardiansOf',
  'childrenOf',
  'consents',
  'items',
  'itemCandidates',
  'workflow',
  'profile',
  'objectives',
  'allObjectives',
  'profiledStudents',
  'teaches',
  'exportPerson',
  'openErasures',
  'erasedAt',
  'searchMemory',
  'similarWords',
  'jobCounts',
  'failedJobs',
  'ping',
]);

/** What cannot be done inside a transaction: it is done after that of the calls it came with. */
export const outsideOperations: ReadonlySet<OperationName> = new Set<OperationName>(['compact']);

/** Every operation over one open database, its statements prepared once. */
export function createOperations(db: Database): Operations {
  const select = db.prepare('SELECT 1');
  return {
    ...classOperations(db),
    ...classBoardOperations(db),
    ...textOperations(db),
    ...sessionOperations(db),
    ...turnOperations(db),
    ...rateOperations(db),
    ...queueOperations(db),
    ...conversationOperations(db),
    ...rollingOperations(db),
    ...factOperations(db),
    ...noteOperations(db),
    ...itemOperations(db),
    ...workflowOperations(db),
    ...profileOperations(db),
    ...privacyOperations(db),
    ...memorySearchOperations(db),
    ping: () => void select.get(),
  };
}
