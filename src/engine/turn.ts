import { AppError } from '../core/errors.ts';
import { publishSession } from './class-board.ts';
import type { TurnWriter } from './ports/turn-log.ts';
import type { SettledTurn, TurnSettlement } from './ports/store.ts';
import { createVoice, type Voice } from './reply.ts';
import { failedTurn, redactedTurn, settleTurn, type Settling } from './settlement.ts';
import { assembleTurn, type Ending, judgeUnsaid, makeReply, type Speaking } from './speak.ts';
import type { TurnJob, TurnNotes, TurnParts } from './turn-job.ts';

/** Why a turn's signal is aborted: made once, because an error's stack costs more than the rest of a stop. */
const stopped = new AppError('INTERRUPTED', 'stopped');
const goingDown = new AppError('INTERRUPTED', 'the server is going down', { retryable: true });

type LiveTurn = { controller: AbortController; finished: Promise<void> };

/**
 * Runs turns: the one place where a turn's effects happen, and the only code that appends a character's exchange.
 * A turn is not tied to the request that began it; it ends by itself, by `stop`, or at shutdown.
 */
export class TurnRunner {
  readonly #parts: TurnParts;
  readonly #live = new Map<string, LiveTurn>();
  #isDraining = false;

  constructor(parts: TurnParts) {
    this.#parts = parts;
  }

