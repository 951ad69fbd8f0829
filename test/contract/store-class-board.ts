import { beforeEach, describe, expect, it } from 'vitest';
import type { ClassRecord, Owner, Store } from '../../src/engine/ports/store.ts';
import { aClass, anOwner, aSession, aSettlement, aTurn, freshId, start } from './store-fixtures.ts';

/** What a teacher sees of a class, and does to it. */
export function describeClassBoard(open: () => Store): void {
  describe('the board of a class', () => {
    let store: Store;
    let teacher: Owner;
    let room: ClassRecord;

    beforeEach(async () => {
      store = open();
      teacher = anOwner();
      room = aClass(teacher);
      await store.createClass(room);
    });

    async function studentSession(name: string | null, updatedAt = start) {
      const id = freshId('student');
      await store.joinClass(room.joinCode, { id, displayName: name, createdAt: start });
      const session = aSession({ schoolId: room.schoolId, userId: id }, { classId: room.id, updatedAt });
      await store.createSession(session);
      return session;
    }

    it('shows each session with its learner, its messages and redactions, and not a word of them', async () => {
      const session = await studentSession('Rasa');
      const turn = aTurn(session);
      await store.beginTurn(turn);
      const reply = {
        id: freshId('reply'),
        role: 'trickster' as const,
        content: 'withdrawn',
        phase: 'dialogue',
        redacted: true,
      };
      await store.settleTurn(aSettlement(turn, { reply }));
      const [seen, ...more] = (await store.classSessions(teacher, room.id, 0)) ?? [];
      expect(more).toEqual([]);
      expect(seen).toMatchObject({
        sessionId: session.id,
        ownerName: 'Rasa',
        messages: 1,
        redactions: 1,
        frozen: false,
      });
      expect(JSON.stringify(seen)).not.toMatch(/Kodėl|withdrawn/u);
    });

    it('lists the most recent first, and none from before the time asked for', async () => {
      const old = await studentSession(null, start);
      const fresh = await studentSession(null, start + 5_000);
      const ids = async (since: number) =>
        ((await store.classSessions(teacher, room.id, since)) ?? []).map((each) => each.sessionId);
      expect(await ids(0)).toEqual([fresh.id, old.id]);
      expect(await ids(start + 1)).toEqual([fresh.id]);
    });

    it('keeps an alert in the commit of the words that gave cause for it', async () => {
      const session = await studentSession(null);
      const turn = aTurn(session, { alerts: [{ id: freshId('alert'), kind: 'abuse', severity: 2 }] });
      await store.beginTurn(turn);
      await store.beginTurn({
        ...turn,
        id: freshId('turn'),
        alerts: [{ id: freshId('alert'), kind: 'abuse', severity: 2 }],
      });
      const alerts = await store.classAlerts(teacher, room.id, 0);
      expect(alerts).toMatchObject([
        { sessionId: session.id, turnId: turn.id, kind: 'abuse', severity: 2, createdAt: turn.now },
      ]);
      expect(await store.classAlerts(teacher, room.id, turn.now + 1)).toEqual([]);
    });

    it('freezes all active sessions or one, and says which it changed', async () => {
      const one = await studentSession(null);
      const other = await studentSession(null);
      const freeze = async (sessionId: string | null, frozen: boolean) =>
        ((await store.freezeSessions(teacher, { classId: room.id, sessionId, frozen })) ?? [])
          .map((each) => each.sessionId)
          .sort();
      expect(await freeze(one.id, true)).toEqual([one.id]);
      expect(await freeze(null, true)).toEqual([other.id]);
      expect((await store.loadSession({ schoolId: room.schoolId, userId: one.ownerId }, one.id))?.session.frozen).toBe(
        true,
      );
      expect(await freeze(null, false)).toEqual([one.id, other.id].sort());
      expect(await freeze(null, false)).toEqual([]);
    });

    it('says whose a session is', async () => {
      const session = await studentSession(null);
      expect(await store.sessionOwner(teacher, room.id, session.id)).toEqual({
        schoolId: room.schoolId,
        userId: session.ownerId,
      });
      expect(await store.sessionOwner(teacher, room.id, 'none')).toBeNull();
    });
  });
}
