import type { Clock } from '../core/clock.ts';
import { AppError, type ErrorCode } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { LessonTurns } from '../engine/lesson-turns.ts';
import { refuse } from '../engine/outcome.ts';
import type { Store, TurnRecord } from '../engine/ports/store.ts';
import type { Subscription, TurnLog } from '../engine/ports/turn-log.ts';
import { settledEvents } from '../engine/settled-events.ts';
import {
  type About,
  type ClientMessage,
  eventHead,
  eventMessage,
  problemMessage,
  readMessage,
  type ReadMessage,
} from './live-messages.ts';
import { closeCodes, type LiveSocket } from './live-socket.ts';
import { LiveTurn, type LiveTurnEnd } from './live-turn.ts';
import type { ProblemDetails } from './problem.ts';
import type { Caller } from './tickets.ts';

export type LiveParts = {
  store: Pick<Store, 'turnById'>;
  turns: Pick<LessonTurns, 'respond' | 'turn' | 'stop'>;
  log: TurnLog;
  clock: Clock;
  logger: Logger;
};

/** A class and some more; what a teacher has open at once. */
const mostTurns = 64;

type Turn = { id: string; sessionId: string };

/** Why something was not done. */
type Trouble = ProblemDetails & { code: ErrorCode };

/** Does what one socket's client asks for, one message after another, and sends it the events of its turns. */
export class LiveHandler implements Disposable {
  readonly #parts: LiveParts;
  readonly #socket: LiveSocket;
  readonly #caller: Caller;
  readonly #followed = new Map<string, LiveTurn>();
  /** Settles when all that has come is done; never rejects. */
  #handled: Promise<void> = Promise.resolve();
  #unhandled = 0;

  constructor(parts: LiveParts, { socket, caller }: { socket: LiveSocket; caller: Caller }) {
    this.#parts = parts;
    this.#socket = socket;
    this.#caller = caller;
    socket.hold(this);
  }

  /** Takes a message as it came. Nothing more is read from the client until it is done. */
  receive(data: unknown): void {
    if (this.#socket.isOver) return;
    const read = readMessage(data);
    this.#enqueue(read.about, () => this.#perform(read));
  }

  /** Lets go of every turn; none of them is stopped. */
  [Symbol.dispose](): void {
    for (const turn of this.#followed.values()) turn[Symbol.dispose]();
    this.#followed.clear();
  }

  #enqueue(about: About, work: () => Promise<Trouble | null>): void {
    this.#unhandled += 1;
    this.#socket.pause();
    this.#handled = this.#handled.then(async () => {
      const trouble = await this.#attempt(work);
      if (trouble) this.#socket.send(problemMessage(trouble, about));
      this.#unhandled -= 1;
      if (this.#unhandled === 0) this.#socket.resume();
    });
  }

