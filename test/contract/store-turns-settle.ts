import { describe, expect, it } from 'vitest';
import type { ExchangeRecord, Store } from '../../src/engine/ports/store.ts';
import {
  aChange,
  aFailure,
  anOwner,
  aSettlement,
  aTurn,
  freshId,
  keepLiveTurn,
  keepSession,
  ownerOf,
  start,
} from './store-fixtures.ts';

export function describeSettling(shared: () => Store): void {
  describe('settling a turn', () => {
    it('keeps reply, state, usage and trace together, and ends the turn', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store, { clientMessageId: 'message-1' });
      const owner = ownerOf(session);
      const change = aChange(session, { phase: 'reveal', status: 'completed', outcome: 'partial', state: '{"n":2}' });
      const settlement = aSettlement(turn, { change, trace: '{"layers":["persona"]}' });
      expect(await store.settleTurn(settlement)).toBe('settled');
      const loaded = await store.loadSession(owner, session.id);
      expect(loaded?.session).toEqual({
        ...session,
        phase: 'reveal',
        status: 'completed',
        outcome: 'partial',
        state: '{"n":2}',
        version: 2,
        updatedAt: change.updatedAt,
        endedAt: change.updatedAt,
      });
      expect(loaded?.exchanges[1]).toEqual({ ...settlement.reply, turnId: turn.id, createdAt: settlement.now });
      expect(loaded?.liveTurnId).toBeNull();
      expect(await store.turn(owner, session.id, turn.id)).toMatchObject({
        status: 'done',
        settledAt: settlement.now,
        settled: settlement.settled,
      });
      expect(await store.trace(owner.schoolId, session.id, turn.id)).toBe('{"layers":["persona"]}');
    });

    it('leaves the session alone where there is no change, and keeps no exchange where there is no reply', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store);
      const failure = aFailure(turn, true);
      expect(await store.settleTurn(failure)).toBe('settled');
      const loaded = await store.loadSession(ownerOf(session), session.id);
      expect(loaded?.session).toEqual(session);
      expect(loaded?.exchanges).toHaveLength(1);
      expect(await store.turn(ownerOf(session), session.id, turn.id)).toMatchObject({
        status: 'error',
        settled: failure.settled,
      });
    });

    it('keeps the fallback of a withdrawn reply, and of its text nothing', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store);
      const terminal = { name: 'redact' as const, data: '{"fallback_text":"Kalbėkime apie kita."}' };
      const settlement = aSettlement(turn, {
        status: 'redacted',
        reply: { id: freshId('exchange'), role: 'trickster', content: 'Kita tema.', phase: 'dialogue', redacted: true },
        settled: { text: 'what was withdrawn', tokenLengths: [4, 14], terminal, retryable: false },
      });
      expect(await store.settleTurn(settlement)).toBe('settled');
      const record = await store.turn(ownerOf(session), session.id, turn.id);
      expect(record).toMatchObject({ status: 'redacted', settled: { text: '', tokenLengths: [0, 0], terminal } });
      const loaded = await store.loadSession(ownerOf(session), session.id);
      expect(loaded?.exchanges[1]).toMatchObject({ content: 'Kita tema.', redacted: true });
    });

    it('is fenced once the turn is over, and writes nothing more', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store);
      const settlement = aSettlement(turn, { change: aChange(session) });
      await store.settleTurn(settlement);
      const before = await store.loadSession(ownerOf(session), session.id);
      const late = aSettlement(turn, {
        status: 'error',
        change: aChange(session, { expectedVersion: 2 }),
        trace: 'late',
      });
      expect(await store.settleTurn(late)).toBe('fenced');
      expect(await store.loadSession(ownerOf(session), session.id)).toEqual(before);
      expect(await store.trace(session.schoolId, session.id, turn.id)).toBe(settlement.trace);
      expect(await store.turn(ownerOf(session), session.id, turn.id)).toMatchObject({ status: 'done' });
    });

    it('is fenced for a turn that was never begun', async () => {
      const store = shared();
      const session = await keepSession(store);
      expect(await store.settleTurn(aSettlement(aTurn(session)))).toBe('fenced');
    });

    it('is a conflict where the session was changed meanwhile: nothing is written and the turn is live still', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store);
      const owner = ownerOf(session);
      await store.saveSession(owner, aChange(session, { phase: 'elsewhere' }));
      const before = await store.loadSession(owner, session.id);
      expect(await store.settleTurn(aSettlement(turn, { change: aChange(session) }))).toBe('conflict');
      expect(await store.loadSession(owner, session.id)).toEqual(before);
      expect(before?.liveTurnId).toBe(turn.id);
      expect(await store.trace(owner.schoolId, session.id, turn.id)).toBeNull();
      expect(await store.settleTurn(aSettlement(turn))).toBe('settled');
    });

    it('never changes another session than the turn’s own', async () => {
      const store = shared();
      const owner = anOwner();
      const over = { schoolId: owner.schoolId, ownerId: owner.userId };
      const [session, other] = [await keepSession(store, over), await keepSession(store, over)];
      const turn = aTurn(session);
      await store.beginTurn(turn);
      expect(await store.settleTurn(aSettlement(turn, { change: aChange(other) }))).toBe('conflict');
      expect((await store.loadSession(owner, other.id))?.session).toEqual(other);
    });

    it('is whole or not at all where a part of it cannot be kept', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store);
      const taken = { ...aSettlement(turn).reply, id: turn.exchange?.id ?? '' } as const;
      const settlement = aSettlement(turn, { change: aChange(session) });
      const reply = settlement.reply && { ...settlement.reply, id: taken.id };
      const before = await store.loadSession(ownerOf(session), session.id);
      await expect(store.settleTurn({ ...settlement, reply })).rejects.toMatchObject({ code: 'INTERNAL' });
      expect(await store.loadSession(ownerOf(session), session.id)).toEqual(before);
      expect(await store.settleTurn(settlement)).toBe('settled');
    });
  });

  describe('finding turns', () => {
    it('gives the latest turn of a kind, whatever became of it', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store);
      const owner = ownerOf(session);
      expect(await store.latestTurn(owner, session.id, 'debrief')).toBeNull();
      await store.settleTurn(aFailure(turn, false));
      const debrief = aTurn(session, { kind: 'debrief', exchange: null, now: start });
      await store.beginTurn(debrief);
      await store.settleTurn(aSettlement(debrief));
      const later = aTurn(session, { now: start });
      await store.beginTurn(later);
      expect(await store.latestTurn(owner, session.id, 'dialogue')).toMatchObject({
        id: later.id,
        status: 'streaming',
      });
      expect(await store.latestTurn(owner, session.id, 'debrief')).toMatchObject({ id: debrief.id, status: 'done' });
    });

    it('finds a turn only in its own session', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store, { clientMessageId: 'message-1' });
      await store.settleTurn(aSettlement(turn));
      const owner = ownerOf(session);
      const other = await keepSession(store, { schoolId: owner.schoolId, ownerId: owner.userId });
      expect(await store.turn(owner, other.id, turn.id)).toBeNull();
      expect(await store.turnOfMessage(owner, other.id, 'message-1')).toBeNull();
      expect(await store.latestTurn(owner, other.id, 'dialogue')).toBeNull();
      expect(await store.trace(owner.schoolId, other.id, turn.id)).toBeNull();
    });

    it('finds a turn by its id alone, live and settled, as it does in its session', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store);
      const owner = ownerOf(session);
      expect(await store.turnById(owner, turn.id)).toEqual(await store.turn(owner, session.id, turn.id));
      await store.settleTurn(aSettlement(turn));
      const settled = await store.turnById(owner, turn.id);
      expect(settled).toMatchObject({ sessionId: session.id, status: 'done' });
      expect(settled).toEqual(await store.turn(owner, session.id, turn.id));
      expect(await store.turnById(owner, freshId('turn'))).toBeNull();
    });
  });

  describe('text', () => {
    /** What is sent in a turn of its own: the exchanges and the settled text that come back. */
    async function sendThrough(content: string): Promise<{ said: string[]; text: string }> {
      const store = shared();
      const session = await keepSession(store);
      const exchange = { id: freshId('exchange'), role: 'student' as const, content, phase: 'dialogue' };
      const turn = aTurn(session, { exchange });
      await store.beginTurn(turn);
      const { reply, settled } = aSettlement(turn);
      await store.settleTurn(
        aSettlement(turn, { reply: reply && { ...reply, content }, settled: { ...settled, text: content } }),
      );
      const loaded = await store.loadSession(ownerOf(session), session.id);
      const record = await store.turn(ownerOf(session), session.id, turn.id);
      const said = (loaded?.exchanges ?? []).map((one: ExchangeRecord) => one.content);
      return { said, text: record?.settled?.text ?? 'nothing settled' };
    }

    it.each([
      ['Lithuanian', 'Ąžuolas, čia „tu“ – ėjo į šūsnį žąsų, ūsą ų?'],
      ['combining marks as they were typed', 'e\u0307 ė \u0161 s\u030c'],
      ['emoji and family sequences', '👩‍👩‍👧‍👦 🦊🏳️‍🌈'],
      ['right-to-left and zero-width', 'שלום \u200f\u200b\u2066x\u2069'],
      ['quotes and what looks like SQL', `'); DROP TABLE turns; -- " \\ \` ?1 @id :x`],
      ['line ends and tabs', 'a\r\nb\nc\td\u2028e'],
      ['nothing at all', ''],
    ])('keeps %s as it is', async (_, content) => {
      expect(await sendThrough(content)).toEqual({ said: [content, content], text: content });
    });

    it('keeps a lone surrogate and a NUL as U+FFFD, which is as long', async () => {
      const kept = 'a\uFFFDb\uFFFDc\uFFFDd 🦊';
      expect(await sendThrough('a\ud83eb\udd8ac\0d 🦊')).toEqual({ said: [kept, kept], text: kept });
    });

    it('keeps a text of a million characters', async () => {
      const content = 'Ką tu žinai? 🦊'.repeat(70_000);
      const back = await sendThrough(content);
      expect(back.said.map((text) => text === content)).toEqual([true, true]);
      expect(back.text === content).toBe(true);
    });

    it('keeps the lengths of tokens short and long', async () => {
      const store = shared();
      const { session, turn } = await keepLiveTurn(store);
      const tokenLengths = [0, 1, 127, 128, 255, 256, 16_383, 16_384, 70_000, 3];
      const { settled } = aSettlement(turn);
      await store.settleTurn(aSettlement(turn, { settled: { ...settled, tokenLengths } }));
      const record = await store.turn(ownerOf(session), session.id, turn.id);
      expect(record?.settled?.tokenLengths).toEqual(tokenLengths);
    });
  });
}
