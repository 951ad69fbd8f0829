import type { Database } from 'better-sqlite3';
import type { ObjectivesRecord, ProfileRecord, SaveProfile } from '../../engine/ports/prepared-store.ts';
import { keptText } from '../kept-text.ts';
import type { Operations } from './operations.ts';

type ProfileOperations =
  | 'profile'
  | 'saveProfile'
  | 'objectives'
  | 'allObjectives'
  | 'saveObjectives'
  | 'profiledStudents'
  | 'teaches';

type Student = { schoolId: string; userId: string };

/** A student's profile and what companions have prepared for them. */
export function profileOperations(db: Database): Pick<Operations, ProfileOperations> {
  const one = db.prepare<[string, string], ProfileRecord>(
    `SELECT profile, version, updated_at AS updatedAt, updated_by AS updatedBy FROM profiles
     WHERE school_id = ? AND user_id = ?`,
  );
  const create = db.prepare<Student & Omit<SaveProfile, 'expectedVersion'>>(
    `INSERT INTO profiles (school_id, user_id, profile, version, updated_at, updated_by)
     VALUES (@schoolId, @userId, @profile, 1, @now, @updatedBy) ON CONFLICT DO NOTHING`,
  );
  const update = db.prepare<Student & SaveProfile>(
    `UPDATE profiles SET profile = @profile, version = version + 1, updated_at = @now, updated_by = @updatedBy
     WHERE school_id = @schoolId AND user_id = @userId AND version = @expectedVersion`,
  );
  const objectiveColumns = 'cartridge_id AS cartridgeId, objectives, reason, generated_at AS generatedAt';
  const objectives = db.prepare<[string, string, string], ObjectivesRecord>(
    `SELECT ${objectiveColumns} FROM objectives WHERE school_id = ? AND user_id = ? AND cartridge_id = ?`,
  );
  const allObjectives = db.prepare<[string, string], ObjectivesRecord>(
    `SELECT ${objectiveColumns} FROM objectives WHERE school_id = ? AND user_id = ? ORDER BY cartridge_id`,
  );
  const keepObjectives = db.prepare<Student & ObjectivesRecord>(
    `INSERT INTO objectives (school_id, user_id, cartridge_id, objectives, reason, generated_at)
     VALUES (@schoolId, @userId, @cartridgeId, @objectives, @reason, @generatedAt)
     ON CONFLICT (school_id, user_id, cartridge_id) DO UPDATE SET objectives = excluded.objectives,
       reason = excluded.reason, generated_at = excluded.generated_at`,
  );
  const students = db.prepare<[string, string, number], Student>(
    `SELECT school_id AS schoolId, user_id AS userId FROM profiles WHERE (school_id, user_id) > (?, ?)
     ORDER BY school_id, user_id LIMIT ?`,
  );
  const taught = db.prepare<[string, string, string, string], { found: number }>(
    `SELECT 1 AS found FROM classes c JOIN class_members m ON m.class_id = c.id
     WHERE c.school_id = ? AND c.teacher_id = ? AND m.school_id = ? AND m.user_id = ? LIMIT 1`,
  );

  return {
    profile: (schoolId, userId) => one.get(schoolId, userId) ?? null,
    saveProfile(schoolId, userId, { profile, expectedVersion, updatedBy, now }) {
      const values = { schoolId, userId, profile: keptText(profile), updatedBy, now };
      const { changes } = expectedVersion === 0 ? create.run(values) : update.run({ ...values, expectedVersion });
      return changes > 0 ? 'saved' : 'conflict';
    },
    objectives: (schoolId, userId, cartridgeId) => objectives.get(schoolId, userId, cartridgeId) ?? null,
    allObjectives: (schoolId, userId) => allObjectives.all(schoolId, userId),
    saveObjectives: (schoolId, userId, { objectives: text, ...record }) =>
      void keepObjectives.run({ schoolId, userId, ...record, objectives: keptText(text) }),
    profiledStudents: (after, limit) => students.all(after?.schoolId ?? '', after?.userId ?? '', limit),
    teaches: ({ schoolId, userId }, studentId) => taught.get(schoolId, userId, schoolId, studentId) !== undefined,
  };
}
