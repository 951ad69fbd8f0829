import { newId } from '../core/ids.ts';
import type { Random } from '../core/random.ts';
import type { InputScreen } from '../safety/input-screen.ts';
import { viewBoardAlert } from './class-board.ts';
import { type Refusal, refuse } from './outcome.ts';
import type { BegunTurn, NewTurn, Owner, SessionRecord, TurnRecord } from './ports/store.ts';
import { failedTurn } from './settlement.ts';
import type { TurnRunner } from './turn.ts';
import type { TurnJob, TurnParts } from './turn-job.ts';

/** A turn that is live, or was made before. */
export type TurnTicket = { kind: 'turn'; turn: { id: string; sessionId: string } };

/** A turn that only has to be kept before it is run. */
export type PreparedTurn = {
  kind: 'prepared';
  turn: NewTurn;
  session: SessionRecord;
  /** Makes the job once it is known which exchange the turn answers. */
  job: (exchangeId: string | null) => TurnJob;
};

export type TurnRequest = {
  owner: Owner;
  sessionId: string;
  /** Loads the session and makes the turn ready; done anew where the session has moved on meanwhile. */
  prepare: () => Promise<Refusal | PreparedTurn>;
  /** The turn that the same request made before; null where there is none. */
  earlier: () => Promise<TurnRecord | null>;
};

export type TurnStarterParts = Pick<TurnParts, 'store' | 'clock' | 'feed' | 'logger'> & { runner: TurnRunner };

const attempts = 5;

/** What a learner is told who speaks while the server goes down: nothing was kept, and it will soon be back. */
const restarting = { detail: 'The server is restarting. Send it again in a moment.', retryAfterSeconds: 5 };

/** Begins, finds and stops turns, whatever they are turns of. */
export class TurnStarter {
  readonly #parts: TurnStarterParts;
  /** Turns that the store may hold already and the runner not yet. */
  readonly #beginning = new Set<string>();

  constructor(parts: TurnStarterParts) {
    this.#parts = parts;
  }

  /** Keeps the learner's words and starts the turn, or finds the turn that the same request made before. */
  async begin(request: TurnRequest): Promise<Refusal | TurnTicket> {
    const { sessionId } = request;
    if (this.#parts.runner.isDraining) return refuse('MODEL_UNAVAILABLE', restarting);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const prepared = await request.prepare();
      if (prepared.kind === 'refused') {
        // A repeat of a message is answered with its turn also where the session has moved on since.
        const earlier = prepared.code === 'NOT_FOUND' ? null : await request.earlier();
        return earlier ? ticket(earlier.id, sessionId) : prepared;
      }
      const begun = await this.#beginOne(prepared);
      if (begun.kind === 'begun') return ticket(prepared.turn.id, sessionId);
      const settled = await this.#notBegun(begun, request);
      if (settled) return settled;
    }
    return refuse('INTERNAL');
  }

  /** A turn of a session of the learner's. */
  async turn(owner: Owner, sessionId: string, turnId: string): Promise<TurnRecord | null> {
    return this.#parts.store.turn(owner, sessionId, turnId);
  }

  /** Ends a turn where it stands; a turn that is over stays as it is. */
  async stop(owner: Owner, sessionId: string, turnId: string): Promise<Refusal | { kind: 'stopping' }> {
    const turn = await this.#parts.store.turn(owner, sessionId, turnId);
    if (!turn) return refuse('NOT_FOUND');
    void this.#parts.runner.stop(turnId);
    return { kind: 'stopping' };
  }

  async #beginOne({ turn, session, job }: PreparedTurn): Promise<BegunTurn> {
    const { store, runner } = this.#parts;
    this.#beginning.add(turn.id);
    try {
      const begun = await store.beginTurn(turn);
      if (begun.kind === 'begun') {
        runner.start(job(begun.exchangeId));
        this.#alert(session, turn);
      }
      return begun;
    } finally {
      this.#beginning.delete(turn.id);
    }
  }

  #isBeingMade(turnId: string): boolean {
    return this.#beginning.has(turnId) || this.#parts.runner.isLive(turnId);
  }

  /** What came of a turn that could not begin; null where it should be tried again. */
  async #notBegun(
    begun: Exclude<BegunTurn, { kind: 'begun' }>,
    { owner, sessionId }: TurnRequest,
  ): Promise<Refusal | TurnTicket | null> {
    if (begun.kind === 'rate_limited') return refuse('RATE_LIMITED', { retryAfterSeconds: begun.retryAfterSeconds });
    if (begun.kind === 'conflict') return null;
    const turnId = begun.kind === 'same' ? begun.turn.id : begun.turnId;
    const isOver = begun.kind === 'same' && begun.turn.status !== 'streaming';
    if (isOver || this.#isBeingMade(turnId))
      return begun.kind === 'same' ? ticket(turnId, sessionId) : refuse('TURN_IN_PROGRESS', { turnId });
    // Nobody is making that turn any more: the store failed in the middle. Close it, so that the session goes on.
    await this.#parts.store.settleTurn({
      turnId,
      owner,
      status: 'error',
      reply: null,
      change: null,
      jobs: [],
      settled: failedTurn('INTERRUPTED', true),
      usage: { provider: '', model: '', inputTokens: 0, outputTokens: 0 },
      spends: [],
      trace: JSON.stringify({ turn_id: turnId, decision: { status: 'error', code: 'INTERRUPTED' } }),
      now: this.#parts.clock.now(),
    });
    return null;
  }

  /** Tells the teacher's board and the log of signs of crisis: their kind and severity, never the words. */
  #alert({ id: sessionId, classId }: SessionRecord, { id: turnId, alerts, now }: NewTurn): void {
    const { feed, logger } = this.#parts;
    for (const { kind, severity } of alerts) {
      logger.warn('crisis_alert', { session_id: sessionId, turn_id: turnId, kind, severity });
      if (classId !== null)
        feed.publish(classId, 'alert', viewBoardAlert({ sessionId, turnId, kind, severity, createdAt: now }));
    }
  }
}

/** The alerts that a learner's words gave cause for: one a kind, at the severity of its worst sign. */
export function alertsFor(screen: InputScreen, random: Random): NewTurn['alerts'] {
  const worst = new Map<string, InputScreen['crisis'][number]>();
  for (const sign of screen.crisis)
    if (sign.severity > (worst.get(sign.kind)?.severity ?? 0)) worst.set(sign.kind, sign);
  return [...worst.values()].map(({ kind, severity }) => ({ id: newId(random), kind, severity }));
}

function ticket(turnId: string, sessionId: string): TurnTicket {
  return { kind: 'turn', turn: { id: turnId, sessionId } };
}
