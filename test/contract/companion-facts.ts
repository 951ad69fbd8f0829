import { describe, expect, it } from 'vitest';
import type { FactRecord, MemoryScope, NewFact } from '../../src/engine/ports/companion-store.ts';
import type { Owner } from '../../src/engine/ports/store.ts';
import { aFact, aRollIn, type CompanionsUnderTest, found, hostileTexts, someTurns } from './companion-fixtures.ts';
import { anOwner, freshId, start } from './store-fixtures.ts';

const scope = { cartridgeId: 'mentor', learnerId: 'ema' };

/** A fact as it is kept, and where it has given way, by which and when. */
function asKept({ words: _words, stems: _stems, supersedes: _supersedes, ...fact }: NewFact, by?: NewFact): FactRecord {
  return { ...fact, supersededAt: by?.learnedAt ?? null, supersededBy: by?.id ?? null };
}

export function describeFacts(shared: () => CompanionsUnderTest): void {
  const ids = async (owner: Owner, place: MemoryScope = scope, all = false) =>
    (await shared().companions.facts(owner, place, all)).map(({ id }) => id);

  describe('facts', () => {
    it('stand oldest first, with where each was said', async () => {
      const { companions } = shared();
      const owner = anOwner();
      expect(await companions.facts(owner, scope, true)).toEqual([]);
      const said = aFact({ sessionId: freshId('talk'), exchangeId: freshId('exchange') });
      const learned = aFact({ kind: 'achievement', text: 'Pati išsprendė lygtį.', learnedAt: start + 5 });
      const next = aFact({ sessionId: freshId('talk'), learnedAt: start + 9 });
      await companions.keepFacts(owner, scope, [said, learned]);
      await companions.keepFacts(owner, scope, []);
      await companions.keepFacts(owner, scope, [next]);
      const kept = [asKept(said), asKept(learned), asKept(next)];
      expect(await companions.facts(owner, scope, false)).toEqual(kept);
      expect(await companions.facts(owner, scope, true)).toEqual(kept);
    });

    it('that give way to others stay to be read, with the day they were learned and the day they gave way', async () => {
      const { companions } = shared();
      const owner = anOwner();
      const first = aFact({ text: 'Gyvena Kaune.', learnedAt: start });
      const second = aFact({ text: 'Gyvena Vilniuje.', learnedAt: start + 100, supersedes: first.id });
      const third = aFact({ text: 'Gyvena Rygoje.', learnedAt: start + 200, supersedes: second.id });
      const other = aFact({ learnedAt: start + 50 });
      await companions.keepFacts(owner, scope, [first, other]);
      await companions.keepFacts(owner, scope, [second]);
      expect(await companions.facts(owner, scope, false)).toEqual([asKept(other), asKept(second)]);
      await companions.keepFacts(owner, scope, [third]);
      expect(await companions.facts(owner, scope, false)).toEqual([asKept(other), asKept(third)]);
      expect(await companions.facts(owner, scope, true)).toEqual([
        asKept(first, second),
        asKept(other),
        asKept(second, third),
        asKept(third),
      ]);
    });

    it('can give way to one that was learned in the same conversation, and give way once', async () => {
      const { companions } = shared();
      const owner = anOwner();
      const old = aFact();
      const next = aFact({ supersedes: old.id, learnedAt: start + 5 });
      const late = aFact({ supersedes: old.id, learnedAt: start + 9 });
      await companions.keepFacts(owner, scope, [old, next]);
      await companions.keepFacts(owner, scope, [late]);
      const all = [asKept(old, next), asKept(next), asKept(late)];
      expect(await companions.facts(owner, scope, true)).toEqual(all);
    });

    it('given again change nothing, whatever they say now and whatever came of them since', async () => {
      const { companions, search } = shared();
      const owner = anOwner();
      const old = aFact({ text: 'Bijo vulkanų.' });
      const other = aFact();
      const next = aFact({ text: 'Mėgsta vulkanus.', supersedes: old.id, learnedAt: start + 5 });
      await companions.keepFacts(owner, scope, [old, other, next]);
      const before = await companions.facts(owner, scope, true);
      await companions.keepFacts(owner, scope, [old, other, next]);
      const changed = { text: 'Nemėgsta upių.', kind: 'other', learnedAt: start + 99, sessionId: freshId('talk') };
      await companions.keepFacts(owner, scope, [
        aFact({ ...changed, id: next.id, supersedes: other.id }),
        aFact({ ...changed, id: old.id }),
      ]);
      expect(await companions.facts(owner, scope, true)).toEqual(before);
      expect(before).toEqual([asKept(old, next), asKept(other), asKept(next)]);
      expect(await found(search, owner, { text: 'upės', includeArchive: true })).toEqual([]);
      expect(await found(search, owner, { text: 'vulkanai' })).toEqual([`fact:${next.id}`]);
    });

    it('given many times at once, and twice in one call, are kept once', async () => {
      const { companions, search } = shared();
      const owner = anOwner();
      const old = aFact({ text: 'vulkanas' });
      const facts = [old, aFact({ text: 'vulkanas' }), old, aFact({ text: 'vulkanas', supersedes: old.id })];
      await Promise.all(Array.from({ length: 20 }, () => companions.keepFacts(owner, scope, facts)));
      expect(await ids(owner, scope, true)).toEqual([facts[0]?.id, facts[1]?.id, facts[3]?.id]);
      expect(await ids(owner)).toEqual([facts[1]?.id, facts[3]?.id]);
      expect(await found(search, owner, { text: 'vulkanas', includeArchive: true })).toHaveLength(3);
    });

    it('are taken once by id in whatever scope, and stay in the one that had them first', async () => {
      const { companions } = shared();
      const owner = anOwner();
      const fact = aFact();
      await companions.keepFacts(owner, scope, [fact]);
      for (const place of [
        { ...scope, learnerId: null },
        { ...scope, cartridgeId: 'pm' },
      ]) {
        await companions.keepFacts(owner, place, [fact]);
        expect(await companions.facts(owner, place, true)).toEqual([]);
      }
      expect(await companions.facts(owner, scope, true)).toEqual([asKept(fact)]);
    });

    it('give way to nothing of another scope or person, nor to themselves', async () => {
      const { companions } = shared();
      const owner = anOwner();
      const fact = aFact();
      const itself = aFact();
      await companions.keepFacts(owner, scope, [fact, { ...itself, supersedes: itself.id }]);
      const strangers = [
        { who: owner, place: { ...scope, learnerId: null } },
        { who: owner, place: { ...scope, learnerId: 'jonas' } },
        { who: owner, place: { ...scope, cartridgeId: 'pm' } },
        { who: anOwner(owner.schoolId), place: scope },
        { who: { ...owner, schoolId: freshId('school') }, place: scope },
      ];
      for (const { who, place } of strangers) {
        const usurper = aFact({ supersedes: fact.id });
        await companions.keepFacts(who, place, [usurper, aFact({ supersedes: 'no-such-fact' })]);
        expect(await companions.facts(who, place, false)).toHaveLength(2);
      }
      expect(await companions.facts(owner, scope, false)).toEqual([asKept(fact), asKept(itself)]);
    });

    it('of the same id are two of two people, and each lives on its own', async () => {
      const { companions, search } = shared();
      const owner = anOwner();
      const people = [owner, anOwner(owner.schoolId), { ...owner, schoolId: freshId('school') }];
      const id = freshId('fact');
      const facts = people.map((_, index) => aFact({ id, text: `vulkanas ${index}`, learnedAt: start + index }));
      for (const [index, who] of people.entries())
        await companions.keepFacts(who, scope, facts.slice(index, index + 1));
      for (const [index, who] of people.entries()) {
        expect(await companions.facts(who, scope, true)).toMatchObject([{ id, text: `vulkanas ${index}` }]);
        expect(await found(search, who, { text: 'vulkanas' })).toEqual([`fact:${id}`]);
      }
      const next = aFact({ supersedes: id });
      await companions.keepFacts(owner, scope, [next]);
      await companions.clearMemory(owner, scope, start);
      for (const who of people.slice(1)) {
        expect(await companions.facts(who, scope, false)).toMatchObject([{ id, supersededAt: null }]);
        expect(await found(search, who, { text: 'vulkanas' })).toEqual([`fact:${id}`]);
      }
    });

    it('given in one call are kept all or none', async () => {
      const { companions, search } = shared();
      const owner = anOwner();
      const old = aFact({ text: 'vulkanas' });
      await companions.keepFacts(owner, scope, [old]);
      const spoilt = [aFact({ text: 'vulkanas', supersedes: old.id }), aFact({ learnedAt: Number.NaN })];
      await expect(companions.keepFacts(owner, scope, spoilt)).rejects.toThrow();
      expect(await companions.facts(owner, scope, true)).toEqual([asKept(old)]);
      expect(await found(search, owner, { text: 'vulkanas' })).toEqual([`fact:${old.id}`]);
    });

    it('may be many', async () => {
      const { companions } = shared();
      const owner = anOwner();
      const facts = Array.from({ length: 500 }, (_, index) => aFact({ learnedAt: start + index }));
      await companions.keepFacts(owner, scope, facts);
      expect(await ids(owner)).toEqual(facts.map(({ id }) => id));
    });

    it.each(hostileTexts)('keep $name', async ({ written, kept }) => {
      const { companions, search } = shared();
      const owner = anOwner();
      const fact = aFact({ text: `pradžia ${written}`, kind: written });
      await companions.keepFacts(owner, scope, [fact]);
      const text = `pradžia ${kept}`;
      expect(await companions.facts(owner, scope, false)).toEqual([{ ...asKept(fact), text, kind: kept }]);
      expect(await found(search, owner, { text: 'pradžia' })).toEqual([`fact:${fact.id}`]);
    });
  });

  describe('facts in the search', () => {
    it('are found by their words in whatever form, with the companion they were told to', async () => {
      const { companions, search } = shared();
      const owner = anOwner();
      const fact = aFact({ text: 'Sesuo žaidžia krepšinį.' });
      await companions.keepFacts(owner, scope, [fact, aFact({ text: 'Nori tapti gydytoja.' })]);
      expect(await found(search, owner, { text: 'krepšinio' })).toEqual([`fact:${fact.id}`]);
      expect(await found(search, owner, { text: 'krepšinis', cartridgeId: 'mentor' })).toEqual([`fact:${fact.id}`]);
      expect(await found(search, owner, { text: 'krepšinis', cartridgeId: 'maestro' })).toEqual([]);
      expect(await found(search, anOwner(owner.schoolId), { text: 'krepšinis', includeArchive: true })).toEqual([]);
    });

    it('that gave way are found in the archive', async () => {
      const { companions, search } = shared();
      const owner = anOwner();
      const old = aFact({ text: 'Gyvena prie vulkano.' });
      const next = aFact({ text: 'Gyvena toli nuo vulkano.', supersedes: old.id });
      await companions.keepFacts(owner, scope, [old, next]);
      const both = [`fact:${next.id}`, `fact:${old.id}`];
      expect(await found(search, owner, { text: 'vulkanas' })).toEqual([`fact:${next.id}`]);
      expect((await found(search, owner, { text: 'vulkanas', includeArchive: true })).toSorted()).toEqual(
        both.toSorted(),
      );
    });

    it('that were cleared are found in the archive, stay cleared, and make room for new ones', async () => {
      const { companions, search } = shared();
      const owner = anOwner();
      const old = aFact({ text: 'vulkanas' });
      const facts = [old, aFact({ text: 'vulkanas', supersedes: old.id })];
      await companions.rollIn(owner, scope, aRollIn(someTurns(1)));
      await companions.keepFacts(owner, scope, facts);
      expect(await companions.clearMemory(owner, scope, start + 9)).toBe(true);
      await companions.keepFacts(owner, scope, facts);
      expect(await ids(owner, scope, true)).toEqual([]);
      expect(await found(search, owner, { text: 'vulkanas' })).toEqual([]);
      expect(await found(search, owner, { text: 'vulkanas', includeArchive: true })).toHaveLength(2);
      const fresh = aFact({ text: 'vulkanas', supersedes: facts[1]?.id ?? null });
      await companions.keepFacts(owner, scope, [fresh]);
      expect(await companions.facts(owner, scope, true)).toEqual([asKept(fresh)]);
      expect(await found(search, owner, { text: 'vulkanas' })).toEqual([`fact:${fresh.id}`]);
      expect(await found(search, owner, { text: 'vulkanas', includeArchive: true })).toHaveLength(3);
    });
  });
}
