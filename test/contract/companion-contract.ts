import { afterAll, beforeAll, describe } from 'vitest';
import { describeConversations } from './companion-conversations.ts';
import { describeEndings } from './companion-endings.ts';
import type { CompanionsUnderTest, OpenCompanions } from './companion-fixtures.ts';
import { describeParts } from './companion-parts.ts';
import { describeClearing } from './companion-clearing.ts';
import { describeRolling } from './companion-rolling.ts';

/** What every adapter of the companion store has to do, with the store, the queue and the search beside it. */
export function describeCompanions(name: string, open: OpenCompanions): void {
  describe(`${name} as a companion store`, () => {
    let opened: CompanionsUnderTest;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const shared = () => opened;

    describeConversations(shared);
    describeEndings(open);
    describeParts(shared);
    describeRolling(shared);
    describeClearing(shared);
  });
}
