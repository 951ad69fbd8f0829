import { beforeAll, describe, expect, it } from 'vitest';
import type { ClassRecord, NewTurn, Owner, SessionRecord, Store } from '../../src/engine/ports/store.ts';
import { aChange, aClass, aSession, aSettlement, aTurn, freshId, start } from './store-fixtures.ts';

/** Something of everything that one person can have. */
type Belongings = { owner: Owner; class: ClassRecord; ended: SessionRecord; live: SessionRecord; turn: NewTurn };

type Nothing = {
  of: 'owner' | 'school';
  ask(store: Store, asker: Owner, theirs: Belongings): Promise<unknown>;
  is: unknown;
};

/** Calls that take no owner: they name nothing that belongs to one. */
type Unowned =
  | 'firstClass'
  | 'createClass'
  | 'joinClass'
  | 'keepCartridge'
  | 'cartridge'
  | 'createSession'
  | 'promptTexts'
  | 'countUse'
  | 'interruptLiveTurns'
  | 'ping'
  | 'close';

/** Every call on what belongs to someone, asked for another's: a call added to the port does not compile until it is here. */
const calls: Record<Exclude<keyof Store, Unowned>, Nothing> = {
  classesOf: {
    of: 'owner',
    ask: async (store, asker, { class: { id } }) => (await store.classesOf(asker)).find((one) => one.id === id),
    is: undefined,
  },
  classOf: { of: 'owner', ask: (store, asker, theirs) => store.classOf(asker, theirs.class.id), is: null },
  classOfStudent: {
    of: 'school',
    ask: (store, asker, theirs) => store.classOfStudent(asker.schoolId, theirs.class.id),
    is: null,
  },
  classStudents: {
    of: 'owner',
    ask: (store, asker, theirs) => store.classStudents(asker, theirs.class.id, { offset: 0, limit: 10 }),
    is: null,
  },
  student: {
    of: 'school',
    ask: async (store, asker, { class: { id, joinCode } }) => {
      const student = { id: `of ${id}`, displayName: null, createdAt: start };
      await store.joinClass(joinCode, student);
      return store.student(asker.schoolId, student.id);
    },
    is: null,
  },
  classSessions: {
    of: 'owner',
    ask: (store, asker, theirs) => store.classSessions(asker, theirs.class.id, 0),
    is: null,
  },
  classAlerts: { of: 'owner', ask: (store, asker, theirs) => store.classAlerts(asker, theirs.class.id, 0), is: null },
  isFrozen: {
    of: 'owner',
    ask: async (store, asker, { live, owner, class: { id: classId } }) => {
      await store.freezeSessions(owner, { classId, sessionId: live.id, frozen: true });
      const seen = await store.isFrozen(asker, live.id);
      await store.freezeSessions(owner, { classId, sessionId: live.id, frozen: false });
      return seen;
    },
    is: false,
  },
  freezeSessions: {
    of: 'owner',
    ask: (store, asker, theirs) =>
      store.freezeSessions(asker, { classId: theirs.class.id, sessionId: null, frozen: true }),
    is: null,
  },
  sessionOwner: {
    of: 'owner',
    ask: (store, asker, theirs) => store.sessionOwner(asker, theirs.class.id, theirs.live.id),
    is: null,
  },
  loadSession: { of: 'owner', ask: (store, asker, theirs) => store.loadSession(asker, theirs.live.id), is: null },
  saveSession: {
    of: 'owner',
    ask: (store, asker, theirs) => store.saveSession(asker, aChange(theirs.live, { phase: 'taken' })),
    is: 'conflict',
  },
  recentOutcomes: {
    of: 'owner',
    ask: async (store, asker, { owner }) => (await store.recentOutcomes(asker, 'none', 100)).includes(outcomeOf(owner)),
    is: false,
  },
  beginTurn: {
    of: 'owner',
    ask: (store, asker, theirs) =>
      store.beginTurn(aTurn(theirs.ended, { owner: asker })).catch((error: unknown) => Object(error).code),
    is: 'NOT_FOUND',
  },
  settleTurn: {
    of: 'owner',
    ask: (store, asker, theirs) =>
      store.settleTurn(aSettlement(theirs.turn, { owner: asker, change: aChange(theirs.live) })),
    is: 'fenced',
  },
  turn: { of: 'owner', ask: (store, asker, { live, turn }) => store.turn(asker, live.id, turn.id), is: null },
  turnById: { of: 'owner', ask: (store, asker, { turn }) => store.turnById(asker, turn.id), is: null },
  turnOfMessage: {
    of: 'owner',
    ask: (store, asker, { live }) => store.turnOfMessage(asker, live.id, 'message-1'),
    is: null,
  },
  latestTurn: { of: 'owner', ask: (store, asker, { live }) => store.latestTurn(asker, live.id, 'dialogue'), is: null },
  trace: {
    of: 'school',
    ask: (store, asker, { ended }) => store.trace(asker.schoolId, ended.id, `turn-of-${ended.id}`),
    is: null,
  },
};

