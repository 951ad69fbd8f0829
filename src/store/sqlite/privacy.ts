import type { Database } from 'better-sqlite3';
import { personHash } from '../../core/person-hash.ts';
import type { Owner } from '../../engine/ports/store.ts';
import { codeOf } from './error-code.ts';
import { itemIndex } from './item-index.ts';
import { lessonTextOperations } from './lesson-texts.ts';
import type { Operations } from './operations.ts';
import { personExporter } from './person-export.ts';
import { heldSessions, personTables } from './person-tables.ts';
import { searchIndexer } from './search-indexer.ts';

type PrivacyOperations =
  | 'exportPerson'
  | 'beginErasure'
  | 'erasePerson'
  | 'openErasures'
  | 'erasedAt'
  | 'compact'
  | 'expireLessonTexts';

/** Removes at most `limit` rows and says how many of which table. */
type Stage = (owner: Owner, limit: number) => Readonly<Record<string, number>>;

export function privacyOperations(db: Database): Pick<Operations, PrivacyOperations> {
  const mark = db.prepare<[string, number]>(
    `INSERT INTO erased_people (hash, erased_at) VALUES (?, ?)
     ON CONFLICT (hash) DO UPDATE SET erased_at = max(erased_at, excluded.erased_at)`,
  );
  const begin = db.prepare<[string, string, number]>(
    'INSERT INTO open_erasures (school_id, user_id, begun_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const marked = db.prepare<[string], number>('SELECT erased_at FROM erased_people WHERE hash = ?').pluck();
  const open = db.prepare<[number, number], Owner>(
    `SELECT school_id AS schoolId, user_id AS userId FROM open_erasures WHERE begun_at <= ? ORDER BY begun_at LIMIT ?`,
  );
  const turns = db.prepare<Owner, string>(`SELECT id FROM turns WHERE session_id IN (${heldSessions})`).pluck();
  const classes = db
    .prepare<Owner, string>(
      'SELECT class_id FROM sessions WHERE school_id = @schoolId AND owner_id = @userId AND class_id IS NOT NULL',
    )
    .pluck();
  const stages = [
    searchStage(db),
    ...personTables.map((table) => tableStage(db, table)),
    itemStage(db),
    sessionStage(db),
  ];
  const leave = leaver(db);

  return {
    exportPerson: personExporter(db),
    beginErasure({ schoolId, userId }, now) {
      const owner = { schoolId, userId };
      mark.run(personHash(owner), now);
      begin.run(schoolId, userId, now);
      return { turnIds: turns.all(owner), classIds: [...new Set(classes.all(owner))] };
    },
    erasePerson({ schoolId, userId }, { limit, heirId }) {
      const owner = { schoolId, userId };
      const removed: Record<string, number> = {};
      let left = limit;
      for (const stage of [...stages, () => leave(owner, heirId)]) {
        if (left <= 0) return { removed, isDone: false };
        for (const [table, count] of Object.entries(stage(owner, left))) {
          if (count > 0) removed[table] = (removed[table] ?? 0) + count;
          left -= count;
        }
      }
      return { removed, isDone: true };
    },
    openErasures: (before, limit) => open.all(before, limit),
    erasedAt: (owner) => marked.get(personHash(owner)) ?? null,
    compact: (how) => {
      try {
        if (how === 'rewrite') db.exec('VACUUM');
      } catch (error) {
        if (codeOf(error).startsWith('SQLITE_BUSY') || codeOf(error).startsWith('SQLITE_LOCKED')) return false;
        throw error;
      }
      // What was overwritten is still in the WAL until the WAL itself has been written back and cut off.
      return db.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0;
    },
    ...lessonTextOperations(db),
  };
}

function tableStage(db: Database, { name, key, held }: (typeof personTables)[number]): Stage {
  const remove = db.prepare<Owner & { limit: number }>(
    `DELETE FROM ${name} WHERE (${key}) IN (SELECT ${key} FROM ${name} WHERE ${held} LIMIT @limit)`,
  );
  return (owner, limit) => ({ [name]: remove.run({ ...owner, limit }).changes });
}

function searchStage(db: Database): Stage {
  const index = searchIndexer(db);
  return (owner, limit) => {
    const own = index.removeOwner(owner, limit);
    const about = own < limit ? index.removeLearner(owner.schoolId, owner.userId, limit - own) : 0;
    return { search_documents: own + about };
  };
}

function itemStage(db: Database): Stage {
  const index = itemIndex(db);
  const some = db.prepare<Owner & { limit: number }, { ordinal: number; projectId: string; stems: string }>(
    `SELECT ordinal, project_id AS projectId, stems FROM memory_items
     WHERE school_id = @schoolId AND owner_id = @userId LIMIT @limit`,
  );
  const remove = db.prepare<[number]>('DELETE FROM memory_items WHERE ordinal = ?');
  return (owner, limit) => {
    const rows = some.all({ ...owner, limit });
    for (const { ordinal, projectId, stems } of rows) {
      index.remove({ owner, projectId }, ordinal, stems);
      remove.run(ordinal);
    }
    return { memory_items: rows.length };
  };
}

/** Sessions go last, when nothing points at them any more. */
function sessionStage(db: Database): Stage {
  const some = db.prepare<Owner & { limit: number }, string>(`${heldSessions} LIMIT @limit`).pluck();
  const removeConversation = db.prepare<[string]>('DELETE FROM conversations WHERE session_id = ?');
  const removeSession = db.prepare<[string]>('DELETE FROM sessions WHERE id = ?');
  return (owner, limit) => {
    const removed = { conversations: 0, sessions: 0 };
    for (const id of some.all({ ...owner, limit })) {
      removed.conversations += removeConversation.run(id).changes;
      removed.sessions += removeSession.run(id).changes;
    }
    return removed;
  };
}

/** The end of an erasure: the person themselves, and their name in what stays with the school. */
function leaver(db: Database): (owner: Owner, heirId: string) => Readonly<Record<string, number>> {
  const makeHeir = db.prepare<Owner & { heirId: string }>(
    `INSERT INTO users (school_id, id, role, display_name, created_at)
     SELECT school_id, @heirId, role, NULL, created_at FROM users u WHERE school_id = @schoolId AND id = @userId
       AND EXISTS (SELECT 1 FROM classes c WHERE c.school_id = u.school_id AND c.teacher_id = u.id)`,
  );
  const handOver = db.prepare<Owner & { heirId: string }>(
    'UPDATE classes SET teacher_id = @heirId WHERE school_id = @schoolId AND teacher_id = @userId',
  );
  const unsign = db.prepare<Owner>(
    `UPDATE profiles SET updated_by = '' WHERE school_id = @schoolId AND updated_by = @userId`,
  );
  const remove = db.prepare<Owner>('DELETE FROM users WHERE school_id = @schoolId AND id = @userId');
  const close = db.prepare<Owner>('DELETE FROM open_erasures WHERE school_id = @schoolId AND user_id = @userId');
  return (owner, heirId) => {
    makeHeir.run({ ...owner, heirId });
    handOver.run({ ...owner, heirId });
    unsign.run(owner);
    const { changes } = remove.run(owner);
    close.run(owner);
    return { users: changes };
  };
}
