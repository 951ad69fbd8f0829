import type { Random } from '../core/random.ts';
import type { Settings } from '../core/settings.ts';

export type BackoffSettings = Pick<Settings, 'jobRetryBaseMs' | 'jobRetryLongestMs'>;

/**
 * Milliseconds to wait after a job's `attempt` (from 1) has failed: doubling up to the longest, of which a random half
 * is taken off, so that jobs which failed together do not come back together.
 */
export function retryDelayMs(attempt: number, random: Random, settings: BackoffSettings): number {
  const whole = Math.min(settings.jobRetryBaseMs * 2 ** (attempt - 1), settings.jobRetryLongestMs);
  return Math.round(whole * (1 - random.fraction() / 2));
}
