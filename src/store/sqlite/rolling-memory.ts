import type { Database } from 'better-sqlite3';
import type {
  ArchivedMemory,
  MemoryScope,
  MemoryTurn,
  RollIn,
  RollingMemory,
} from '../../engine/ports/companion-store.ts';
import type { Owner } from '../../engine/ports/store.ts';
import { keptText } from '../kept-text.ts';
import type { Operations } from './operations.ts';
import { searchIndexer } from './search-indexer.ts';

type RollingOperations =
  | 'rollingMemory'
  | 'rollingMemories'
  | 'rollIn'
  | 'keepSummary'
  | 'markRolling'
  | 'clearMemory'
  | 'archives';

type MemoryRow = Omit<RollingMemory, 'turns' | 'learnerId'> & { learnerId: string; archives: number };
type ScopeValues = { schoolId: string; userId: string; cartridgeId: string; learnerId: string };

const columns = `id, cartridge_id AS cartridgeId, learner_id AS learnerId, summary, turn_count AS turnCount, summarised,
  archives, version, failure, created_at AS createdAt, updated_at AS updatedAt`;
const inScope =
  'school_id = @schoolId AND owner_id = @userId AND cartridge_id = @cartridgeId AND learner_id = @learnerId';

export function rollingOperations(db: Database): Pick<Operations, RollingOperations> {
  const index = searchIndexer(db);
  const one = db.prepare<ScopeValues, MemoryRow>(`SELECT ${columns} FROM rolling_memories WHERE ${inScope}`);
  const all = db.prepare<[string, string, string], MemoryRow>(
    `SELECT ${columns} FROM rolling_memories WHERE school_id = ? AND owner_id = ? AND cartridge_id = ?
     ORDER BY learner_id`,
  );
  const turnsOf = db.prepare<[string], MemoryTurn>(
    `SELECT id, role, content, said_at AS saidAt, session_id AS sessionId FROM memory_turns
     WHERE memory_id = ? AND archive_id IS NULL ORDER BY ordinal`,
  );
  const create = db.prepare<ScopeValues & { id: string; now: number }>(
    `INSERT INTO rolling_memories (id, school_id, owner_id, cartridge_id, learner_id, summary, turn_count, summarised,
       archives, version, created_at, updated_at)
     VALUES (@id, @schoolId, @userId, @cartridgeId, @learnerId, '', 0, 0, 0, 0, @now, @now)`,
  );
  const insertTurn = db.prepare<MemoryTurn & { memoryId: string; schoolId: string; userId: string }>(
    `INSERT INTO memory_turns (id, school_id, owner_id, memory_id, session_id, role, content, said_at)
     VALUES (@id, @schoolId, @userId, @memoryId, @sessionId, @role, @content, @saidAt) ON CONFLICT DO NOTHING`,
  );
  const isKnown = db.prepare<[string, string, string], { found: number }>(
    'SELECT 1 AS found FROM memory_turns WHERE school_id = ? AND owner_id = ? AND id = ?',
  );
  const count = db.prepare<{ id: string; turnCount: number; summarised: number; archives: number; now: number }>(
    `UPDATE rolling_memories SET turn_count = @turnCount, summarised = @summarised, archives = @archives,
       version = version + 1, updated_at = @now WHERE id = @id`,
  );
  const keep = db.prepare<ScopeValues & { expectedVersion: number; summary: string; summarised: number; now: number }>(
    `UPDATE rolling_memories SET summary = @summary, summarised = @summarised, version = version + 1, failure = NULL,
       updated_at = @now WHERE ${inScope} AND version = @expectedVersion`,
  );
  const mark = db.prepare<ScopeValues & { failure: string | null }>(
    `UPDATE rolling_memories SET failure = @failure WHERE ${inScope}`,
  );
  const insertArchive = db.prepare<
    ScopeValues & Pick<ArchivedMemory, 'id' | 'summary' | 'turnCount' | 'reason' | 'archivedAt'>
  >(
    `INSERT INTO memory_archives (id, school_id, owner_id, cartridge_id, learner_id, summary, turn_count, reason, archived_at)
     VALUES (@id, @schoolId, @userId, @cartridgeId, @learnerId, @summary, @turnCount, @reason, @archivedAt)`,
  );
  const moveTurns = db.prepare<[string, string]>(
    'UPDATE memory_turns SET archive_id = ? WHERE memory_id = ? AND archive_id IS NULL',
  );
  const factsOf = db.prepare<ScopeValues, { id: string }>(
    `SELECT id FROM facts WHERE ${inScope} AND cleared_at IS NULL`,
  );
  const clearFacts = db.prepare<ScopeValues & { now: number }>(
    `UPDATE facts SET cleared_at = @now WHERE ${inScope} AND cleared_at IS NULL`,
  );
  const drop = db.prepare<[string]>('DELETE FROM rolling_memories WHERE id = ?');
  const archived = db.prepare<ScopeValues & { limit: number }, ArchivedMemory>(
    `SELECT id, summary, turn_count AS turnCount, reason, archived_at AS archivedAt FROM memory_archives
     WHERE ${inScope} ORDER BY ordinal DESC LIMIT @limit`,
  );

  const read = (row: MemoryRow): RollingMemory => ({
    id: row.id,
    cartridgeId: row.cartridgeId,
    learnerId: row.learnerId === '' ? null : row.learnerId,
    summary: row.summary,
    turnCount: row.turnCount,
    version: row.version,
    failure: row.failure,
    turns: turnsOf.all(row.id),
    summarised: row.summarised,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  });

  /** Copies what there is into the archive: summary and turns, which from then on are found in the archive only. */
  function archive(scope: ScopeValues, memory: MemoryRow, made: Pick<ArchivedMemory, 'id' | 'reason' | 'archivedAt'>) {
    const { summary, turnCount } = memory;
    const owner = { schoolId: scope.schoolId, userId: scope.userId };
    const ids = turnsOf.all(memory.id).map(({ id }) => turnDocument(id));
    insertArchive.run({ ...scope, ...made, summary, turnCount });
    moveTurns.run(made.id, memory.id);
    index.archive(owner, [summaryDocument(memory), ...ids]);
  }

  return {
    rollingMemory(owner, scope) {
      const row = one.get(valuesOf(owner, scope));
      return row ? read(row) : null;
    },
    rollingMemories: ({ schoolId, userId }, cartridgeId) => all.all(schoolId, userId, cartridgeId).map(read),
    rollIn(owner, scope, { newId, turns, archiveAfter, archiveId, now }: RollIn) {
      const values = valuesOf(owner, scope);
      const ids = new Set<string>();
      const fresh = turns.filter(({ id }) => {
        const isFirst = !ids.has(id);
        ids.add(id);
        return isFirst && !isKnown.get(owner.schoolId, owner.userId, id);
      });
      let memory = one.get(values);
      // Turns that were archived as their memory was cleared do not bring it back.
      if (fresh.length === 0) return memory ? read(memory) : nothingYet(newId, scope, now);
      if (!memory) {
        create.run({ ...values, id: newId, now });
        memory = one.get(values);
      }
      if (!memory) throw new Error('a row that was just made is not there');
      const isFull = memory.turnCount > 0 && memory.turnCount + fresh.length > archiveAfter;
      if (isFull) archive(values, memory, { id: archiveId, reason: 'long', archivedAt: now });
      for (const { words, stems, ...turn } of fresh) {
        const content = keptText(turn.content);
        insertTurn.run({ ...turn, content, memoryId: memory.id, schoolId: owner.schoolId, userId: owner.userId });
        index.put({
          id: turnDocument(turn.id),
          schoolId: owner.schoolId,
          ownerId: owner.userId,
          ...scope,
          kind: 'turn',
          isArchived: false,
          at: turn.saidAt,
          text: content,
          words,
          stems,
        });
      }
      count.run({
        id: memory.id,
        turnCount: (isFull ? 0 : memory.turnCount) + fresh.length,
        summarised: isFull ? 0 : memory.summarised,
        archives: memory.archives + (isFull ? 1 : 0),
        now,
      });
      return read(one.get(values) ?? memory);
    },
    keepSummary(owner, scope, { expectedVersion, summary, summarised, indexed, now }) {
      const values = valuesOf(owner, scope);
      const text = keptText(summary);
      if (keep.run({ ...values, expectedVersion, summary: text, summarised, now }).changes === 0) return 'conflict';
      const memory = one.get(values);
      if (!memory) return 'kept';
      const { schoolId, userId } = owner;
      const document = { id: summaryDocument(memory), schoolId, ownerId: userId, ...scope, kind: 'summary' as const };
      if (text === '') index.remove(owner, [document.id]);
      else index.put({ ...document, isArchived: false, at: now, text, ...indexed });
      return 'kept';
    },
    markRolling: (owner, scope, failure) => void mark.run({ ...valuesOf(owner, scope), failure }),
    clearMemory(owner, scope, now) {
      const values = valuesOf(owner, scope);
      const memory = one.get(values);
      const facts = factsOf.all(values);
      if (!memory && facts.length === 0) return false;
      if (memory) {
        // One archive an epoch: its id follows from what is archived.
        archive(values, memory, { id: `${memory.id}:${memory.archives}`, reason: 'cleared', archivedAt: now });
        drop.run(memory.id);
      }
      index.archive(
        owner,
        facts.map(({ id }) => `fact:${id}`),
      );
      clearFacts.run({ ...values, now });
      return true;
    },
    archives: (owner, scope, limit) => archived.all({ ...valuesOf(owner, scope), limit }),
  };
}

function valuesOf({ schoolId, userId }: Owner, { cartridgeId, learnerId }: MemoryScope): ScopeValues {
  return { schoolId, userId, cartridgeId, learnerId: learnerId ?? '' };
}

function nothingYet(id: string, { cartridgeId, learnerId }: MemoryScope, now: number): RollingMemory {
  const empty = { summary: '', turnCount: 0, version: 0, failure: null, turns: [], summarised: 0 };
  return { id, cartridgeId, learnerId, ...empty, createdAt: now, updatedAt: now };
}

function turnDocument(id: string): string {
  return `turn:${id}`;
}

/** A summary that was archived stays where it is; the next one is another document. */
function summaryDocument({ id, archives }: Pick<MemoryRow, 'id' | 'archives'>): string {
  return `summary:${id}:${archives}`;
}
