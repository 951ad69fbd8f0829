import { afterAll, beforeAll, describe } from 'vitest';
import { describeConversations } from './companion-conversations.ts';
import { describeEndings } from './companion-endings.ts';
import type { CompanionsUnderTest, OpenCompanions } from './companion-fixtures.ts';
import { describeFacts } from './companion-facts.ts';
import { describeGuardians } from './companion-guardians.ts';
import { describeCompanionIsolation } from './companion-isolation.ts';
import { describeNotes } from './companion-notes.ts';
import { describeParts } from './companion-parts.ts';
import { describeClearing } from './companion-clearing.ts';
import { describeRolling } from './companion-rolling.ts';
import { describeSettling } from './companion-settling.ts';

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
    describeFacts(shared);
    describeNotes(shared);
    describeGuardians(shared);
    describeCompanionIsolation(shared);
    describeSettling(shared);
  });
}
