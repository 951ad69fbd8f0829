import type { Database } from 'better-sqlite3';
import type { Operations } from './operations.ts';
import { turnBeginner } from './turn-begin.ts';
import { turnReader } from './turn-reader.ts';
import { turnSettler } from './turn-settle.ts';

type TurnOperations =
  | 'beginTurn'
  | 'settleTurn'
  | 'turn'
  | 'turnById'
  | 'turnOfMessage'
  | 'latestTurn'
  | 'trace'
  | 'interruptLiveTurns';

export function turnOperations(db: Database): Pick<Operations, TurnOperations> {
  const trace = db.prepare<[string, string, string], { trace: string }>(
    'SELECT trace FROM traces WHERE turn_id = ? AND session_id = ? AND school_id = ?',
  );
  const interrupt = db.prepare<[number]>(
    `UPDATE turns SET status = 'interrupted', settled_at = ? WHERE status = 'streaming'`,
  );
  return {
    ...turnReader(db),
    beginTurn: turnBeginner(db),
    settleTurn: turnSettler(db),
    trace: (schoolId, sessionId, turnId) => trace.get(turnId, sessionId, schoolId)?.trace ?? null,
    interruptLiveTurns: (now) => interrupt.run(now).changes,
  };
}
