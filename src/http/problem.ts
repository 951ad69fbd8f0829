import type { Context } from 'hono';
import type { z } from 'zod';
import { AppError, type ErrorCode, errorTable, type FieldError } from '../core/errors.ts';
import type { Refusal } from '../engine/outcome.ts';

/** Thrown in the HTTP room alone, to leave a handler with a problem response. */
export class HttpProblem extends AppError {
  readonly more: ProblemDetails;

  constructor(code: ErrorCode, more: ProblemDetails = {}) {
    super(code, errorTable[code].title);
    this.name = 'HttpProblem';
    this.more = more;
  }
}

export type ProblemDetails = {
  /** Where it differs from the code's own: 400 for a body that is not JSON at all. */
  status?: number;
  detail?: string;
  errors?: readonly FieldError[] | undefined;
  turnId?: string | undefined;
  initialPhase?: string | undefined;
  /** With `CHANGED_MEANWHILE`: the version it is at now. */
  version?: number | undefined;
  retryAfterSeconds?: number | undefined;
};

/** An `application/problem+json` response; every word of it comes from the code table or names a field. */
export function problemResponse(c: Context, code: ErrorCode, more: ProblemDetails = {}): Response {
  const entry = errorTable[code];
  const status = more.status ?? entry.status;
  const body = {
    type: `urn:trickster:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title: entry.title,
    status,
    code,
    detail: more.detail ?? entry.detail,
    instance: c.req.path,
    ...(more.errors ? { errors: more.errors } : {}),
    ...(more.turnId ? { turn_id: more.turnId } : {}),
    ...(more.initialPhase ? { initial_phase: more.initialPhase } : {}),
    ...(more.version === undefined ? {} : { version: more.version }),
  };
  const headers = new Headers({
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  if (more.retryAfterSeconds !== undefined)
    headers.set('Retry-After', String(Math.max(1, Math.ceil(more.retryAfterSeconds))));
  if (code === 'UNAUTHENTICATED') headers.set('WWW-Authenticate', 'Bearer');
  return c.body(JSON.stringify(body), { status: status as 400, headers: Object.fromEntries(headers) });
}

/** Leaves the handler with the refusal's problem response. */
export function raise(refusal: Refusal): never {
  throw new HttpProblem(refusal.code, refusal);
}

/** A schema's findings as field errors: paths with dots, messages as sentences. */
export function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.flatMap((issue): FieldError[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message: 'is not a field there is' }));
    }
    if (issue.code === 'invalid_union') {
      const fields = new Set(issue.errors.flatMap((branch) => branch.map((each) => each.path.join('.'))));
      fields.delete('');
      if (fields.size === 0) return [{ path: issue.path.join('.'), message: issue.message }];
      return [
        {
          path: issue.path.join('.'),
          message: `must have one of: ${[...fields].join(', ')}`,
        },
      ];
    }
    return [
      {
        path: issue.path.join('.'),
        message: issue.code === 'invalid_type' ? `must be ${article(issue.expected)}` : issue.message,
      },
    ];
  });
}

function article(expected: string): string {
  return /^[aeiou]/u.test(expected) ? `an ${expected}` : `a ${expected}`;
}
