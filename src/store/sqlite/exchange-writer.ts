import type { Database } from 'better-sqlite3';
import type { ExchangeRole, Owner } from '../../engine/ports/store.ts';
import { keptText } from '../kept-text.ts';

type NewExchange = {
  id: string;
  owner: Owner;
  sessionId: string;
  turnId: string;
  role: ExchangeRole;
  content: string;
  phase: string;
  redacted: boolean;
  createdAt: number;
};

/** Appends an exchange to its session. */
export type WriteExchange = (exchange: NewExchange) => void;

export function exchangeWriter(db: Database): WriteExchange {
  const insert = db.prepare<Omit<NewExchange, 'owner' | 'redacted'> & Owner & { redacted: number }>(
    `INSERT INTO exchanges (id, school_id, owner_id, session_id, turn_id, role, phase, redacted, created_at, content)
     VALUES (@id, @schoolId, @userId, @sessionId, @turnId, @role, @phase, @redacted, @createdAt, @content)`,
  );
  return ({ id, owner, sessionId, turnId, role, content, phase, redacted, createdAt }) => {
    const { schoolId, userId } = owner;
    const row = { id, schoolId, userId, sessionId, turnId, role, phase, createdAt };
    insert.run({ ...row, content: keptText(content), redacted: redacted ? 1 : 0 });
  };
}
