import { describe, expect, it } from 'vitest';
import type { SessionRecord, Store } from '../../src/engine/ports/store.ts';
import { aChange, anOwner, aSession, aSettlement, aTurn, keepSession, ownerOf, start } from './store-fixtures.ts';

export function describeSessions(shared: () => Store): void {
  describe('sessions', () => {
    it('gives a session back as it was made, for a school and a learner it has not seen before', async () => {
      const store = shared();
      const plain = await keepSession(store);
      expect(await store.loadSession(ownerOf(plain), plain.id)).toEqual({
        session: plain,
        exchanges: [],
        ownerName: null,
        liveTurnId: null,
      });
      const full: Partial<SessionRecord> = {
        classId: 'class-of-a-token',
        kind: 'companion',
        status: 'completed',
        frozen: true,
        outcome: 'partial',
        state: '{"žodis":"🦊","tuščia":null}',
        prompts: [
          { layer: 'persona', source: 'prompts/default/persona.md', hash: 'h' },
          { layer: 'mode', source: null, hash: null },
        ],
        version: 7,
        endedAt: start + 9,
      };
      const session = await keepSession(store, full);
      expect((await store.loadSession(ownerOf(session), session.id))?.session).toEqual(session);
    });

    it('fails where a session’s id is taken, and keeps the one that is there', async () => {
      const store = shared();
      const session = await keepSession(store);
      await expect(store.createSession(aSession(anOwner(), { id: session.id }))).rejects.toMatchObject({
        name: 'AppError',
        code: 'INTERNAL',
      });
      expect((await store.loadSession(ownerOf(session), session.id))?.session).toEqual(session);
    });

    it('finds nothing for an id that is nobody’s', async () => {
      expect(await shared().loadSession(anOwner(), 'no-such-session')).toBeNull();
    });

    it('saves a change at the expected version, which then goes up by one', async () => {
      const store = shared();
      const session = await keepSession(store);
      const change = aChange(session, { phase: 'reveal', state: '{"phase":"reveal"}', cartridgeHash: 'hash-2' });
      expect(await store.saveSession(ownerOf(session), change)).toBe('saved');
      expect((await store.loadSession(ownerOf(session), session.id))?.session).toEqual({
        ...session,
        phase: 'reveal',
        state: '{"phase":"reveal"}',
        cartridgeHash: 'hash-2',
        version: 2,
        updatedAt: change.updatedAt,
      });
    });

    it('refuses a change for any other version, earlier or later', async () => {
      const store = shared();
      const session = await keepSession(store, { version: 5 });
      for (const expectedVersion of [4, 6]) {
        expect(await store.saveSession(ownerOf(session), aChange(session, { expectedVersion }))).toBe('conflict');
      }
      expect((await store.loadSession(ownerOf(session), session.id))?.session).toEqual(session);
    });

    it('keeps when a lesson ended, once, and forgets it where the lesson goes on', async () => {
      const store = shared();
      const session = await keepSession(store);
      const owner = ownerOf(session);
      const endedAfter = async (expectedVersion: number, status: 'active' | 'completed', updatedAt: number) => {
        const change = aChange(session, { expectedVersion, status, updatedAt });
        expect(await store.saveSession(owner, change)).toBe('saved');
        return (await store.loadSession(owner, session.id))?.session.endedAt;
      };
      expect(await endedAfter(1, 'completed', start + 10)).toBe(start + 10);
      expect(await endedAfter(2, 'completed', start + 20)).toBe(start + 10);
      expect(await endedAfter(3, 'active', start + 30)).toBeNull();
    });

    it('gives exchanges in the order they happened, whatever the clock said', async () => {
      const store = shared();
      const session = await keepSession(store);
      const said: string[] = [];
      for (const now of [start + 900, start + 100, start + 500]) {
        const turn = aTurn(session, { now });
        await store.beginTurn(turn);
        const settlement = aSettlement(turn, { now: now - 50 });
        await store.settleTurn(settlement);
        said.push(turn.exchange?.id ?? '', settlement.reply?.id ?? '');
      }
      const loaded = await store.loadSession(ownerOf(session), session.id);
      expect(loaded?.exchanges.map((exchange) => exchange.id)).toEqual(said);
    });

    it('gives the outcomes of the owner’s finished lessons, newest first, other than one', async () => {
      const store = shared();
      const owner = anOwner();
      const finished = (outcome: string | null, endedAt: number, over: Partial<SessionRecord> = {}) =>
        store.createSession(aSession(owner, { status: 'completed', outcome, endedAt, ...over }));
      await finished('first', start + 1);
      await finished('third', start + 3);
      await finished('second', start + 2);
      await finished('third too', start + 3);
      await finished(null, start + 4);
      await finished('of a companion', start + 5, { kind: 'companion' });
      await finished('not finished', start + 6, { status: 'active', endedAt: null });
      const except = aSession(owner, { status: 'completed', outcome: 'this one', endedAt: start + 7 });
      await store.createSession(except);
      expect(await store.recentOutcomes(owner, except.id, 10)).toEqual(['third too', 'third', 'second', 'first']);
      expect(await store.recentOutcomes(owner, except.id, 2)).toEqual(['third too', 'third']);
      expect(await store.recentOutcomes(owner, except.id, 0)).toEqual([]);
    });
  });
}
