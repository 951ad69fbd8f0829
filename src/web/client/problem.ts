import type { Problem } from '../protocol-types.ts';

/** The server said no: a problem response, with its code from the protocol's table. */
export class ProblemError extends Error {
  readonly problem: Problem;
  /** How long the server asks to wait, in milliseconds; null where it does not say. */
  readonly retryAfterMs: number | null;

  constructor(problem: Problem, retryAfterMs: number | null) {
    super(problem.title ?? problem.code);
    this.name = 'ProblemError';
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }

  get code(): string {
    return this.problem.code;
  }

  get status(): number {
    return this.problem.status;
  }
}

/** The server could not be reached, or the line broke and would not come back. */
export class ConnectionLostError extends Error {
  constructor(cause: unknown) {
    super('The connection was lost', { cause });
    this.name = 'ConnectionLostError';
  }
}

/** Reads a response that is not a success; what is not a problem document becomes one with the code `UNKNOWN`. */
export async function readProblem(response: Response, now: number): Promise<ProblemError> {
  const retryAfterMs = readRetryAfter(response.headers.get('Retry-After'), now);
  const body: unknown = await response.json().catch(() => null);
  const fields = typeof body === 'object' && body !== null ? body : {};
  return new ProblemError({ code: 'UNKNOWN', ...fields, status: response.status }, retryAfterMs);
}

/** Whether the server says that there is no such thing for the caller. */
export function isMissing(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 404;
}

/** Whether the caller's token no longer counts. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 401;
}

/** Whether the same request may succeed a little later. */
export function isTransient(status: number): boolean {
  return [408, 425, 429, 502, 503, 504].includes(status);
}

function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null;
  const milliseconds = /^\d+$/u.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(milliseconds) ? null : Math.max(0, milliseconds);
}
