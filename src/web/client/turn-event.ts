import type { SseFrame } from './sse.ts';

type Place = { turn_id: string; seq: number };

/** The next piece of safe text. */
export type TokenEvent = Place & { type: 'token'; text: string };
/** Throw away what was shown of this turn and show `fallback_text`. Ends the turn. */
export type RedactEvent = Place & { type: 'redact'; fallback_text: string; boundary: string | null };
/** The turn ended well, or was stopped. */
export type DoneEvent = Place & {
  type: 'done';
  phase_transition: string | null;
  next_phase: string | null;
  exchanges_count?: number;
  debrief_complete: boolean;
  /** The learner stopped it. */
  stopped: boolean;
  /** What was shown for the person to confirm or change. */
  widgets?: unknown[];
  /** The whole reply of a companion that answers in structure, and how far its analysis has come. */
  structured?: Record<string, unknown>;
  workflow?: Record<string, unknown>;
};
/** The turn failed; where `retryable`, the same message with the same `client_message_id` may be sent again. */
export type ErrorEvent = Place & {
  type: 'error';
  code: string;
  message: string;
  retryable: boolean;
  partial_text: string;
};
/** Of these, all but `token` end the turn. */
export type TurnEvent = TokenEvent | RedactEvent | DoneEvent | ErrorEvent;

/** A frame's place in its turn, from its id `<turn_id>:<seq>`; null where the id is not one. */
export function placeOf(id: string): Place | null {
  const colon = id.lastIndexOf(':');
  const seq = Number(id.slice(colon + 1));
  return colon > 0 && Number.isInteger(seq) && seq > 0 ? { turn_id: id.slice(0, colon), seq } : null;
}

/** The event a frame carries; null for a name this version does not know and for data that is not what it should be. */
export function parseTurnEvent(frame: SseFrame): TurnEvent | null {
  const place = placeOf(frame.id);
  const data = parseObject(frame.data);
  return place && data && readTurnEvent(frame.event, place, data);
}

/** The event of that name at that place; null as for `parseTurnEvent`. */
export function readTurnEvent(name: string, place: Place, data: Record<string, unknown>): TurnEvent | null {
  switch (name) {
    case 'token':
      return typeof data['text'] === 'string' ? { type: 'token', ...place, text: data['text'] } : null;
    case 'redact':
      return { type: 'redact', ...place, fallback_text: text(data['fallback_text']), boundary: word(data['boundary']) };
    case 'done':
      return parseDone(place, data);
    case 'error':
      return {
        type: 'error',
        ...place,
        code: text(data['code']),
        message: text(data['message']),
        retryable: data['retryable'] === true,
        partial_text: text(data['partial_text']),
      };
    default:
      return null;
  }
}

function parseDone(place: Place, data: Record<string, unknown>): DoneEvent {
  const { exchanges_count: count, widgets } = data;
  const structured = fields(data['structured']);
  const workflow = fields(data['workflow']);
  return {
    type: 'done',
    ...place,
    phase_transition: word(data['phase_transition']),
    next_phase: word(data['next_phase']),
    ...(typeof count === 'number' ? { exchanges_count: count } : {}),
    ...(Array.isArray(widgets) ? { widgets } : {}),
    ...(structured ? { structured } : {}),
    ...(workflow ? { workflow } : {}),
    debrief_complete: data['debrief_complete'] === true,
    stopped: data['stopped'] === true,
  };
}

/** The object in a JSON text; null where there is none. */
export function parseObject(json: string): Record<string, unknown> | null {
  try {
    return fields(JSON.parse(json));
  } catch {
    return null;
  }
}

function fields(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? { ...value } : null;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function word(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
