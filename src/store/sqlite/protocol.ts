import type { ErrorCode } from '../../core/errors.ts';
import type { OperationName } from './operations.ts';

/** One call as it crosses to the database thread. */
export type Call = { id: number; name: OperationName; input: readonly unknown[] };

/** How a call failed: no text of SQLite's and no value, only codes. */
export type Failure = { code: ErrorCode; message: string; retryable: boolean };

/** One answer as it crosses back: the operation's value, or its failure. */
export type Answer = { id: number; value: unknown } | { id: number; failure: Failure };

/** To the database thread: calls, and whether they are the last ones. */
export type Request = { calls: readonly Call[]; isLast: boolean };

/** From the database thread: first whether the database could be opened, then answers. */
export type Reply =
  | { kind: 'opened'; fromVersion: number; version: number }
  | { kind: 'not_opened'; message: string }
  | { kind: 'answers'; answers: readonly Answer[] };

/** The most calls in one request, and how many waiting ones are enough to commit. */
export const batchSize = 256;
