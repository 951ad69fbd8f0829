import type { Database } from 'better-sqlite3';
import type { RateUse, RateVerdict } from '../../engine/ports/store.ts';
import type { Operations } from './operations.ts';

/** Fixed windows, counted inside the caller's transaction. */
export type RateCounter = {
  /** Counts all of the uses, or, where one of them is over its limit, none. */
  count(uses: readonly RateUse[]): RateVerdict;
  /** Counts what was spent already, whatever the limits are. */
  spend(uses: readonly RateUse[]): void;
};

/** Each count clears away a few windows that are over. A limit of 0 is no limit, and nothing is counted for it. */
export function rateCounter(db: Database): RateCounter {
  const used = db.prepare<[string, number], { uses: number }>(
    'SELECT uses FROM rate_windows WHERE key = ? AND starts_at = ?',
  );
  const add = db.prepare<[string, number, number, number]>(
    `INSERT INTO rate_windows (key, starts_at, ends_at, uses) VALUES (?, ?, ?, ?)
     ON CONFLICT (key, starts_at) DO UPDATE SET uses = uses + excluded.uses`,
  );
  const clear = db.prepare<[number]>(
    `DELETE FROM rate_windows WHERE (key, starts_at) IN
       (SELECT key, starts_at FROM rate_windows WHERE ends_at <= ? ORDER BY ends_at LIMIT 4)`,
  );
  const windowOf = ({ now, windowMs }: RateUse) => Math.floor(now / windowMs) * windowMs;
  const spend = (uses: readonly RateUse[]) => {
    for (const use of uses) {
      const { key, limit, windowMs, now, cost = 1 } = use;
      if (limit <= 0 || cost === 0) continue;
      add.run(key, windowOf(use), windowOf(use) + windowMs, cost);
      clear.run(now);
    }
  };
  return {
    spend,
    count(uses) {
      for (const use of uses) {
        const soFar = used.get(use.key, windowOf(use))?.uses ?? 0;
        if (use.limit <= 0 || soFar < use.limit) continue;
        return { kind: 'limited', retryAfterSeconds: Math.ceil((windowOf(use) + use.windowMs - use.now) / 1000) };
      }
      spend(uses);
      return { kind: 'allowed' };
    },
  };
}

export function rateOperations(db: Database): Pick<Operations, 'countUse'> {
  const counter = rateCounter(db);
  return { countUse: (use) => counter.count([use]) };
}
