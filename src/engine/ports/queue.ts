import type { ErrorCode } from '../../core/errors.ts';

/**
 * Work to be done later, at least once. A job is leased, and so by one worker at a time; one whose worker dies comes
 * back when its lease ends. So a job may run more than once, and what it does must bear that. Times are milliseconds
 * since the Unix epoch; an adapter whose database has a clock of its own may go by that instead of `now`.
 */
export interface Queue {
  /**
   * Puts a job in, once by key: `known` where a job of that key waits or runs already, which then stays as it is. A job
   * that is done leaves the queue (after `rememberMs`) and its key is free: the same key then makes a new job. A job
   * that failed for good is put back to work, as newly given.
   */
  enqueue(job: NewJob): Promise<'enqueued' | 'known'>;
  /** Takes the job of these kinds that has been due the longest. */
  lease(request: LeaseRequest): Promise<LeaseOutcome>;
  /** Holds a lease until `until`; false where it was lost: it had ended, and another may be at the job. */
  renew(lease: Lease, until: number): Promise<boolean>;
  /** The job is done and leaves the queue; false where the lease was lost. */
  complete(lease: Lease, now: number): Promise<boolean>;
  /**
   * The job waits until `retryAt`, or, where this was its last attempt or `retryAt` is null, has failed for good and
   * stays to be seen.
   */
  fail(lease: Lease, failure: JobFailure): Promise<'waiting' | 'failed' | 'lost'>;
  /** Gives a job back unfinished, due at once, and the attempt does not count; false where the lease was lost. */
  release(lease: Lease, now: number): Promise<boolean>;
  jobCounts(): Promise<JobCounts>;
  /** Jobs that failed for good, the latest first. */
  failedJobs(limit: number): Promise<FailedJob[]>;
  /** Calls `wake` after each job that this process puts in, and, where the adapter can know, others do. */
  onEnqueued(wake: () => void): Disposable;
}

/** What a job needs to know: ids and numbers, never anyone's words. */
export type JobPayload = Readonly<Record<string, string | number | boolean | null>>;

export type NewJob = {
  /** Says what is to be done to what (`summarise:<session id>`): ids, never anyone's words. */
  key: string;
  kind: string;
  payload: JobPayload;
  /** Whose data it is about, so that erasing that reaches the job; null where it is nobody's. */
  schoolId: string | null;
  ownerId: string | null;
  runAt: number;
  /** Attempts after which it has failed for good; 5 where absent. */
  maxAttempts?: number;
  /** How long after it is done its key stays `known` to jobs that would run by then; 0 where absent. */
  rememberMs?: number;
};

export type LeaseRequest = { kinds: readonly string[]; now: number; leaseMs: number };

/** `none`: none is due. One of these kinds will be at `nextAt`; null: none waits, or the adapter cannot tell. */
export type LeaseOutcome = { kind: 'leased'; job: LeasedJob } | { kind: 'none'; nextAt: number | null };

/** The right to work on a job; void once the job was leased again. */
export type Lease = { readonly id: string; readonly generation: number };

export type LeasedJob = Omit<NewJob, 'runAt' | 'maxAttempts' | 'rememberMs'> & {
  lease: Lease;
  /** From 1. */
  attempt: number;
};

export type JobFailure = { code: ErrorCode; now: number; retryAt: number | null };

export type JobCounts = { waiting: number; running: number; failed: number };

/** `INTERRUPTED` is the code of a job whose workers all died at it. */
export type FailedJob = Omit<NewJob, 'payload' | 'runAt' | 'maxAttempts' | 'rememberMs'> & {
  code: ErrorCode;
  attempts: number;
  failedAt: number;
};
