import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewMemoryItem, PreparedStore, SaveProfile } from '../../src/engine/ports/prepared-store.ts';
import type { Owner, Store } from '../../src/engine/ports/store.ts';
import { analyseText } from '../../src/memory/search-text.ts';
import { aClass, anOwner, freshId, start } from './store-fixtures.ts';

type PreparedUnderTest = { store: Store; prepared: PreparedStore; close: () => Promise<void> };

const day = 24 * 3_600_000;
const expiresAt = start + 30 * day;

function anItem(over: Partial<NewMemoryItem> = {}): NewMemoryItem {
  const text = over.text ?? 'The login page redirects in a loop';
  const item = { id: freshId('item'), projectId: 'shop', type: 'context', key: freshId('key'), text };
  return { ...item, value: JSON.stringify(text), ...analyseText(text), createdAt: start, expiresAt, ...over };
}

function kept({ id, projectId, type, key, value, text, createdAt, expiresAt }: NewMemoryItem) {
  return { id, projectId, type, key, value, text, createdAt, expiresAt };
}

const stemsOf = (text: string) => analyseText(text).stems.split(' ');

const aSave = (over: Partial<SaveProfile> = {}): SaveProfile => ({
  profile: '{"interests":["fizika"]}',
  expectedVersion: 0,
  updatedBy: 'someone',
  now: start,
  ...over,
});

