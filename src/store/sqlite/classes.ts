import type { Database } from 'better-sqlite3';
import type { ClassRecord, ClassStudent, FirstClass, StudentRecord } from '../../engine/ports/store.ts';
import { keptText } from '../kept-text.ts';
import type { Operations } from './operations.ts';
import { peopleKeeper } from './people.ts';

type ClassRow = Omit<ClassRecord, 'cartridgeIds'> & { cartridgeIds: string | null };
type FirstClassRow = ClassRow & { schoolName: string; teacherName: string };

const columns = `classes.id, classes.school_id AS schoolId, teacher_id AS teacherId, title, join_code AS joinCode,
  cartridge_ids AS cartridgeIds, classes.created_at AS createdAt`;

type ClassOperations =
  | 'firstClass'
  | 'createClass'
  | 'classesOf'
  | 'classOf'
  | 'classOfStudent'
  | 'joinClass'
  | 'classStudents'
  | 'student';

export function classOperations(db: Database): Pick<Operations, ClassOperations> {
  const keepPerson = peopleKeeper(db);
  const first = db.prepare<[], FirstClassRow>(
    `SELECT ${columns}, schools.name AS schoolName, COALESCE(users.display_name, '') AS teacherName
     FROM classes
     JOIN schools ON schools.id = classes.school_id
     JOIN users ON users.school_id = classes.school_id AND users.id = classes.teacher_id
     WHERE is_first = 1`,
  );
  const insert = db.prepare<ClassRow & { isFirst: number }>(
    `INSERT INTO classes (id, school_id, teacher_id, title, join_code, cartridge_ids, is_first, created_at)
     VALUES (@id, @schoolId, @teacherId, @title, @joinCode, @cartridgeIds, @isFirst, @createdAt)`,
  );
  const byTeacher = db.prepare<[string, string], ClassRow>(
    `SELECT ${columns} FROM classes WHERE school_id = ? AND teacher_id = ? ORDER BY created_at DESC, ordinal DESC`,
  );
  const ofTeacher = db.prepare<[string, string, string], ClassRow>(
    `SELECT ${columns} FROM classes WHERE id = ? AND school_id = ? AND teacher_id = ?`,
  );
  const ofSchool = db.prepare<[string, string], ClassRow>(
    `SELECT ${columns} FROM classes WHERE id = ? AND school_id = ?`,
  );
  const byCode = db.prepare<[string], ClassRow>(`SELECT ${columns} FROM classes WHERE join_code = ?`);
  const join = db.prepare<[string, string, string, number]>(
    'INSERT INTO class_members (class_id, school_id, user_id, joined_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const members = db.prepare<[string], ClassStudent>(
    `SELECT m.user_id AS userId, display_name AS displayName, joined_at AS joinedAt
     FROM class_members m JOIN users u ON u.school_id = m.school_id AND u.id = m.user_id
     WHERE class_id = ?`,
  );
  const oneStudent = db.prepare<[string, string], Omit<StudentRecord, 'classes'>>(
    `SELECT id AS userId, display_name AS displayName FROM users WHERE school_id = ? AND id = ? AND role = 'student'`,
  );
  const classesOfStudent = db.prepare<[string, string], StudentRecord['classes'][number]>(
    `SELECT c.id, title, teacher_id AS teacherId, joined_at AS joinedAt
     FROM class_members m JOIN classes c ON c.id = m.class_id
     WHERE m.school_id = ? AND m.user_id = ?`,
  );

  function insertClass(record: ClassRecord, isFirst: boolean): void {
    const { id, schoolId, teacherId, joinCode, createdAt } = record;
    const cartridgeIds = record.cartridgeIds && JSON.stringify(record.cartridgeIds);
    const title = keptText(record.title);
    insert.run({ id, schoolId, teacherId, title, joinCode, cartridgeIds, createdAt, isFirst: isFirst ? 1 : 0 });
  }

  return {
    firstClass(make) {
      const there = first.get();
      if (there) return { ...readFirstClass(there), created: false };
      const { schoolId, schoolName, teacherId, teacherName } = make;
      const { createdAt } = make.class;
      keepPerson({ schoolId, schoolName, id: teacherId, role: 'teacher', displayName: teacherName, createdAt });
      insertClass(make.class, true);
      return { schoolId, schoolName, teacherId, teacherName, class: make.class, created: true };
    },
    createClass(record) {
      if (byCode.get(record.joinCode)) return 'code_taken';
      const { schoolId, teacherId, createdAt } = record;
      keepPerson({ schoolId, schoolName: '', id: teacherId, role: 'teacher', displayName: null, createdAt });
      insertClass(record, false);
      return 'created';
    },
    classesOf: (owner) => byTeacher.all(owner.schoolId, owner.userId).map(readClass),
    classOf: (owner, classId) => readOrNull(ofTeacher.get(classId, owner.schoolId, owner.userId)),
    classOfStudent: (schoolId, classId) => readOrNull(ofSchool.get(classId, schoolId)),
    joinClass(joinCode, student) {
      const found = readOrNull(byCode.get(joinCode));
      if (!found) return null;
      const { schoolId } = found;
      const { id, displayName, createdAt } = student;
      keepPerson({ schoolId, schoolName: '', id, role: 'student', displayName, createdAt });
      join.run(found.id, schoolId, id, createdAt);
      return { class: found };
    },
    classStudents(owner, classId, { offset, limit }) {
      if (!ofTeacher.get(classId, owner.schoolId, owner.userId)) return null;
      const all = members.all(classId).toSorted(lastJoinedFirst);
      return { items: all.slice(offset, offset + limit), total: all.length };
    },
    student(schoolId, userId) {
      const found = oneStudent.get(schoolId, userId);
      return found ? { ...found, classes: classesOfStudent.all(schoolId, userId).toSorted(lastJoinedFirst) } : null;
    },
  };
}

/** By time alone; of one moment, as the index gives them. A class is read whole: it is short, and no index has its order. */
function lastJoinedFirst(one: { joinedAt: number }, other: { joinedAt: number }): number {
  return other.joinedAt - one.joinedAt;
}

function readClass(row: ClassRow): ClassRecord {
  return { ...row, cartridgeIds: row.cartridgeIds === null ? null : (JSON.parse(row.cartridgeIds) as string[]) };
}

function readOrNull(row: ClassRow | undefined): ClassRecord | null {
  return row ? readClass(row) : null;
}

function readFirstClass({ schoolName, teacherName, ...row }: FirstClassRow): FirstClass {
  return { schoolId: row.schoolId, schoolName, teacherId: row.teacherId, teacherName, class: readClass(row) };
}
