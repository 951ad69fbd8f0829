import { describe, expect, it } from 'vitest';
import type { NewJob } from '../../src/engine/ports/queue.ts';
import type { NewTurn, SessionRecord } from '../../src/engine/ports/store.ts';
import { type CompanionsUnderTest, drain, keepConversation } from './companion-fixtures.ts';
import { aChange, aFailure, anOwner, aSettlement, aTurn, freshId, start } from './store-fixtures.ts';

const kind = 'settled_work';

function aJob(key: string, over: Partial<NewJob> = {}): NewJob {
  return { key, kind, payload: { turn_id: key }, schoolId: null, ownerId: null, runAt: start, ...over };
}

export function describeSettling(shared: () => CompanionsUnderTest): void {
  const aLiveTurn = async (): Promise<{ session: SessionRecord; turn: NewTurn }> => {
    const { store, companions } = shared();
    const session = await keepConversation(companions, anOwner());
    const exchange = { id: freshId('exchange'), role: 'user' as const, content: 'Labas', phase: 'conversation' };
    const turn = aTurn(session, { kind: 'conversation', exchange });
    expect(await store.beginTurn(turn)).toMatchObject({ kind: 'begun' });
    return { session, turn };
  };
  const keys = async () => (await drain(shared().queue, [kind])).map(({ key }) => key);

  describe('the work of a turn that is settled', () => {
    it('is not given again by a settlement that comes again, done or not', async () => {
      const { store } = shared();
      const { session, turn } = await aLiveTurn();
      const settlement = aSettlement(turn, { jobs: [aJob(turn.id)], change: aChange(session) });
      expect(await store.settleTurn(settlement)).toBe('settled');
      expect(await keys()).toEqual([turn.id]);
      expect(await store.settleTurn(settlement)).toBe('fenced');
      expect(await store.settleTurn({ ...aFailure(turn, true), jobs: [aJob(`late:${turn.id}`)] })).toBe('fenced');
      expect(await keys()).toEqual([]);
    });

    it('is that of one settlement where many come at once', async () => {
      const { store } = shared();
      const { turn } = await aLiveTurn();
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          store.settleTurn(aSettlement(turn, { jobs: [aJob(`${turn.id}:${index}`)] })),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'settled')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'fenced')).toHaveLength(11);
      expect(await keys()).toEqual([`${turn.id}:${outcomes.indexOf('settled')}`]);
    });

    it('is not given by a settlement that comes after a crash took the turn for interrupted', async () => {
      const { store } = shared();
      const { turn } = await aLiveTurn();
      expect(await store.interruptLiveTurns(start + 5_000)).toBeGreaterThan(0);
      expect(await store.settleTurn(aSettlement(turn, { jobs: [aJob(turn.id)] }))).toBe('fenced');
      expect(await keys()).toEqual([]);
    });

    it('is given where the reply failed too, if any is named', async () => {
      const { store } = shared();
      const { turn } = await aLiveTurn();
      expect(await store.settleTurn({ ...aFailure(turn, true), jobs: [aJob(turn.id)] })).toBe('settled');
      const { turn: other } = await aLiveTurn();
      expect(await store.settleTurn(aFailure(other, false))).toBe('settled');
      expect(await keys()).toEqual([turn.id]);
    });

    it('is given with all the rest of the settlement or not at all', async () => {
      const { store, companions } = shared();
      const { session, turn } = await aLiveTurn();
      const jobs = [aJob(turn.id), aJob(`spoilt:${turn.id}`, { runAt: Number.NaN })];
      await expect(store.settleTurn(aSettlement(turn, { jobs, change: aChange(session) }))).rejects.toThrow();
      expect(await keys()).toEqual([]);
      expect((await store.turn(turn.owner, session.id, turn.id))?.status).toBe('streaming');
      const loaded = await store.loadSession(turn.owner, session.id);
      expect(loaded?.exchanges.map(({ content }) => content)).toEqual(['Labas']);
      expect(loaded?.session.version).toBe(session.version);
      const record = await companions.conversation(turn.owner, session.id);
      expect(record?.lastMessageAt).toBe(turn.now);
      expect(await store.settleTurn(aSettlement(turn, { jobs: jobs.slice(0, 1) }))).toBe('settled');
      expect(await keys()).toEqual([turn.id]);
    });

    it('that waits already stays as it was given first', async () => {
      const { store, queue } = shared();
      const { turn } = await aLiveTurn();
      const first = aJob(turn.id, { payload: { turn_id: 'first' } });
      expect(await queue.enqueue(first)).toBe('enqueued');
      expect(await store.settleTurn(aSettlement(turn, { jobs: [aJob(turn.id)] }))).toBe('settled');
      expect(await drain(queue, [kind])).toMatchObject([{ key: turn.id, payload: { turn_id: 'first' } }]);
    });

    it('carries whose it is', async () => {
      const { store, queue } = shared();
      const { turn } = await aLiveTurn();
      const { schoolId, userId: ownerId } = turn.owner;
      await store.settleTurn(aSettlement(turn, { jobs: [aJob(turn.id, { schoolId, ownerId })] }));
      expect(await drain(queue, [kind])).toMatchObject([{ key: turn.id, schoolId, ownerId, attempt: 1 }]);
    });
  });
}
