import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeepSummary } from '../../src/engine/ports/companion-store.ts';
import { analyseText } from '../../src/memory/search-text.ts';
import {
  aMemoryTurn,
  aRollIn,
  type CompanionsUnderTest,
  found,
  hostileTexts,
  someTurns,
} from './companion-fixtures.ts';
import { anOwner, freshId, start } from './store-fixtures.ts';

const scope = { cartridgeId: 'mentor', learnerId: 'ema' };

export function aSummary(expectedVersion: number, over: Partial<KeepSummary> = {}): KeepSummary {
  const summary = over.summary ?? 'Ema moka trupmenas.';
  const made = { expectedVersion, summary, summarised: 1, indexed: analyseText(summary, 'lt'), now: start + 5 };
  return { ...made, ...over };
}

const idsOf = (turns: readonly { id: string }[]) => turns.map(({ id }) => id);

export function describeRolling(shared: () => CompanionsUnderTest): void {
  describe('a rolling memory', () => {
    it('begins with the first turns and goes on in the order they are given', async () => {
      const { companions } = shared();
      const owner = anOwner();
      expect(await companions.rollingMemory(owner, scope)).toBeNull();
      const first = [aMemoryTurn({ content: 'Labas 👋', sessionId: 'talk-1' }), aMemoryTurn({ role: 'assistant' })];
      const given = aRollIn(first);
      const turns = first.map(({ words: _words, stems: _stems, ...turn }) => turn);
      const memory = {
        ...scope,
        id: given.newId,
        summary: '',
        turnCount: 2,
        version: 1,
        failure: null,
        turns,
        summarised: 0,
        createdAt: start,
        updatedAt: start,
      };
      expect(await companions.rollIn(owner, scope, given)).toEqual(memory);
      expect(await companions.rollingMemory(owner, scope)).toEqual(memory);
      const earlier = aMemoryTurn({ saidAt: start - 1_000 });
      const next = await companions.rollIn(owner, scope, aRollIn([earlier], { now: start + 9 }));
      expect(next).toMatchObject({ id: given.newId, turnCount: 3, version: 2, createdAt: start, updatedAt: start + 9 });
      expect(idsOf(next.turns)).toEqual([...idsOf(first), earlier.id]);
    });

    it('takes a turn once by its id: again, in part, twice in one call, in another scope', async () => {
      const { companions } = shared();
      const owner = anOwner();
      const turns = someTurns(3);
      const before = await companions.rollIn(owner, scope, aRollIn([...turns, ...turns]));
      expect(before).toMatchObject({ turnCount: 3 });
      expect(await companions.rollIn(owner, scope, aRollIn(turns))).toEqual(before);
      expect(await companions.rollIn(owner, scope, aRollIn([]))).toEqual(before);
      const [known] = turns;
      const fresh = aMemoryTurn();
      if (!known) throw new Error('there are turns');
      const after = await companions.rollIn(owner, scope, aRollIn([known, fresh, fresh]));
      expect(idsOf(after.turns)).toEqual([...idsOf(turns), fresh.id]);
      expect(after.turnCount).toBe(4);
      const elsewhere = { ...scope, learnerId: null };
      expect(await companions.rollIn(owner, elsewhere, aRollIn([known]))).toMatchObject({ turnCount: 0, turns: [] });
      expect(await companions.rollingMemory(owner, elsewhere)).toBeNull();
    });

    it('takes the same turns given many times at once in once', async () => {
      const { companions, search } = shared();
      const owner = anOwner();
      const turns = someTurns(5, { content: 'vulkanas' });
      await Promise.all(Array.from({ length: 20 }, () => companions.rollIn(owner, scope, aRollIn(turns))));
      const memory = await companions.rollingMemory(owner, scope);
      expect(memory).toMatchObject({ turnCount: 5, version: 1 });
      expect(await found(search, owner, { text: 'vulkanas' })).toHaveLength(5);
    });

    it('is archived once it would hold more than so many turns, and counts from those that came', async () => {
      const { companions, search } = shared();
      const owner = anOwner();
      const old = someTurns(50, { content: 'senas vulkanas' });
      const full = await companions.rollIn(owner, scope, aRollIn(old));
      expect(full).toMatchObject({ turnCount: 50, version: 1 });
      await companions.keepSummary(owner, scope, aSummary(1, { summary: 'Apie vulkanus', summarised: 50 }));
      expect(await companions.archives(owner, scope, 9)).toEqual([]);
      const fresh = someTurns(2, { content: 'naujas vulkanas' });
      const given = aRollIn(fresh, { now: start + 60_000 });
      const next = await companions.rollIn(owner, scope, given);
      // The summary goes on: it is what the next one is made from.
      const kept = { summary: 'Apie vulkanus', turnCount: 2, summarised: 0, version: 3, id: full.id };
      expect(next).toMatchObject({ ...kept, updatedAt: start + 60_000 });
      expect(idsOf(next.turns)).toEqual(idsOf(fresh));
      const archived = { summary: 'Apie vulkanus', turnCount: 50, reason: 'long', archivedAt: start + 60_000 };
      expect(await companions.archives(owner, scope, 9)).toEqual([{ id: given.archiveId, ...archived }]);
      expect(await companions.rollIn(owner, scope, aRollIn([...old, ...fresh]))).toEqual(next);

      const current = fresh.map(({ id }) => `turn:${id}`);
      expect((await found(search, owner, { text: 'vulkanas' })).toSorted()).toEqual(current.toSorted());
      expect(await found(search, owner, { text: 'vulkanas', includeArchive: true })).toHaveLength(53);
      await companions.keepSummary(owner, scope, aSummary(3, { summary: 'Vėl vulkanas', summarised: 2 }));
      expect(await found(search, owner, { text: 'vulkanas' })).toHaveLength(3);
      expect(await found(search, owner, { text: 'vulkanas', includeArchive: true })).toHaveLength(54);
    });

    it('that is empty takes in more than so many at once without an archive', async () => {
      const { companions } = shared();
      const owner = anOwner();
      const memory = await companions.rollIn(owner, scope, aRollIn(someTurns(7), { archiveAfter: 3 }));
      expect(memory.turnCount).toBe(7);
      expect(await companions.archives(owner, scope, 9)).toEqual([]);
      await companions.rollIn(owner, scope, aRollIn(someTurns(1), { archiveAfter: 3 }));
      expect(await companions.archives(owner, scope, 9)).toMatchObject([{ turnCount: 7 }]);
    });

    it('whatever comes in whatever order, holds every turn once, here or in an archive', async () => {
      const { companions, search } = shared();
      const batches = fc.array(fc.array(fc.nat(30), { maxLength: 8 }), { maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(batches, fc.integer({ min: 1, max: 10 }), async (given, archiveAfter) => {
          const owner = anOwner();
          const known = new Set<string>();
          const archives: number[] = [];
          let current: string[] = [];
          for (const numbers of given) {
            const turns = numbers.map((number) =>
              aMemoryTurn({ id: `${owner.userId}-${number}`, content: 'vulkanas' }),
            );
            const fresh = [...new Set(idsOf(turns))].filter((id) => !known.has(id));
            if (current.length > 0 && fresh.length > 0 && current.length + fresh.length > archiveAfter) {
              archives.unshift(current.length);
              current = [];
            }
            current.push(...fresh);
            for (const id of fresh) known.add(id);
            const memory = await companions.rollIn(owner, scope, aRollIn(turns, { archiveAfter }));
            expect(idsOf(memory.turns)).toEqual(current);
            expect(memory.turnCount).toBe(current.length);
          }
          expect((await companions.archives(owner, scope, 99)).map(({ turnCount }) => turnCount)).toEqual(archives);
          const documents = (ids: Iterable<string>) => [...ids].map((id) => `turn:${id}`).toSorted();
          expect((await found(search, owner, { text: 'vulkanas' })).toSorted()).toEqual(documents(current));
          const all = await found(search, owner, { text: 'vulkanas', includeArchive: true });
          expect(all.toSorted()).toEqual(documents(known));
        }),
        { numRuns: 40 },
      );
    });

    it.each(hostileTexts)('keeps $name, said and summarised', async ({ written, kept }) => {
      const { companions } = shared();
      const owner = anOwner();
      const said = aMemoryTurn({ content: written });
      const memory = await companions.rollIn(owner, scope, aRollIn([said]));
      expect(memory.turns).toMatchObject([{ content: kept }]);
      expect(await companions.keepSummary(owner, scope, aSummary(1, { summary: written }))).toBe('kept');
      expect(await companions.rollingMemory(owner, scope)).toMatchObject({ summary: kept });
    });
  });

  describe("a rolling memory's summary", () => {
    it('is kept at the version it was made from, and the turns it has taken in with it', async () => {
      const { companions, search } = shared();
      const owner = anOwner();
      expect(await companions.keepSummary(owner, scope, aSummary(0))).toBe('conflict');
      await companions.rollIn(owner, scope, aRollIn(someTurns(2)));
      expect(await companions.keepSummary(owner, scope, aSummary(0))).toBe('conflict');
      expect(await companions.keepSummary(owner, scope, aSummary(1, { summary: 'Apie upes' }))).toBe('kept');
      const kept = { summary: 'Apie upes', summarised: 1, version: 2, updatedAt: start + 5 };
      expect(await companions.rollingMemory(owner, scope)).toMatchObject(kept);
      expect(await companions.keepSummary(owner, scope, aSummary(1, { summary: 'Apie kalnus' }))).toBe('conflict');
      expect(await companions.rollingMemory(owner, scope)).toMatchObject(kept);
      expect(await found(search, owner, { text: 'upės' })).toHaveLength(1);
      expect(await found(search, owner, { text: 'kalnai', includeArchive: true })).toEqual([]);
      // A turn that came in meanwhile is not yet in it.
      await companions.rollIn(owner, scope, aRollIn(someTurns(1)));
      expect(await companions.keepSummary(owner, scope, aSummary(2))).toBe('conflict');
    });

    it('that gives way is not found by its words any more, nor one that was emptied', async () => {
      const { companions, search } = shared();
      const owner = anOwner();
      await companions.rollIn(owner, scope, aRollIn(someTurns(1)));
      await companions.keepSummary(owner, scope, aSummary(1, { summary: 'Apie upes' }));
      await companions.keepSummary(owner, scope, aSummary(2, { summary: 'Apie kalnus' }));
      expect(await found(search, owner, { text: 'upės', includeArchive: true })).toEqual([]);
      await companions.keepSummary(owner, scope, aSummary(3, { summary: '' }));
      expect(await found(search, owner, { text: 'kalnai', includeArchive: true })).toEqual([]);
    });

    it('of many made from one version one is kept', async () => {
      const { companions } = shared();
      const owner = anOwner();
      await companions.rollIn(owner, scope, aRollIn(someTurns(1)));
      const texts = Array.from({ length: 20 }, (_, index) => `santrauka ${index}`);
      const outcomes = await Promise.all(
        texts.map((summary) => companions.keepSummary(owner, scope, aSummary(1, { summary }))),
      );
      expect(outcomes.filter((outcome) => outcome === 'kept')).toHaveLength(1);
      const { summary } = (await companions.rollingMemory(owner, scope)) ?? {};
      expect(summary).toBe(texts[outcomes.indexOf('kept')]);
    });

    it('is marked as failed until it is well again', async () => {
      const { companions } = shared();
      const owner = anOwner();
      await companions.markRolling(owner, scope, 'MODEL_TIMEOUT');
      expect(await companions.rollingMemory(owner, scope)).toBeNull();
      await companions.rollIn(owner, scope, aRollIn(someTurns(1)));
      const failure = async () => (await companions.rollingMemory(owner, scope))?.failure;
      await companions.markRolling(owner, scope, 'MODEL_TIMEOUT');
      expect(await failure()).toBe('MODEL_TIMEOUT');
      // A mark changes nothing that a summary is made from.
      expect(await companions.keepSummary(owner, scope, aSummary(1))).toBe('kept');
      expect(await failure()).toBeNull();
      await companions.markRolling(owner, scope, freshId('CODE'));
      await companions.markRolling(owner, scope, null);
      expect(await failure()).toBeNull();
    });
  });
}
