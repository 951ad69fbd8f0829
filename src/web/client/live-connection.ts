import type { Inbox } from './live-inbox.ts';
import {
  type LiveEvent,
  type LiveMessage,
  type LiveRequest,
  type LiveTurnAnswer,
  parseLiveMessage,
} from './live-message.ts';
import { ProblemError } from './problem.ts';
import type { ClientClock } from './surroundings.ts';

export type TurnInbox = Inbox<LiveTurnAnswer | LiveEvent>;
type Follow = LiveRequest & { type: 'follow' };

/** A message that waits for its answer. */
type Ask = {
  request: LiveRequest;
  answer(turn: LiveTurnAnswer | null): void;
  /** It is refused, or (null) the connection has ended before it was answered. */
  fail(error: ProblemError | null): void;
};

/** A turn that is read here: by whom, and the last event that came of it. */
type ReadTurn = { sessionId: string; seq: number; inboxes: Set<TurnInbox> };

/** How often it is looked whether the server still speaks: a page is not told of a WebSocket's own pings. */
const beatMs = 20_000;
/** After so many beats in which nothing came the server is asked something, or an idle socket closed. */
const quietBeats = 2;
const lostCode = 1006;
const tooLargeCode = 1009;

/** One open WebSocket and the turns that are read over it. */
export class LiveConnection {
  readonly #socket: WebSocket;
  readonly #clock: ClientClock;
  readonly #onEnd: () => void;
  /** In the order in which they were sent, which is also that of their answers. */
  #asks: Ask[] = [];
  readonly #turns = new Map<string, ReadTurn>();
  #quiet = 0;
  #keepsIdle = true;
  #isOver = false;
  #timer: { cancel(): void };