/** What every adapter of the prepared store has to do. */
export function describePreparedStore(name: string, open: () => Promise<PreparedUnderTest>): void {
  describe(`${name} as a prepared store`, () => {
    let opened: PreparedUnderTest;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const shared = () => opened.prepared;
    const put = (owner: Owner, ...items: NewMemoryItem[]) =>
      Promise.all(items.map((item) => shared().putItem(owner, item)));
    const all = (owner: Owner, projectId = 'shop', now = start) =>
      shared().items(owner, { projectId, now, offset: 0, limit: 1_000 });
    const candidates = async (owner: Owner, text: string, over: { limit?: number; now?: number } = {}) => {
      const search = { projectId: 'shop', stems: stemsOf(text), now: start, limit: 100, ...over };
      return (await shared().itemCandidates(owner, search)).map(({ id }) => id);
    };

    describe('items', () => {
      it('come back as they were put in, latest first, a page at a time and of one type', async () => {
        const owner = anOwner();
        const items = Array.from({ length: 25 }, (_, index) =>
          anItem({ createdAt: start + index, type: index % 2 ? 'error' : 'solution', text: `Žinutė 🎒 ${index}` }),
        );
        const [first] = await put(owner, ...items);
        expect(first).toEqual(kept(items[0]!));
        const newest = items.toReversed().map(kept);
        const page = (offset: number, type?: string) =>
          shared().items(owner, { projectId: 'shop', now: start, offset, limit: 10, ...(type ? { type } : {}) });
        expect(await page(0)).toEqual({ items: newest.slice(0, 10), total: 25 });
        expect(await page(20)).toEqual({ items: newest.slice(20), total: 25 });
        expect(await page(30)).toEqual({ items: [], total: 25 });
        const errors = newest.filter(({ type }) => type === 'error');
        expect(await page(0, 'error')).toEqual({ items: errors.slice(0, 10), total: 12 });
      });

      it('of one project, type and key there is one: the later', async () => {
        const owner = anOwner();
        const same = { type: 'error', key: 'log' };
        const last = anItem({ ...same, text: 'Certificate expired', createdAt: start + 5 });
        await put(owner, anItem({ ...same, text: 'Redis refused the connection' }));
        await put(owner, anItem({ ...same, type: 'solution', id: 'other-type', text: 'Something else' }));
        await put(owner, last);
        const found = await all(owner);
        expect(found.items.map(({ id }) => id)).toEqual([last.id, 'other-type']);
        expect(found.total).toBe(2);
        expect((await candidates(owner, 'certificate'))[0]).toBe(last.id);
        // What gave way is not found by its words any more: only the latest fill up.
        expect(await candidates(owner, 'redis')).toEqual([last.id, 'other-type']);
      });

      it('put in at the same time under one key leave one', async () => {
        const owner = anOwner();
        await put(owner, ...Array.from({ length: 20 }, () => anItem({ key: 'one' })));
        expect((await all(owner)).total).toBe(1);
      });

      it('are gone from their last moment on, and their rows when they are taken out', async () => {
        const owner = anOwner();
        const short = anItem({ expiresAt: start + 10, text: 'redis' });
        const long = anItem({ text: 'redis' });
        await put(owner, short, long);
        expect((await all(owner, 'shop', start + 9)).total).toBe(2);
        expect((await all(owner, 'shop', start + 10)).items.map(({ id }) => id)).toEqual([long.id]);
        expect(await candidates(owner, 'redis', { now: start + 10 })).toEqual([long.id]);
        expect(await candidates(owner, 'redis', { now: start + 10, limit: 1 })).toEqual([long.id]);
        expect(await shared().expireItems(start + 10, 1_000)).toBeGreaterThan(0);
        expect(await shared().expireItems(start + 10, 1_000)).toBe(0);
        expect((await all(owner, 'shop', 0)).items.map(({ id }) => id)).toEqual([long.id]);
      });

      it('expire a few at a time, workflows after them', async () => {
        const owner = anOwner();
        await put(owner, ...Array.from({ length: 5 }, () => anItem({ expiresAt: 10 })));
        await shared().saveWorkflow(owner, 'shop', { state: '{}', updatedAt: 1, expiresAt: 10 });
        const rounds: number[] = [];
        for (let round = 0; round < 4; round += 1) rounds.push(await shared().expireItems(10, 2));
        expect(rounds).toEqual([2, 2, 2, 0]);
        expect((await all(owner, 'shop', 0)).total).toBe(0);
        expect(await shared().workflow(owner, 'shop', 0)).toBeNull();
      });

      it('are taken out by project, by type, by key and by both, and how many is said', async () => {
        const owner = anOwner();
        const fill = () =>
          put(
            owner,
            ...['error', 'context'].flatMap((type) =>
              ['a', 'b'].map((key) => anItem({ type, key, text: `${type} ${key}` })),
            ),
            anItem({ projectId: 'other', key: 'a' }),
          );
        const left = async () => (await all(owner)).items.map(({ type, key }) => `${type} ${key}`).toSorted();
        await fill();
        expect(await shared().deleteItems(owner, { projectId: 'shop', type: 'error', key: 'a' })).toBe(1);
        expect(await left()).toEqual(['context a', 'context b', 'error b']);
        expect(await shared().deleteItems(owner, { projectId: 'shop', key: 'b' })).toBe(2);
        expect(await left()).toEqual(['context a']);
        await fill();
        expect(await shared().deleteItems(owner, { projectId: 'shop', type: 'error' })).toBe(2);
        expect(await left()).toEqual(['context a', 'context b']);
        expect(await candidates(owner, 'error')).toHaveLength(2);
        const workflow = { state: '{}', updatedAt: start, expiresAt: start + 1_000 };
        for (const project of ['shop', 'other']) await shared().saveWorkflow(owner, project, workflow);
        expect(await shared().deleteItems(owner, { projectId: 'shop' })).toBe(2);
        expect(await shared().deleteItems(owner, { projectId: 'shop' })).toBe(0);
        // A project that is forgotten leaves no problem behind that was being worked on.
        expect(await shared().workflow(owner, 'shop', start)).toBeNull();
        expect(await shared().workflow(owner, 'other', start)).toEqual(workflow);
        expect(await candidates(owner, 'context')).toEqual([]);
        expect((await all(owner, 'other')).total).toBe(1);
      });

      it('keeps text that no database likes', async () => {
        const owner = anOwner();
        const item = anItem({ text: 'a\0b \uD800 c', value: '"a\0b \uD800"', key: "'; DROP TABLE memory_items; --" });
        await put(owner, item);
        const [found] = (await all(owner)).items;
        expect(found).toMatchObject({ key: item.key, text: 'a\uFFFDb \uFFFD c' });
      });
    });

    describe('candidates', () => {
      it('are those that hold the most telling words, then the latest', async () => {
        const owner = anOwner();
        const common = Array.from({ length: 30 }, (_, index) =>
          anItem({ text: `The project is about shops, day ${index}`, createdAt: start + 100 + index }),
        );
        const both = anItem({ text: 'Nutrūksta ryšys su Redis serveriu' });
        const one = anItem({ text: 'Redis version 7 is used by the project' });
        await put(owner, both, one, ...common);
        const found = await candidates(owner, 'Redis serveris projekte nutrūksta project', { limit: 5 });
        expect(found.slice(0, 2)).toEqual([both.id, one.id]);
        expect(found).toHaveLength(5);
        expect(new Set(found).size).toBe(5);
        const filled = await candidates(owner, 'redis', { limit: 4 });
        expect(new Set(filled.slice(0, 2))).toEqual(new Set([one.id, both.id]));
        expect(filled.slice(2)).toEqual([common[29]!.id, common[28]!.id]);
        expect(await candidates(owner, '', { limit: 2 })).toEqual([common[29]!.id, common[28]!.id]);
      });

      it('of a word that every item holds are as many as were asked for', async () => {
        const owner = anOwner();
        await put(owner, ...Array.from({ length: 1_500 }, (_, index) => anItem({ text: `same word ${index}` })));
        expect(await candidates(owner, 'same word')).toHaveLength(100);
        expect(await candidates(owner, 'same word 777', { limit: 3 })).toHaveLength(3);
      });
    });

    describe('a workflow', () => {
      it('is kept, replaced, and gone when its time is over', async () => {
        const owner = anOwner();
        expect(await shared().workflow(owner, 'shop', start)).toBeNull();
        const first = { state: '{"problem":"Neveikia prisijungimas"}', updatedAt: start, expiresAt };
        await shared().saveWorkflow(owner, 'shop', first);
        expect(await shared().workflow(owner, 'shop', start)).toEqual(first);
        await shared().saveWorkflow(owner, 'shop', { ...first, state: '{"depth":1}' });
        expect(await shared().workflow(owner, 'shop', expiresAt - 1)).toEqual({ ...first, state: '{"depth":1}' });
        // Made from what stands there, from something earlier, from nothing, and over what has expired.
        const next = { ...first, updatedAt: start + 5, state: '{"depth":2}' };
        await shared().saveWorkflow(owner, 'shop', { ...next, replaces: first.updatedAt });
        for (const replaces of [first.updatedAt, null])
          await shared().saveWorkflow(owner, 'shop', { ...next, state: '{"depth":0}', replaces });
        expect(await shared().workflow(owner, 'shop', start + 6)).toEqual(next);
        const late = { state: '{"depth":0}', updatedAt: expiresAt, expiresAt: expiresAt + 9 };
        await shared().saveWorkflow(owner, 'shop', { ...late, replaces: null });
        expect(await shared().workflow(owner, 'shop', expiresAt)).toEqual(late);
        await shared().saveWorkflow(owner, 'shop', first);
        expect(await shared().workflow(owner, 'shop', expiresAt)).toBeNull();
      });
    });

    describe('a profile', () => {
      it('counts its versions, and takes a save at the version it is at alone', async () => {
        const { schoolId, userId } = anOwner();
        const save = (over: Partial<SaveProfile>) => shared().saveProfile(schoolId, userId, aSave(over));
        expect(await shared().profile(schoolId, userId)).toBeNull();
        expect(await save({ expectedVersion: 1 })).toBe('conflict');
        expect(await save({})).toBe('saved');
        expect(await save({})).toBe('conflict');
        expect(await save({ expectedVersion: 1, profile: '{}', updatedBy: 'teacher', now: start + 5 })).toBe('saved');
        expect(await save({ expectedVersion: 1 })).toBe('conflict');
        expect(await shared().profile(schoolId, userId)).toEqual({
          profile: '{}',
          version: 2,
          updatedAt: start + 5,
          updatedBy: 'teacher',
        });
      });

      it('of two writers one conflicts, at the first save and at later ones', async () => {
        const { schoolId, userId } = anOwner();
        for (const expectedVersion of [0, 1, 2]) {
          const saves = ['Ona', 'Jonas'].map((updatedBy) =>
            shared().saveProfile(schoolId, userId, aSave({ expectedVersion, updatedBy })),
          );
          const results = await Promise.all(saves);
          expect(results.toSorted()).toEqual(['conflict', 'saved']);
          const updatedBy = results[0] === 'saved' ? 'Ona' : 'Jonas';
          expect(await shared().profile(schoolId, userId)).toMatchObject({ version: expectedVersion + 1, updatedBy });
        }
      });

      it('names its student to the daily work, each once', async () => {
        const schools = [freshId('zz-school'), freshId('zz-school')].toSorted();
        const students = schools.flatMap((schoolId) => ['a', 'b', 'c'].map((userId) => ({ schoolId, userId })));
        for (const { schoolId, userId } of students) await shared().saveProfile(schoolId, userId, aSave());
        const seen: { schoolId: string; userId: string }[] = [];
        for (;;) {
          const next = await shared().profiledStudents(seen.at(-1) ?? null, 2);
          expect(next.length).toBeLessThanOrEqual(2);
          seen.push(...next);
          if (next.length === 0) break;
        }
        expect(seen.filter(({ schoolId }) => schools.includes(schoolId))).toEqual(students);
        expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(seen.length);
      });
    });

    describe('objectives', () => {
      it('are one of each companion, the latest', async () => {
        const { schoolId, userId } = anOwner();
        const made = (cartridgeId: string, reason: string) => ({
          cartridgeId,
          objectives: '{"check_on":["Esė iki gruodžio 1 d."]}',
          reason,
          generatedAt: start,
        });
        expect(await shared().objectives(schoolId, userId, 'counselor')).toBeNull();
        await shared().saveObjectives(schoolId, userId, made('counselor', 'daily'));
        await shared().saveObjectives(schoolId, userId, made('coach', 'asked'));
        await shared().saveObjectives(schoolId, userId, made('counselor', 'profile'));
        expect(await shared().objectives(schoolId, userId, 'counselor')).toEqual(made('counselor', 'profile'));
        expect(await shared().allObjectives(schoolId, userId)).toEqual([
          made('coach', 'asked'),
          made('counselor', 'profile'),
        ]);
      });
    });

    describe('what is somebody’s', () => {
      const [here, there] = [freshId('school'), freshId('school')];
      const [ona, jonas] = [freshId('user'), freshId('user')];
      const owner = { schoolId: here, userId: ona };
      // The same person elsewhere, another one here, and who shares nothing.
      const strangers: Owner[] = [
        { schoolId: there, userId: ona },
        { schoolId: here, userId: jonas },
        { schoolId: there, userId: jonas },
      ];
      const item = anItem({ text: 'secret plans', expiresAt });
      const workflow = { state: '{"problem":"secret"}', updatedAt: start, expiresAt };
      beforeAll(async () => {
        await put(owner, item);
        await shared().saveWorkflow(owner, 'shop', workflow);
        await shared().saveProfile(here, ona, aSave({ profile: '{"notes":"secret"}' }));
        await shared().saveObjectives(here, ona, {
          cartridgeId: 'counselor',
          objectives: '{}',
          reason: 'daily',
          generatedAt: start,
        });
      });
      const everything = async () => [
        await all(owner),
        await candidates(owner, 'secret plans'),
        await shared().workflow(owner, 'shop', start),
        await shared().profile(here, ona),
        await shared().allObjectives(here, ona),
      ];

      /** Every call but `expireItems` and `profiledStudents`, which are the house's own. */
      const calls: Record<
        Exclude<keyof PreparedStore, 'expireItems' | 'profiledStudents' | 'teaches'>,
        (asker: Owner) => Promise<void>
      > = {
        items: async (asker) => expect(await all(asker)).toEqual({ items: [], total: 0 }),
        itemCandidates: async (asker) => expect(await candidates(asker, 'secret plans')).toEqual([]),
        deleteItems: async (asker) => {
          for (const which of [{}, { type: item.type }, { key: item.key }, { type: item.type, key: item.key }])
            expect(await shared().deleteItems(asker, { projectId: 'shop', ...which })).toBe(0);
        },
        putItem: async (asker) => {
          const mine = { ...anItem({ text: 'secret plans' }), type: item.type, key: item.key };
          await put(asker, mine);
          expect((await all(asker)).items).toEqual([kept(mine)]);
          expect(await candidates(asker, 'secret plans')).toEqual([mine.id]);
          expect(await shared().deleteItems(asker, { projectId: 'shop' })).toBe(1);
        },
        workflow: async (asker) => expect(await shared().workflow(asker, 'shop', start)).toBeNull(),
        saveWorkflow: async (asker) => {
          await shared().saveWorkflow(asker, 'shop', { ...workflow, state: '{}' });
          expect(await shared().workflow(asker, 'shop', start)).toMatchObject({ state: '{}' });
        },
        profile: async (asker) => expect(await shared().profile(asker.schoolId, asker.userId)).toBeNull(),
        saveProfile: async (asker) => {
          expect(await shared().saveProfile(asker.schoolId, asker.userId, aSave({ expectedVersion: 1 }))).toBe(
            'conflict',
          );
          expect(await shared().saveProfile(asker.schoolId, asker.userId, aSave({}))).toBe('saved');
        },
        objectives: async (asker) =>
          expect(await shared().objectives(asker.schoolId, asker.userId, 'counselor')).toBeNull(),
        allObjectives: async (asker) => expect(await shared().allObjectives(asker.schoolId, asker.userId)).toEqual([]),
        saveObjectives: async (asker) =>
          shared().saveObjectives(asker.schoolId, asker.userId, {
            cartridgeId: 'counselor',
            objectives: '{"check_on":["mine"]}',
            reason: 'asked',
            generatedAt: start,
          }),
      };

      it.each(Object.entries(calls))('%s reaches nothing of another’s or of another school’s', async (_, call) => {
        const before = await everything();
        for (const asker of strangers) {
          await call(asker);
          expect(await everything()).toEqual(before);
        }
      });

      it('teaches holds for the students of the teacher’s own classes', async () => {
        const { store } = opened;
        const teachers = [anOwner(here), anOwner(here), anOwner(there)];
        const students: string[] = [];
        for (const teacher of teachers) {
          const record = aClass(teacher);
          await store.createClass(record);
          const student = { id: freshId('student'), displayName: null, createdAt: start };
          await store.joinClass(record.joinCode, student);
          students.push(student.id);
        }
        for (const [row, teacher] of teachers.entries())
          for (const [column, student] of students.entries())
            expect(await shared().teaches(teacher, student)).toBe(row === column);
        const elsewhere = { schoolId: there, userId: teachers[0]!.userId };
        expect(await shared().teaches(elsewhere, students[0]!)).toBe(false);
        expect(await shared().teaches(teachers[0]!, teachers[0]!.userId)).toBe(false);
      });
    });
  });
}
