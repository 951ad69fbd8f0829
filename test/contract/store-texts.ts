import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/engine/ports/store.ts';
import { aTurn, freshId, keepSession, start } from './store-fixtures.ts';

export function describeTexts(shared: () => Store): void {
  describe('texts kept by hash', () => {
    it('gives a cartridge version back, and the first text where a hash is kept again', async () => {
      const store = shared();
      const hash = freshId('hash');
      const version = { hash, cartridgeId: 'click-trap-1', text: '{"title":"Spąstai 🪤"}', keptAt: start };
      await store.keepCartridge(version);
      await store.keepCartridge({ ...version, text: 'other', keptAt: start + 1 });
      expect(await store.cartridge(hash)).toEqual(version);
      expect(await store.cartridge('no-such-hash')).toBeNull();
    });

    it('gives prompt texts by hash, each once, and leaves out those it does not have', async () => {
      const store = shared();
      const texts = [1, 2].map((number) => ({ hash: freshId('prompt'), text: `Tu esi Suktukas ${number}` }));
      const session = await keepSession(store);
      await store.beginTurn(aTurn(session, { freeze: { prompts: [], texts } }));
      const [first, second] = texts.map((text) => text.hash);
      if (first === undefined || second === undefined) throw new Error('two texts were kept');
      const found = await store.promptTexts([second, 'no-such-hash', first, first]);
      expect(found.toSorted((one, other) => one.hash.localeCompare(other.hash))).toEqual(texts);
      expect(await store.promptTexts([])).toEqual([]);
    });
  });
}
