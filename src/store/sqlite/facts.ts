import type { Database } from 'better-sqlite3';
import type { FactRecord, LearnerRecord, MemoryScope, SessionPart } from '../../engine/ports/companion-store.ts';
import type { Owner } from '../../engine/ports/store.ts';
import { keptText } from '../kept-text.ts';
import type { Operations } from './operations.ts';
import { searchIndexer } from './search-indexer.ts';

type FactValues = { schoolId: string; userId: string; cartridgeId: string; learnerId: string };
type NewRow = FactValues & Omit<FactRecord, 'supersededAt' | 'supersededBy'>;

/** Facts, and the other parts of what is remembered of one conversation. */
export function factOperations(
  db: Database,
): Pick<Operations, 'facts' | 'keepFacts' | 'keepPart' | 'partsOf' | 'learners' | 'keepLearner'> {
  const index = searchIndexer(db);
  const inScope =
    'school_id = @schoolId AND owner_id = @userId AND cartridge_id = @cartridgeId AND learner_id = @learnerId';
  const select = db.prepare<FactValues & { all: number }, FactRecord>(
    `SELECT id, kind, text, session_id AS sessionId, exchange_id AS exchangeId, learned_at AS learnedAt,
       superseded_at AS supersededAt, superseded_by AS supersededBy
     FROM facts WHERE ${inScope} AND cleared_at IS NULL AND (@all = 1 OR superseded_at IS NULL) ORDER BY ordinal`,
  );
  const insert = db.prepare<NewRow>(
    `INSERT INTO facts (id, school_id, owner_id, cartridge_id, learner_id, kind, text, session_id, exchange_id, learned_at)
     VALUES (@id, @schoolId, @userId, @cartridgeId, @learnerId, @kind, @text, @sessionId, @exchangeId, @learnedAt)
     ON CONFLICT (school_id, owner_id, id) DO NOTHING`,
  );
  const supersede = db.prepare<FactValues & { id: string; by: string; at: number }>(
    `UPDATE facts SET superseded_at = @at, superseded_by = @by
     WHERE id = @id AND id <> @by AND superseded_at IS NULL AND ${inScope}`,
  );
  const keep = db.prepare<Omit<SessionPart, 'indexed'> & { schoolId: string; userId: string }>(
    `INSERT INTO session_parts (session_id, part, school_id, owner_id, status, content, made_at)
     SELECT session_id, @part, school_id, owner_id, @status, @content, @madeAt FROM conversations
     WHERE session_id = @sessionId AND school_id = @schoolId AND owner_id = @userId
     ON CONFLICT (session_id, part) DO UPDATE SET status = excluded.status, content = excluded.content,
       made_at = excluded.made_at`,
  );
  const scopeOf = db.prepare<[string, string, string], { cartridgeId: string; learnerId: string | null }>(
    `SELECT cartridge_id AS cartridgeId, NULLIF(learner_id, '') AS learnerId FROM conversations
     WHERE session_id = ? AND school_id = ? AND owner_id = ?`,
  );
  const parts = db.prepare<[string, string, string], SessionPart>(
    `SELECT session_id AS sessionId, part, status, content, made_at AS madeAt FROM session_parts
     WHERE session_id = ? AND school_id = ? AND owner_id = ? ORDER BY part`,
  );

  const learners = db.prepare<[string, string], LearnerRecord>(
    'SELECT id, name, created_at AS createdAt FROM learners WHERE school_id = ? AND owner_id = ?',
  );
  const keepLearner = db.prepare<LearnerRecord & { schoolId: string; userId: string }>(
    `INSERT INTO learners (school_id, owner_id, id, name, created_at) VALUES (@schoolId, @userId, @id, @name, @createdAt)
     ON CONFLICT (school_id, owner_id, id) DO UPDATE SET name = excluded.name`,
  );

  return {
    learners: ({ schoolId, userId }) =>
      learners.all(schoolId, userId).toSorted((one, other) => one.name.localeCompare(other.name)),
    keepLearner: ({ schoolId, userId }, { id, name, createdAt }) =>
      void keepLearner.run({ id, name: keptText(name), createdAt, schoolId, userId }),
    facts: (owner, scope, all) => select.all({ ...valuesOf(owner, scope), all: all ? 1 : 0 }),
    keepFacts(owner, scope, facts) {
      const values = valuesOf(owner, scope);
      for (const { words, stems, supersedes, ...fact } of facts) {
        const text = keptText(fact.text);
        if (insert.run({ ...values, ...fact, kind: keptText(fact.kind), text }).changes === 0) continue;
        index.put({
          id: `fact:${fact.id}`,
          schoolId: owner.schoolId,
          ownerId: owner.userId,
          ...scope,
          kind: 'fact',
          isArchived: false,
          at: fact.learnedAt,
          text,
          words,
          stems,
        });
        if (supersedes === null) continue;
        if (supersede.run({ ...values, id: supersedes, by: fact.id, at: fact.learnedAt }).changes > 0)
          index.archive(owner, [`fact:${supersedes}`]);
      }
    },
    keepPart({ schoolId, userId }, { indexed, ...part }) {
      const kept = keep.run({ ...part, content: keptText(part.content), schoolId, userId });
      const scope = scopeOf.get(part.sessionId, schoolId, userId);
      if (kept.changes === 0 || !scope) return;
      const id = `${part.part}:${part.sessionId}`;
      if (!indexed) return void index.remove({ schoolId, userId }, [id]);
      const document = { id, schoolId, ownerId: userId, ...scope };
      index.put({ ...document, kind: 'summary', isArchived: false, at: part.madeAt, ...indexed });
    },
    partsOf: ({ schoolId, userId }, sessionId) => parts.all(sessionId, schoolId, userId),
  };
}

function valuesOf({ schoolId, userId }: Owner, { cartridgeId, learnerId }: MemoryScope): FactValues {
  return { schoolId, userId, cartridgeId, learnerId: learnerId ?? '' };
}
