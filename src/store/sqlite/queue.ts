import type { Database } from 'better-sqlite3';
import type { ErrorCode } from '../../core/errors.ts';
import { defaultSettings } from '../../core/settings.ts';
import type { FailedJob, JobCounts, JobPayload, Lease, LeasedJob, NewJob } from '../../engine/ports/queue.ts';
import type { Operations } from './operations.ts';

type QueueOperations = 'enqueue' | 'lease' | 'renew' | 'complete' | 'fail' | 'release' | 'jobCounts' | 'failedJobs';

type NewJobRow = Omit<NewJob, 'payload'> & { payload: string; maxAttempts: number; rememberMs: number };
type LeasedRow = Omit<LeasedJob, 'lease' | 'payload'> & { ordinal: number; generation: number; payload: string };
type LeaseValues = { ordinal: number; generation: number };

/** Puts a job in, once by key, inside the caller's transaction. */
export function jobPutter(db: Database): Operations['enqueue'] {
  const insert = db.prepare<NewJobRow>(
    `INSERT INTO jobs (key, kind, school_id, owner_id, payload, status, due_at, attempts, max_attempts, remember_ms,
       generation)
     VALUES (@key, @kind, @schoolId, @ownerId, @payload, 'waiting', @runAt, 0, @maxAttempts, @rememberMs, 0)
     ON CONFLICT (key) DO UPDATE SET kind = excluded.kind, school_id = excluded.school_id, owner_id = excluded.owner_id,
       payload = excluded.payload, status = 'waiting', due_at = excluded.due_at, attempts = 0,
       max_attempts = excluded.max_attempts, remember_ms = excluded.remember_ms, error_code = NULL
       WHERE status = 'failed' OR (status = 'done' AND due_at <= excluded.due_at)`,
  );
  return ({ payload, maxAttempts = defaultSettings.jobAttempts, rememberMs = 0, ...job }) => {
    const row = { ...job, payload: JSON.stringify(payload), maxAttempts, rememberMs };
    return insert.run(row).changes > 0 ? 'enqueued' : 'known';
  };
}

/** The queue in the store's own database. Every lease also clears away what is over. */
export function queueOperations(db: Database): Pick<Operations, QueueOperations> {
  const giveUpLost = db.prepare<{ now: number; code: ErrorCode }>(
    `UPDATE jobs SET status = 'failed', error_code = @code, due_at = @now
     WHERE status = 'running' AND due_at <= @now AND attempts >= max_attempts`,
  );
  const forget = db.prepare<{ now: number }>(
    `DELETE FROM jobs WHERE ordinal IN
       (SELECT ordinal FROM jobs WHERE status = 'done' AND due_at <= @now ORDER BY due_at LIMIT 16)`,
  );
  // In the order of their times already: no sorting of all that waits.
  const open = `jobs INDEXED BY jobs_due
    WHERE status IN ('waiting', 'running') AND kind IN (SELECT value FROM json_each(@kinds))`;
  const take = db.prepare<{ kinds: string; now: number; leaseUntil: number }, LeasedRow>(
    `UPDATE jobs SET status = 'running', due_at = @leaseUntil, attempts = attempts + 1, generation = generation + 1
     WHERE ordinal = (SELECT ordinal FROM ${open} AND due_at <= @now ORDER BY due_at, ordinal LIMIT 1)
     RETURNING ordinal, generation, key, kind, school_id AS schoolId, owner_id AS ownerId, payload, attempts AS attempt`,
  );
  const next = db.prepare<{ kinds: string; now: number }, { dueAt: number }>(
    `SELECT due_at AS dueAt FROM ${open} AND due_at > @now ORDER BY due_at LIMIT 1`,
  );
  const held = `ordinal = @ordinal AND generation = @generation AND status = 'running'`;
  const renew = db.prepare<LeaseValues & { until: number }>(`UPDATE jobs SET due_at = @until WHERE ${held}`);
  const remove = db.prepare<LeaseValues>(`DELETE FROM jobs WHERE ${held} AND remember_ms = 0`);
  const remember = db.prepare<LeaseValues & { now: number }>(
    `UPDATE jobs SET status = 'done', due_at = @now + remember_ms, payload = '{}', error_code = NULL WHERE ${held}`,
  );
  const fail = db.prepare<LeaseValues & { code: ErrorCode; now: number; retryAt: number | null }, { status: string }>(
    `UPDATE jobs SET error_code = @code,
       status = CASE WHEN attempts >= max_attempts OR @retryAt IS NULL THEN 'failed' ELSE 'waiting' END,
       due_at = CASE WHEN attempts >= max_attempts OR @retryAt IS NULL THEN @now ELSE @retryAt END
     WHERE ${held} RETURNING status`,
  );
  const release = db.prepare<LeaseValues & { now: number }>(
    `UPDATE jobs SET status = 'waiting', due_at = @now, attempts = attempts - 1 WHERE ${held}`,
  );
  const count = db.prepare<[keyof JobCounts], { count: number }>('SELECT count(*) AS count FROM jobs WHERE status = ?');
  const failed = db.prepare<[number], FailedJob>(
    `SELECT key, kind, school_id AS schoolId, owner_id AS ownerId, error_code AS code, attempts, due_at AS failedAt
     FROM jobs WHERE status = 'failed' ORDER BY due_at DESC, ordinal DESC LIMIT ?`,
  );
  const countOf = (status: keyof JobCounts) => count.get(status)?.count ?? 0;

  return {
    enqueue: jobPutter(db),
    lease({ kinds, now, leaseMs }) {
      giveUpLost.run({ now, code: 'INTERRUPTED' });
      forget.run({ now });
      const values = { kinds: JSON.stringify(kinds), now };
      const row = take.get({ ...values, leaseUntil: now + leaseMs });
      return row ? { kind: 'leased', job: readJob(row) } : { kind: 'none', nextAt: next.get(values)?.dueAt ?? null };
    },
    renew: (lease, until) => renew.run({ ...valuesOf(lease), until }).changes > 0,
    complete(lease, now) {
      const values = valuesOf(lease);
      return remove.run(values).changes > 0 || remember.run({ ...values, now }).changes > 0;
    },
    fail(lease, { code, now, retryAt }) {
      const row = fail.get({ ...valuesOf(lease), code, now, retryAt });
      if (!row) return 'lost';
      return row.status === 'failed' ? 'failed' : 'waiting';
    },
    release: (lease, now) => release.run({ ...valuesOf(lease), now }).changes > 0,
    jobCounts: () => ({ waiting: countOf('waiting'), running: countOf('running'), failed: countOf('failed') }),
    failedJobs: (limit) => failed.all(limit),
  };
}

function valuesOf({ id, generation }: Lease): LeaseValues {
  return { ordinal: Number(id), generation };
}

function readJob({ ordinal, generation, payload, ...job }: LeasedRow): LeasedJob {
  return { ...job, payload: JSON.parse(payload) as JobPayload, lease: { id: String(ordinal), generation } };
}
