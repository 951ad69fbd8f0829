import { describe, expect, it } from 'vitest';
import type { MemoryScope } from '../../src/engine/ports/companion-store.ts';
import type { LeasedJob } from '../../src/engine/ports/queue.ts';
import { analyseText } from '../../src/memory/search-text.ts';
import {
  aPart,
  type CompanionsUnderTest,
  found,
  hostileTexts,
  keepConversation,
  keepEnded,
} from './companion-fixtures.ts';
import { anOwner, start } from './store-fixtures.ts';

const scope = { cartridgeId: 'mentor', learnerId: null };
const indexed = (text: string) => ({ text, ...analyseText(text, 'lt') });

export function describeParts(shared: () => CompanionsUnderTest): void {
  describe('what is remembered of one conversation', () => {
    it('is kept part by part, and a later part takes the place of the same one', async () => {
      const { companions } = shared();
      const owner = anOwner();
      const { id } = await keepEnded(companions, owner);
      expect(await companions.partsOf(owner, id)).toEqual([]);
      const failed = aPart(id, { part: 'topics', status: 'failed', content: '' });
      await companions.keepPart(owner, failed);
      await companions.keepPart(owner, aPart(id, { part: 'summary' }));
      expect(await companions.partsOf(owner, id)).toEqual([aPart(id), failed]);
      const done = aPart(id, { part: 'topics', content: '["trupmenos"]', madeAt: start + 5 });
      await companions.keepPart(owner, done);
      expect(await companions.partsOf(owner, id)).toEqual([aPart(id), done]);
    });

    it.each(hostileTexts)('keeps $name', async ({ written, kept }) => {
      const { companions, search } = shared();
      const owner = anOwner();
      const { id } = await keepEnded(companions, owner);
      const text = `${written} pabaiga`;
      await companions.keepPart(owner, aPart(id, { content: written, indexed: indexed(text) }));
      expect((await companions.partsOf(owner, id)).map(({ content }) => content)).toEqual([kept]);
      expect(await companions.recalledSessions(owner, scope, 5)).toMatchObject([{ summary: kept }]);
      const ends = await found(search, owner, { text: 'pabaiga' });
      expect(ends).toHaveLength(text.length > 90_000 ? ends.length : 1);
    });

    it('is kept for nobody but whose conversation it is', async () => {
      const { companions, search } = shared();
      const owner = anOwner();
      const { id } = await keepEnded(companions, owner);
      for (const other of [anOwner(owner.schoolId), { ...owner, schoolId: 'elsewhere' }]) {
        await companions.keepPart(other, aPart(id, { content: 'svetima', indexed: indexed('svetima') }));
        expect(await companions.partsOf(other, id)).toEqual([]);
        expect(await found(search, other, { text: 'svetima' })).toEqual([]);
      }
      expect(await companions.partsOf(owner, id)).toEqual([]);
      await companions.keepPart(owner, aPart('no-such-session'));
      expect(await companions.partsOf(owner, 'no-such-session')).toEqual([]);
    });

    it('is found by its words as long as they stand', async () => {
      const { companions, search } = shared();
      const owner = anOwner();
      const { id } = await keepEnded(companions, owner);
      await companions.keepPart(owner, aPart(id, { indexed: indexed('Kalbėta apie vulkanus') }));
      expect(await found(search, owner, { text: 'vulkanai' })).toEqual([`summary:${id}`]);
      expect(await found(search, owner, { text: 'vulkanai', cartridgeId: 'maestro' })).toEqual([]);
      await companions.keepPart(owner, aPart(id, { indexed: indexed('Kalbėta apie upes') }));
      expect(await found(search, owner, { text: 'vulkanai', includeArchive: true })).toEqual([]);
      expect(await found(search, owner, { text: 'upės' })).toEqual([`summary:${id}`]);
      await companions.keepPart(owner, aPart(id, { status: 'skipped', content: '', indexed: null }));
      expect(await found(search, owner, { text: 'upės', includeArchive: true })).toEqual([]);
    });
  });

  describe('the sessions that are recalled', () => {
    it('are the latest ended ones that left something, latest first', async () => {
      const { companions } = shared();
      const owner = anOwner();
      const talk = async (after: number, summary: string) => {
        const { id } = await keepEnded(companions, owner, { after, createdAt: start + after - 5 });
        await companions.keepPart(owner, aPart(id, { content: summary }));
        return { sessionId: id, summary, topics: [], startedAt: start + after - 5, endedAt: start + after };
      };
      const kept = [
        await talk(10, 'pirma'),
        await talk(30, 'trečia'),
        await talk(20, 'antra'),
        await talk(40, 'nauja'),
      ];
      const [first, third, second, last] = kept;
      const going = await keepConversation(companions, owner);
      await companions.keepPart(owner, aPart(going.id, { content: 'dar vyksta' }));
      await keepEnded(companions, owner, { after: 50 });
      expect(await companions.recalledSessions(owner, scope, 3)).toEqual([last, third, second]);
      expect(await companions.recalledSessions(owner, scope, 9)).toEqual([last, third, second, first]);
      expect(await companions.recalledSessions(owner, scope, 0)).toEqual([]);
    });

    it('are being remembered while there is work on them that is due', async () => {
      const { companions, queue } = shared();
      const owner = anOwner();
      const ask = (now: number, over: Partial<MemoryScope> = {}) =>
        companions.isRemembering(owner, { ...scope, ...over }, now);
      expect(await ask(start)).toBe(false);
      const { id } = await keepEnded(companions, owner, { after: 10 });
      expect(await ask(start + 10)).toBe(true);
      expect(await ask(start + 10, { cartridgeId: 'maestro' })).toBe(false);
      expect(await ask(start + 10, { learnerId: 'emma' })).toBe(false);
      expect(await companions.isRemembering({ ...owner, schoolId: 'elsewhere' }, scope, start + 10)).toBe(false);
      expect(await companions.isRemembering(anOwner(owner.schoolId), scope, start + 10)).toBe(false);
      const work = { kind: 'remember_part', schoolId: owner.schoolId, ownerId: owner.userId, runAt: start + 20 };
      const keys = [`remember:${id}:summary`, `rolling:${id}`];
      for (const key of keys) await queue.enqueue({ ...work, key, payload: { session_id: id } });
      const now = start + 30;
      const own: LeasedJob[] = [];
      for (;;) {
        const leased = await queue.lease({ kinds: ['remember', 'remember_part'], now, leaseMs: 60_000 });
        if (leased.kind === 'none') break;
        if (leased.job.key.includes(id)) own.push(leased.job);
        else await queue.complete(leased.job.lease, now);
      }
      const [first, second, third] = own.toSorted((one, other) => one.key.localeCompare(other.key));
      expect([first?.key, second?.key, third?.key]).toEqual([`remember:${id}`, ...keys]);
      for (const job of [first, second]) {
        expect(await ask(now)).toBe(true);
        if (job) await queue.complete(job.lease, now);
      }
      expect(await ask(now)).toBe(true);
      // What failed and is tried again later is not under way.
      if (third) await queue.fail(third.lease, { code: 'INTERNAL', now, retryAt: start + 90 });
      expect(await ask(now)).toBe(false);
      expect(await ask(start + 90)).toBe(true);
    });

    it('have their summary and topics where those were made', async () => {
      const { companions } = shared();
      const owner = anOwner();
      const { id } = await keepEnded(companions, owner);
      const recalled = () => companions.recalledSessions(owner, scope, 3);
      await companions.keepPart(owner, aPart(id, { status: 'failed', content: '' }));
      await companions.keepPart(owner, aPart(id, { part: 'learnings', content: '["ne"]' }));
      await companions.keepPart(owner, aPart(id, { part: 'topics', status: 'skipped', content: '' }));
      expect(await recalled()).toEqual([]);
      await companions.keepPart(owner, aPart(id, { part: 'topics', content: '["trupmenos","dalyba 🍕"]' }));
      expect(await recalled()).toMatchObject([{ sessionId: id, summary: '', topics: ['trupmenos', 'dalyba 🍕'] }]);
      await companions.keepPart(owner, aPart(id, { content: 'Santrauka' }));
      await companions.keepPart(owner, aPart(id, { part: 'topics', status: 'failed', content: 'not json' }));
      expect(await recalled()).toMatchObject([{ sessionId: id, summary: 'Santrauka', topics: [] }]);
    });

    it('are those with one companion about one learner, or about none', async () => {
      const { companions } = shared();
      const owner = anOwner();
      const places = [scope, { ...scope, learnerId: 'ema' }, { cartridgeId: 'maestro', learnerId: 'ema' }];
      const ids = [];
      for (const place of places) {
        const { id } = await keepEnded(companions, owner, place);
        await companions.keepPart(owner, aPart(id));
        ids.push(id);
      }
      for (const [index, place] of places.entries()) {
        const recalled = await companions.recalledSessions(owner, place, 9);
        expect(recalled.map(({ sessionId }) => sessionId)).toEqual([ids[index]]);
      }
    });
  });

  describe('the learners of a facilitator', () => {
    it('are kept by id, come by name, and can be named anew', async () => {
      const { companions } = shared();
      const owner = anOwner();
      const learner = (id: string, name: string) => ({ id, name, createdAt: start });
      expect(await companions.learners(owner)).toEqual([]);
      await companions.keepLearner(owner, learner('l2', 'Zita'));
      await companions.keepLearner(owner, learner('l1', 'Ema'));
      await companions.keepLearner(owner, { ...learner('l1', 'Agnė 🎒'), createdAt: start + 9 });
      expect(await companions.learners(owner)).toEqual([learner('l1', 'Agnė 🎒'), learner('l2', 'Zita')]);
      const other = anOwner(owner.schoolId);
      await companions.keepLearner(other, learner('l1', 'Kita'));
      expect(await companions.learners(other)).toEqual([learner('l1', 'Kita')]);
      expect((await companions.learners(owner)).map(({ name }) => name)).toEqual(['Agnė 🎒', 'Zita']);
    });

    it.each(hostileTexts)('may be called $name', async ({ written, kept }) => {
      const { companions } = shared();
      const owner = anOwner();
      await companions.keepLearner(owner, { id: 'l1', name: written, createdAt: start });
      expect(await companions.learners(owner)).toMatchObject([{ name: kept }]);
    });
  });
}
