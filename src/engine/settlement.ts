import { type ErrorCode, errorTable } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { SettledTurn, TurnSettlement, TurnUsage } from './ports/store.ts';
import type { Voice } from './reply.ts';
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
      jobs: [],
      settled: failedTurn(code, retryable, voice),
      trace: trace({ status: 'error', code, retryable }),
    };
  }
  const { character } = job;
  const isUnsaid = ending.kind === 'stopped' && isSilent(voice);
  const outcome = character.settle({
    kind: ending.kind,
    boundary: ending.kind === 'redacted' ? ending.boundary : null,
    isUnsaid,
    text: voice.text,
    replies: settling.notes.replies,
    now,
  });
  const { change, jobs = [], project } = outcome;
  const decision = { status: ending.kind, ...outcome.decision };
  const reply = (content: string, redacted: boolean) => ({
    id: newId(parts.random),
    role: character.replyRole,
    content,
    phase: character.phase,
    redacted,
  });
  if (ending.kind === 'redacted') {
    return {
      ...base,
      status: 'redacted',
      reply: reply(ending.fallback, true),
      change,
      jobs,
      project,
      settled: redactedTurn(ending, voice),
      trace: trace(decision),
    };
  }
  const widgets = settling.notes.widgets.length > 0 ? { widgets: settling.notes.widgets } : {};
  const data = JSON.stringify({
    ...outcome.done,
    ...widgets,
    ...(ending.kind === 'stopped' ? { stopped: true } : {}),
  });
  return {
    ...base,
    status: ending.kind === 'stopped' ? 'stopped' : 'done',
    reply: isUnsaid ? null : reply(voice.text, false),
    change,
    jobs,
    project,
    settled: { text: voice.text, tokenLengths: voice.tokenLengths, terminal: { name: 'done', data }, retryable: false },
    trace: trace(decision),
  };
}

/** A turn whose reply was withdrawn: nothing of it is kept but what stands in its place, and how many tokens came before. */
export function redactedTurn(
  { fallback, boundary }: Extract<Ending, { kind: 'redacted' }>,
  { tokenLengths }: Pick<Said, 'tokenLengths'>,
): SettledTurn {
  const data = JSON.stringify({ fallback_text: fallback, boundary });
  return { text: '', tokenLengths, terminal: { name: 'redact', data }, retryable: false };
}

/** A turn that came to nothing: what its followers are told. What was said is no exchange, and kept for replay alone. */
export function failedTurn(code: ErrorCode, retryable: boolean, said: Said = nothing): SettledTurn {
  const { title, detail } = errorTable[code];
  const data = JSON.stringify({ code, message: `${title}. ${detail}`, retryable, partial_text: said.text });
  return { text: said.text, tokenLengths: said.tokenLengths, terminal: { name: 'error', data }, retryable };
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
    phase: job.character.phase,
    language: job.session.language,
    provider: notes.provider,
    model: notes.model,
    ...(notes.call?.trace ?? { layers: [] }),
    input: { injections: job.screen.injections, crisis: job.screen.crisis, safe_word: job.screen.safeWord },
    attempts_failed: notes.attemptsFailed,
    ...job.character.traceOf(notes.replies),
    tool_calls: notes.tools.map(({ name, isError, milliseconds }) => ({ name, is_error: isError, ms: milliseconds })),
    verdicts: notes.replies.flatMap((reply) => (reply.violation ? [reply.violation] : [])),
    intensity: notes.replies.map((reply) => reply.intensity),
    decisions: notes.decisions,
    decision,
    usage: usageOf(notes),
    events: lastSeq + 1,
    timings: { first_token_ms: notes.replies[0]?.firstTokenMs ?? null, total_ms: now - startedAt },
  };
}
