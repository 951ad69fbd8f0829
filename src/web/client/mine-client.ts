import type { ConsentView, ErasureReceipt, Me, ParentNotePage, ParentNoteView } from '../protocol-types.ts';
import { fetchMe } from './common-calls.ts';
import { type CallOptions, createServerCalls, type ServerOptions } from './server-calls.ts';

type ConsentAnswer = Pick<ConsentView, 'kind' | 'granted'> & { studentId: string };

/**
 * The routes of what is held about the caller, and of what guardians agree to and read. Calls resolve and throw as
 * the lessons' client does.
 */
export interface MineClient {
  /** Who the caller is; null for nobody. */
  me(options?: CallOptions): Promise<Me | null>;
  /** A guardian's children's consents, or a student's own. `NOT_FOUND` for everybody else. */
  consents(options?: CallOptions): Promise<ConsentView[]>;
  /** Agrees, or takes it back, and gives what stands then. A student can only take back. */
  answerConsent(answer: ConsentAnswer): Promise<ConsentView[]>;
  /** Notes about a student that the caller may read now, latest first; pages count from 1. */
  notes(asked: { studentId: string; page: number; limit: number }, options?: CallOptions): Promise<ParentNotePage>;
  /** Keeps that a note was read; read again, the same. */
  viewNote(id: string): Promise<ParentNoteView>;
  /** Everything held about the caller, as the file to keep. */
  export(options?: CallOptions): Promise<Blob>;
  /** Erases everything held about the caller, for good. From then on the caller is nobody. */
  erase(): Promise<ErasureReceipt>;
  /** Signs the caller out of this browser. */
  signOut(): Promise<void>;
}

/** A client for one server. */
export function createMineClient(options: ServerOptions = {}): MineClient {
  const server = createServerCalls(options);
  const { json, call } = server;
  const itemsOf = ({ items }: { items: ConsentView[] }) => items;

  return {
    me: (init) => fetchMe(server, init),
    consents: async (init) => itemsOf(await json('/api/me/consents', init)),
    answerConsent: async ({ studentId, kind, granted }) =>
      itemsOf(await json('/api/me/consents', { method: 'PUT', body: { student_id: studentId, kind, granted } })),
    notes: ({ studentId, page, limit }, init) => {
      const query = new URLSearchParams({ student_id: studentId, page: String(page), limit: String(limit) });
      return json(`/api/parent-notes?${query.toString()}`, init);
    },
    viewNote: (id) => json(`/api/parent-notes/${encodeURIComponent(id)}/viewed`, { method: 'POST' }),
    export: async (init) => (await call('/api/me/export', init)).blob(),
    erase: () => json('/api/me', { method: 'DELETE' }),
    signOut: async () => void (await call('/api/sign-out', { method: 'POST' })),
  };
}
