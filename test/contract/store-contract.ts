import { afterAll, beforeAll, describe } from 'vitest';
import type { Store } from '../../src/engine/ports/store.ts';
import { describeClassBoard } from './store-class-board.ts';
import { describeClasses } from './store-classes.ts';
import { describeConcurrency } from './store-concurrency.ts';
import { describeIsolation } from './store-isolation.ts';
import { describeRates } from './store-rates.ts';
import { describeRestarts } from './store-restarts.ts';
import { describeSessions } from './store-sessions.ts';
import { describeTexts } from './store-texts.ts';
import { describeBeginning } from './store-turns-begin.ts';
import { describeSettling } from './store-turns-settle.ts';

/** An adapter over an empty database of its own. `reopen` closes it and opens the same data again. */
type StoreUnderTest = { store: Store; reopen: () => Promise<Store>; close: () => Promise<void> };
export type OpenStore = () => Promise<StoreUnderTest>;

/** What every adapter of the store port has to do. */
export function describeStore(name: string, open: OpenStore): void {
  describe(`${name} as a store`, () => {
    let opened: StoreUnderTest;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const shared = () => opened.store;

    describeClasses(shared);
    describeClassBoard(shared);
    describeTexts(shared);
    describeSessions(shared);
    describeBeginning(shared);
    describeSettling(shared);
    describeRates(shared);
    describeIsolation(shared);
    describeConcurrency(shared);
    describeRestarts(open);
  });
}
