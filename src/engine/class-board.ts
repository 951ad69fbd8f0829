import { isoTime } from '../core/clock.ts';
import type { ClassFeed } from './ports/class-feed.ts';
import type { AlertRecord, ClassSession, ExchangeRecord } from './ports/store.ts';

/** A session as a teacher's board shows it: where it stands, and not a word of what was said. */
export function viewBoardSession(session: ClassSession): Record<string, unknown> {
  return {
    session_id: session.sessionId,
    student: session.ownerName,
    cartridge_id: session.cartridgeId,
    status: session.status,
    frozen: session.frozen,
    phase: session.phase,
    evaluation_outcome: session.outcome,
    turns: session.messages,
    redactions: session.redactions,
    updated_at: isoTime(session.updatedAt),
  };
}

/** An alert as a teacher's board shows it: its kind and severity (1 to 3). */
export function viewBoardAlert(
  alert: Pick<AlertRecord, 'sessionId' | 'turnId' | 'kind' | 'severity' | 'createdAt'>,
): Record<string, unknown> {
  const { sessionId, turnId, kind, severity, createdAt } = alert;
  return { session_id: sessionId, turn_id: turnId, kind, severity, at: isoTime(createdAt) };
}

/** What a session's row on the board is made from. */
export type BoardSession = {
  session: { id: string; ownerId: string; classId: string | null; cartridgeId: string; frozen: boolean };
  ownerName: string | null;
  state: { phase: string; completed: boolean; outcome: string | null };
  messages: number;
  redactions: number;
  now: number;
};

/** Tells whoever watches the session's class how it stands; nobody where it belongs to none. */
export function publishSession(
  feed: ClassFeed,
  { session, ownerName, state, messages, redactions, now }: BoardSession,
): void {
  if (session.classId === null) return;
  const row: ClassSession = {
    sessionId: session.id,
    ownerId: session.ownerId,
    ownerName,
    cartridgeId: session.cartridgeId,
    status: state.completed ? 'completed' : 'active',
    frozen: session.frozen,
    phase: state.phase,
    outcome: state.outcome,
    messages,
    redactions,
    updatedAt: now,
  };
  feed.publish(session.classId, 'session', viewBoardSession(row));
}

/** How many of the learner's messages and of withdrawn replies there are among a session's exchanges. */
export function countExchanges(exchanges: readonly ExchangeRecord[]): { messages: number; redactions: number } {
  const isLearner = ({ role }: ExchangeRecord) => role === 'student' || role === 'user';
  return {
    messages: exchanges.filter(isLearner).length,
    redactions: exchanges.filter(({ redacted }) => redacted).length,
  };
}
