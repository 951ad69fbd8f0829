import type { Database } from 'better-sqlite3';
import type { ItemSearch, MemoryItemPage, MemoryItemRecord } from '../../engine/ports/prepared-store.ts';
import type { Owner } from '../../engine/ports/store.ts';
import { keptText } from '../kept-text.ts';
import { itemIndex } from './item-index.ts';
import type { Operations } from './operations.ts';

type ItemOperations = 'putItem' | 'items' | 'deleteItems' | 'itemCandidates' | 'expireItems';

type KeptItem = MemoryItemRecord & { ordinal: number };
type Place = { schoolId: string; userId: string; projectId: string };
type StaleItem = { ordinal: number; schoolId: string; userId: string; projectId: string; stems: string };

const columns = `id, project_id AS projectId, type, key, value, text, created_at AS createdAt, expires_at AS expiresAt`;
const inProject = 'school_id = @schoolId AND owner_id = @userId AND project_id = @projectId';
const staleColumns = 'ordinal, school_id AS schoolId, owner_id AS userId, project_id AS projectId, stems';

/** A project's typed memory (seed 004): items that expire, found by the words they hold. */
export function itemOperations(db: Database): Pick<Operations, ItemOperations> {
  const index = itemIndex(db);
  const putItem = itemPutter(db);
  const eraseWorkflow = db.prepare<Place>(`DELETE FROM workflows WHERE ${inProject}`);
  const paged = `${inProject} AND (@type IS NULL OR type = @type) AND expires_at > @now`;
  const page = db.prepare<
    Place & { type: string | null; now: number; limit: number; offset: number },
    MemoryItemRecord
  >(
    `SELECT ${columns} FROM memory_items INDEXED BY memory_items_by_time WHERE ${paged}
     ORDER BY created_at DESC, ordinal DESC LIMIT @limit OFFSET @offset`,
  );
  const count = db.prepare<Place & { type: string | null; now: number }, { total: number }>(
    `SELECT count(*) AS total FROM memory_items WHERE ${paged}`,
  );
  const countAll = db.prepare<Place, { total: number }>(
    `SELECT count(*) AS total FROM memory_items WHERE ${inProject}`,
  );
  // By their ordinals: an index of all that the project has would be gone through from end to end.
  const byOrdinals = db.prepare<Place & { ordinals: string; now: number }, KeptItem>(
    `SELECT ordinal, ${columns} FROM memory_items NOT INDEXED
     WHERE ordinal IN (SELECT value FROM json_each(@ordinals)) AND ${inProject} AND expires_at > @now`,
  );
  const chosenBy = (which: string) =>
    db.prepare<Place & { type: string | null; key: string | null }, StaleItem>(
      `SELECT ${staleColumns} FROM memory_items WHERE ${inProject} AND ${which}`,
    );
  const byType = chosenBy('type = @type');
  const byKey = chosenBy('key = @key');
  const byBoth = chosenBy('type = @type AND key = @key');
  const eraseProject = db.prepare<Place>(`DELETE FROM memory_items WHERE ${inProject}`);
  const expired = db.prepare<[number, number], StaleItem>(
    `SELECT ${staleColumns} FROM memory_items WHERE expires_at <= ? ORDER BY expires_at LIMIT ?`,
  );
  const erase = db.prepare<[number, string, string]>(
    'DELETE FROM memory_items WHERE ordinal = ? AND school_id = ? AND owner_id = ?',
  );
  const expireWorkflows = db.prepare<[number, number]>(
    `DELETE FROM workflows WHERE (school_id, owner_id, project_id) IN
       (SELECT school_id, owner_id, project_id FROM workflows WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
  );

  function remove({ ordinal, schoolId, userId, projectId, stems }: StaleItem): void {
    index.remove({ owner: { schoolId, userId }, projectId }, ordinal, stems);
    erase.run(ordinal, schoolId, userId);
  }

  /** The live items of the ordinals, in the ordinals' order. */
  function rowsOf(place: Place, ordinals: readonly number[], now: number): MemoryItemRecord[] {
    const rows = byOrdinals.all({ ...place, ordinals: JSON.stringify(ordinals), now });
    const byOrdinal = new Map(rows.map(({ ordinal, ...item }) => [ordinal, item]));
    return ordinals.flatMap((ordinal) => byOrdinal.get(ordinal) ?? []);
  }

  return {
    putItem,
    items(owner, { projectId, type, now, offset, limit }: MemoryItemPage) {
      const values = { ...placeOf(owner, projectId), type: type ?? null, now };
      return { items: page.all({ ...values, limit, offset }), total: count.get(values)?.total ?? 0 };
    },
    deleteItems(owner, { projectId, type, key }) {
      const place = placeOf(owner, projectId);
      if (type === undefined && key === undefined) {
        index.removeProject({ owner, projectId });
        eraseWorkflow.run(place);
        return eraseProject.run(place).changes;
      }
      const chosen = type === undefined ? byKey : key === undefined ? byType : byBoth;
      const rows = chosen.all({ ...place, type: type ?? null, key: key ?? null });
      for (const row of rows) remove(row);
      return rows.length;
    },
    itemCandidates(owner, { projectId, stems, now, limit }: ItemSearch) {
      const place = placeOf(owner, projectId);
      const items = countAll.get(place)?.total ?? 0;
      const ranked = items === 0 ? [] : index.ranked({ owner, projectId }, { stems, items });
      const found: MemoryItemRecord[] = [];
      for (let start = 0; start < ranked.length && found.length < limit; start += limit)
        found.push(...rowsOf(place, ranked.slice(start, start + limit), now));
      found.length = Math.min(found.length, limit);
      if (found.length === limit) return found;
      const ids = new Set(found.map(({ id }) => id));
      const latest = page.all({ ...place, type: null, now, limit, offset: 0 }).filter(({ id }) => !ids.has(id));
      return [...found, ...latest.slice(0, limit - found.length)];
    },
    expireItems(now, limit) {
      const rows = expired.all(now, limit);
      for (const row of rows) remove(row);
      const left = limit - rows.length;
      return rows.length + (left > 0 ? expireWorkflows.run(now, left).changes : 0);
    },
  };
}

/** Puts an item in, in place of one of the same project, type and key. */
export function itemPutter(db: Database): Operations['putItem'] {
  const index = itemIndex(db);
  const earlier = db.prepare<Place & { type: string; key: string }, { ordinal: number; stems: string }>(
    `SELECT ordinal, stems FROM memory_items WHERE ${inProject} AND type = @type AND key = @key`,
  );
  const erase = db.prepare<[number]>('DELETE FROM memory_items WHERE ordinal = ?');
  const insert = db.prepare<MemoryItemRecord & { schoolId: string; userId: string; stems: string }>(
    `INSERT INTO memory_items (id, school_id, owner_id, project_id, type, key, value, text, stems, created_at, expires_at)
     VALUES (@id, @schoolId, @userId, @projectId, @type, @key, @value, @text, @stems, @createdAt, @expiresAt)`,
  );
  return (owner, item) => {
    const { id, projectId, type, key, createdAt, expiresAt } = item;
    const stems = keptText(item.stems);
    const [value, text] = [keptText(item.value), keptText(item.text)];
    const record = { id, projectId, type, key, value, text, createdAt, expiresAt };
    const before = earlier.get({ ...placeOf(owner, projectId), type, key });
    if (before) {
      index.remove({ owner, projectId }, before.ordinal, before.stems);
      erase.run(before.ordinal);
    }
    const { schoolId, userId } = owner;
    const { lastInsertRowid } = insert.run({ ...record, schoolId, userId, stems });
    index.put({ owner, projectId }, lastInsertRowid, stems);
    return record;
  };
}

function placeOf({ schoolId, userId }: Owner, projectId: string): Place {
  return { schoolId, userId, projectId };
}
