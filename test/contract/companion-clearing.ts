import { describe, expect, it } from 'vitest';
import { aFact, aRollIn, type CompanionsUnderTest, found, someTurns } from './companion-fixtures.ts';
import { aSummary } from './companion-rolling.ts';
import { anOwner, start } from './store-fixtures.ts';

const scope = { cartridgeId: 'mentor', learnerId: 'ema' };

export function describeClearing(shared: () => CompanionsUnderTest): void {
  describe('clearing a memory', () => {
    it('archives its summary, turns and facts, and then has none', async () => {
      const { companions, search } = shared();
      const owner = anOwner();
      const turns = someTurns(4, { content: 'vulkanas' });
      await companions.rollIn(owner, scope, aRollIn(turns));
      await companions.keepSummary(owner, scope, aSummary(1, { summary: 'vulkanas' }));
      const facts = [aFact({ text: 'vulkanas' }), aFact({ text: 'vulkanas' })];
      await companions.keepFacts(owner, scope, facts);
      expect(await found(search, owner, { text: 'vulkanas' })).toHaveLength(7);
      expect(await companions.clearMemory(owner, scope, start + 9)).toBe(true);
      expect(await companions.rollingMemory(owner, scope)).toBeNull();
      expect(await companions.rollingMemories(owner, 'mentor')).toEqual([]);
      expect(await companions.facts(owner, scope, true)).toEqual([]);
      const archived = { summary: 'vulkanas', turnCount: 4, reason: 'cleared', archivedAt: start + 9 };
      expect(await companions.archives(owner, scope, 9)).toEqual([{ id: expect.any(String), ...archived }]);
      expect(await found(search, owner, { text: 'vulkanas' })).toEqual([]);
      expect(await found(search, owner, { text: 'vulkanas', includeArchive: true })).toHaveLength(7);
      expect(await companions.clearMemory(owner, scope, start + 10)).toBe(false);
      expect(await companions.archives(owner, scope, 9)).toHaveLength(1);
    });

    it('says that there was none, and forgets facts alone', async () => {
      const { companions } = shared();
      const owner = anOwner();
      expect(await companions.clearMemory(owner, scope, start)).toBe(false);
      await companions.keepFacts(owner, scope, [aFact()]);
      expect(await companions.clearMemory(owner, scope, start)).toBe(true);
      expect(await companions.facts(owner, scope, true)).toEqual([]);
      expect(await companions.archives(owner, scope, 9)).toEqual([]);
    });

    it('leaves what is about another learner, of another companion, and of another person', async () => {
      const { companions } = shared();
      const owner = anOwner();
      const places = [scope, { ...scope, learnerId: null }, { ...scope, learnerId: 'jonas' }];
      const everything = [
        ...places.map((place) => ({ owner, place })),
        { owner, place: { ...scope, cartridgeId: 'pm' } },
      ];
      everything.push({ owner: anOwner(owner.schoolId), place: scope });
      for (const { owner: each, place } of everything) {
        await companions.rollIn(each, place, aRollIn(someTurns(2)));
        await companions.keepFacts(each, place, [aFact()]);
      }
      await companions.clearMemory(owner, scope, start);
      const left = await Promise.all(
        everything.map(async ({ owner: each, place }) => [
          (await companions.rollingMemory(each, place))?.turnCount ?? null,
          (await companions.facts(each, place, false)).length,
        ]),
      );
      expect(left).toEqual([
        [null, 0],
        [2, 1],
        [2, 1],
        [2, 1],
        [2, 1],
      ]);
      expect((await companions.rollingMemories(owner, 'mentor')).map(({ learnerId }) => learnerId)).toEqual([
        null,
        'jonas',
      ]);
    });

    it('is not undone by work that is done again, and what is said next begins anew', async () => {
      const { companions } = shared();
      const owner = anOwner();
      const turns = someTurns(3);
      const fact = aFact();
      const { id } = await companions.rollIn(owner, scope, aRollIn(turns));
      await companions.keepFacts(owner, scope, [fact]);
      await companions.clearMemory(owner, scope, start);
      expect(await companions.rollIn(owner, scope, aRollIn(turns))).toMatchObject({ turnCount: 0, turns: [] });
      await companions.keepFacts(owner, scope, [fact]);
      expect(await companions.rollingMemory(owner, scope)).toBeNull();
      expect(await companions.facts(owner, scope, true)).toEqual([]);
      const fresh = someTurns(1);
      const next = await companions.rollIn(owner, scope, aRollIn([...turns, ...fresh]));
      expect(next).toMatchObject({ turnCount: 1, summary: '', version: 1 });
      expect(next.id).not.toBe(id);
      // A summary that was being made of what is gone is not kept: its version is of another memory, but may be equal.
      expect(await companions.clearMemory(owner, scope, start + 5)).toBe(true);
      const kept = await companions.archives(owner, scope, 9);
      expect(kept.map(({ turnCount, archivedAt }) => [turnCount, archivedAt])).toEqual([
        [1, start + 5],
        [3, start],
      ]);
      expect(await companions.archives(owner, scope, 1)).toEqual(kept.slice(0, 1));
    });

    it('at the same time as turns come in loses none of them', async () => {
      const { companions, search } = shared();
      const owner = anOwner();
      const batches = Array.from({ length: 10 }, () => someTurns(3, { content: 'vulkanas' }));
      await Promise.all(
        batches.flatMap((turns) => [
          companions.rollIn(owner, scope, aRollIn(turns, { archiveAfter: 5 })),
          companions.clearMemory(owner, scope, start),
        ]),
      );
      expect(await found(search, owner, { text: 'vulkanas', includeArchive: true })).toHaveLength(30);
      const current = (await companions.rollingMemory(owner, scope))?.turnCount ?? 0;
      const archived = await companions.archives(owner, scope, 99);
      expect(archived.reduce((sum, { turnCount }) => sum + turnCount, current)).toBe(30);
    });
  });
}
