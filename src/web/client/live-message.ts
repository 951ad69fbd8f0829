import type { Problem } from '../protocol-types.ts';
import { ProblemError } from './problem.ts';
import { parseObject } from './turn-event.ts';

/** What is said to `GET /api/live`. */
export type LiveRequest =
  | { type: 'respond'; session_id: string; message: string; client_message_id: string }
  | { type: 'follow'; turn_id: string; session_id: string; after: number }
  | { type: 'stop'; turn_id: string; session_id: string };

/** One event of a turn, as yet unread. */
export type LiveEvent = { type: 'event'; name: string; turn_id: string; seq: number; data: Record<string, unknown> };
/** The answer to `respond` and `follow`; `ended`: nothing more comes of this turn. */
export type LiveTurnAnswer = { type: 'turn'; turn_id: string; ended: boolean; client_message_id: string | null };

export type LiveMessage =
  | LiveEvent
  | LiveTurnAnswer
  | { type: 'stopping'; turn_id: string }
  | { type: 'problem'; turn_id: string | null; client_message_id: string | null; error: ProblemError };

/** Reads a message of the server's; null for one that this version does not know. */
export function parseLiveMessage(text: unknown): LiveMessage | null {
  const message = typeof text === 'string' ? parseObject(text) : null;
  if (!message) return null;
  const { type, turn_id: turnId, seq, data } = message;
  const messageId = word(message['client_message_id']);
  if (type === 'problem') return { type, turn_id: word(turnId), client_message_id: messageId, error: errorOf(message) };
  if (typeof turnId !== 'string' || typeof type !== 'string') return null;
  if (type === 'turn') return { type, turn_id: turnId, ended: message['ended'] === true, client_message_id: messageId };
  if (type === 'stopping') return { type, turn_id: turnId };
  return typeof seq === 'number' && typeof data === 'object' && data !== null
    ? { type: 'event', name: type, turn_id: turnId, seq, data: { ...data } }
    : null;
}

function errorOf(fields: Record<string, unknown>): ProblemError {
  const { status, code, retry_after_seconds: seconds } = fields;
  const problem: Problem = {
    ...fields,
    status: typeof status === 'number' ? status : 500,
    code: word(code) ?? 'UNKNOWN',
  };
  // Among the messages it is their kind; in a problem it would be a URI.
  delete problem.type;
  return new ProblemError(problem, typeof seconds === 'number' ? seconds * 1_000 : null);
}

function word(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
