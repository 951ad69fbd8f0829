import type { Database } from 'better-sqlite3';
import type { ConsentRecord, GuardianLink, ParentNoteRecord } from '../../engine/ports/companion-store.ts';
import { keptText } from '../kept-text.ts';
import type { Operations } from './operations.ts';
import { peopleKeeper } from './people.ts';

type NoteOperations =
  | 'keepParentNote'
  | 'parentNotes'
  | 'viewParentNote'
  | 'keepGuardian'
  | 'removeGuardian'
  | 'guardiansOf'
  | 'childrenOf'
  | 'consents'
  | 'keepConsent';

type NoteRow = Omit<ParentNoteRecord, 'highlights' | 'concerns' | 'suggestions'> & {
  highlights: string;
  concerns: string | null;
  suggestions: string | null;
};
type GuardianValues = { schoolId: string; guardianId: string; studentId: string | null };
type ConsentRow = Omit<ConsentRecord, 'isGranted'> & { isGranted: number };

/** The kind of consent that a guardian's notes need. */
const noteConsent = 'parent_notes';

const columns = `n.id, n.school_id AS schoolId, n.owner_id AS studentId, u.display_name AS studentName,
  n.session_id AS sessionId, n.cartridge_id AS cartridgeId, n.subject, n.duration_minutes AS durationMinutes, n.summary,
  n.highlights, n.concerns, n.suggestions, n.generated_at AS generatedAt, n.viewed_at AS viewedAt`;
const readable = `FROM guardians g
  JOIN consents c ON c.school_id = g.school_id AND c.student_id = g.student_id AND c.kind = '${noteConsent}'
    AND c.is_granted = 1
  JOIN parent_notes n ON n.school_id = g.school_id AND n.owner_id = g.student_id
  LEFT JOIN users u ON u.school_id = n.school_id AND u.id = n.owner_id
  WHERE g.school_id = @schoolId AND g.guardian_id = @guardianId AND (@studentId IS NULL OR g.student_id = @studentId)`;

