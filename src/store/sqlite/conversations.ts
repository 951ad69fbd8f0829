import type { Database } from 'better-sqlite3';
import type { ConversationRecord, RecalledSession } from '../../engine/ports/companion-store.ts';
import type { Owner } from '../../engine/ports/store.ts';
import { keptText } from '../kept-text.ts';
import type { Operations } from './operations.ts';
import { jobPutter } from './queue.ts';
import { sessionOperations } from './sessions.ts';

type ConversationOperations =
  | 'createConversation'
  | 'conversation'
  | 'conversations'
  | 'endConversation'
  | 'endIdleConversations'
  | 'alertedTurns'
  | 'recalledSessions'
  | 'isRemembering';

type ConversationRow = Omit<ConversationRecord, 'isActive'> & { isActive: number };
type PageValues = {
  schoolId: string;
  userId: string;
  cartridgeId: string | null;
  isActive: number | null;
  offset: number;
  limit: number;
};
type EndValues = { schoolId: string; userId: string; sessionId: string; now: number };
type IdleRow = { sessionId: string; schoolId: string; userId: string };
type MemoryScopeValues = { schoolId: string; userId: string; cartridgeId: string; learnerId: string };
type RecalledRow = Omit<RecalledSession, 'topics'> & { topics: string | null };

/** How many of the latest ended conversations it is looked for work on; what is older is long made. */
const latestEnded = 3;
const columns = `c.session_id AS id, c.cartridge_id AS cartridgeId, NULLIF(c.learner_id, '') AS learnerId, c.project_id AS projectId,
  c.title, c.entry_context AS entryContext, c.idle_ms AS idleMs, c.ended_at IS NULL AS isActive, c.created_at AS createdAt,
  c.last_message_at AS lastMessageAt, c.ended_at AS endedAt, s.language,
  (SELECT count(*) FROM exchanges e WHERE e.session_id = c.session_id AND e.role = 'user') AS messages`;
const madePart = `session_parts p WHERE p.session_id = c.session_id AND p.status = 'done'`;
const from = 'FROM conversations c JOIN sessions s ON s.id = c.session_id';
const noTurn = `NOT EXISTS
  (SELECT 1 FROM turns t WHERE t.session_id = conversations.session_id AND t.status = 'streaming')`;

