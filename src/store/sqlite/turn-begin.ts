import type { Database } from 'better-sqlite3';
import { AppError } from '../../core/errors.ts';
import type { NewTurn, Owner, TurnRecord } from '../../engine/ports/store.ts';
import { conversationToucher } from './conversations.ts';
import { exchangeWriter } from './exchange-writer.ts';
import type { Operations } from './operations.ts';
import { rateCounter } from './rates.ts';
import { turnReader } from './turn-reader.ts';

type NewTurnRow = Pick<NewTurn, 'id' | 'sessionId' | 'kind' | 'clientMessageId' | 'now'> &
  Owner & { exchangeId: string | null };

/**
 * `beginTurn`. A session that is not there, or is another's, throws `NOT_FOUND`: whoever begins a turn has just loaded
 * it. Words tried again are those of the first try, at their place; their exchange then belongs to the new turn.
 */
export function turnBeginner(db: Database): Operations['beginTurn'] {
  const read = turnReader(db);
  const touch = conversationToucher(db);
  const rates = rateCounter(db);
  const writeExchange = exchangeWriter(db);
  const sessionVersion = db.prepare<[string, string, string], { version: number }>(
    'SELECT version FROM sessions WHERE id = ? AND school_id = ? AND owner_id = ?',
  );
  const live = db.prepare<[string, string, string], { id: string }>(
    `SELECT id FROM turns WHERE session_id = ? AND status = 'streaming' AND school_id = ? AND owner_id = ?`,
  );
  const handOver = db.prepare<[string, string, string, string]>(
    'UPDATE exchanges SET turn_id = ? WHERE id = ? AND school_id = ? AND owner_id = ?',
  );
  const insertTurn = db.prepare<NewTurnRow>(
    `INSERT INTO turns (id, school_id, owner_id, session_id, kind, status, client_message_id, exchange_id, started_at)
     VALUES (@id, @schoolId, @userId, @sessionId, @kind, 'streaming', @clientMessageId, @exchangeId, @now)`,
  );
  const freezePrompts = db.prepare<[string, string, string, string]>(
    'UPDATE sessions SET prompts = ? WHERE id = ? AND school_id = ? AND owner_id = ? AND prompts IS NULL',
  );
  const keepPromptText = db.prepare<[string, string]>(
    'INSERT INTO prompt_texts (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );

  const insertAlert = db.prepare<[string, string, string, number, number, string, string, string]>(
    `INSERT INTO alerts (id, school_id, owner_id, class_id, session_id, turn_id, kind, severity, created_at)
     SELECT ?, school_id, owner_id, class_id, id, ?, ?, ?, ? FROM sessions WHERE id = ? AND school_id = ? AND owner_id = ?`,
  );

  function earlierTurn({ owner, sessionId, kind, clientMessageId }: NewTurn): TurnRecord | null {
    if (kind === 'debrief') return read.latestTurn(owner, sessionId, kind);
    return clientMessageId === null ? null : read.turnOfMessage(owner, sessionId, clientMessageId);
  }

  function keepExchange({ id, owner, sessionId, exchange, now }: NewTurn, earlierId: string | null): string | null {
    if (earlierId !== null) {
      handOver.run(id, earlierId, owner.schoolId, owner.userId);
      return earlierId;
    }
    if (exchange === null) return null;
    writeExchange({ ...exchange, owner, sessionId, turnId: id, redacted: false, createdAt: now });
    return exchange.id;
  }

  function freeze({ owner, sessionId, freeze: given }: NewTurn): void {
    if (!given) return;
    // Where a first turn came to nothing the prompts are frozen already, and those stay.
    const frozen = freezePrompts.run(JSON.stringify(given.prompts), sessionId, owner.schoolId, owner.userId);
    if (frozen.changes === 0) return;
    for (const { hash, text } of given.texts) keepPromptText.run(hash, text);
  }

  return (turn) => {
    const { id, sessionId, kind, clientMessageId, now } = turn;
    const { schoolId, userId } = turn.owner;
    const session = sessionVersion.get(sessionId, schoolId, userId);
    if (!session) throw new AppError('NOT_FOUND', 'store: beginTurn found no such session');
    const earlier = earlierTurn(turn);
    // Before `busy`: the live turn may be the one that this very request made.
    if (earlier && !mayBeTriedAgain(earlier)) return { kind: 'same', turn: earlier };
    const busy = live.get(sessionId, schoolId, userId);
    if (busy) return { kind: 'busy', turnId: busy.id };
    if (session.version !== turn.expectedVersion) return { kind: 'conflict' };
    const verdict = rates.count(turn.rates);
    if (verdict.kind === 'limited') return { kind: 'rate_limited', retryAfterSeconds: verdict.retryAfterSeconds };
    freeze(turn);
    const exchangeId = keepExchange(turn, earlier && earlier.exchangeId);
    if (kind === 'conversation') touch(turn.owner, sessionId, now);
    insertTurn.run({ id, schoolId, userId, sessionId, kind, clientMessageId, exchangeId, now });
    for (const alert of turn.alerts)
      insertAlert.run(alert.id, id, alert.kind, alert.severity, now, sessionId, schoolId, userId);
    return { kind: 'begun', exchangeId };
  };
}

function mayBeTriedAgain(turn: TurnRecord): boolean {
  return turn.status === 'interrupted' || (turn.status === 'error' && turn.settled?.retryable === true);
}
