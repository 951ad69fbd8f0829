import type { GuardianLink, GuardianView, Me, ObjectivesView, ProfileView, StudentView } from '../protocol-types.ts';
import { fetchMe } from './common-calls.ts';
import { type CallOptions, createServerCalls, type ServerOptions } from './server-calls.ts';

/** What is known of a student, for staff, and their profile for themselves. Calls throw as the lessons' client does. */
export interface StudentsClient {
  /** Who the caller is; null for nobody. */
  me(options?: CallOptions): Promise<Me | null>;
  /** `NOT_FOUND` where there is no such student for the caller. */
  student(userId: string, options?: CallOptions): Promise<StudentView>;
  profile(userId: string, options?: CallOptions): Promise<ProfileView>;
  /**
   * Puts a profile in the place of the one at `version` (0: there is none). `CHANGED_MEANWHILE` where it is at another,
   * `INVALID_REQUEST` with the fields where something in it cannot be.
   */
  saveProfile(userId: string, save: { profile: unknown; version: number }): Promise<ProfileView>;
  /** What companions have prepared for the student. */
  objectives(userId: string, options?: CallOptions): Promise<ObjectivesView[]>;
  /** Has every companion prepare anew; it is made later. */
  refreshObjectives(userId: string): Promise<void>;
  /** A new guardian of a student of the class, and their key. */
  addGuardian(classId: string, guardian: { studentId: string; name: string }): Promise<GuardianLink>;
  /** Who has the student in their care. */
  guardians(studentId: string, options?: CallOptions): Promise<GuardianView[]>;
  /** Takes the student out of a guardian's care; `NOT_FOUND` where they are in it no longer. */
  removeGuardian(studentId: string, guardianId: string): Promise<void>;
}

/** A client for one server's students. */
export function createStudentsClient(options: ServerOptions = {}): StudentsClient {
  const server = createServerCalls(options);
  const { json, call } = server;
  const guardians = (studentId: string) => `/api/students/${encodeURIComponent(studentId)}/guardians`;
  const profile = (userId: string) => `/api/profiles/${encodeURIComponent(userId)}`;
  return {
    me: (init) => fetchMe(server, init),
    student: (userId, init) => json(`/api/students/${encodeURIComponent(userId)}`, init),
    profile: (userId, init) => json(profile(userId), init),
    saveProfile: (userId, save) => json(profile(userId), { method: 'PUT', body: save }),
    objectives: async (userId, init) =>
      (await json<{ items: ObjectivesView[] }>(`/api/objectives?user_id=${encodeURIComponent(userId)}`, init)).items,
    refreshObjectives: async (userId) => void (await call('/api/objectives/refresh', { body: { user_id: userId } })),
    addGuardian: (classId, { studentId, name }) =>
      json(`/api/classes/${encodeURIComponent(classId)}/guardians`, {
        body: { student_id: studentId, display_name: name },
      }),
    guardians: async (studentId, init) => (await json<{ items: GuardianView[] }>(guardians(studentId), init)).items,
    removeGuardian: async (studentId, guardianId) =>
      void (await call(`${guardians(studentId)}/${encodeURIComponent(guardianId)}`, { method: 'DELETE' })),
  };
}
