import { describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../src/engine/ports/store.ts';
import type { OpenStore } from './store-contract.ts';
import {
  aChange,
  aClass,
  anOwner,
  aSettlement,
  aTurn,
  freshId,
  keepLiveTurn,
  keepSession,
  ownerOf,
  start,
} from './store-fixtures.ts';

export function describeRestarts(open: OpenStore): void {
  const openForTest = async () => {
    const opened = await open();
    onTestFinished(() => opened.close());
    return opened;
  };

  const aFirstClass = () => {
    const teacher = anOwner();
    const names = { schoolName: 'Žalgirio gimnazija', teacherName: 'Mokytoja Ona' };
    return { schoolId: teacher.schoolId, teacherId: teacher.userId, ...names, class: aClass(teacher) };
  };

  describe('the first class', () => {
    it('is made in an empty store, and is the same one at every later start', async () => {
      const { store, reopen } = await openForTest();
      const first = aFirstClass();
      expect(await store.firstClass(first)).toEqual({ ...first, created: true });
      expect(await store.firstClass(aFirstClass())).toEqual({ ...first, created: false });
      await store.createClass(aClass({ schoolId: first.schoolId, userId: first.teacherId }, { createdAt: 0 }));
      const again = await reopen();
      expect(await again.firstClass(aFirstClass())).toEqual({ ...first, created: false });
      const student = { id: freshId('student'), displayName: null, createdAt: start };
      expect(await again.joinClass(first.class.joinCode, student)).toEqual({ class: first.class });
    });

    it('is one also where two starts ask at the same time', async () => {
      const { store } = await openForTest();
      const answers = await Promise.all(Array.from({ length: 10 }, () => store.firstClass(aFirstClass())));
      expect(new Set(answers.map((answer) => answer.class.id)).size).toBe(1);
      expect(answers.filter((answer) => answer.created)).toHaveLength(1);
    });
  });

  describe('a restart', () => {
    it('finds everything as it was left', async () => {
      const { store, reopen } = await openForTest();
      const { session, turn } = await keepLiveTurn(store, { clientMessageId: 'message-1' });
      const owner = ownerOf(session);
      const use = { key: 'rate', limit: 1, windowMs: 60_000, now: start };
      await store.settleTurn(aSettlement(turn, { change: aChange(session) }));
      await store.countUse(use);
      const look = async (from: Store) => ({
        loaded: await from.loadSession(owner, session.id),
        turn: await from.turn(owner, session.id, turn.id),
        trace: await from.trace(owner.schoolId, session.id, turn.id),
      });
      const before = await look(store);
      const again = await reopen();
      expect(await look(again)).toEqual(before);
      expect(before.loaded?.exchanges).toHaveLength(2);
      expect(await again.countUse(use)).toMatchObject({ kind: 'limited' });
    });

    it('marks every live turn as interrupted, once, and no other', async () => {
      const { store, reopen } = await openForTest();
      const live = [await keepLiveTurn(store, { clientMessageId: 'message-1' }), await keepLiveTurn(store)];
      const over = await keepLiveTurn(store);
      await store.settleTurn(aSettlement(over.turn));
      const again = await reopen();
      expect(await again.interruptLiveTurns(start + 9_000)).toBe(2);
      expect(await again.interruptLiveTurns(start + 9_001)).toBe(0);
      for (const { session, turn } of live) {
        const record = await again.turn(ownerOf(session), session.id, turn.id);
        expect(record).toMatchObject({ status: 'interrupted', settledAt: start + 9_000 });
        const loaded = await again.loadSession(ownerOf(session), session.id);
        expect(loaded).toMatchObject({ session, liveTurnId: null, exchanges: [{ content: turn.exchange?.content }] });
      }
      expect(await again.turn(ownerOf(over.session), over.session.id, over.turn.id)).toMatchObject({ status: 'done' });
    });

    it('serves an interrupted turn as an error that may be tried again, with nothing of its reply', async () => {
      const { store } = await openForTest();
      const { session, turn } = await keepLiveTurn(store);
      await store.interruptLiveTurns(start);
      const record = await store.turn(ownerOf(session), session.id, turn.id);
      expect(record?.settled).toMatchObject({
        text: '',
        tokenLengths: [],
        retryable: true,
        terminal: { name: 'error' },
      });
      expect(JSON.parse(record?.settled?.terminal.data ?? '')).toEqual({
        code: 'INTERRUPTED',
        message: expect.stringContaining('send it again'),
        retryable: true,
        partial_text: '',
      });
    });

    it('fences whoever still makes an interrupted turn', async () => {
      const { store } = await openForTest();
      const { session, turn } = await keepLiveTurn(store);
      await store.interruptLiveTurns(start);
      expect(await store.settleTurn(aSettlement(turn, { change: aChange(session) }))).toBe('fenced');
      expect((await store.loadSession(ownerOf(session), session.id))?.exchanges).toHaveLength(1);
    });

    it('lets an interrupted message be tried again: a new turn for the same words, which stand once', async () => {
      const { store } = await openForTest();
      const { session, turn } = await keepLiveTurn(store, { clientMessageId: 'message-1' });
      await store.interruptLiveTurns(start);
      const retry = aTurn(session, { clientMessageId: 'message-1' });
      expect(await store.beginTurn(retry)).toEqual({ kind: 'begun', exchangeId: turn.exchange?.id });
      await store.settleTurn(aSettlement(retry, { change: aChange(session) }));
      const loaded = await store.loadSession(ownerOf(session), session.id);
      expect(loaded?.exchanges.map(({ role }) => role)).toEqual(['student', 'trickster']);
      expect(loaded?.exchanges[0]?.content).toBe(turn.exchange?.content);
    });

    it('lets an interrupted debrief be given again', async () => {
      const { store } = await openForTest();
      const session = await keepSession(store);
      await store.beginTurn(aTurn(session, { kind: 'debrief', exchange: null }));
      await store.interruptLiveTurns(start);
      const again = await store.beginTurn(aTurn(session, { kind: 'debrief', exchange: null }));
      expect(again).toEqual({ kind: 'begun', exchangeId: null });
    });
  });

  describe('closing', () => {
    it('lets what was called before finish, and refuses what comes after', async () => {
      const { store, reopen } = await openForTest();
      const session = await keepSession(store);
      const turn = aTurn(session);
      const begun = store.beginTurn(turn);
      const closing = store.close();
      await expect(store.ping()).rejects.toMatchObject({ name: 'AppError', code: 'INTERNAL' });
      expect(await begun).toMatchObject({ kind: 'begun' });
      await closing;
      await store.close();
      await expect(store.loadSession(ownerOf(session), session.id)).rejects.toMatchObject({ code: 'INTERNAL' });
      const again = await reopen();
      expect((await again.loadSession(ownerOf(session), session.id))?.liveTurnId).toBe(turn.id);
    });

    it('answers a ping while it is open', async () => {
      const { store } = await openForTest();
      await expect(store.ping()).resolves.toBeUndefined();
    });
  });
}
