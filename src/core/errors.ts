/**
 * Every code a client can be told, with its HTTP status and the words that go with it.
 * Clients get their text from here and from nowhere else: never from an exception.
 */
export const errorTable = {
  INVALID_REQUEST: {
    status: 422,
    title: 'The request is not valid',
    detail: 'Check the fields named in errors and send it again.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'The request is too large',
    detail: 'A request body may have at most 64 KiB.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'You are not signed in',
    detail: 'Join the class again with its code, or send a valid token.',
  },
  NOT_FOUND: { status: 404, title: 'Not found', detail: 'There is nothing here, or it is not yours.' },
  TURN_IN_PROGRESS: {
    status: 409,
    title: 'A reply is still being made',
    detail: 'Wait for the reply to end, follow it by its turn_id, or stop it.',
  },
  CARTRIDGE_CHANGED: {
    status: 409,
    title: 'The lesson was changed',
    detail: 'The part of the lesson you were in is gone. Go on from initial_phase.',
  },
  INVALID_PHASE_TRANSITION: {
    status: 422,
    title: 'You cannot go there from here',
    detail: 'Take one of the ways on that the session view offers.',
  },
  NOT_AN_AI_PHASE: {
    status: 422,
    title: 'Nobody answers here',
    detail: 'This part of the lesson has no conversation. Use the ways on that the session view offers.',
  },
  SESSION_ENDED: { status: 422, title: 'The lesson is over', detail: 'Start the lesson again to go on.' },
  SESSION_FROZEN: {
    status: 422,
    title: 'The teacher has paused the lesson',
    detail: 'Wait until the teacher goes on.',
  },
  RATE_LIMITED: { status: 429, title: 'Too many requests', detail: 'Wait as long as Retry-After says and try again.' },
  MODEL_UNAVAILABLE: {
    status: 503,
    title: 'No reply can be made just now',
    detail: 'What you wrote is kept. Try again in a moment.',
  },
  MODEL_TIMEOUT: {
    status: 503,
    title: 'The reply took too long',
    detail: 'What you wrote is kept. Try again in a moment.',
  },
  MODEL_REFUSED: {
    status: 503,
    title: 'The model turned the request down',
    detail: 'Ask the teacher to check how the model is set up.',
  },
  MODEL_REPLY_INVALID: {
    status: 503,
    title: 'The reply could not be used',
    detail: 'What you wrote is kept. Try again in a moment.',
  },
  CHANGED_MEANWHILE: {
    status: 409,
    title: 'It was changed meanwhile',
    detail: 'Somebody else has saved it since you read it. Read it again, and make your change to that.',
  },
  INTERRUPTED: {
    status: 503,
    title: 'The reply was cut off',
    detail: 'The server stopped in the middle of the reply. What you wrote is kept: send it again.',
  },
  INTERNAL: {
    status: 500,
    title: 'Something went wrong here',
    detail: 'What you wrote is kept. Try again; tell the teacher if it stays so.',
  },
} as const;

export type ErrorCode = keyof typeof errorTable;

/** A field that is at fault: its path in the request (`message`, `cartridge_ids.0`) and what would be right. */
export type FieldError = { path: string; message: string };

/**
 * What nobody can handle where it happened; wrapped once and turned into a problem response (or an `error` event) at
 * the edge. The message is for the log and never holds a learner's words.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Whether the same request can succeed later. */
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}
