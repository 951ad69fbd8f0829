import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/engine/ports/store.ts';
import {
  aChange,
  aClass,
  anOwner,
  aSession,
  aSettlement,
  aTurn,
  freshId,
  keepLiveTurn,
  keepSession,
  ownerOf,
  start,
} from './store-fixtures.ts';

/** How many of each value there are. */
function tally(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

export function describeConcurrency(shared: () => Store): void {
  describe('at the same time', () => {
    it('fifty messages to one session begin one turn, and the others are told which', async () => {
      const store = shared();
      const session = await keepSession(store);
      const turns = Array.from({ length: 50 }, () => aTurn(session, { clientMessageId: freshId('message') }));
      const begun = await Promise.all(turns.map((turn) => store.beginTurn(turn)));
      expect(tally(begun.map((one) => one.kind))).toEqual({ begun: 1, busy: 49 });
      const loaded = await store.loadSession(ownerOf(session), session.id);
      expect(new Set(begun.flatMap((one) => (one.kind === 'busy' ? [one.turnId] : [])))).toEqual(
        new Set([loaded?.liveTurnId]),
      );
      expect(loaded?.exchanges).toHaveLength(1);
    });

    it('fifty copies of one message begin one turn, and the others get it', async () => {
      const store = shared();
      const session = await keepSession(store);
      const turns = Array.from({ length: 50 }, () => aTurn(session, { clientMessageId: 'message-1' }));
      const begun = await Promise.all(turns.map((turn) => store.beginTurn(turn)));
      expect(tally(begun.map((one) => one.kind))).toEqual({ begun: 1, same: 49 });
    });

    it('fifty debriefs of one session are one', async () => {
      const store = shared();
      const session = await keepSession(store);
      const turns = Array.from({ length: 50 }, () => aTurn(session, { kind: 'debrief', exchange: null }));
      const begun = await Promise.all(turns.map((turn) => store.beginTurn(turn)));
      expect(tally(begun.map((one) => one.kind))).toEqual({ begun: 1, same: 49 });
    });

    it('of many saves at one version one wins', async () => {
      const store = shared();
      const session = await keepSession(store);
      const saves = Array.from({ length: 20 }, (_, index) =>
        store.saveSession(ownerOf(session), aChange(session, { phase: `phase-${index}` })),
      );
      const results = await Promise.all(saves);
      expect(tally(results)).toEqual({ saved: 1, conflict: 19 });
      const loaded = await store.loadSession(ownerOf(session), session.id);
      expect(loaded?.session).toMatchObject({ version: 2, phase: `phase-${results.indexOf('saved')}` });
    });

    it('of two settlements of one turn one wins', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store);
      const settlements = [aSettlement(turn), aSettlement(turn, { status: 'stopped' })];
      const results = await Promise.all(settlements.map((settlement) => store.settleTurn(settlement)));
      expect(tally(results)).toEqual({ settled: 1, fenced: 1 });
      const loaded = await store.loadSession(ownerOf(session), session.id);
      expect(loaded?.exchanges).toHaveLength(2);
    });

    it('a choice and a settlement at one version cannot both win', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store);
      const results = await Promise.all([
        store.saveSession(ownerOf(session), aChange(session)),
        store.settleTurn(aSettlement(turn, { change: aChange(session) })),
      ]);
      expect([
        ['saved', 'conflict'],
        ['conflict', 'settled'],
      ]).toContainEqual(results);
      expect((await store.loadSession(ownerOf(session), session.id))?.session.version).toBe(2);
    });

    it('a rate limit lets through exactly as many as it says', async () => {
      const store = shared();
      const use = { key: freshId('rate'), limit: 1_000, windowMs: 60_000, now: start };
      const verdicts = await Promise.all(Array.from({ length: 3_000 }, () => store.countUse(use)));
      expect(tally(verdicts.map((verdict) => verdict.kind))).toEqual({ allowed: 1_000, limited: 2_000 });
    });

    it('a join code goes to one class', async () => {
      const store = shared();
      const joinCode = freshId('CODE');
      const records = Array.from({ length: 20 }, () => aClass(anOwner(), { joinCode }));
      const results = await Promise.all(records.map((record) => store.createClass(record)));
      expect(tally(results)).toEqual({ created: 1, code_taken: 19 });
    });

    it('a call that fails takes none of its neighbours with it', async () => {
      const store = shared();
      const taken = await keepSession(store);
      const sessions = Array.from({ length: 40 }, (_, index) => aSession(anOwner(), index % 4 ? {} : { id: taken.id }));
      const results = await Promise.allSettled(sessions.map((session) => store.createSession(session)));
      expect(tally(results.map((result) => result.status))).toEqual({ fulfilled: 30, rejected: 10 });
      for (const [index, session] of sessions.entries()) {
        const loaded = await store.loadSession(ownerOf(session), session.id);
        expect(loaded?.session ?? null).toEqual(index % 4 ? session : null);
      }
    });

    it('thousands of calls are each answered with their own answer', async () => {
      const store = shared();
      const sessions = Array.from({ length: 1_000 }, () => aSession(anOwner()));
      await Promise.all(sessions.map((session) => store.createSession(session)));
      const replies = await Promise.all(
        sessions.map(async (session) => {
          const turn = aTurn(session);
          const [begun, loaded] = await Promise.all([
            store.beginTurn(turn),
            store.loadSession(ownerOf(session), session.id),
          ]);
          const settled = await store.settleTurn(aSettlement(turn, { change: aChange(session) }));
          const after = await store.loadSession(ownerOf(session), session.id);
          const trace = await store.trace(session.schoolId, session.id, turn.id);
          return { begun: begun.kind, before: loaded?.session.id, settled, after, trace };
        }),
      );
      for (const [index, session] of sessions.entries()) {
        expect(replies[index]).toMatchObject({
          begun: 'begun',
          before: session.id,
          settled: 'settled',
          after: { session: { id: session.id, version: 2 }, exchanges: [{}, {}], liveTurnId: null },
          trace: '{"layers":[]}',
        });
      }
    });
  });
}
