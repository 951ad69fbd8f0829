import type { Database } from 'better-sqlite3';
import { keptText } from '../kept-text.ts';

type Person = {
  schoolId: string;
  schoolName: string;
  id: string;
  role: string;
  displayName: string | null;
  createdAt: number;
};

/** Makes a person and their school where the store has not seen them; those it has seen stay as they are. */
export type KeepPerson = (person: Person) => void;

export function peopleKeeper(db: Database): KeepPerson {
  const keepSchool = db.prepare<[string, string, number]>(
    'INSERT INTO schools (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const keepUser = db.prepare<[string, string, string, string | null, number]>(
    'INSERT INTO users (school_id, id, role, display_name, created_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  return ({ schoolId, schoolName, id, role, displayName, createdAt }) => {
    keepSchool.run(schoolId, keptText(schoolName), createdAt);
    keepUser.run(schoolId, id, role, displayName === null ? null : keptText(displayName), createdAt);
  };
}