  /** Starts a turn and returns at once; its log can be followed from here on. */
  start(job: TurnJob): void {
    const controller = new AbortController();
    const startedAt = this.#parts.clock.now();
    const writer = this.#parts.log.open(job.turnId);
    const finished = runTurn(this.#parts, { job, writer, signal: controller.signal, startedAt }).finally(() =>
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

  /** Whether the server is going down: no more turns are to be started. */
  get isDraining(): boolean {
    return this.#isDraining;
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

  /** From now on no turn is to be started; waits for the live ones, at most `milliseconds`. */
  async drain(milliseconds: number): Promise<void> {
    this.#isDraining = true;
    const { promise: timeout, resolve } = Promise.withResolvers<void>();
    using _timer = this.#parts.clock.after(milliseconds, resolve);
    await Promise.race([this.#allFinished(), timeout]);
  }

  /** Ends every live turn as interrupted, to be tried again, and waits until that is kept. */
  async interrupt(): Promise<void> {
    for (const { controller } of this.#live.values()) controller.abort(goingDown);
    await this.#allFinished();
  }

  async #allFinished(): Promise<void> {
    await Promise.all([...this.#live.values()].map((turn) => turn.finished));
  }
}

type Running = { job: TurnJob; writer: TurnWriter; signal: AbortSignal; startedAt: number };

/** One turn from its first word to its one terminal event, whatever fails on the way. Never rejects. */
async function runTurn(parts: TurnParts, { job, writer, signal, startedAt }: Running): Promise<void> {
  const { turnId } = job;
  const voice = createVoice(writer);
  const { name: provider, model } = job.provider;
  const notes: TurnNotes = {
    call: null,
    provider,
    model,
    attemptsFailed: [],
    decisions: [],
    tools: [],
    widgets: [],
    replies: [],
  };
  const ending = await speakToTheEnd(parts, { job, voice, notes, signal });
  const lost = lostTurn(ending, voice);
  // Asked for in the same breath as the turn is settled, it goes to the database with it.
  const frozen = frozenByNow(parts, job);
  const kept = await keep(parts, { job, ending, voice, notes, startedAt, lastSeq: writer.lastSeq }, lost);
  // A withdrawn reply is withdrawn whatever the store holds. Of any other turn no end is told that may not be the one
  // that was kept: its followers are let go, and come back to what the store has of it.
  const end = kept?.settled ?? (isRedaction(lost) ? lost : null);
  const told =
    end &&
    (await insist(parts, turnId, async () => {
      writer.end(end.terminal.name, end.terminal.data);
      return end;
    }));
  try {
    if (told === null) writer.forget();
    if (kept?.isWhole) tellClass(parts, job, { change: kept.change, ending, frozen: await frozen });
  } catch (error) {
    parts.logger.error('turn_broke', { turn_id: turnId, reason: reasonOf(error) });
  }
}

async function speakToTheEnd(parts: TurnParts, speaking: Omit<Speaking, 'call'>): Promise<Ending> {
  const { job, notes, signal } = speaking;
  try {
    const call = assembleTurn(parts, job);
    notes.call = call;
    const ending = judgeUnsaid(parts, speaking, await makeReply(parts, { ...speaking, call }));
    // Nobody asked for half a reply: it is to be made again.
    return ending.kind === 'stopped' && signal.reason === goingDown ? failedEnding(goingDown) : ending;
  } catch (error) {
    parts.logger.warn('turn_failed', { turn_id: job.turnId, reason: reasonOf(error) });
    return failedEnding(error);
  }
}

/** The class's board: how the session stands now, and that a reply was withdrawn. */
function tellClass(
  { feed, clock }: TurnParts,
  { turnId, session, character }: TurnJob,
  { change, ending, frozen }: { change: TurnSettlement['change']; ending: Ending; frozen: boolean },
): void {
  if (session.classId === null) return;
  const isRedacted = ending.kind === 'redacted';
  const row = character.board?.(change, isRedacted ? 1 : 0);
  if (row) publishSession(feed, { ...row, session: { ...row.session, frozen }, now: clock.now() });
  if (isRedacted)
    feed.publish(session.classId, 'redaction', {
      session_id: session.id,
      turn_id: turnId,
      boundary: ending.boundary,
    });
}

function failedEnding(error: unknown): Ending {
  if (error instanceof AppError) return { kind: 'failed', code: error.code, retryable: error.retryable };
  return { kind: 'failed', code: 'INTERNAL', retryable: true };
}

/** Whether the teacher has stopped the room while the reply was being made; asked only for what a board shows. */
async function frozenByNow({ store }: TurnParts, { owner, session, character }: TurnJob): Promise<boolean> {
  if (session.classId === null || character.board === null) return session.frozen;
  try {
    return await store.isFrozen(owner, session.id);
  } catch {
    return session.frozen;
  }
}

/** `isWhole`: kept as it was to be. */
type Kept = { settled: SettledTurn; change: TurnSettlement['change']; isWhole: boolean };

/** Commits how a turn ended, or at least that it is over; null where it is not known what the store holds of it. */
async function keep(parts: TurnParts, settling: Settling, lost: SettledTurn): Promise<Kept | null> {
  const { logger, store } = parts;
  const { turnId, owner, session } = settling.job;
  try {
    const settlement = settleTurn(parts, settling);
    const outcome = await insist(parts, turnId, () => store.settleTurn(settlement));
    if (outcome === 'settled') return { ...settlement, isWhole: true };
    logger.warn('turn_not_settled', { turn_id: turnId, outcome });
    if (outcome === 'fenced') {
      // Its commit may have been done and the answer lost; else another has closed it. What stands is what is told.
      const stands = (await insist(parts, turnId, () => store.turn(owner, session.id, turnId)))?.settled;
      if (!stands) return null;
      const isWhole = stands.terminal.data === settlement.settled.terminal.data;
      return { settled: isRedaction(lost) ? lost : stands, change: settlement.change, isWhole };
    }
    const over = isRedaction(lost)
      ? { ...settlement, change: null }
      : { ...settlement, status: 'error' as const, reply: null, change: null, settled: lost };
    if ((await insist(parts, turnId, () => store.settleTurn(over))) === 'settled')
      return { settled: lost, change: null, isWhole: false };
    logger.error('turn_left_open', { turn_id: turnId });
    return null;
  } catch (error) {
    logger.error('turn_broke', { turn_id: turnId, reason: reasonOf(error) });
    return null;
  }
}

/** How a turn ends for its followers where it cannot be settled: a withdrawn reply stays withdrawn. */
function lostTurn(ending: Ending, voice: Voice): SettledTurn {
  return ending.kind === 'redacted' ? redactedTurn(ending, voice) : failedTurn('INTERNAL', true, voice);
}

function isRedaction({ terminal }: SettledTurn): boolean {
  return terminal.name === 'redact';
}

/** Tries what must not fail three times, with pauses; null where it failed each time. */
async function insist<T>({ clock, logger }: TurnParts, turnId: string, attempt: () => Promise<T>): Promise<T | null> {
  for (const wait of [0, 100, 1_000]) {
    try {
      if (wait > 0) await new Promise<void>((resolve) => void clock.after(wait, resolve));
      return await attempt();
    } catch (error) {
      logger.error('turn_end_failed', { turn_id: turnId, reason: reasonOf(error) });
    }
  }
  return null;
}

/** An error's kind for the log: its name and, for our own, its message. Other messages could hold a learner's words. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.name : 'unknown';
}