  async #attempt(work: () => Promise<Trouble | null>): Promise<Trouble | null> {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'INTERNAL';
      this.#parts.logger.error('live_message_failed', { code, error: error instanceof Error ? error.name : 'unknown' });
      return { code };
    }
  }

  async #perform(read: ReadMessage): Promise<Trouble | null> {
    if (this.#parts.clock.now() >= this.#caller.expiresAt) {
      this.#socket.send(problemMessage({ code: 'UNAUTHENTICATED' }, read.about));
      this.#socket.close(closeCodes.signedOut);
      return null;
    }
    return read.kind === 'message' ? this.#act(read.message) : { code: 'INVALID_REQUEST', ...read.problem };
  }

  async #act(message: ClientMessage): Promise<Trouble | null> {
    switch (message.type) {
      case 'respond':
        return this.#respond(message);
      case 'follow':
        return this.#follow(message);
      case 'stop':
        return this.#stop(message);
    }
  }

  async #respond(message: Extract<ClientMessage, { type: 'respond' }>): Promise<Trouble | null> {
    const { session_id: sessionId, message: text, client_message_id: given } = message;
    if (this.#followed.size >= mostTurns) return tooManyTurns;
    const clientMessageId = given ?? null;
    const asked = await this.#parts.turns.respond(this.#caller.identity, sessionId, { message: text, clientMessageId });
    if (asked.kind === 'refused') return asked;
    const { turn } = asked;
    this.#tell({
      type: 'turn',
      turn_id: turn.id,
      session_id: sessionId,
      ended: false,
      client_message_id: given ?? undefined,
    });
    // A message said twice is one turn, and its events come once.
    return this.#followed.has(turn.id) ? null : this.#attach(turn, 0);
  }

  async #follow(message: Extract<ClientMessage, { type: 'follow' }>): Promise<Trouble | null> {
    const turn = await this.#turnOf(message);
    if (!turn) return refuse('NOT_FOUND');
    const { id, sessionId } = turn;
    const isNew = !this.#followed.has(id);
    if (isNew && this.#followed.size >= mostTurns) return tooManyTurns;
    this.#followed.get(id)?.[Symbol.dispose]();
    this.#followed.delete(id);
    const after = message.after ?? 0;
    const ended = after > 0 && (await this.#hasEnd(turn, after));
    this.#tell({ type: 'turn', turn_id: id, session_id: sessionId, ended });
    return ended ? null : this.#attach({ id, sessionId }, after);
  }

  async #stop(message: Extract<ClientMessage, { type: 'stop' }>): Promise<Trouble | null> {
    const turn = await this.#turnOf(message);
    if (!turn) return refuse('NOT_FOUND');
    const stopped = await this.#parts.turns.stop(this.#caller.identity, turn.sessionId, turn.id);
    if (stopped.kind === 'refused') return stopped;
    this.#tell({ type: 'stopping', turn_id: turn.id });
    return null;
  }

  /** A turn of the caller's own. */
  async #turnOf(asked: { turn_id: string; session_id?: string | null | undefined }): Promise<TurnRecord | null> {
    const turn = await this.#parts.store.turnById(this.#caller.identity, asked.turn_id);
    return turn && turn.sessionId === (asked.session_id ?? turn.sessionId) ? turn : null;
  }

  /** Whether the client has the terminal event already. */
  async #hasEnd(turn: TurnRecord, after: number): Promise<boolean> {
    const endedAt = await this.#parts.log.endedAt(turn.id);
    return endedAt === null ? settledEvents(turn, after).length === 0 : after >= endedAt;
  }

  /** Sends a turn's events from `after` on: from its log, or where that is gone, from what was kept of it. */
  async #attach(turn: Turn, after: number): Promise<Trouble | null> {
    if (this.#socket.isOver) return null;
    const live: LiveTurn = new LiveTurn(this.#socket, {
      turnId: turn.id,
      after,
      onEnd: (end) => this.#ended(turn, live, end),
    });
    this.#followed.set(turn.id, live);
    let subscription: Subscription | null = null;
    try {
      subscription = await this.#parts.log.follow(turn.id, after, live);
    } finally {
      if (!subscription) this.#followed.delete(turn.id);
    }
    if (!subscription) return this.#replay(turn, after);
    live.hold(subscription);
    return null;
  }

  async #replay(turn: Turn, after: number): Promise<Trouble | null> {
    const kept = await this.#parts.turns.turn(this.#caller.identity, turn.sessionId, turn.id);
    // Erased meanwhile: whoever waits for its end has to be told that there is none.
    if (!kept) return refuse('NOT_FOUND');
    const head = eventHead(turn.id);
    for (const event of settledEvents(kept, after)) this.#socket.send(eventMessage(head, event));
    return null;
  }

  #ended(turn: Turn, live: LiveTurn, end: LiveTurnEnd): void {
    if (this.#followed.get(turn.id) === live) this.#followed.delete(turn.id);
    if (end.kind === 'ended') return;
    // The log let go of a turn that the client has no end of: what was kept says how it ended.
    this.#enqueue({ turn_id: turn.id }, async () =>
      this.#followed.has(turn.id) ? null : this.#replay(turn, end.after),
    );
  }

  #tell(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }
}

const tooManyTurns = refuse('RATE_LIMITED', {
  detail: `One socket follows at most ${mostTurns} turns at a time. Wait until one has ended, or open another socket.`,
});