function outcomeOf(owner: Owner): string {
  return `outcome of ${owner.schoolId} ${owner.userId}`;
}

export function describeIsolation(shared: () => Store): void {
  describe('what belongs to someone', () => {
    const people: Belongings[] = [];

    async function settle(owner: Owner): Promise<Belongings> {
      const store = shared();
      const record = aClass(owner);
      await store.createClass(record);
      const ended = aSession(owner, { status: 'completed', outcome: outcomeOf(owner), endedAt: start });
      const live = aSession(owner, { classId: record.id });
      await store.createSession(ended);
      await store.createSession(live);
      const past = aTurn(ended, { id: `turn-of-${ended.id}` });
      await store.beginTurn(past);
      await store.settleTurn(aSettlement(past));
      const turn = aTurn(live, { clientMessageId: 'message-1' });
      await store.beginTurn(turn);
      return { owner, class: record, ended, live, turn };
    }

    beforeAll(async () => {
      const schools = [freshId('school'), freshId('school')];
      const users = [freshId('user'), freshId('user')];
      // The same user ids in both schools: a school is part of who someone is.
      for (const schoolId of schools) for (const userId of users) people.push(await settle({ schoolId, userId }));
    });

    const everything = async () => {
      const store = shared();
      return Promise.all(
        people.map(async ({ owner, ended, live, turn }) => [
          await store.loadSession(owner, ended.id),
          await store.loadSession(owner, live.id),
          await store.turn(owner, live.id, turn.id),
          await store.classesOf(owner),
        ]),
      );
    };

    it.each(Object.entries(calls))('%s finds it for its owner, and for nobody else', async (name, call) => {
      const store = shared();
      const before = await everything();
      for (const asker of people) {
        for (const theirs of people) {
          const isTheirs = call.of === 'owner' ? asker === theirs : asker.owner.schoolId === theirs.owner.schoolId;
          if (isTheirs) continue;
          expect(
            await call.ask(store, asker.owner, theirs),
            `${name} ${JSON.stringify([asker.owner, theirs.owner])}`,
          ).toEqual(call.is);
        }
      }
      expect(await everything()).toEqual(before);
      // The same question from whoever may ask it does find something: the answers above are not for want of asking.
      const readers = new Set(['saveSession', 'beginTurn', 'settleTurn']);
      if (readers.has(name)) return;
      for (const theirs of people) expect(await call.ask(store, theirs.owner, theirs)).not.toEqual(call.is);
    });

    it('goes by school and user alone, whatever else the caller says of itself', async () => {
      const store = shared();
      const [first] = people;
      if (!first) throw new Error('there are people');
      const learner = { ...first.owner, id: 'x', role: 'admin', kind: 'debrief', phase: 'x', content: 'x', version: 9 };
      const session = aSession(first.owner);
      await store.createSession(session);
      const turn = aTurn(session, { owner: learner });
      expect(await store.beginTurn(turn)).toMatchObject({ kind: 'begun' });
      expect(await store.settleTurn(aSettlement(turn, { owner: learner, change: aChange(session) }))).toBe('settled');
      const loaded = await store.loadSession(learner, session.id);
      expect(loaded?.exchanges.map(({ role, phase }) => [role, phase])).toEqual([
        ['student', 'dialogue'],
        ['trickster', 'dialogue'],
      ]);
      expect(loaded?.session.version).toBe(2);
    });
  });
}