export function conversationOperations(db: Database): Pick<Operations, ConversationOperations> {
  const { createSession } = sessionOperations(db);
  const putJob = jobPutter(db);
  const insert = db.prepare(
    `INSERT INTO conversations (session_id, school_id, owner_id, cartridge_id, learner_id, project_id, title, entry_context, idle_ms,
       created_at, touched_at, closes_at)
     VALUES (@id, @schoolId, @ownerId, @cartridgeId, @learnerId, @projectId, @title, @entryContext, @idleMs, @createdAt, @createdAt,
       @createdAt + @idleMs)`,
  );
  const earlier = db.prepare<[string, string, string, string], { sessionId: string }>(
    `SELECT session_id AS sessionId FROM conversations
     WHERE school_id = ? AND owner_id = ? AND cartridge_id = ? AND learner_id = ? AND ended_at IS NULL`,
  );
  const one = db.prepare<[string, string, string], ConversationRow>(
    `SELECT ${columns} ${from} WHERE c.session_id = ? AND c.school_id = ? AND c.owner_id = ?`,
  );
  const wanted = `c.school_id = @schoolId AND c.owner_id = @userId
    AND (@cartridgeId IS NULL OR c.cartridge_id = @cartridgeId)
    AND (@isActive IS NULL OR (c.ended_at IS NULL) = @isActive)`;
  const many = db.prepare<PageValues, ConversationRow>(
    `SELECT ${columns} ${from} WHERE ${wanted} ORDER BY c.touched_at DESC, c.session_id DESC LIMIT @limit OFFSET @offset`,
  );
  const count = db.prepare<PageValues, { total: number }>(
    `SELECT count(*) AS total FROM conversations c WHERE ${wanted} AND @limit >= 0 AND @offset >= 0`,
  );
  const endRow = db.prepare<EndValues>(
    `UPDATE conversations SET ended_at = @now, closes_at = NULL
     WHERE session_id = @sessionId AND school_id = @schoolId AND owner_id = @userId AND ended_at IS NULL AND ${noTurn}`,
  );
  const endSession = db.prepare<EndValues>(
    `UPDATE sessions SET status = 'completed', ended_at = @now, updated_at = @now, version = version + 1
     WHERE id = @sessionId AND school_id = @schoolId AND owner_id = @userId`,
  );
  // Without those that are busy, which would else take the place of others that are over.
  const idle = db.prepare<[number, number], IdleRow>(
    `SELECT session_id AS sessionId, school_id AS schoolId, owner_id AS userId FROM conversations
     WHERE closes_at IS NOT NULL AND closes_at <= ? AND ${noTurn} ORDER BY closes_at LIMIT ?`,
  );
  const recalled = db.prepare<[string, string, string, string, number], RecalledRow>(
    `SELECT c.session_id AS sessionId, c.created_at AS startedAt, c.ended_at AS endedAt,
       COALESCE((SELECT content FROM ${madePart} AND p.part = 'summary'), '') AS summary,
       (SELECT content FROM ${madePart} AND p.part = 'topics') AS topics
     FROM conversations c
     WHERE c.school_id = ? AND c.owner_id = ? AND c.cartridge_id = ? AND c.learner_id = ? AND c.ended_at IS NOT NULL
       AND EXISTS (SELECT 1 FROM ${madePart} AND p.part IN ('summary', 'topics', 'key_facts'))
     ORDER BY c.ended_at DESC, c.session_id DESC LIMIT ?`,
  );

  // `;` is what comes after `:`: the keys of the conversation's own job and of its parts.
  const isOpen = `(j.status = 'running' OR (j.status = 'waiting' AND j.due_at <= @now))`;
  const remembering = db
    .prepare<MemoryScopeValues & { now: number }, number>(
      `SELECT EXISTS (SELECT 1 FROM jobs j
           WHERE j.key >= 'remember:' || session_id AND j.key < 'remember:' || session_id || ';' AND ${isOpen})
         OR EXISTS (SELECT 1 FROM jobs j WHERE j.key = 'rolling:' || session_id AND ${isOpen})
       FROM conversations
       WHERE school_id = @schoolId AND owner_id = @userId AND cartridge_id = @cartridgeId AND learner_id = @learnerId
         AND ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT ${latestEnded}`,
    )
    .pluck();

  const alerted = db.prepare<[string, string, string], { turnId: string }>(
    'SELECT turn_id AS turnId FROM alerts WHERE session_id = ? AND school_id = ? AND owner_id = ?',
  );

  /** True for whoever ends it. */
  function end({ schoolId, userId }: Owner, sessionId: string, now: number): boolean {
    const values = { schoolId, userId, sessionId, now };
    if (endRow.run(values).changes === 0) return false;
    endSession.run(values);
    putJob({
      key: `remember:${sessionId}`,
      kind: 'remember',
      payload: { session_id: sessionId },
      schoolId,
      ownerId: userId,
      runAt: now,
    });
    return true;
  }

  return {
    createConversation({ session, details, endsEarlier }) {
      const { id, schoolId, ownerId, cartridgeId, createdAt } = session;
      const learnerId = details.learnerId ?? '';
      if (endsEarlier)
        for (const { sessionId } of earlier.all(schoolId, ownerId, cartridgeId, learnerId))
          end({ schoolId, userId: ownerId }, sessionId, createdAt);
      createSession(session);
      const { projectId, title, entryContext, idleMs } = details;
      const texts = { title: kept(title), entryContext: kept(entryContext) };
      insert.run({ id, schoolId, ownerId, cartridgeId, learnerId, projectId, ...texts, idleMs, createdAt });
    },
    conversation({ schoolId, userId }, sessionId) {
      const row = one.get(sessionId, schoolId, userId);
      return row ? readConversation(row) : null;
    },
    conversations({ schoolId, userId }, { cartridgeId = null, isActive, offset, limit }) {
      const active = isActive === undefined ? null : Number(isActive);
      const values = { schoolId, userId, cartridgeId, isActive: active, offset, limit };
      return { items: many.all(values).map(readConversation), total: count.get(values)?.total ?? 0 };
    },
    endConversation(owner, sessionId, now) {
      const row = one.get(sessionId, owner.schoolId, owner.userId);
      if (!row) return null;
      if (row.endedAt !== null) return 'over';
      return end(owner, sessionId, now) ? 'ended' : 'busy';
    },
    endIdleConversations: (now, limit) =>
      idle.all(now, limit).flatMap(({ sessionId, schoolId, userId }) => {
        const owner = { schoolId, userId };
        return end(owner, sessionId, now) ? [{ owner, sessionId }] : [];
      }),
    alertedTurns: ({ schoolId, userId }, sessionId) =>
      alerted.all(sessionId, schoolId, userId).map(({ turnId }) => turnId),
    isRemembering: ({ schoolId, userId }, { cartridgeId, learnerId }, now) =>
      remembering.all({ schoolId, userId, cartridgeId, learnerId: learnerId ?? '', now }).includes(1),
    recalledSessions: ({ schoolId, userId }, { cartridgeId, learnerId }, limit) =>
      recalled.all(schoolId, userId, cartridgeId, learnerId ?? '', limit).map(({ topics, ...row }) => ({
        ...row,
        topics: topics === null || topics === '' ? [] : (JSON.parse(topics) as string[]),
      })),
  };
}

/** Puts off the end of a conversation in which something was said; nothing where the session is not an active one. */
export function conversationToucher(db: Database): (owner: Owner, sessionId: string, now: number) => void {
  const touch = db.prepare<[number, number, number, string, string, string]>(
    `UPDATE conversations SET touched_at = ?, last_message_at = ?, closes_at = ? + idle_ms
     WHERE session_id = ? AND school_id = ? AND owner_id = ? AND ended_at IS NULL`,
  );
  return ({ schoolId, userId }, sessionId, now) => void touch.run(now, now, now, sessionId, schoolId, userId);
}

function readConversation(row: ConversationRow): ConversationRecord {
  return { ...row, isActive: row.isActive === 1 };
}

function kept(text: string | null): string | null {
  return text === null ? null : keptText(text);
}
