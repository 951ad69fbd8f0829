import type { Database } from 'better-sqlite3';
import type { ExchangeRecord, FrozenPrompt, Owner, SessionChange, SessionRecord } from '../../engine/ports/store.ts';
import type { Operations } from './operations.ts';
import { peopleKeeper } from './people.ts';

type SessionRow = Omit<SessionRecord, 'frozen' | 'prompts'> & { frozen: number; prompts: string | null };
type ExchangeRow = Omit<ExchangeRecord, 'redacted'> & { redacted: number };
type ChangeRow = Omit<SessionChange, 'cartridgeHash'> & { cartridgeHash: string | null } & Owner;

type SessionOperations = 'createSession' | 'loadSession' | 'saveSession' | 'recentOutcomes';

export function sessionOperations(db: Database): Pick<Operations, SessionOperations> {
  const keepPerson = peopleKeeper(db);
  const change = sessionChanger(db);
  const insert = db.prepare<SessionRow>(
    `INSERT INTO sessions (id, school_id, owner_id, owner_role, class_id, kind, cartridge_id, cartridge_hash, language,
       status, frozen, phase, outcome, state, prompts, version, created_at, updated_at, ended_at)
     VALUES (@id, @schoolId, @ownerId, @ownerRole, @classId, @kind, @cartridgeId, @cartridgeHash, @language,
       @status, @frozen, @phase, @outcome, @state, @prompts, @version, @createdAt, @updatedAt, @endedAt)`,
  );
  const session = db.prepare<[string, string, string], SessionRow & { ownerName: string | null }>(
    `SELECT sessions.id, sessions.school_id AS schoolId, owner_id AS ownerId, owner_role AS ownerRole, class_id AS classId, kind,
       cartridge_id AS cartridgeId, cartridge_hash AS cartridgeHash, language, status, frozen, phase, outcome, state,
       prompts, version, sessions.created_at AS createdAt, updated_at AS updatedAt, ended_at AS endedAt,
       users.display_name AS ownerName
     FROM sessions JOIN users ON users.school_id = sessions.school_id AND users.id = owner_id
     WHERE sessions.id = ? AND sessions.school_id = ? AND owner_id = ?`,
  );
  const exchanges = db.prepare<[string, string, string], ExchangeRow>(
    `SELECT id, role, content, phase, turn_id AS turnId, redacted, created_at AS createdAt
     FROM exchanges WHERE session_id = ? AND school_id = ? AND owner_id = ? ORDER BY ordinal`,
  );
  const live = db.prepare<[string, string, string], { id: string }>(
    `SELECT id FROM turns WHERE session_id = ? AND status = 'streaming' AND school_id = ? AND owner_id = ?`,
  );
  const outcomes = db.prepare<[string, string, string, number], { outcome: string }>(
    `SELECT outcome FROM sessions
     WHERE school_id = ? AND owner_id = ? AND id <> ?
       AND kind = 'lesson' AND status = 'completed' AND outcome IS NOT NULL
     ORDER BY ended_at DESC, ordinal DESC LIMIT ?`,
  );

  return {
    createSession(record) {
      const { schoolId, ownerId, ownerRole, createdAt } = record;
      keepPerson({ schoolId, schoolName: '', id: ownerId, role: ownerRole, displayName: null, createdAt });
      const prompts = record.prompts && JSON.stringify(record.prompts);
      insert.run({ ...record, frozen: record.frozen ? 1 : 0, prompts });
    },
    loadSession({ schoolId, userId }, sessionId) {
      const found = session.get(sessionId, schoolId, userId);
      if (!found) return null;
      const { ownerName, ...row } = found;
      return {
        session: readSession(row),
        ownerName,
        exchanges: exchanges.all(sessionId, schoolId, userId).map(readExchange),
        liveTurnId: live.get(sessionId, schoolId, userId)?.id ?? null,
      };
    },
    saveSession: (owner, wanted) => (change(owner, wanted) ? 'saved' : 'conflict'),
    recentOutcomes: ({ schoolId, userId }, exceptSessionId, limit) =>
      outcomes.all(schoolId, userId, exceptSessionId, limit).map((row) => row.outcome),
  };
}

/** Puts a session into its next state and version; false where it is not the owner's at the expected version. */
export type ChangeSession = (owner: Owner, change: SessionChange) => boolean;

/** A session ends when it becomes `completed`, and has not ended while it is `active`. */
export function sessionChanger(db: Database): ChangeSession {
  const update = db.prepare<ChangeRow>(
    `UPDATE sessions SET status = @status, phase = @phase, outcome = @outcome, state = @state,
       cartridge_hash = COALESCE(@cartridgeHash, cartridge_hash), version = version + 1, updated_at = @updatedAt,
       ended_at = CASE @status WHEN 'completed' THEN COALESCE(ended_at, @updatedAt) END
     WHERE id = @sessionId AND school_id = @schoolId AND owner_id = @userId AND version = @expectedVersion`,
  );
  return ({ schoolId, userId }, change) =>
    update.run({ ...change, cartridgeHash: change.cartridgeHash ?? null, schoolId, userId }).changes > 0;
}

function readSession(row: SessionRow): SessionRecord {
  const prompts = row.prompts === null ? null : (JSON.parse(row.prompts) as FrozenPrompt[]);
  return { ...row, frozen: row.frozen === 1, prompts };
}

function readExchange(row: ExchangeRow): ExchangeRecord {
  return { ...row, redacted: row.redacted === 1 };
}
