import { describe, expect, it } from 'vitest';
import type { RateUse, Store } from '../../src/engine/ports/store.ts';
import { freshId, start } from './store-fixtures.ts';

const minute = 60_000;

function aUse(over: Partial<RateUse> = {}): RateUse {
  return { key: freshId('rate'), limit: 2, windowMs: minute, now: start, ...over };
}

export function describeRates(shared: () => Store): void {
  describe('rate windows', () => {
    it('allows as many uses as the limit in a window, then says how long to wait', async () => {
      const store = shared();
      const use = aUse();
      expect(await store.countUse(use)).toEqual({ kind: 'allowed' });
      expect(await store.countUse({ ...use, now: start + 1 })).toEqual({ kind: 'allowed' });
      const wait = async (now: number) => store.countUse({ ...use, now });
      expect(await wait(start + 2)).toEqual({ kind: 'limited', retryAfterSeconds: 60 });
      expect(await wait(start + 30_000)).toEqual({ kind: 'limited', retryAfterSeconds: 30 });
      expect(await wait(start + minute - 1)).toEqual({ kind: 'limited', retryAfterSeconds: 1 });
    });

    it('begins afresh in the next window', async () => {
      const store = shared();
      const use = aUse({ limit: 1, now: start + minute - 1 });
      expect(await store.countUse(use)).toEqual({ kind: 'allowed' });
      expect(await store.countUse({ ...use, now: start + minute })).toEqual({ kind: 'allowed' });
      expect(await store.countUse({ ...use, now: start + minute + 1 })).toMatchObject({ kind: 'limited' });
    });

    it('counts each key on its own', async () => {
      const store = shared();
      const use = aUse({ limit: 1 });
      expect(await store.countUse(use)).toEqual({ kind: 'allowed' });
      expect(await store.countUse({ ...use, key: freshId('rate') })).toEqual({ kind: 'allowed' });
    });

    it('never limits where the limit is 0', async () => {
      const use = aUse({ limit: 0 });
      const verdicts = await Promise.all(Array.from({ length: 50 }, () => shared().countUse(use)));
      expect(new Set(verdicts.map((verdict) => verdict.kind))).toEqual(new Set(['allowed']));
    });

    it('keeps the window that is running while those of thousands of others come to an end', async () => {
      const store = shared();
      const windowMs = 24 * 60 * minute;
      const use = aUse({ limit: 1, windowMs, now: Math.floor(start / windowMs) * windowMs });
      expect(await store.countUse(use)).toEqual({ kind: 'allowed' });
      const others = Array.from({ length: 2_000 }, (_, index) => aUse({ windowMs: 1_000, now: start + index * 100 }));
      await Promise.all(others.map((other) => store.countUse(other)));
      expect(await store.countUse({ ...use, now: start + 10 * minute })).toMatchObject({ kind: 'limited' });
    });
  });
}
