import type { Database } from 'better-sqlite3';
import type { Queue } from '../../engine/ports/queue.ts';
import type { Store } from '../../engine/ports/store.ts';
import { classBoardOperations } from './class-board.ts';
import { classOperations } from './classes.ts';
import { queueOperations } from './queue.ts';
import { rateOperations } from './rates.ts';
import { sessionOperations } from './sessions.ts';
import { textOperations } from './texts.ts';
import { turnOperations } from './turns.ts';

/** The store and the queue are one database, so that calls of both are committed together. */
type Ports = Store & Queue;

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
  'classSessions',
  'classAlerts',
  'sessionOwner',
  'cartridge',
  'loadSession',
  'recentOutcomes',
  'turn',
  'turnById',
  'turnOfMessage',
  'latestTurn',
  'trace',
  'promptTexts',
  'jobCounts',
  'failedJobs',
  'ping',
]);

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
    ping: () => void select.get(),
  };
}
