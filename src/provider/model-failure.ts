import type { Clock } from '../core/clock.ts';
import { ModelError } from '../engine/ports/model.ts';

/**
 * What a provider's failures mean to the house. None of these carries the provider's own words: an API's error text
 * may quote the prompt. What helps an operator is the status and the API's short code.
 */

/** The failure that an HTTP status (of a response, or named inside a stream) stands for. */
export function failureOfStatus(
  provider: string,
  status: number,
  details: { code?: unknown; retryAfterMs?: number | null } = {},
): ModelError {
  const retryable = status === 408 || status === 409 || status === 429 || status >= 500;
  const code = shortCode(details.code);
  return new ModelError(
    retryable ? 'MODEL_UNAVAILABLE' : 'MODEL_REFUSED',
    `${provider} answered with status ${status}${code === null ? '' : ` (${code})`}`,
    { retryable, retryAfterMs: details.retryAfterMs ?? null },
  );
}

/** The failure of a connection that was refused or cut, of a reply that broke off or cannot be read. Retryable. */
export function unavailable(provider: string, what: string, code?: unknown): ModelError {
  const short = shortCode(code);
  return new ModelError('MODEL_UNAVAILABLE', `${provider}: ${what}${short === null ? '' : ` (${short})`}`, {
    retryable: true,
  });
}

/** `Retry-After` in milliseconds: seconds or an HTTP date; null where absent, unreadable or not in the future. */
export function parseRetryAfter(header: string | null, clock: Pick<Clock, 'now'>): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  const milliseconds = Number.isNaN(seconds) ? Date.parse(header) - clock.now() : seconds * 1000;
  return Number.isFinite(milliseconds) && milliseconds > 0 ? Math.ceil(milliseconds) : null;
}

/** A code is a word like `model_not_found` or `ECONNREFUSED`; anything else could be somebody's text. */
function shortCode(code: unknown): string | null {
  return typeof code === 'string' && /^[\w.-]{1,48}$/.test(code) ? code : null;
}
