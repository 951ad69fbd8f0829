import type { Database } from 'better-sqlite3';
import type { AlertRecord, ClassSession, Owner } from '../../engine/ports/store.ts';
import type { Operations } from './operations.ts';

type ClassSessionRow = Omit<ClassSession, 'frozen'> & { frozen: number };
type BoardOperations = 'classSessions' | 'classAlerts' | 'freezeSessions' | 'isFrozen' | 'sessionOwner';

const atMost = 500;

/** What a teacher sees of their class, and what they do to it. Every query goes through the class that is theirs. */
export function classBoardOperations(db: Database): Pick<Operations, BoardOperations> {
  const ofTeacher = db.prepare<[string, string, string], { id: string }>(
    'SELECT id FROM classes WHERE id = ? AND school_id = ? AND teacher_id = ?',
  );
  const columns = `sessions.id AS sessionId, owner_id AS ownerId, users.display_name AS ownerName,
       cartridge_id AS cartridgeId, status, frozen, phase, outcome,
       (SELECT count(*) FROM exchanges WHERE session_id = sessions.id AND role IN ('student', 'user')) AS messages,
       (SELECT count(*) FROM exchanges WHERE session_id = sessions.id AND redacted = 1) AS redactions,
       updated_at AS updatedAt`;
  const sessions = db.prepare<[string, string, number], ClassSessionRow>(
    `SELECT ${columns}
     FROM sessions JOIN users ON users.school_id = sessions.school_id AND users.id = owner_id
     WHERE sessions.school_id = ? AND class_id = ? AND updated_at >= ?
     ORDER BY updated_at DESC, ordinal DESC LIMIT ${atMost}`,
  );
  const oneSession = db.prepare<[string, string, string], ClassSessionRow>(
    `SELECT ${columns}
     FROM sessions JOIN users ON users.school_id = sessions.school_id AND users.id = owner_id
     WHERE sessions.school_id = ? AND class_id = ? AND sessions.id = ?`,
  );
  const alerts = db.prepare<[string, string, number], AlertRecord>(
    `SELECT id, class_id AS classId, session_id AS sessionId, owner_id AS ownerId, turn_id AS turnId, kind, severity,
       created_at AS createdAt
     FROM alerts WHERE school_id = ? AND class_id = ? AND created_at >= ? ORDER BY created_at, ordinal LIMIT ${atMost}`,
  );
  const freeze = db.prepare<[number, string, string, string | null, string | null, number], { id: string }>(
    `UPDATE sessions SET frozen = ? WHERE school_id = ? AND class_id = ? AND (? IS NULL OR id = ?)
       AND status = 'active' AND frozen <> ? RETURNING id`,
  );
  const frozenNow = db.prepare<[string, string, string]>(
    'SELECT 1 FROM sessions WHERE id = ? AND school_id = ? AND owner_id = ? AND frozen = 1',
  );
  const isTheirs = ({ schoolId, userId }: Owner, classId: string) =>
    ofTeacher.get(classId, schoolId, userId) !== undefined;

  return {
    classSessions(owner, classId, since) {
      return isTheirs(owner, classId) ? sessions.all(owner.schoolId, classId, since).map(readSession) : null;
    },
    classAlerts(owner, classId, since) {
      return isTheirs(owner, classId) ? alerts.all(owner.schoolId, classId, since) : null;
    },
    freezeSessions(owner, { classId, sessionId, frozen }) {
      if (!isTheirs(owner, classId)) return null;
      const wanted = frozen ? 1 : 0;
      const changed = freeze.all(wanted, owner.schoolId, classId, sessionId, sessionId, wanted);
      return changed.flatMap(({ id }) => {
        const row = oneSession.get(owner.schoolId, classId, id);
        return row ? [readSession(row)] : [];
      });
    },
    isFrozen: ({ schoolId, userId }, sessionId) => frozenNow.get(sessionId, schoolId, userId) !== undefined,
    sessionOwner(owner, classId, sessionId) {
      const row = isTheirs(owner, classId) ? oneSession.get(owner.schoolId, classId, sessionId) : undefined;
      return row ? { schoolId: owner.schoolId, userId: row.ownerId } : null;
    },
  };
}

function readSession(row: ClassSessionRow): ClassSession {
  return { ...row, frozen: row.frozen === 1 };
}
