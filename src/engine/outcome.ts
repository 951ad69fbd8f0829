import type { ErrorCode, FieldError } from '../core/errors.ts';

/** What was asked cannot be done: why, and what a client needs to go on. */
export type Refusal = {
  kind: 'refused';
  code: ErrorCode;
  /** With `TURN_IN_PROGRESS`: the live turn. */
  turnId?: string;
  /** With `CARTRIDGE_CHANGED`: where to go on. */
  initialPhase?: string;
  /** With `RATE_LIMITED`, and where the server is going down. */
  retryAfterSeconds?: number;
  /** Where the code's own words do not fit. */
  detail?: string;
  errors?: readonly FieldError[];
};

/** A refusal with its code and what goes with it. */
export function refuse(code: ErrorCode, more: Omit<Refusal, 'kind' | 'code'> = {}): Refusal {
  return { kind: 'refused', code, ...more };
}
