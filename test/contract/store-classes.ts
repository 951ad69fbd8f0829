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

    it('lists the students of a class to its teacher, who joined last first, a page at a time', async () => {
      const store = shared();
      const teacher = anOwner();
      const record = aClass(teacher);
      const other = aClass(teacher);
      await store.createClass(record);
      await store.createClass(other);
      const students = ['Žygimantas „Žygis“ <b>', null, '🦊'].map((displayName, index) => ({
        id: freshId('student'),
        displayName,
        createdAt: start + index,
      }));
      for (const student of students) await store.joinClass(record.joinCode, student);
      await store.joinClass(other.joinCode, { id: freshId('student'), displayName: 'Kita', createdAt: start });
      const items = students.toReversed().map(({ id: userId, displayName, createdAt: joinedAt }) => ({
        userId,
        displayName,
        joinedAt,
      }));
      expect(await store.classStudents(teacher, record.id, { offset: 0, limit: 10 })).toEqual({ items, total: 3 });
      expect(await store.classStudents(teacher, record.id, { offset: 1, limit: 1 })).toEqual({
        items: items.slice(1, 2),
        total: 3,
      });
      expect(await store.classStudents(teacher, record.id, { offset: 3, limit: 1 })).toEqual({ items: [], total: 3 });
      expect(await store.classStudents(teacher, 'none', { offset: 0, limit: 1 })).toBeNull();
      const colleague = { ...anOwner(), schoolId: teacher.schoolId };
      expect(await store.classStudents(colleague, record.id, { offset: 0, limit: 1 })).toBeNull();
    });

    it('knows a student by the school, with the classes they are in, and takes no teacher for one', async () => {
      const store = shared();
      const teacher = anOwner();
      const first = aClass(teacher, { title: '9b' });
      const second = aClass({ ...teacher, userId: freshId('user') }, { title: 'Debatai „Žodis“' });
      await store.createClass(first);
      await store.createClass(second);
      const id = freshId('student');
      await store.joinClass(first.joinCode, { id, displayName: 'Rūta', createdAt: start });
      await store.joinClass(second.joinCode, { id, displayName: 'Rūta', createdAt: start + 1 });
      expect(await store.student(teacher.schoolId, id)).toEqual({
        userId: id,
        displayName: 'Rūta',
        classes: [
          { id: second.id, title: second.title, teacherId: second.teacherId, joinedAt: start + 1 },
          { id: first.id, title: first.title, teacherId: teacher.userId, joinedAt: start },
        ],
      });
      expect(await store.student(teacher.schoolId, teacher.userId)).toBeNull();
      expect(await store.student(anOwner().schoolId, id)).toBeNull();
    });

    it('finds no class for a code that is nobody’s', async () => {
      const student = { id: freshId('student'), displayName: null, createdAt: start };
      expect(await shared().joinClass('NO-SUCH', student)).toBeNull();
    });
  });
}
