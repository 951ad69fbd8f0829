import type { Timer } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import { publishSession } from './class-board.ts';
import type { TurnWriter } from './ports/turn-log.ts';
import type { TurnSettlement } from './ports/store.ts';
import { createVoice } from './reply.ts';
import { failedTurn, settleTurn } from './settlement.ts';
import { assembleCall, type Ending, makeReply } from './speak.ts';
import type { TurnJob, TurnNotes, TurnParts } from './turn-job.ts';

/** Why a turn's signal is aborted: made once, because an error's stack costs more than the rest of a stop. */
const stopped = new AppError('INTERRUPTED', 'stopped');

type LiveTurn = { controller: AbortController; finished: Promise<void> };

/**
 * Runs turns: the one place where a turn's effects happen, and the only code that appends a character's exchange.
 * A turn is not tied to the request that began it; it ends by itself, by `stop`, or at shutdown.
 */
export class TurnRunner {
  readonly #parts: TurnParts;
  readonly #live = new Map<string, LiveTurn>();

  constructor(parts: TurnParts) {
    this.#parts = parts;
  }

  /** Starts a turn and returns at once; its log can be followed from here on. */
  start(job: TurnJob): void {
    const controller = new AbortController();
    const writer = this.#parts.log.open(job.turnId);
    const finished = runTurn(this.#parts, { job, writer, signal: controller.signal }).finally(() =>
      this.#live.delete(job.turnId),
    );
    this.#live.set(job.turnId, { controller, finished });
  }

  /** Whether this process is making that turn. */
  isLive(turnId: string): boolean {
    return this.#live.has(turnId);
  }

  get liveCount(): number {
    return this.#live.size;
  }

  /**
   * Ends a turn where it stands; what was said so far is kept. Resolves once it is settled. Nothing happens to a turn
   * that is not live here.
   */
  async stop(turnId: string): Promise<void> {
    const turn = this.#live.get(turnId);
    turn?.controller.abort(stopped);
    await turn?.finished;
  }

  /** Waits for the live turns, at most `milliseconds`; those still going are then stopped and waited for. */
  async drain(milliseconds: number): Promise<void> {
    const all = () => Promise.allSettled([...this.#live.values()].map((turn) => turn.finished));
    let timer: Timer | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = this.#parts.clock.after(milliseconds, resolve);
    });
    await Promise.race([all(), timeout]);
    timer?.cancel();
    await Promise.allSettled([...this.#live.keys()].map((turnId) => this.stop(turnId)));
  }
}

type Running = { job: TurnJob; writer: TurnWriter; signal: AbortSignal };

/** One turn from its first word to its one terminal event. Never rejects. */
async function runTurn(parts: TurnParts, { job, writer, signal }: Running): Promise<void> {
  const startedAt = parts.clock.now();
  const voice = createVoice(writer);
  const { name: provider, model } = job.provider;
  const notes: TurnNotes = { call: null, provider, model, attemptsFailed: [], decisions: [], replies: [] };
  let ending: Ending;
  try {
    notes.call = assembleCall(parts, job);
    ending = await makeReply(parts, { job, call: notes.call, voice, notes, signal });
  } catch (error) {
    ending = failedEnding(error);
    parts.logger.warn('turn_failed', { turn_id: job.turnId, reason: reasonOf(error) });
  }
  const settlement = settleTurn(parts, { job, ending, voice, notes, startedAt, lastSeq: writer.lastSeq });
  const isKept = await commit(parts, settlement);
  const { terminal } = isKept ? settlement.settled : failedTurn('INTERNAL', true, voice.text);
  writer.end(terminal.name, terminal.data);
  if (isKept) tellClass(parts, job, { change: settlement.change, ending });
}

/** The class's board: how the session stands now, and that a reply was withdrawn. */
function tellClass(
  { feed, clock }: TurnParts,
  job: TurnJob,
  { change, ending }: { change: TurnSettlement['change']; ending: Ending },
): void {
  const { session, board } = job;
  if (session.classId === null) return;
  const state = change
    ? { phase: change.phase, completed: change.status === 'completed', outcome: change.outcome }
    : job.state;
  const redactions = board.redactions + (ending.kind === 'redacted' ? 1 : 0);
  publishSession(feed, { ...board, session, state, redactions, now: clock.now() });
  if (ending.kind !== 'redacted') return;
  feed.publish(session.classId, 'redaction', {
    session_id: session.id,
    turn_id: job.turnId,
    boundary: ending.boundary,
  });
}

function failedEnding(error: unknown): Ending {
  if (error instanceof AppError) return { kind: 'failed', code: error.code, retryable: error.retryable };
  return { kind: 'failed', code: 'INTERNAL', retryable: true };
}

/**
 * Commits how a turn ended; a store that fails is asked again, and in the end the turn is at least marked as failed.
 * False where the settlement could not be kept as it is.
 */
async function commit(parts: TurnParts, settlement: TurnSettlement): Promise<boolean> {
  const { logger, clock, store } = parts;
  const turnId = settlement.turnId;
  for (const wait of [0, 100, 1_000]) {
    if (wait > 0) await new Promise<void>((resolve) => void clock.after(wait, resolve));
    try {
      const outcome = await store.settleTurn(settlement);
      if (outcome === 'settled') return true;
      logger.warn('turn_not_settled', { turn_id: turnId, outcome });
      if (outcome === 'fenced') return false;
      break;
    } catch (error) {
      logger.error('settle_failed', { turn_id: turnId, reason: reasonOf(error) });
    }
  }
  try {
    const settled = failedTurn('INTERNAL', true, settlement.settled.text);
    await store.settleTurn({ ...settlement, status: 'error', reply: null, change: null, settled });
  } catch (error) {
    logger.error('turn_left_open', { turn_id: turnId, reason: reasonOf(error) });
  }
  return false;
}

/** An error's kind for the log: its name and, for our own, its message. Other messages could hold a learner's words. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.name : 'unknown';
}
