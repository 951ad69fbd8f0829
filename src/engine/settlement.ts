import { type ErrorCode, errorTable } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { type LessonState, type ReplyEnd, settleReply, type TransitionName } from './machine.ts';
import type { SettledTurn, TurnSettlement, TurnUsage } from './ports/store.ts';
import type { Voice } from './reply.ts';
import { sessionChange } from './session-change.ts';
import { type Ending, isSilent } from './speak.ts';
import type { TurnJob, TurnNotes, TurnParts } from './turn-job.ts';
import { turnSpends } from './turn-limits.ts';

type Said = Pick<Voice, 'text' | 'tokenLengths'>;

const nothing: Said = { text: '', tokenLengths: [] };

export type Settling = {
  job: TurnJob;
  ending: Ending;
  voice: Voice;
  notes: TurnNotes;
  startedAt: number;
  lastSeq: number;
};

/** Everything that one commit has to keep of how a turn ended: its reply, the next state, the last event, the trace. */
export function settleTurn(parts: TurnParts, settling: Settling): TurnSettlement {
  const { job, ending, voice } = settling;
  const now = parts.clock.now();
  const usage = usageOf(settling.notes);
  const spends = turnSpends(parts.limits, job.owner, { usage, now });
  const base = { turnId: job.turnId, owner: job.owner, usage, spends, now };
  const trace = (decision: object) => JSON.stringify(traceOf(settling, { now, decision }));
  if (ending.kind === 'failed') {
    const { code, retryable } = ending;
    return {
      ...base,
      status: 'error',
      reply: null,
      change: null,
      settled: failedTurn(code, retryable, voice),
      trace: trace({ status: 'error', code, retryable }),
    };
  }
  const moved = nextState(settling, ending);
  const change = sessionChange(job.session, moved.state, now);
  const decision = { status: ending.kind, transition: moved.transition, next_phase: moved.nextPhase };
  const reply = (content: string, redacted: boolean) => ({
    id: newId(parts.random),
    role: 'trickster' as const,
    content,
    phase: job.phase.id,
    redacted,
  });
  if (ending.kind === 'redacted') {
    return {
      ...base,
      status: 'redacted',
      reply: reply(ending.fallback, true),
      change,
      settled: redactedTurn(ending),
      trace: trace(decision),
    };
  }
  const outcome =
    job.kind === 'debrief'
      ? { debrief_complete: true }
      : { phase_transition: moved.transition, next_phase: moved.nextPhase, exchanges_count: moved.state.exchanges };
  const data = JSON.stringify(ending.kind === 'stopped' ? { ...outcome, stopped: true } : outcome);
  return {
    ...base,
    status: ending.kind === 'stopped' ? 'stopped' : 'done',
    reply: isUnsaid(settling) ? null : reply(voice.text, false),
    change,
    settled: { text: voice.text, tokenLengths: voice.tokenLengths, terminal: { name: 'done', data }, retryable: false },
    trace: trace(decision),
  };
}

/** A turn whose reply was withdrawn: nothing of it is kept but what stands in its place. */
export function redactedTurn({ fallback, boundary }: Extract<Ending, { kind: 'redacted' }>): SettledTurn {
  const data = JSON.stringify({ fallback_text: fallback, boundary });
  return { text: '', tokenLengths: [], terminal: { name: 'redact', data }, retryable: false };
}

/** A turn that came to nothing: what its followers are told. What was said is no exchange, and kept for replay alone. */
export function failedTurn(code: ErrorCode, retryable: boolean, said: Said = nothing): SettledTurn {
  const { title, detail } = errorTable[code];
  const data = JSON.stringify({ code, message: `${title}. ${detail}`, retryable, partial_text: said.text });
  return { text: said.text, tokenLengths: said.tokenLengths, terminal: { name: 'error', data }, retryable };
}

type Moved = { state: LessonState; transition: TransitionName | null; nextPhase: string | null };

function nextState(settling: Settling, ending: Exclude<Ending, { kind: 'failed' }>): Moved {
  const { job } = settling;
  // A turn stopped before its first word was no exchange.
  if (isUnsaid(settling)) return { state: job.state, transition: null, nextPhase: null };
  // A debrief moves nothing; what it was told of an earlier redaction is told now.
  if (job.kind === 'debrief') {
    const redactedBoundary = ending.kind === 'redacted' ? ending.boundary : null;
    return { state: { ...job.state, redactedBoundary }, transition: null, nextPhase: null };
  }
  return settleReply(job.lesson, job.state, replyEnd(ending));
}

function replyEnd(ending: Exclude<Ending, { kind: 'failed' }>): ReplyEnd {
  if (ending.kind === 'redacted') return { kind: 'redacted', boundary: ending.boundary };
  if (ending.kind !== 'said') return { kind: ending.kind };
  return { kind: 'said', signal: ending.reply?.signal ?? null, easeOff: ending.reply?.pressureExceeded ?? false };
}

function isUnsaid({ ending, voice }: Settling): boolean {
  return ending.kind === 'stopped' && isSilent(voice);
}

function usageOf(notes: TurnNotes): TurnUsage {
  const usage = { provider: notes.provider, model: notes.model, inputTokens: 0, outputTokens: 0 };
  for (const reply of notes.replies) {
    usage.inputTokens += reply.usage.inputTokens;
    usage.outputTokens += reply.usage.outputTokens;
  }
  return usage;
}

/** Why the character said that: every layer, message, tool, verdict and decision of the turn, and no text of either side. */
function traceOf(
  { job, notes, startedAt, lastSeq }: Settling,
  { now, decision }: { now: number; decision: object },
): object {
  return {
    turn_id: job.turnId,
    session_id: job.session.id,
    kind: job.kind,
    cartridge: { id: job.session.cartridgeId, hash: job.session.cartridgeHash },
    phase: job.phase.id,
    exchange_number: job.context.exchangeNumber,
    language: job.session.language,
    provider: notes.provider,
    model: notes.model,
    ...(notes.call?.trace ?? { layers: [] }),
    input: { injections: job.screen.injections, crisis: job.screen.crisis, safe_word: job.screen.safeWord },
    attempts_failed: notes.attemptsFailed,
    signals: notes.replies.flatMap((reply) => reply.heard),
    verdicts: notes.replies.flatMap((reply) => (reply.violation ? [reply.violation] : [])),
    intensity: notes.replies.map((reply) => reply.intensity),
    decisions: notes.decisions,
    decision,
    usage: usageOf(notes),
    events: lastSeq + 1,
    timings: { first_token_ms: notes.replies[0]?.firstTokenMs ?? null, total_ms: now - startedAt },
  };
}
