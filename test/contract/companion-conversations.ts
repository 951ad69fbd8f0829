import { describe, expect, it } from 'vitest';
import type { ConversationPage, ConversationRecord } from '../../src/engine/ports/companion-store.ts';
import type { NewJob } from '../../src/engine/ports/queue.ts';
import {
  type CompanionsUnderTest,
  drain,
  hostileTexts,
  idleMs,
  keepConversation,
  keepEnded,
} from './companion-fixtures.ts';
import { aChange, anOwner, aSession, aSettlement, aTurn, freshId, start } from './store-fixtures.ts';

const asked = (over: { content?: string } = {}) => ({
  id: freshId('exchange'),
  role: 'user' as const,
  content: 'Kas yra trupmena?',
  phase: 'conversation',
  ...over,
});
const told = () => ({ ...asked({ content: 'Dalis visumos.' }), role: 'assistant' as const, redacted: false });

export function describeConversations(shared: () => CompanionsUnderTest): void {
  describe('a conversation', () => {
    it('comes back as it was made, and its session with it', async () => {
      const { store, companions } = shared();
      const owner = anOwner();
      const details = { learnerId: 'ema', projectId: 'parduotuvė', title: 'Trupmenos', entryContext: 'iš 4 pamokos' };
      const session = await keepConversation(companions, owner, { ...details, idleMs: 300_000 });
      expect(await companions.conversation(owner, session.id)).toEqual({
        ...details,
        idleMs: 300_000,
        id: session.id,
        cartridgeId: 'mentor',
        language: 'lt',
        isActive: true,
        messages: 0,
        createdAt: start,
        lastMessageAt: null,
        endedAt: null,
      });
      expect((await store.loadSession(owner, session.id))?.session).toEqual(session);
      const bare = await keepConversation(companions, owner);
      const nothing = { learnerId: null, projectId: null, title: null, entryContext: null };
      expect(await companions.conversation(owner, bare.id)).toMatchObject(nothing);
      expect(await companions.conversation(owner, 'no-such-conversation')).toBeNull();
    });

    it('is none where a session is a lesson', async () => {
      const { store, companions } = shared();
      const lesson = aSession(anOwner());
      await store.createSession(lesson);
      const owner = { schoolId: lesson.schoolId, userId: lesson.ownerId };
      expect(await companions.conversation(owner, lesson.id)).toBeNull();
      expect(await companions.endConversation(owner, lesson.id, start)).toBeNull();
      expect(await companions.conversations(owner, { offset: 0, limit: 10 })).toEqual({ items: [], total: 0 });
    });

    it.each(hostileTexts)('keeps $name in its title and what it was entered with', async ({ written, kept }) => {
      const { companions } = shared();
      const owner = anOwner();
      const session = await keepConversation(companions, owner, { title: written, entryContext: written });
      const record = await companions.conversation(owner, session.id);
      expect(record).toMatchObject({ title: kept, entryContext: kept });
    });

    it('is touched by what is said and what is answered, and counts what its person said', async () => {
      const { store, companions } = shared();
      const owner = anOwner();
      const session = await keepConversation(companions, owner);
      const said = async () => {
        const record = await companions.conversation(owner, session.id);
        return [record?.messages, record?.lastMessageAt];
      };
      const turn = aTurn(session, { kind: 'conversation', exchange: asked(), now: start + 1_000 });
      await store.beginTurn(turn);
      expect(await said()).toEqual([1, start + 1_000]);
      await store.settleTurn(aSettlement(turn, { reply: told(), now: start + 5_000 }));
      expect(await said()).toEqual([1, start + 5_000]);
    });

    it('is not touched by a message that comes to nothing, nor by a turn of another kind', async () => {
      const { store, companions } = shared();
      const owner = anOwner();
      const session = await keepConversation(companions, owner);
      const late = { now: start + 9_000, kind: 'conversation' as const, exchange: asked() };
      expect(await store.beginTurn(aTurn(session, { ...late, expectedVersion: 99 }))).toEqual({ kind: 'conflict' });
      const full = { key: freshId('rate'), limit: 1, windowMs: 60_000, now: start, cost: 1 };
      await store.countUse(full);
      expect(await store.beginTurn(aTurn(session, { ...late, rates: [full] }))).toMatchObject({ kind: 'rate_limited' });
      const turn = aTurn(session, { now: start + 9_000 });
      await store.beginTurn(turn);
      await store.settleTurn(aSettlement(turn, { now: start + 9_500 }));
      expect(await companions.conversation(owner, session.id)).toMatchObject({ lastMessageAt: null });
    });

    it('names the turns in which there were signs of crisis', async () => {
      const { store, companions } = shared();
      const owner = anOwner();
      const session = await keepConversation(companions, owner);
      const alert = { id: freshId('alert'), kind: 'self_harm', severity: 3 };
      const turn = aTurn(session, { kind: 'conversation', exchange: asked(), alerts: [alert] });
      await store.beginTurn(turn);
      await store.settleTurn(aSettlement(turn));
      await store.beginTurn(aTurn(session, { kind: 'conversation', exchange: asked() }));
      expect(await companions.alertedTurns(owner, session.id)).toEqual([turn.id]);
      expect(await companions.alertedTurns(anOwner(owner.schoolId), session.id)).toEqual([]);
    });
  });

  describe("a person's conversations", () => {
    it('come the one touched last first, a page at a time', async () => {
      const { store, companions } = shared();
      const owner = anOwner();
      const sessions = [];
      for (let index = 0; index < 12; index += 1) {
        const at = { createdAt: start + index, updatedAt: start + index };
        sessions.push(await keepConversation(companions, owner, { ...at, id: freshId('talk') }));
      }
      const page = async (over: Partial<ConversationPage> = {}) => {
        const { items, total } = await companions.conversations(owner, { offset: 0, limit: 5, ...over });
        return { ids: items.map(({ id }) => id), total };
      };
      const newest = sessions.map(({ id }) => id).toReversed();
      expect(await page()).toEqual({ ids: newest.slice(0, 5), total: 12 });
      expect(await page({ offset: 10 })).toEqual({ ids: newest.slice(10), total: 12 });
      expect(await page({ offset: 12 })).toEqual({ ids: [], total: 12 });
      const [oldest] = sessions;
      if (!oldest) throw new Error('there are conversations');
      await store.beginTurn(aTurn(oldest, { kind: 'conversation', exchange: asked(), now: start + 60_000 }));
      expect((await page()).ids).toEqual([oldest.id, ...newest.slice(0, 4)]);
      const whole: ConversationRecord[] = [];
      for (let offset = 0; offset < 12; offset += 5)
        whole.push(...(await companions.conversations(owner, { offset, limit: 5 })).items);
      expect(new Set(whole.map(({ id }) => id))).toEqual(new Set(newest));
    });

    it('of the same moment are each on one page', async () => {
      const { companions } = shared();
      const owner = anOwner();
      const sessions = await Promise.all(Array.from({ length: 9 }, () => keepConversation(companions, owner)));
      const seen: string[] = [];
      for (let offset = 0; offset < 9; offset += 2)
        seen.push(...(await companions.conversations(owner, { offset, limit: 2 })).items.map(({ id }) => id));
      expect(seen.toSorted()).toEqual(sessions.map(({ id }) => id).toSorted());
    });

    it('can be those with one companion, those that go on, those that are over', async () => {
      const { companions } = shared();
      const owner = anOwner();
      const on = await keepConversation(companions, owner);
      const over = await keepEnded(companions, owner);
      const other = await keepConversation(companions, owner, { cartridgeId: 'maestro' });
      const ids = async (which: Partial<ConversationPage>) => {
        const { items, total } = await companions.conversations(owner, { offset: 0, limit: 10, ...which });
        expect(total).toBe(items.length);
        return new Set(items.map(({ id }) => id));
      };
      expect(await ids({ cartridgeId: 'mentor' })).toEqual(new Set([on.id, over.id]));
      expect(await ids({ isActive: true })).toEqual(new Set([on.id, other.id]));
      expect(await ids({ isActive: false })).toEqual(new Set([over.id]));
      expect(await ids({ cartridgeId: 'maestro', isActive: false })).toEqual(new Set());
      expect(await ids({ cartridgeId: 'mento%' })).toEqual(new Set());
    });
  });

  describe('work that a turn leaves for later', () => {
    const job = (key: string): NewJob => ({
      key,
      kind: 'exchange_work',
      payload: { session_id: key },
      schoolId: null,
      ownerId: null,
      runAt: start,
    });

    it('is in the queue once the turn is settled, each piece once', async () => {
      const { store, companions, queue } = shared();
      const session = await keepConversation(companions, anOwner());
      const turn = aTurn(session, { kind: 'conversation', exchange: asked() });
      await store.beginTurn(turn);
      const jobs = [job(`a:${turn.id}`), job(`b:${turn.id}`), job(`a:${turn.id}`)];
      let wakes = 0;
      using _wake = queue.onEnqueued(() => {
        wakes += 1;
      });
      expect(await store.settleTurn(aSettlement(turn, { jobs }))).toBe('settled');
      expect(wakes).toBe(1);
      expect((await drain(queue, ['exchange_work'])).map(({ key }) => key)).toEqual([`a:${turn.id}`, `b:${turn.id}`]);
    });

    it('is not there where the turn was fenced, or its session had changed', async () => {
      const { store, companions, queue } = shared();
      const session = await keepConversation(companions, anOwner());
      const turn = aTurn(session, { kind: 'conversation', exchange: asked() });
      const settle = (over: Parameters<typeof aSettlement>[1]) =>
        store.settleTurn(aSettlement(turn, { reply: told(), jobs: [job(turn.id)], now: start + idleMs, ...over }));
      let wakes = 0;
      using _wake = queue.onEnqueued(() => {
        wakes += 1;
      });
      expect(await settle({})).toBe('fenced');
      await store.beginTurn(turn);
      expect(await settle({ change: aChange(session, { expectedVersion: 99 }) })).toBe('conflict');
      expect(await settle({ owner: anOwner(session.schoolId) })).toBe('fenced');
      expect(wakes).toBe(0);
      expect(await drain(queue, ['exchange_work'])).toEqual([]);
      const record = await companions.conversation(turn.owner, session.id);
      expect(record).toMatchObject({ messages: 1, lastMessageAt: turn.now });
    });
  });
}
