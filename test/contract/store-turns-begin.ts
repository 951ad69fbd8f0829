import { describe, expect, it } from 'vitest';
import type { NewTurn, SessionRecord, Store, TurnStatus } from '../../src/engine/ports/store.ts';
import {
  aChange,
  aFailure,
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

export function describeBeginning(shared: () => Store): void {
  const exchangesOf = async (session: SessionRecord) =>
    (await shared().loadSession(ownerOf(session), session.id))?.exchanges ?? [];

  /** Asks again for the turn that `turn` asked for: the same words, another turn id. */
  const again = (turn: NewTurn, over: Partial<NewTurn> = {}): NewTurn => ({
    ...turn,
    id: freshId('turn'),
    exchange: turn.exchange && { ...turn.exchange, id: freshId('exchange') },
    ...over,
  });

  describe('beginning a turn', () => {
    it('keeps the learner’s words and the live turn, and leaves the session’s version alone', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store, { clientMessageId: 'message-1' });
      const owner = ownerOf(session);
      const loaded = await store.loadSession(owner, session.id);
      expect(loaded).toEqual({
        session,
        exchanges: [{ ...turn.exchange, turnId: turn.id, redacted: false, createdAt: turn.now }],
        ownerName: null,
        liveTurnId: turn.id,
      });
      expect(await store.turn(owner, session.id, turn.id)).toEqual({
        id: turn.id,
        sessionId: session.id,
        kind: 'dialogue',
        status: 'streaming',
        clientMessageId: 'message-1',
        exchangeId: turn.exchange?.id,
        startedAt: turn.now,
        settledAt: null,
        settled: null,
      });
    });

    it('says which exchange a turn answers, and none for a debrief', async () => {
      const store = shared();
      const session = await keepSession(store);
      const turn = aTurn(session);
      expect(await store.beginTurn(turn)).toEqual({ kind: 'begun', exchangeId: turn.exchange?.id });
      await store.settleTurn(aSettlement(turn));
      const debrief = aTurn(session, { kind: 'debrief', exchange: null });
      expect(await store.beginTurn(debrief)).toEqual({ kind: 'begun', exchangeId: null });
    });

    it('throws NOT_FOUND for a session that is not there', async () => {
      const session = aSession(anOwner());
      await expect(shared().beginTurn(aTurn(session))).rejects.toMatchObject({ name: 'AppError', code: 'NOT_FOUND' });
    });

    it('is busy while another turn is live, and names it', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store, { clientMessageId: 'message-1' });
      const busy = { kind: 'busy', turnId: turn.id };
      expect(await store.beginTurn(aTurn(session, { clientMessageId: 'message-2' }))).toEqual(busy);
      expect(await store.beginTurn(aTurn(session))).toEqual(busy);
      expect(await store.beginTurn(aTurn(session, { kind: 'debrief', exchange: null }))).toEqual(busy);
      // Also where the version is wrong: that there is a live turn is the more useful answer.
      expect(await store.beginTurn(aTurn(session, { expectedVersion: 9 }))).toEqual(busy);
      expect(await exchangesOf(session)).toHaveLength(1);
    });

    it('is a conflict at another version, and keeps nothing', async () => {
      const store = shared();
      const session = await keepSession(store, { version: 3 });
      for (const expectedVersion of [2, 4]) {
        expect(await store.beginTurn(aTurn(session, { expectedVersion }))).toEqual({ kind: 'conflict' });
      }
      expect(await store.loadSession(ownerOf(session), session.id)).toEqual({
        session,
        exchanges: [],
        ownerName: null,
        liveTurnId: null,
      });
    });
  });

  describe('a message sent again', () => {
    const endings: Exclude<TurnStatus, 'streaming' | 'interrupted'>[] = ['done', 'redacted', 'stopped'];

    it('is the same turn while that turn is live, rather than busy', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store, { clientMessageId: 'message-1' });
      const same = await store.beginTurn(again(turn, { expectedVersion: 9 }));
      expect(same).toEqual({ kind: 'same', turn: await store.turn(ownerOf(session), session.id, turn.id) });
      expect(await exchangesOf(session)).toHaveLength(1);
    });

    it.each(endings)('is the same turn once it is %s, whatever the session has come to', async (status) => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store, { clientMessageId: 'message-1' });
      await store.settleTurn(aSettlement(turn, { status, change: aChange(session) }));
      const later = aTurn(session, { expectedVersion: 2, clientMessageId: 'message-2' });
      expect(await store.beginTurn(later)).toMatchObject({ kind: 'begun' });
      expect(await store.beginTurn(again(turn))).toMatchObject({ kind: 'same', turn: { id: turn.id, status } });
      expect(await exchangesOf(session)).toHaveLength(3);
    });

    it('is the same turn where that turn failed for good', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store, { clientMessageId: 'message-1' });
      await store.settleTurn(aFailure(turn, false));
      expect(await store.beginTurn(again(turn))).toEqual({
        kind: 'same',
        turn: await store.turn(ownerOf(session), session.id, turn.id),
      });
    });

    it('is a new turn for the same words where that turn failed retryably', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store, { clientMessageId: 'message-1' });
      await store.settleTurn(aFailure(turn, true));
      const retry = again(turn, { now: start + 5_000 });
      expect(await store.beginTurn(retry)).toEqual({ kind: 'begun', exchangeId: turn.exchange?.id });
      const exchanges = await exchangesOf(session);
      expect(exchanges).toEqual([
        { ...turn.exchange, id: turn.exchange?.id, turnId: retry.id, redacted: false, createdAt: turn.now },
      ]);
      expect(await store.turn(ownerOf(session), session.id, retry.id)).toMatchObject({
        status: 'streaming',
        exchangeId: turn.exchange?.id,
        clientMessageId: 'message-1',
      });
      expect(await store.turn(ownerOf(session), session.id, turn.id)).toMatchObject({ status: 'error' });
    });

    it('keeps its place in the conversation when it is tried again after others', async () => {
      const store = shared();
      const { session, turn: first } = await keepLiveTurn(store, { clientMessageId: 'message-1' });
      await store.settleTurn(aFailure(first, true));
      const second = aTurn(session, { clientMessageId: 'message-2' });
      await store.beginTurn(second);
      await store.settleTurn(aSettlement(second));
      const retry = again(first);
      await store.beginTurn(retry);
      const settlement = aSettlement(retry);
      await store.settleTurn(settlement);
      const exchanges = await exchangesOf(session);
      expect(exchanges.map((exchange) => [exchange.turnId, exchange.role])).toEqual([
        [retry.id, 'student'],
        [second.id, 'student'],
        [second.id, 'trickster'],
        [retry.id, 'trickster'],
      ]);
    });

    it('goes by its latest try', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store, { clientMessageId: 'message-1' });
      await store.settleTurn(aFailure(turn, true));
      const second = again(turn);
      await store.beginTurn(second);
      await store.settleTurn(aFailure(second, true));
      const third = again(turn);
      expect(await store.beginTurn(third)).toMatchObject({ kind: 'begun' });
      await store.settleTurn(aSettlement(third));
      expect(await store.beginTurn(again(turn))).toMatchObject({ kind: 'same', turn: { id: third.id } });
      expect(await store.turnOfMessage(ownerOf(session), session.id, 'message-1')).toMatchObject({ id: third.id });
    });

    it('is tried again only where the session is at the expected version and has no live turn', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store, { clientMessageId: 'message-1' });
      await store.settleTurn(aFailure(turn, true));
      expect(await store.beginTurn(again(turn, { expectedVersion: 2 }))).toEqual({ kind: 'conflict' });
      const other = aTurn(session);
      await store.beginTurn(other);
      expect(await store.beginTurn(again(turn))).toEqual({ kind: 'busy', turnId: other.id });
      expect((await exchangesOf(session))[0]?.turnId).toBe(turn.id);
    });

    it('is another message in another session, and without an id always', async () => {
      const store = shared();
      const { turn } = await keepLiveTurn(store, { clientMessageId: 'message-1' });
      const elsewhere = await keepSession(store);
      expect(await store.beginTurn(aTurn(elsewhere, { clientMessageId: 'message-1' }))).toMatchObject({
        kind: 'begun',
      });
      await store.settleTurn(aSettlement(turn));
      const session = await keepSession(store);
      for (const turnWithoutId of [aTurn(session), aTurn(session)]) {
        expect(await store.beginTurn(turnWithoutId)).toMatchObject({ kind: 'begun' });
        await store.settleTurn(aSettlement(turnWithoutId));
      }
    });
  });

  describe('a debrief', () => {
    const aDebrief = (session: SessionRecord) => aTurn(session, { kind: 'debrief', exchange: null });

    it('is given once in a session, live or done', async () => {
      const store = shared();
      const session = await keepSession(store);
      const debrief = aDebrief(session);
      await store.beginTurn(debrief);
      expect(await store.beginTurn(aDebrief(session))).toMatchObject({ kind: 'same', turn: { id: debrief.id } });
      await store.settleTurn(aSettlement(debrief));
      expect(await store.beginTurn(aDebrief(session))).toMatchObject({
        kind: 'same',
        turn: { id: debrief.id, status: 'done' },
      });
    });

    it('is tried again after a retryable failure, and not after another', async () => {
      const store = shared();
      const session = await keepSession(store);
      const [first, second] = [aDebrief(session), aDebrief(session)];
      await store.beginTurn(first);
      await store.settleTurn(aFailure(first, true));
      expect(await store.beginTurn(second)).toEqual({ kind: 'begun', exchangeId: null });
      await store.settleTurn(aFailure(second, false));
      expect(await store.beginTurn(aDebrief(session))).toMatchObject({ kind: 'same', turn: { id: second.id } });
    });

    it('is not what a message with its id made', async () => {
      const store = shared();
      const session = await keepSession(store);
      const debrief = { ...aDebrief(session), clientMessageId: 'message-1' };
      await store.beginTurn(debrief);
      await store.settleTurn(aSettlement(debrief));
      expect(await store.turnOfMessage(ownerOf(session), session.id, 'message-1')).toBeNull();
      expect(await store.beginTurn(aTurn(session, { clientMessageId: 'message-1' }))).toMatchObject({ kind: 'begun' });
    });
  });

  describe('the rate of turns', () => {
    it('is counted for turns that begin, and for nothing else', async () => {
      const store = shared();
      const rate = { key: freshId('rate'), limit: 2, windowMs: 60_000, now: start };
      const { session, turn } = await keepLiveTurn(store, { clientMessageId: 'message-1', rates: [rate] });
      // Same, busy, conflict: none of them is a use.
      await store.beginTurn(again(turn));
      await store.beginTurn(aTurn(session, { rates: [rate] }));
      const elsewhere = await keepSession(store);
      await store.beginTurn(aTurn(elsewhere, { rates: [rate], expectedVersion: 9 }));
      expect(await store.beginTurn(aTurn(elsewhere, { rates: [rate] }))).toMatchObject({ kind: 'begun' });
      const third = await keepSession(store);
      expect(await store.beginTurn(aTurn(third, { rates: [rate] }))).toEqual({
        kind: 'rate_limited',
        retryAfterSeconds: 60,
      });
      expect(await store.loadSession(ownerOf(third), third.id)).toEqual({
        session: third,
        exchanges: [],
        ownerName: null,
        liveTurnId: null,
      });
      // One refused is no use of the next window either.
      const next = { ...rate, now: start + 60_000 };
      expect(await store.beginTurn(aTurn(third, { rates: [next] }))).toMatchObject({ kind: 'begun' });
      expect(await store.countUse(next)).toEqual({ kind: 'allowed' });
      expect(await store.countUse(next)).toMatchObject({ kind: 'limited' });
    });

    it('counts against all or none, and what a turn turned out to cost is counted when it settles', async () => {
      const store = shared();
      const turns = { key: freshId('rate'), limit: 5, windowMs: 60_000, now: start };
      const tokens = { key: freshId('rate'), limit: 100, windowMs: 86_400_000, now: start };
      const rates = [turns, { ...tokens, cost: 0 }];
      const { turn } = await keepLiveTurn(store, { rates });
      await store.settleTurn(aSettlement(turn, { spends: [{ ...tokens, cost: 140 }] }));
      const other = await keepSession(store);
      expect(await store.beginTurn(aTurn(other, { rates }))).toEqual({
        kind: 'rate_limited',
        retryAfterSeconds: 57_600,
      });
      for (let use = 1; use < turns.limit; use += 1) expect(await store.countUse(turns)).toEqual({ kind: 'allowed' });
      expect(await store.countUse(turns)).toMatchObject({ kind: 'limited' });
    });

    it('is the same count as `countUse` keeps for that key, and a repeat is answered also where it is used up', async () => {
      const store = shared();
      const rate = { key: freshId('rate'), limit: 1, windowMs: 60_000, now: start };
      const { turn } = await keepLiveTurn(store, { clientMessageId: 'message-1', rates: [rate] });
      expect(await store.countUse(rate)).toMatchObject({ kind: 'limited' });
      expect(await store.beginTurn(again(turn))).toMatchObject({ kind: 'same' });
    });
  });

  describe('freezing prompts', () => {
    it('keeps the first turn’s prompts with the session, and those of no later turn', async () => {
      const store = shared();
      const session = await keepSession(store);
      const text = { hash: freshId('prompt'), text: 'Tu esi Suktukas.' };
      const prompts = [
        { layer: 'persona', source: 'prompts/default/persona.md', hash: text.hash },
        { layer: 'mode', source: null, hash: null },
      ];
      const turn = aTurn(session, { freeze: { prompts, texts: [text] } });
      await store.beginTurn(turn);
      await store.settleTurn(aFailure(turn, true));
      const other = { hash: freshId('prompt'), text: 'Tu esi kitas.' };
      await store.beginTurn(aTurn(session, { freeze: { prompts: [], texts: [other] } }));
      expect((await store.loadSession(ownerOf(session), session.id))?.session.prompts).toEqual(prompts);
      expect(await store.promptTexts([text.hash, other.hash])).toEqual([text]);
    });

    it('keeps a text that several sessions use once', async () => {
      const store = shared();
      const text = { hash: freshId('prompt'), text: 'Tu esi Suktukas.' };
      const freeze = { prompts: [{ layer: 'persona', source: 'persona.md', hash: text.hash }], texts: [text] };
      await keepLiveTurn(store, { freeze });
      const { session } = await keepLiveTurn(store, { freeze });
      expect((await store.loadSession(ownerOf(session), session.id))?.session.prompts).toEqual(freeze.prompts);
      expect(await store.promptTexts([text.hash])).toEqual([text]);
    });

    it('keeps nothing of a turn that does not begin', async () => {
      const store = shared();
      const session = await keepSession(store);
      const text = { hash: freshId('prompt'), text: 'Tu esi Suktukas.' };
      await store.beginTurn(aTurn(session, { expectedVersion: 9, freeze: { prompts: [], texts: [text] } }));
      expect((await store.loadSession(ownerOf(session), session.id))?.session.prompts).toBeNull();
      expect(await store.promptTexts([text.hash])).toEqual([]);
    });
  });
}
