import { describe, expect, it } from 'vitest';
import type { CompanionStore, ConsentRecord, GuardianLink } from '../../src/engine/ports/companion-store.ts';
import type { Owner, Store } from '../../src/engine/ports/store.ts';
import type { CompanionsUnderTest } from './companion-fixtures.ts';
import { aClass, anOwner, freshId, start } from './store-fixtures.ts';

/** A student of a class, who has a name. */
export async function aNamedStudent(store: Store, displayName: string, schoolId = freshId('school')): Promise<Owner> {
  const record = aClass(anOwner(schoolId));
  await store.createClass(record);
  const id = freshId('student');
  await store.joinClass(record.joinCode, { id, displayName, createdAt: start });
  return { schoolId, userId: id };
}

export async function keepLink(
  companions: CompanionStore,
  guardian: Owner,
  student: Owner,
  over: Partial<GuardianLink> = {},
): Promise<void> {
  const ids = { guardianId: guardian.userId, studentId: student.userId };
  const link = { ...ids, guardianName: null, studentName: null, createdAt: start };
  await companions.keepGuardian(student.schoolId, { ...link, ...over });
}

/** A consent to the notes for guardians, unless it is said otherwise. */
export async function keepConsentFor(
  companions: CompanionStore,
  { schoolId, userId }: Owner,
  over: Partial<ConsentRecord> = {},
): Promise<void> {
  const said = { kind: 'parent_notes', isGranted: true, byUser: 'guardian-1', changedAt: start };
  await companions.keepConsent(schoolId, { studentId: userId, ...said, ...over });
}

export function describeGuardians(shared: () => CompanionsUnderTest): void {
  const aStudent = (displayName: string, schoolId?: string) => aNamedStudent(shared().store, displayName, schoolId);
  const link = (guardian: Owner, student: Owner, over: Partial<GuardianLink> = {}) =>
    keepLink(shared().companions, guardian, student, over);
  const consent = (student: Owner, over: Partial<ConsentRecord> = {}) =>
    keepConsentFor(shared().companions, student, over);

  describe('guardians', () => {
    it('have their children, and children their guardians, each once', async () => {
      const { companions } = shared();
      const schoolId = freshId('school');
      const [ema, jonas] = [await aStudent('Ema', schoolId), await aStudent('Jonas ąž', schoolId)];
      const [one, two] = [anOwner(schoolId), anOwner(schoolId)];
      expect(await companions.childrenOf(one)).toEqual([]);
      expect(await companions.guardiansOf(schoolId, ema.userId)).toEqual([]);
      await link(one, ema, { guardianName: 'Rūta', studentName: 'ne Ema' });
      await Promise.all(Array.from({ length: 9 }, (_, index) => link(one, ema, { createdAt: start + 5 + index })));
      await link(one, jonas, { guardianName: 'ne Rūta', createdAt: start + 1 });
      await link(two, ema, { createdAt: start + 2 });
      const linked = (guardian: Owner, student: Owner, studentName: string, createdAt: number) => ({
        guardianId: guardian.userId,
        guardianName: guardian === one ? 'Rūta' : null,
        studentId: student.userId,
        studentName,
        createdAt,
      });
      const [first, second] = [linked(one, ema, 'Ema', start), linked(one, jonas, 'Jonas ąž', start + 1)];
      const third = linked(two, ema, 'Ema', start + 2);
      expect(await companions.childrenOf(one)).toEqual([first, second]);
      expect(await companions.childrenOf(two)).toEqual([third]);
      expect(await companions.guardiansOf(schoolId, ema.userId)).toEqual([first, third]);
      expect(await companions.guardiansOf(schoolId, jonas.userId)).toEqual([second]);
    });

    it('can lose a child, and with it what they agreed to for that child alone', async () => {
      const { companions } = shared();
      const schoolId = freshId('school');
      const [ema, jonas] = [await aStudent('Ema', schoolId), await aStudent('Jonas', schoolId)];
      const [one, two] = [anOwner(schoolId), anOwner(schoolId)];
      for (const child of [ema, jonas]) await link(one, child);
      await link(two, ema);
      const byUser = one.userId;
      await consent(ema, { byUser });
      await consent(ema, { kind: 'research', byUser, isGranted: false });
      await consent(ema, { kind: 'photos', byUser: two.userId });
      await consent(jonas, { byUser });
      const ids = { guardianId: one.userId, studentId: ema.userId };
      await companions.removeGuardian('elsewhere', ids);
      expect(await companions.childrenOf(one)).toHaveLength(2);
      await companions.removeGuardian(schoolId, ids);
      await companions.removeGuardian(schoolId, ids);
      expect((await companions.childrenOf(one)).map(({ studentId }) => studentId)).toEqual([jonas.userId]);
      expect((await companions.guardiansOf(schoolId, ema.userId)).map(({ guardianId }) => guardianId)).toEqual([
        two.userId,
      ]);
      // What was taken back stays so.
      expect((await companions.consents(schoolId, ema.userId)).map(({ kind }) => kind)).toEqual(['photos', 'research']);
      expect(await companions.consents(schoolId, jonas.userId)).toHaveLength(1);
    });

    it('are of one school, and a child nobody knows has no name', async () => {
      const { companions } = shared();
      const student = await aStudent('Ema');
      const guardian = anOwner(student.schoolId);
      const schoolId = freshId('school');
      await link(guardian, student);
      await link({ ...guardian, schoolId }, { ...student, schoolId });
      expect(await companions.childrenOf(guardian)).toMatchObject([{ studentName: 'Ema' }]);
      expect(await companions.childrenOf({ ...guardian, schoolId })).toMatchObject([{ studentName: null }]);
      expect(await companions.childrenOf({ ...guardian, schoolId: 'elsewhere' })).toEqual([]);
      expect(await companions.guardiansOf('elsewhere', student.userId)).toEqual([]);
    });
  });

  describe('consents', () => {
    it('are kept by kind, the last word of each with who said it and when', async () => {
      const { companions } = shared();
      const student = anOwner();
      const read = () => companions.consents(student.schoolId, student.userId);
      expect(await read()).toEqual([]);
      await consent(student, { kind: 'research', isGranted: false });
      await consent(student);
      const research = { studentId: student.userId, kind: 'research', isGranted: false, byUser: 'guardian-1' };
      const given = { ...research, kind: 'parent_notes', isGranted: true, changedAt: start };
      expect(await read()).toEqual([given, { ...research, changedAt: start }]);
      await consent(student, { isGranted: false, byUser: 'guardian-2', changedAt: start + 9 });
      const withdrawn = { ...given, isGranted: false, byUser: 'guardian-2', changedAt: start + 9 };
      expect(await read()).toEqual([withdrawn, { ...research, changedAt: start }]);
    });

    it('are those of one student of one school', async () => {
      const { companions } = shared();
      const student = anOwner();
      await consent(student);
      await consent({ ...student, schoolId: freshId('school') }, { isGranted: false });
      await consent(anOwner(student.schoolId), { isGranted: false });
      expect(await companions.consents(student.schoolId, student.userId)).toMatchObject([{ isGranted: true }]);
      expect(await companions.consents('elsewhere', student.userId)).toEqual([]);
      expect(await companions.consents(student.schoolId, 'nobody')).toEqual([]);
    });
  });
}