export function noteOperations(db: Database): Pick<Operations, NoteOperations> {
  const keepPerson = peopleKeeper(db);
  const insert = db.prepare<Omit<NoteRow, 'studentName' | 'viewedAt'>>(
    `INSERT INTO parent_notes (id, school_id, owner_id, session_id, cartridge_id, subject, duration_minutes, summary,
       highlights, concerns, suggestions, generated_at)
     SELECT @id, school_id, owner_id, session_id, @cartridgeId, @subject, @durationMinutes, @summary, @highlights,
       @concerns, @suggestions, @generatedAt
     FROM conversations WHERE session_id = @sessionId AND school_id = @schoolId AND owner_id = @studentId
     ON CONFLICT (session_id) DO NOTHING`,
  );
  const many = db.prepare<GuardianValues & { limit: number; offset: number }, NoteRow>(
    `SELECT ${columns} ${readable} ORDER BY n.generated_at DESC, n.ordinal DESC LIMIT @limit OFFSET @offset`,
  );
  const count = db.prepare<GuardianValues, { total: number }>(`SELECT count(*) AS total ${readable}`);
  const one = db.prepare<GuardianValues & { id: string }, NoteRow>(`SELECT ${columns} ${readable} AND n.id = @id`);
  const view = db.prepare<[number, string, string]>(
    'UPDATE parent_notes SET viewed_at = ? WHERE id = ? AND school_id = ? AND viewed_at IS NULL',
  );
  const link = db.prepare<[string, string, string, number]>(
    'INSERT INTO guardians (school_id, guardian_id, student_id, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const unlink = db.prepare<[string, string, string]>(
    'DELETE FROM guardians WHERE school_id = ? AND guardian_id = ? AND student_id = ?',
  );
  const takeBack = db.prepare<[string, string, string]>(
    'DELETE FROM consents WHERE school_id = ? AND by_user = ? AND student_id = ? AND is_granted = 1',
  );
  const linkColumns = `g.guardian_id AS guardianId, p.display_name AS guardianName, g.student_id AS studentId,
    u.display_name AS studentName, g.created_at AS createdAt FROM guardians g
    LEFT JOIN users u ON u.school_id = g.school_id AND u.id = g.student_id
    LEFT JOIN users p ON p.school_id = g.school_id AND p.id = g.guardian_id`;
  const guardians = db.prepare<[string, string], GuardianLink>(
    `SELECT ${linkColumns} WHERE g.school_id = ? AND g.student_id = ? ORDER BY g.guardian_id`,
  );
  const children = db.prepare<[string, string], GuardianLink>(
    `SELECT ${linkColumns} WHERE g.school_id = ? AND g.guardian_id = ? ORDER BY g.student_id`,
  );
  const consents = db.prepare<[string, string], ConsentRow>(
    `SELECT student_id AS studentId, kind, is_granted AS isGranted, by_user AS byUser, changed_at AS changedAt
     FROM consents WHERE school_id = ? AND student_id = ? ORDER BY kind`,
  );
  const keep = db.prepare<ConsentRow & { schoolId: string }>(
    `INSERT INTO consents (school_id, student_id, kind, is_granted, by_user, changed_at)
     VALUES (@schoolId, @studentId, @kind, @isGranted, @byUser, @changedAt)
     ON CONFLICT (school_id, student_id, kind) DO UPDATE SET is_granted = excluded.is_granted,
       by_user = excluded.by_user, changed_at = excluded.changed_at`,
  );

  return {
    keepParentNote(note) {
      insert.run({
        id: note.id,
        schoolId: note.schoolId,
        studentId: note.studentId,
        sessionId: note.sessionId,
        cartridgeId: note.cartridgeId,
        subject: keptText(note.subject),
        durationMinutes: note.durationMinutes,
        generatedAt: note.generatedAt,
        summary: keptText(note.summary),
        highlights: listText(note.highlights),
        concerns: note.concerns && listText(note.concerns),
        suggestions: note.suggestions && listText(note.suggestions),
      });
    },
    parentNotes({ schoolId, userId }, { studentId = null, offset, limit }) {
      const values = { schoolId, guardianId: userId, studentId };
      return {
        items: many.all({ ...values, offset, limit }).map(readNote),
        total: count.get(values)?.total ?? 0,
      };
    },
    viewParentNote({ schoolId, userId }, noteId, now) {
      const values = { schoolId, guardianId: userId, studentId: null, id: noteId };
      if (!one.get(values)) return null;
      view.run(now, noteId, schoolId);
      const row = one.get(values);
      return row ? readNote(row) : null;
    },
    keepGuardian(schoolId, { guardianId, guardianName, studentId, createdAt }) {
      keepPerson({ schoolId, schoolName: '', id: guardianId, role: 'guardian', displayName: guardianName, createdAt });
      link.run(schoolId, guardianId, studentId, createdAt);
    },
    removeGuardian(schoolId, { guardianId, studentId }) {
      unlink.run(schoolId, guardianId, studentId);
      takeBack.run(schoolId, guardianId, studentId);
    },
    guardiansOf: (schoolId, studentId) => guardians.all(schoolId, studentId),
    childrenOf: ({ schoolId, userId }) => children.all(schoolId, userId),
    consents: (schoolId, studentId) =>
      consents.all(schoolId, studentId).map((row) => ({ ...row, isGranted: row.isGranted === 1 })),
    keepConsent: (schoolId, consent) => void keep.run({ ...consent, isGranted: consent.isGranted ? 1 : 0, schoolId }),
  };
}

function listText(list: readonly string[]): string {
  return JSON.stringify(list.map(keptText));
}

function readNote({ highlights, concerns, suggestions, ...row }: NoteRow): ParentNoteRecord {
  const list = (text: string) => JSON.parse(text) as string[];
  return {
    ...row,
    highlights: list(highlights),
    concerns: concerns === null ? null : list(concerns),
    suggestions: suggestions === null ? null : list(suggestions),
  };
}
