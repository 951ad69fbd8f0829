import { AppError, type ErrorCode } from '../core/errors.ts';
import { ModelError } from '../engine/ports/model.ts';
import type { LeasedJob } from '../engine/ports/queue.ts';

/**
 * Does one job. It may have run before, wholly or in part, and so must leave the same behind however often it runs.
 * When `signal` is aborted the job is no longer its own, or the process goes down: it should end, whichever way, soon.
 * What it throws counts as a failure: an `AppError` is tried again where it is retryable, and fails for good where it
 * is not; anything else is a fault of the house and is tried again.
 */
export type JobHandler = (job: LeasedJob, signal: AbortSignal) => Promise<JobOutcome>;

/** `afterMs`: no sooner than that (and the usual pause on top), in milliseconds. */
export type JobOutcome = 'done' | JobRetry;

export type JobRetry = { kind: 'retry'; code: ErrorCode; afterMs?: number };

/** What came of one run; `given_up`: trying again would not help. */
export type JobResult = 'done' | JobRetry | { kind: 'given_up'; code: ErrorCode };

/** Runs a handler and takes whatever it throws for an outcome. */
export async function runHandler(handle: JobHandler, job: LeasedJob, signal: AbortSignal): Promise<JobResult> {
  try {
    return await handle(job, signal);
  } catch (error) {
    if (!(error instanceof AppError)) return { kind: 'retry', code: 'INTERNAL' };
    if (!error.retryable) return { kind: 'given_up', code: error.code };
    const afterMs = error instanceof ModelError ? error.retryAfterMs : null;
    return { kind: 'retry', code: error.code, ...(afterMs === null ? {} : { afterMs }) };
  }
}
