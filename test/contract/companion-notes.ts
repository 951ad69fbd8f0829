import { describe, expect, it } from 'vitest';
import type { ConsentRecord, ParentNoteRecord } from '../../src/engine/ports/companion-store.ts';
import type { Owner } from '../../src/engine/ports/store.ts';
import { aNote, type CompanionsUnderTest, hostileTexts, keepConversation, keepEnded } from './companion-fixtures.ts';
import { aNamedStudent, keepConsentFor, keepLink } from './companion-guardians.ts';
import { anOwner, aSession, freshId, start } from './store-fixtures.ts';

export function describeNotes(shared: () => CompanionsUnderTest): void {
  const aStudent = (displayName: string, schoolId?: string) => aNamedStudent(shared().store, displayName, schoolId);
  const link = (guardian: Owner, student: Owner) => keepLink(shared().companions, guardian, student);
  const consent = (student: Owner, over: Partial<ConsentRecord> = {}) =>
    keepConsentFor(shared().companions, student, over);
  /** A guardian of a student whose notes may be read. */
  async function aGuardian(student: Owner): Promise<Owner> {
    const guardian = anOwner(student.schoolId);
    await link(guardian, student);
    await consent(student);
    return guardian;
  }
  async function keepNote(student: Owner, over: Partial<ParentNoteRecord> = {}): Promise<ParentNoteRecord> {
    const { companions } = shared();
    const note = aNote(student, await keepEnded(companions, student, { cartridgeId: 'maestro' }), over);
    await companions.keepParentNote(note);
    return note;
  }
  async function notes(guardian: Owner, page: { studentId?: string; offset?: number; limit?: number } = {}) {
    const { items, total } = await shared().companions.parentNotes(guardian, { offset: 0, limit: 50, ...page });
    return { ids: items.map(({ id }) => id), total };
  }
  const none = { ids: [], total: 0 };

  describe("notes for a student's guardians", () => {
    it('come back as they were made, with the name the student has', async () => {
      const { companions } = shared();
      const student = await aStudent('Agnė Žąsytė');
      const guardian = await aGuardian(student);
      const bare = await keepNote(student, { highlights: [], suggestions: null });
      const whole = await keepNote(student, {
        studentName: 'kitas vardas',
        concerns: ['Pavargo 😴', ''],
        generatedAt: start + 5,
        viewedAt: start + 1,
      });
      const items = [whole, bare].map((note) => ({ ...note, studentName: 'Agnė Žąsytė', viewedAt: null }));
      expect(await companions.parentNotes(guardian, { offset: 0, limit: 50 })).toEqual({ items, total: 2 });
    });

    it.each(hostileTexts)('keep $name', async ({ written, kept }) => {
      const { companions } = shared();
      const student = await aStudent('Ema');
      const guardian = await aGuardian(student);
      const texts = (text: string) => ({ subject: text, summary: text, highlights: [text, 'x'], concerns: [text] });
      await keepNote(student, { ...texts(written), suggestions: [written] });
      const { items } = await companions.parentNotes(guardian, { offset: 0, limit: 50 });
      expect(items).toMatchObject([{ ...texts(kept), suggestions: [kept] }]);
    });

    it('are read by every guardian of the student, and by nobody else', async () => {
      const { companions } = shared();
      const student = await aStudent('Ema');
      const guardians = [await aGuardian(student), await aGuardian(student)];
      const classmate = await aStudent('Jonas', student.schoolId);
      const theirs = await aGuardian(classmate);
      const note = await keepNote(student);
      const other = await keepNote(classmate);
      for (const guardian of guardians) expect(await notes(guardian)).toEqual({ ids: [note.id], total: 1 });
      expect(await notes(theirs)).toEqual({ ids: [other.id], total: 1 });
      const [first] = guardians;
      if (!first) throw new Error('there are guardians');
      const strangers = [
        theirs,
        student,
        classmate,
        anOwner(student.schoolId),
        { ...first, schoolId: freshId('school') },
      ];
      for (const stranger of strangers) {
        expect((await notes(stranger, { studentId: student.userId })).total).toBe(0);
        expect(await companions.viewParentNote(stranger, note.id, start + 5)).toBeNull();
      }
      expect(await companions.viewParentNote(first, note.id, start + 9)).toMatchObject({ viewedAt: start + 9 });
    });

    it('of another school are not read by a guardian of the same id with a child of the same id', async () => {
      const { companions } = shared();
      const student = await aStudent('Ema');
      const guardian = await aGuardian(student);
      const note = await keepNote(student);
      const schoolId = freshId('school');
      const namesake = { ...student, schoolId };
      const stranger = { ...guardian, schoolId };
      await link(stranger, namesake);
      await consent(namesake);
      expect(await notes(stranger)).toEqual(none);
      expect(await companions.viewParentNote(stranger, note.id, start)).toBeNull();
      const own = await keepNote(namesake);
      expect(await notes(stranger)).toEqual({ ids: [own.id], total: 1 });
      expect(await notes(guardian)).toEqual({ ids: [note.id], total: 1 });
    });

    it('are read only as long as the consent to them stands', async () => {
      const { companions } = shared();
      const student = await aStudent('Ema');
      const guardian = anOwner(student.schoolId);
      await link(guardian, student);
      const note = await keepNote(student);
      expect(await notes(guardian)).toEqual(none);
      await consent(student, { kind: 'research' });
      expect(await notes(guardian)).toEqual(none);
      await consent(student);
      expect(await notes(guardian)).toEqual({ ids: [note.id], total: 1 });
      await consent(student, { isGranted: false, changedAt: start + 9 });
      expect(await notes(guardian)).toEqual(none);
      expect(await companions.viewParentNote(guardian, note.id, start + 9)).toBeNull();
      await consent(student, { changedAt: start + 10 });
      expect(await companions.viewParentNote(guardian, note.id, start + 11)).toMatchObject({ viewedAt: start + 11 });
    });

    it('come latest first, a page at a time, of all children or of one', async () => {
      const schoolId = freshId('school');
      const ema = await aStudent('Ema', schoolId);
      const jonas = await aStudent('Jonas', schoolId);
      const guardian = await aGuardian(ema);
      await link(guardian, jonas);
      await consent(jonas);
      const made: { id: string; studentId: string }[] = [];
      for (const [index, after] of [3, 1, 2, 5, 4, 0].entries())
        made[after] = await keepNote(index % 2 === 0 ? ema : jonas, { generatedAt: start + after });
      const latest = made.toReversed();
      const all = latest.map(({ id }) => id);
      expect(await notes(guardian)).toEqual({ ids: all, total: 6 });
      expect(await notes(guardian, { limit: 2 })).toEqual({ ids: all.slice(0, 2), total: 6 });
      expect(await notes(guardian, { offset: 4, limit: 5 })).toEqual({ ids: all.slice(4), total: 6 });
      expect(await notes(guardian, { offset: 6 })).toEqual({ ids: [], total: 6 });
      expect(await notes(guardian, { limit: 0 })).toEqual({ ids: [], total: 6 });
      const { userId: studentId } = jonas;
      const his = latest.filter((note) => note.studentId === studentId).map(({ id }) => id);
      expect(his).toHaveLength(3);
      expect(await notes(guardian, { studentId, limit: 2 })).toEqual({ ids: his.slice(0, 2), total: 3 });
      expect(await notes(guardian, { studentId: 'no-such-student' })).toEqual(none);
      expect(await notes(guardian, { studentId: '' })).toEqual(none);
    });

    it('of the same moment are each on one page', async () => {
      const student = await aStudent('Ema');
      const guardian = await aGuardian(student);
      const made: string[] = [];
      for (let index = 0; index < 7; index += 1) made.push((await keepNote(student)).id);
      const seen: string[] = [];
      for (let offset = 0; offset < 7; offset += 2) seen.push(...(await notes(guardian, { offset, limit: 2 })).ids);
      expect(seen.toSorted()).toEqual(made.toSorted());
    });

    it('are one a conversation: the first that was made stays', async () => {
      const { companions } = shared();
      const student = await aStudent('Ema');
      const guardian = await aGuardian(student);
      const first = await keepNote(student, { summary: 'Pirmas' });
      const session = { id: first.sessionId, cartridgeId: first.cartridgeId };
      await companions.keepParentNote(first);
      await companions.keepParentNote(aNote(student, session, { summary: 'Antras', generatedAt: start + 9 }));
      await companions.viewParentNote(guardian, first.id, start + 5);
      await companions.keepParentNote({ ...first, summary: 'Trečias' });
      const { items, total } = await companions.parentNotes(guardian, { offset: 0, limit: 50 });
      expect(total).toBe(1);
      expect(items).toMatchObject([{ id: first.id, summary: 'Pirmas', generatedAt: start, viewedAt: start + 5 }]);
      const talk = await keepEnded(companions, student);
      const made = Array.from({ length: 20 }, () => aNote(student, talk));
      await Promise.all(made.map((note) => companions.keepParentNote(note)));
      expect((await notes(guardian)).total).toBe(2);
    });

    it('are kept of conversations that the student had, and of nothing else', async () => {
      const { store, companions } = shared();
      const student = await aStudent('Ema');
      const guardian = await aGuardian(student);
      const classmate = await aStudent('Jonas', student.schoolId);
      const lesson = aSession(student);
      await store.createSession(lesson);
      const foreign = await keepConversation(companions, classmate);
      const elsewhere = await keepConversation(companions, { ...student, schoolId: freshId('school') });
      for (const session of [lesson, foreign, elsewhere, { id: 'no-such-session', cartridgeId: 'maestro' }])
        await companions.keepParentNote(aNote(student, session));
      expect(await notes(guardian)).toEqual(none);
    });

    it('were seen when they were first seen, whoever looks again', async () => {
      const { companions } = shared();
      const student = await aStudent('Ema');
      const guardians = [await aGuardian(student), await aGuardian(student)];
      const note = await keepNote(student);
      const unseen = await keepNote(student, { generatedAt: start - 5 });
      const seen = { ...note, studentName: 'Ema', viewedAt: start + 60_000 };
      for (const [index, guardian] of [...guardians, ...guardians].entries())
        expect(await companions.viewParentNote(guardian, note.id, start + 60_000 + index)).toEqual(seen);
      for (const guardian of guardians) {
        const { items } = await companions.parentNotes(guardian, { offset: 0, limit: 50 });
        expect(items.map(({ id, viewedAt }) => [id, viewedAt])).toEqual([
          [note.id, start + 60_000],
          [unseen.id, null],
        ]);
        expect(await companions.viewParentNote(guardian, 'no-such-note', start)).toBeNull();
      }
    });
  });
}
