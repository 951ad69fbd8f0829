import { describe, expect, it } from 'vitest';
import { seededRandom } from '../core/random.ts';
import { defaultSettings } from '../core/settings.ts';
import { retryDelayMs } from './backoff.ts';

const certain = (fraction: number) => ({ fraction: () => fraction, bytes: () => new Uint8Array() });

describe('the pause after a failure', () => {
  it('begins at twenty seconds, doubles, and stays at ten minutes', () => {
    const pauses = [1, 2, 3, 4, 10, 11, 60, 5_000].map((attempt) => retryDelayMs(attempt, certain(0), defaultSettings));
    expect(pauses).toEqual([20_000, 40_000, 80_000, 160_000, 600_000, 600_000, 600_000, 600_000]);
  });

  it('is never less than half of that', () => {
    expect(retryDelayMs(3, certain(0.999_999), defaultSettings)).toBe(40_000);
  });

  it('differs among jobs that failed together', () => {
    const random = seededRandom(1);
    const pauses = Array.from({ length: 50 }, () => retryDelayMs(4, random, defaultSettings));
    expect(new Set(pauses).size).toBeGreaterThan(45);
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(80_000);
    for (const pause of pauses) expect(pause).toBeLessThanOrEqual(160_000);
  });
});
