import { isInteraction, type LessonCartridge, type LessonPhase } from '../cartridge/lesson.ts';
import { assembleLessonCall, openingOf, pointsOf, transitionToolName } from '../prompt/lesson-call.ts';
import type { LessonContext } from '../prompt/lesson-layers.ts';
import type { HistoryMessage } from '../prompt/trim.ts';
import type { InputScreen } from '../safety/input-screen.ts';
import { closingOf, hearSignals } from './lesson-signals.ts';
import { linesFor } from './lines.ts';
import { type LessonState, type ReplyEnd, settleReply } from './machine.ts';
import { easeOffLayer, outOfRoleLayer } from './moment-layers.ts';
import type { SessionRecord } from './ports/store.ts';
import type { Reply } from './reply.ts';
import { sessionChange } from './session-change.ts';
import type { TurnCharacter, TurnEnd, TurnOutcome } from './turn-job.ts';

/** What a lesson's turn is made from. */
export type LessonPart = {
  kind: 'dialogue' | 'debrief';
  session: SessionRecord;
  lesson: LessonCartridge;
  state: LessonState;
  phase: LessonPhase;
  context: LessonContext;
  history: readonly HistoryMessage[];
  screen: InputScreen;
  /** For the teacher's board: the learner's name, and how many messages and withdrawn replies there are so far. */
  seen: { ownerName: string | null; messages: number; redactions: number };
};

/** The Trickster in one turn of a lesson, or out of its part in the debrief. */
export function lessonCharacter(part: LessonPart): TurnCharacter {
  const { kind, session, lesson, state, phase, context, history } = part;
  const isPlaying = kind === 'dialogue' && !state.outOfRole;
  const { intensity_ceiling: ceiling, content_boundaries: boundaries } = lesson.safety;
  const { interaction } = phase;
  return {
    replyRole: 'trickster',
    phase: phase.id,
    policy: {
      boundaries,
      mode: kind,
      language: session.language,
      intensity: isPlaying ? { ceiling, exchangeNumber: context.exchangeNumber } : null,
      toolNames: [transitionToolName],
    },
    hasSafeWord: kind === 'dialogue',
    momentLayers: [...(state.easeOff ? [easeOffLayer(ceiling)] : []), ...(state.outOfRole ? [outOfRoleLayer()] : [])],
    lines: linesFor(session.language),
    assemble: (input) => assembleLessonCall({ kind, context, history, mark: state.mark, ...input }),
    brief: () => ({
      kind,
      language: session.language,
      title: lesson.title,
      opening: openingOf({ phase }),
      keyLesson: lesson.reveal.key_lesson,
      said: history.filter((message) => message.role === 'user').map((message) => message.content),
      points: pointsOf(context),
      exchangeNumber: context.exchangeNumber,
      maxExchanges: isInteraction(interaction, 'freeform') ? interaction.max_exchanges : 1,
    }),
    closingOf,
    perform: null,
    createReader: null,
    faultOf: null,
    unsaid: null,
    settle: (end) => settleLesson(part, end),
    board: (change, redactions) => ({
      session,
      ownerName: part.seen.ownerName,
      state: change
        ? { phase: change.phase, completed: change.status === 'completed', outcome: change.outcome }
        : state,
      messages: part.seen.messages,
      redactions: part.seen.redactions + redactions,
    }),
    traceOf: (replies) => ({
      exchange_number: context.exchangeNumber,
      signals: hearSignals(replies, refusalOf(part)).heard,
    }),
  };
}

function settleLesson(part: LessonPart, end: TurnEnd): TurnOutcome {
  const { session, kind } = part;
  const moved = nextState(part, end);
  return {
    change: sessionChange(session, moved.state, end.now),
    done:
      kind === 'debrief'
        ? { debrief_complete: true }
        : { phase_transition: moved.transition, next_phase: moved.nextPhase, exchanges_count: moved.state.exchanges },
    decision: { transition: moved.transition, next_phase: moved.nextPhase },
  };
}

function nextState({ kind, lesson, state, ...part }: LessonPart, end: TurnEnd): ReturnType<typeof settleReply> {
  // A turn stopped before its first word was no exchange.
  if (end.isUnsaid) return { state, transition: null, nextPhase: null };
  // A debrief moves nothing; what it was told of an earlier redaction is told now.
  if (kind === 'debrief')
    return { state: { ...state, redactedBoundary: end.boundary }, transition: null, nextPhase: null };
  return settleReply(lesson, state, replyEnd(end, refusalOf({ kind, ...part })));
}

function replyEnd({ kind, boundary, replies }: TurnEnd, refusal: string | null): ReplyEnd {
  if (boundary !== null) return { kind: 'redacted', boundary };
  if (kind === 'stopped' || kind === 'stepped_out') return { kind };
  const { signal } = hearSignals(replies, refusal);
  return { kind: 'said', signal, easeOff: isOverCeiling(replies) };
}

function isOverCeiling(replies: readonly Reply[]): boolean {
  return replies.at(-1)?.pressureExceeded ?? false;
}

function refusalOf({ kind, screen, context }: Pick<LessonPart, 'kind' | 'screen' | 'context'>): string | null {
  if (kind === 'debrief') return 'a debrief has no transition';
  if (screen.crisis.length > 0) return 'a crisis comes before the lesson';
  return context.transitionOffered ? null : 'before min_exchanges';
}
