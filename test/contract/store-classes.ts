import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/engine/ports/store.ts';
import { aClass, anOwner, aSession, freshId, start } from './store-fixtures.ts';

export function describeClasses(shared: () => Store): void {
  describe('classes', () => {
    it('gives a class back as it was made, to its teacher', async () => {
      const store = shared();
      const teacher = anOwner();
      const record = aClass(teacher, { title: 'Žiniasklaida „9b“ 🦊', cartridgeIds: ['click-trap-1', 'clean-1'] });
      expect(await store.createClass(record)).toBe('created');
      expect(await store.classOf(teacher, record.id)).toEqual(record);
      expect(await store.classOfStudent(teacher.schoolId, record.id)).toEqual(record);
    });

    it('keeps apart a class that may use every cartridge and one that may use none', async () => {
      const store = shared();
      const teacher = anOwner();
      const all = aClass(teacher, { cartridgeIds: null });
      const none = aClass(teacher, { cartridgeIds: [] });
      await store.createClass(all);
      await store.createClass(none);
      expect((await store.classOf(teacher, all.id))?.cartridgeIds).toBeNull();
      expect((await store.classOf(teacher, none.id))?.cartridgeIds).toEqual([]);
    });

    it('lists a teacher’s classes newest first, and those of one moment by when they were made', async () => {
      const store = shared();
      const teacher = anOwner();
      const records = [start, start + 5, start + 5, start - 5].map((createdAt) => aClass(teacher, { createdAt }));
      for (const record of records) await store.createClass(record);
      const [first, second, third, fourth] = records;
      expect(await store.classesOf(teacher)).toEqual([third, second, first, fourth]);
    });

    it('says that a join code is taken, also by another school, and makes nothing', async () => {
      const store = shared();
      const record = aClass(anOwner());
      await store.createClass(record);
      const teacher = anOwner();
      expect(await store.createClass(aClass(teacher, { joinCode: record.joinCode }))).toBe('code_taken');
      expect(await store.classesOf(teacher)).toEqual([]);
    });

    it('lets several students join by the code, each of whom can then begin a lesson', async () => {
      const store = shared();
      const record = aClass(anOwner());
      await store.createClass(record);
      for (const displayName of ['Rūta', null, '\ud83e\udd8a']) {
        const student = { id: freshId('student'), displayName, createdAt: start };
        expect(await store.joinClass(record.joinCode, student)).toEqual({ class: record });
        const owner = { schoolId: record.schoolId, userId: student.id };
        const session = aSession(owner, { classId: record.id });
        await store.createSession(session);
        expect((await store.loadSession(owner, session.id))?.session.classId).toBe(record.id);
      }
    });

    it('takes a student who joins twice once', async () => {
      const store = shared();
      const record = aClass(anOwner());
      await store.createClass(record);
      const student = { id: freshId('student'), displayName: 'Jonas', createdAt: start };
      await store.joinClass(record.joinCode, student);
      expect(await store.joinClass(record.joinCode, student)).toEqual({ class: record });
    });

    it('finds no class for a code that is nobody’s', async () => {
      const student = { id: freshId('student'), displayName: null, createdAt: start };
      expect(await shared().joinClass('NO-SUCH', student)).toBeNull();
    });
  });
}
