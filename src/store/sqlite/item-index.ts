import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Owner } from '../../engine/ports/store.ts';

/** A project of someone's, as a search knows it. */
export type Project = { owner: Owner; projectId: string };

/** Finds a project's items by the stems they hold, inside the transaction of whoever writes them. */
export type ItemIndex = {
  put(project: Project, item: number | bigint, stems: string): void;
  /** Takes an item out; `stems` are those it was put in with. */
  remove(project: Project, item: number, stems: string): void;
  removeProject(project: Project): void;
  /** The ordinals of items that hold the most telling of the stems, best first; `items`: how many the project has. */
  ranked(project: Project, search: { stems: readonly string[]; items: number }): number[];
};

/** BM25's k1 and b. The average length is a fixed one, so that an item's weights never change once it is in. */
const saturation = 1.2;
const lengthWeight = 0.75;
const averageLength = 80;
const weightScale = 1_000;

/** So many entries are read for one search: rare stems first, of a stem in more items the latest. */
const entryWindow = 1_000;
/** So many stems of one search are looked at. */
const stemWindow = 128;

/**
 * A table of entries, read rarest stem first. For 10,000 items of one project this takes about 1 ms where FTS5's BM25
 * over all that match takes ten, and an item or a whole project is taken out several times faster.
 */
export function itemIndex(db: Database): ItemIndex {
  const insert = db.prepare<[number, number, number | bigint, number]>(
    'INSERT INTO memory_item_terms (scope, term, item, weight) VALUES (?, ?, ?, ?)',
  );
  const erase = db.prepare<[number, number, number]>(
    'DELETE FROM memory_item_terms WHERE scope = ? AND term = ? AND item = ?',
  );
  const eraseScope = db.prepare<[number]>('DELETE FROM memory_item_terms WHERE scope = ?');
  const count = db
    .prepare<[number, number], number>('SELECT count(*) FROM memory_item_terms WHERE scope = ? AND term = ?')
    .pluck();
  const entries = db
    .prepare<[number, number, number], [number, number]>(
      'SELECT item, weight FROM memory_item_terms WHERE scope = ? AND term = ? ORDER BY item DESC LIMIT ?',
    )
    .raw();

  return {
    put(project, item, stems) {
      const scope = scopeOf(project);
      for (const [term, weight] of weightsOf(stems)) insert.run(scope, term, item, weight);
    },
    remove(project, item, stems) {
      const scope = scopeOf(project);
      for (const [term] of weightsOf(stems)) erase.run(scope, term, item);
    },
    removeProject: (project) => void eraseScope.run(scopeOf(project)),
    ranked(project, { stems, items }) {
      const scope = scopeOf(project);
      const terms = [...new Set(stems)].slice(0, stemWindow).map(termOf);
      const held = terms
        .map((term) => ({ term, uses: count.get(scope, term) ?? 0 }))
        .filter(({ uses }) => uses > 0)
        .sort((one, other) => one.uses - other.uses);
      const scores = new Map<number, number>();
      let left = entryWindow;
      for (const { term, uses } of held) {
        if (left <= 0 || (scores.size > 0 && uses > left)) break;
        const telling = Math.log(1 + Math.max(0, items - uses + 0.5) / (uses + 0.5));
        for (const [item, weight] of entries.all(scope, term, left))
          scores.set(item, (scores.get(item) ?? 0) + telling * weight);
        left -= uses;
      }
      return [...scores].sort(bestFirst).map(([item]) => item);
    },
  };
}

/** Of two that are equally good, the later one. */
function bestFirst([item, score]: [number, number], [otherItem, otherScore]: [number, number]): number {
  return otherScore - score || otherItem - item;
}

/** What BM25 makes of how often each stem occurs in an item, by its term. */
function weightsOf(stems: string): Map<number, number> {
  const all = stems === '' ? [] : stems.split(' ');
  const counts = new Map<string, number>();
  for (const stem of all) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const damping = saturation * (1 - lengthWeight + (lengthWeight * all.length) / averageLength);
  const weights = new Map<number, number>();
  for (const [stem, uses] of counts)
    weights.set(termOf(stem), Math.max(1, Math.round((weightScale * uses * (saturation + 1)) / (uses + damping))));
  return weights;
}

function scopeOf({ owner: { schoolId, userId }, projectId }: Project): number {
  return numberOf(JSON.stringify([schoolId, userId, projectId]));
}

function termOf(stem: string): number {
  return numberOf(stem);
}

/** The first 53 bits of a SHA-256: two projects among a million share theirs once in 18,000 such worlds. */
function numberOf(text: string): number {
  const digest = createHash('sha256').update(text).digest();
  return digest.readUIntBE(0, 6) * 32 + (digest.readUInt8(6) >> 3);
}
