import type { Database } from 'better-sqlite3';
import type { RateUse, RateVerdict } from '../../engine/ports/store.ts';
import type { Operations } from './operations.ts';

/** Counts one use inside the caller's transaction. */
export type CountUse = (use: RateUse) => RateVerdict;

/** Fixed windows: a refused use is not counted, and each counted one clears away a few windows that are over. */
export function usesCounter(db: Database): CountUse {
  const count = db.prepare<[string, number, number, number]>(
    `INSERT INTO rate_windows (key, starts_at, ends_at, uses) VALUES (?, ?, ?, 1)
     ON CONFLICT (key, starts_at) DO UPDATE SET uses = uses + 1 WHERE uses < ?`,
  );
  const clear = db.prepare<[number]>(
    `DELETE FROM rate_windows WHERE (key, starts_at) IN
       (SELECT key, starts_at FROM rate_windows WHERE ends_at <= ? ORDER BY ends_at LIMIT 4)`,
  );
  return ({ key, limit, windowMs, now }) => {
    if (limit <= 0) return { kind: 'allowed' };
    const startsAt = Math.floor(now / windowMs) * windowMs;
    const endsAt = startsAt + windowMs;
    if (count.run(key, startsAt, endsAt, limit).changes === 0) {
      return { kind: 'limited', retryAfterSeconds: Math.ceil((endsAt - now) / 1000) };
    }
    clear.run(now);
    return { kind: 'allowed' };
  };
}

export function rateOperations(db: Database): Pick<Operations, 'countUse'> {
  return { countUse: usesCounter(db) };
}
