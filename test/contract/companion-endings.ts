import { describe, expect, it } from 'vitest';
import type { SessionRecord } from '../../src/engine/ports/store.ts';
import {
  aConversation,
  type CompanionsUnderTest,
  drain,
  idleMs,
  keepConversation,
  keepEnded,
  type OpenCompanions,
  openForTest,
} from './companion-fixtures.ts';
import { anOwner, aSettlement, aTurn, freshId, ownerOf, start } from './store-fixtures.ts';

const over = start + idleMs;

/** Endings concern whatever is in the store, so each test has one of its own. */
export function describeEndings(open: OpenCompanions): void {
  async function beginTurn({ store }: CompanionsUnderTest, session: SessionRecord, now: number) {
    const exchange = { id: freshId('exchange'), role: 'user' as const, content: 'Labas', phase: 'conversation' };
    const turn = aTurn(session, { kind: 'conversation', exchange, now });
    expect(await store.beginTurn(turn)).toMatchObject({ kind: 'begun' });
    return turn;
  }
  const isActive = async ({ companions }: CompanionsUnderTest, session: SessionRecord) =>
    (await companions.conversation(ownerOf(session), session.id))?.isActive;

  describe('ending a conversation', () => {
    it('ends it once, ends its session, and leaves one job to remember it', async () => {
      const opened = await openForTest(open);
      const { store, companions, queue } = opened;
      const owner = anOwner();
      const session = await keepConversation(companions, owner);
      expect(await companions.endConversation(owner, session.id, start + 5)).toBe('ended');
      expect(await companions.endConversation(owner, session.id, start + 6)).toBe('over');
      expect(await companions.conversation(owner, session.id)).toMatchObject({ isActive: false, endedAt: start + 5 });
      expect((await store.loadSession(owner, session.id))?.session).toEqual({
        ...session,
        status: 'completed',
        version: session.version + 1,
        updatedAt: start + 5,
        endedAt: start + 5,
      });
      expect(await drain(queue)).toMatchObject([
        {
          key: `remember:${session.id}`,
          kind: 'remember',
          payload: { session_id: session.id },
          schoolId: owner.schoolId,
          ownerId: owner.userId,
        },
      ]);
    });

    it('waits for a reply that is being made, and comes before a message of an earlier version', async () => {
      const opened = await openForTest(open);
      const { store, companions, queue } = opened;
      const session = await keepConversation(companions, anOwner());
      const turn = await beginTurn(opened, session, start);
      const end = () => companions.endConversation(turn.owner, session.id, start + 5);
      expect(await end()).toBe('busy');
      expect(await isActive(opened, session)).toBe(true);
      expect(await drain(queue)).toEqual([]);
      await store.settleTurn(aSettlement(turn));
      expect(await end()).toBe('ended');
      expect(await store.beginTurn(aTurn(session, { kind: 'conversation' }))).toEqual({ kind: 'conflict' });
    });

    it('by calls and by nobody saying anything, all at once, ends it once', async () => {
      const opened = await openForTest(open);
      const { companions, queue } = opened;
      const sessions = await Promise.all(Array.from({ length: 20 }, () => keepConversation(companions, anOwner())));
      const calls = sessions.flatMap((session) =>
        Array.from({ length: 3 }, () => companions.endConversation(ownerOf(session), session.id, over)),
      );
      const sweeps = Array.from({ length: 5 }, () => companions.endIdleConversations(over, 7));
      const [answers, swept] = await Promise.all([
        Promise.all(calls.slice(0, 30)),
        Promise.all(sweeps),
        Promise.all(calls.slice(30)),
      ]);
      const ended = (await Promise.all(calls)).filter((answer) => answer === 'ended').length;
      expect(answers.every((answer) => answer === 'ended' || answer === 'over')).toBe(true);
      const bySweep = swept.flat().map(({ sessionId }) => sessionId);
      expect(new Set(bySweep).size).toBe(bySweep.length);
      expect(ended + bySweep.length).toBe(20);
      const keys = (await drain(queue)).map(({ key }) => key);
      expect(keys.toSorted()).toEqual(sessions.map(({ id }) => `remember:${id}`).toSorted());
    });
  });

  describe('a conversation that nobody says anything in', () => {
    it('ends when its time is up, not before, and says whose it was', async () => {
      const opened = await openForTest(open);
      const { companions, queue } = opened;
      const session = await keepConversation(companions, anOwner());
      const patient = await keepConversation(companions, anOwner(), { idleMs: idleMs * 2 });
      expect(await companions.endIdleConversations(over - 1, 10)).toEqual([]);
      const owner = ownerOf(session);
      expect(await companions.endIdleConversations(over, 10)).toEqual([{ owner, sessionId: session.id }]);
      expect(await companions.endIdleConversations(over, 10)).toEqual([]);
      expect(await companions.conversation(owner, session.id)).toMatchObject({ isActive: false, endedAt: over });
      expect(await isActive(opened, patient)).toBe(true);
      expect((await drain(queue)).map(({ key }) => key)).toEqual([`remember:${session.id}`]);
    });

    it('ends among the first whose time was up, so many at a time', async () => {
      const { companions } = await openForTest(open);
      const sessions: SessionRecord[] = [];
      for (const minutes of [3, 1, 4, 2, 5])
        sessions.push(await keepConversation(companions, anOwner(), { idleMs: minutes * 60_000 }));
      const sweep = async () => (await companions.endIdleConversations(over, 2)).map(({ sessionId }) => sessionId);
      const inTurn = [1, 3, 0, 2, 4].map((index) => sessions[index]?.id);
      expect([await sweep(), await sweep(), await sweep(), await sweep()]).toEqual([
        inTurn.slice(0, 2),
        inTurn.slice(2, 4),
        inTurn.slice(4),
        [],
      ]);
    });

    it('stays while a reply is being made, and takes nobody else their turn to end', async () => {
      const opened = await openForTest(open);
      const { store, companions, queue } = opened;
      const busy = await Promise.all(Array.from({ length: 5 }, () => keepConversation(companions, anOwner())));
      const turns = await Promise.all(busy.map((session) => beginTurn(opened, session, start)));
      const quiet = await keepConversation(companions, anOwner(), { createdAt: start + 1 });
      const swept = await companions.endIdleConversations(over + 1, 3);
      expect(swept.map(({ sessionId }) => sessionId)).toEqual([quiet.id]);
      for (const session of busy) expect(await isActive(opened, session)).toBe(true);
      expect(await drain(queue)).toHaveLength(1);
      // A reply puts the end off; a turn that a crash interrupted does not.
      const [first] = turns;
      if (!first) throw new Error('there are turns');
      await store.settleTurn(aSettlement(first, { now: over }));
      expect(await store.interruptLiveTurns(over)).toBe(4);
      const rest = await companions.endIdleConversations(over + 1, 10);
      expect(new Set(rest.map(({ sessionId }) => sessionId))).toEqual(new Set(busy.slice(1).map(({ id }) => id)));
    });

    it('stays when it was touched since', async () => {
      const opened = await openForTest(open);
      const { store, companions } = opened;
      const session = await keepConversation(companions, anOwner());
      const turn = await beginTurn(opened, session, start + 60_000);
      await store.settleTurn(aSettlement(turn, { now: start + 90_000 }));
      expect(await companions.endIdleConversations(over, 10)).toEqual([]);
      expect(await companions.endIdleConversations(over + 90_000 - 1, 10)).toEqual([]);
      expect(await companions.endIdleConversations(over + 90_000, 10)).toHaveLength(1);
    });
  });

  describe('a conversation that ends earlier ones', () => {
    it("ends the owner's own with the same companion about the same learner, in the same commit", async () => {
      const opened = await openForTest(open);
      const { companions, queue } = opened;
      const owner = anOwner();
      const about = { learnerId: 'ema' };
      const same = [await keepConversation(companions, owner, about), await keepConversation(companions, owner, about)];
      const past = await keepEnded(companions, owner, about);
      const others = [
        await keepConversation(companions, owner),
        await keepConversation(companions, owner, { learnerId: 'jonas' }),
        await keepConversation(companions, owner, { ...about, cartridgeId: 'maestro' }),
        await keepConversation(companions, anOwner(owner.schoolId), about),
        await keepConversation(companions, { ...owner, schoolId: freshId('school') }, about),
      ];
      await drain(queue);
      const next = await keepConversation(companions, owner, { ...about, endsEarlier: true, createdAt: start + 7 });
      for (const session of same)
        expect(await companions.conversation(owner, session.id)).toMatchObject({ endedAt: start + 7 });
      expect(await companions.conversation(owner, past.id)).toMatchObject({ endedAt: start + 60_000 });
      for (const session of [...others, next]) expect(await isActive(opened, session)).toBe(true);
      const keys = (await drain(queue)).map(({ key }) => key);
      expect(keys.toSorted()).toEqual(same.map(({ id }) => `remember:${id}`).toSorted());
    });

    it('ends none where it cannot be made itself', async () => {
      const opened = await openForTest(open);
      const { companions, queue } = opened;
      const owner = anOwner();
      const earlier = await keepConversation(companions, owner);
      const again = aConversation(owner, { id: earlier.id, endsEarlier: true });
      await expect(companions.createConversation(again)).rejects.toThrow();
      expect(await isActive(opened, earlier)).toBe(true);
      expect(await drain(queue)).toEqual([]);
    });

    it('leaves one in which a reply is being made, which then ends like any other', async () => {
      const opened = await openForTest(open);
      const { store, companions } = opened;
      const owner = anOwner();
      const busy = await keepConversation(companions, owner);
      const turn = await beginTurn(opened, busy, start);
      await keepConversation(companions, owner, { endsEarlier: true });
      expect(await isActive(opened, busy)).toBe(true);
      expect(await store.settleTurn(aSettlement(turn))).toBe('settled');
      expect(await companions.endConversation(owner, busy.id, start + 9)).toBe('ended');
    });

    it('many at once leave one that goes on', async () => {
      const { companions, queue } = await openForTest(open);
      const owner = anOwner();
      await Promise.all(Array.from({ length: 12 }, () => keepConversation(companions, owner, { endsEarlier: true })));
      const page = { offset: 0, limit: 1, isActive: true };
      expect((await companions.conversations(owner, page)).total).toBe(1);
      expect(await drain(queue)).toHaveLength(11);
    });
  });
}
