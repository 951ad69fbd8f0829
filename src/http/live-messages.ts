import { z } from 'zod';
import { type ErrorCode, errorTable } from '../core/errors.ts';
import type { TurnEvent } from '../engine/ports/turn-log.ts';
import { fieldErrors, type ProblemDetails } from './problem.ts';
import { messageRequest, problem, turnEvents } from './protocol.ts';

/** Where the socket is, and what its problems name as their `instance`. */
export const livePath = '/api/live';

const id = z.string().min(1).max(200);
const oneTurn = { turn_id: id, session_id: id.nullish().describe('Where given, the turn has to be of this session') };

/** What a client says over `GET /api/live`: one JSON object a text message. */
export const clientMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('respond'), session_id: id, ...messageRequest.shape }),
  z.object({
    type: z.literal('follow'),
    ...oneTurn,
    after: z.int().min(0).nullish().describe('The sequence number of the last event seen'),
  }),
  z.object({ type: z.literal('stop'), ...oneTurn }),
]);
export type ClientMessage = z.infer<typeof clientMessage>;

const event = <Name extends keyof typeof turnEvents>(name: Name) =>
  z.object({ type: z.literal(name), turn_id: id, seq: z.int().min(1), data: turnEvents[name] });

/**
 * What the server says. Each message of the client's is answered, in order, by one `turn`, `stopping` or `problem`;
 * the events of its turns come beside that.
 */
export const serverMessage = z.discriminatedUnion('type', [
  event('token'),
  event('redact'),
  event('done'),
  event('error'),
  z
    .object({
      type: z.literal('turn'),
      turn_id: id,
      session_id: id,
      ended: z.boolean().describe('The terminal event was seen already: nothing more comes of this turn'),
      client_message_id: z.string().optional(),
    })
    .describe('The answer to `respond` and `follow`: the events of this turn come next'),
  z.object({ type: z.literal('stopping'), turn_id: id }).describe('The answer to `stop`'),
  problem.extend({
    type: z.literal('problem'),
    client_message_id: z.string().optional(),
    retry_after_seconds: z.int().optional(),
  }),
]);

/** What a message says it is about, so that its answer can say the same. */
export type About = { client_message_id?: string | undefined; turn_id?: string | undefined };

export type ReadMessage = { about: About } & (
  | { kind: 'message'; message: ClientMessage }
  | { kind: 'invalid'; problem: ProblemDetails }
);

const named = id.optional().catch(undefined);
const about = z.object({ client_message_id: named, turn_id: named }).catch({});

/** Reads one message as it came: text, or bytes, which are none of ours. */
export function readMessage(data: unknown): ReadMessage {
  if (typeof data !== 'string') return unreadable('A message is sent as text, not as bytes.');
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return unreadable('The message is not valid JSON.');
  }
  const parsed = clientMessage.safeParse(value);
  if (parsed.success) return { kind: 'message', message: parsed.data, about: about.parse(value) };
  const isOfNoType = parsed.error.issues.some(({ code }) => code === 'invalid_union');
  const errors = isOfNoType
    ? [{ path: 'type', message: 'must be respond, follow or stop' }]
    : fieldErrors(parsed.error);
  return { kind: 'invalid', problem: { errors }, about: about.parse(value) };
}

function unreadable(detail: string): ReadMessage {
  return { kind: 'invalid', problem: { status: 400, detail }, about: {} };
}

/** A problem as a message: the fields of a problem response, and of `Retry-After` the seconds. */
export function problemMessage(
  { code, retryAfterSeconds, ...more }: ProblemDetails & { code: ErrorCode },
  { client_message_id, turn_id }: About,
): string {
  const { status, title, detail } = errorTable[code];
  return JSON.stringify({
    type: 'problem',
    title,
    status: more.status ?? status,
    code,
    detail: more.detail ?? detail,
    instance: livePath,
    errors: more.errors,
    turn_id: more.turnId ?? turn_id,
    initial_phase: more.initialPhase,
    retry_after_seconds: retryAfterSeconds === undefined ? undefined : Math.max(1, Math.ceil(retryAfterSeconds)),
    client_message_id,
  });
}

export const ticketResponse = z.object({ ticket: z.string(), expires_at: z.iso.datetime() });

/** What stands between an event's type and its sequence number; made once a turn. */
export function eventHead(turnId: string): string {
  return `","turn_id":${JSON.stringify(turnId)},"seq":`;
}

/** One event as a message. Put together by hand, because a token should not cost an object. */
export function eventMessage(head: string, { seq, name, data }: TurnEvent): string {
  return `{"type":"${name}${head}${seq},"data":${data}}`;
}

/** A token's event as a message. */
export function tokenMessage(head: string, seq: number, text: string): string {
  return `{"type":"token${head}${seq},"data":{"text":${JSON.stringify(text)}}}`;
}
