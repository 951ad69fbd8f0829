import { randomFillSync } from 'node:crypto';

/** Randomness as the house sees it: passed in, so that tests can repeat it. */
export interface Random {
  /** A number in [0, 1), for jitter. */
  fraction(): number;
  /** `length` unpredictable bytes, for ids and secrets. */
  bytes(length: number): Uint8Array;
}

/** Asking the system costs the same for one id as for a hundred. */
const pool = new Uint8Array(4096);
let used = pool.length;

/** The operating system's randomness. */
export const systemRandom: Random = {
  fraction: () => Math.random(),
  bytes(length) {
    if (length > pool.length) return randomFillSync(new Uint8Array(length));
    if (used + length > pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = pool.slice(used, used + length);
    // What was given out is not kept.
    pool.fill(0, used, used + length);
    used += length;
    return bytes;
  },
};

/** Repeatable randomness for tests (mulberry32). Never for ids that must not be guessed. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { fraction, bytes: (length) => Uint8Array.from({ length }, () => Math.floor(fraction() * 256)) };
}