  constructor(socket: WebSocket, clock: ClientClock, onEnd: () => void) {
    this.#socket = socket;
    this.#clock = clock;
    this.#onEnd = onEnd;
    this.#timer = this.#beat();
    socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#receive(data));
    socket.addEventListener('close', ({ code }) => this.#end(code));
  }

  /** Begins or follows a turn: its answer and its events come to the inbox, which ends when the connection does. */
  read(inbox: TurnInbox, request: Exclude<LiveRequest, { type: 'stop' }>): void {
    if (this.#isOver) return inbox.end();
    if (request.type === 'follow') return this.#follow(inbox, request);
    this.#send(request, {
      answer: (turn) => {
        if (!turn || inbox.isOver) return;
        inbox.put(turn);
        const { turn_id: turnId } = turn;
        // Its events come once a socket, so that the first of them may have gone to other readers.
        if (this.#turns.has(turnId))
          this.#follow(inbox, { type: 'follow', turn_id: turnId, session_id: request.session_id, after: 0 });
        else this.#turns.set(turnId, { sessionId: request.session_id, seq: 0, inboxes: new Set([inbox]) });
      },
      fail: (error) => inbox.end(error),
    });
  }

  /** Reads nothing more into the inbox. */
  leave(inbox: TurnInbox): void {
    inbox.end();
    for (const [turnId, { inboxes }] of this.#turns) {
      if (inboxes.delete(inbox) && inboxes.size === 0) this.#turns.delete(turnId);
    }
    if (!this.#keepsIdle) this.close();
  }

  /** Stops a turn: true once the server has heard it, false where the connection ends before. Throws `ProblemError`. */
  stop(sessionId: string, turnId: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) return resolve(false);
      this.#send(
        { type: 'stop', turn_id: turnId, session_id: sessionId },
        { answer: () => resolve(true), fail: (error) => (error ? reject(error) : resolve(false)) },
      );
    });
  }

  /** Closes the socket as soon as nothing is read over it. */
  close(): void {
    this.#keepsIdle = false;
    if (!this.#isInUse) this.#abandon();
  }

  get #isInUse(): boolean {
    return this.#asks.length > 0 || this.#turns.size > 0;
  }

  /** Follows a turn from where none of its readers here misses an event: the server follows it once a socket. */
  #follow(inbox: TurnInbox | null, { turn_id: turnId, session_id: sessionId, after: wanted }: Follow): void {
    const pending = this.#asks.flatMap(({ request }) =>
      request.type === 'follow' && request.turn_id === turnId ? request.after : [],
    );
    const turn: ReadTurn = this.#turns.get(turnId) ?? { sessionId, seq: wanted, inboxes: new Set() };
    const after = Math.min(wanted, turn.seq, ...pending);
    if (inbox) turn.inboxes.add(inbox);
    this.#turns.set(turnId, turn);
    this.#send(
      { type: 'follow', turn_id: turnId, session_id: sessionId, after },
      {
        answer: (answer) => {
          turn.seq = after;
          if (answer) inbox?.put(answer);
        },
        fail: (error) => inbox?.end(error),
      },
    );
  }

  #send(request: LiveRequest, ask: Omit<Ask, 'request'>): void {
    if (!this.#isInUse) this.#quiet = 0;
    this.#asks.push({ ...ask, request });
    this.#socket.send(JSON.stringify(request));
  }

  #receive(data: unknown): void {
    this.#quiet = 0;
    const message = parseLiveMessage(data);
    if (message?.type === 'event') this.#deliver(message);
    else if (message?.type === 'problem') this.#refuse(message);
    else if (message) this.#take((request) => isAnswer(message, request))?.answer(turnOf(message));
  }

  #deliver(event: LiveEvent): void {
    const turn = this.#turns.get(event.turn_id);
    if (!turn) return;
    turn.seq = event.seq;
    for (const inbox of turn.inboxes) inbox.put(event);
  }

  #refuse({ turn_id: turnId, client_message_id: messageId, error }: LiveMessage & { type: 'problem' }): void {
    // The socket is closed next. Whether the caller has to sign in again is said where another is opened.
    if (error.code === 'UNAUTHENTICATED') return;
    const ask = this.#take((request) =>
      request.type === 'respond'
        ? messageId !== null && request.client_message_id === messageId
        : messageId === null && request.turn_id === turnId,
    );
    if (ask) return ask.fail(error);
    const turn = turnId === null ? undefined : this.#turns.get(turnId);
    if (turn) for (const inbox of turn.inboxes) inbox.end(error);
    // What names nothing answers a message in which no name could be read: answers come in order.
    else this.#take(() => true)?.fail(error);
  }

  #take(isWanted: (request: LiveRequest) => boolean): Ask | undefined {
    const index = this.#asks.findIndex(({ request }) => isWanted(request));
    return index < 0 ? undefined : this.#asks.splice(index, 1)[0];
  }

  /** Lets go of a socket that nobody needs; asks a silent server for the next event, and gives up one that is dead. */
  #beat(): { cancel(): void } {
    return this.#clock.after(beatMs, () => {
      this.#quiet += 1;
      if (this.#quiet > quietBeats || (this.#quiet === quietBeats && !this.#isInUse)) return this.#abandon();
      const [first] = this.#turns;
      if (this.#quiet === quietBeats && first) {
        const [turnId, { sessionId, seq }] = first;
        this.#follow(null, { type: 'follow', turn_id: turnId, session_id: sessionId, after: seq });
      }
      this.#timer = this.#beat();
    });
  }

  #abandon(): void {
    // The close of a dead line comes when the browser gives up, and nobody should wait for that.
    this.#end(lostCode);
    this.#socket.close();
  }

  #end(code: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer.cancel();
    const asks = this.#asks;
    this.#asks = [];
    if (code === tooLargeCode) asks.shift()?.fail(payloadTooLarge());
    for (const ask of asks) ask.fail(null);
    for (const { inboxes } of this.#turns.values()) for (const inbox of inboxes) inbox.end();
    this.#turns.clear();
    this.#onEnd();
  }
}

function isAnswer(message: LiveMessage, request: LiveRequest): boolean {
  if (message.type === 'stopping') return request.type === 'stop' && request.turn_id === message.turn_id;
  if (message.type !== 'turn') return false;
  return request.type === 'respond'
    ? request.client_message_id === message.client_message_id
    : request.type === 'follow' && message.client_message_id === null && request.turn_id === message.turn_id;
}

function turnOf(message: LiveMessage): LiveTurnAnswer | null {
  return message.type === 'turn' ? message : null;
}

function payloadTooLarge(): ProblemError {
  return new ProblemError({ status: 413, code: 'PAYLOAD_TOO_LARGE', title: 'The request is too large' }, null);
}
