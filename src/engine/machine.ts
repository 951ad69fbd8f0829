import {
  isBlock,
  isInteraction,
  type LessonBlock,
  type LessonCartridge,
  type LessonPhase,
  type Outcome,
} from '../cartridge/lesson.ts';
import { normaliseQuery } from '../cartridge/investigations.ts';
import { waysOn } from '../cartridge/phase-ways.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { Signal } from '../prompt/lesson-call.ts';

/** Where a lesson stands: plain data, kept with the session, changed only by the functions below. */
export type LessonState = {
  readonly phase: string;
  readonly outcome: Outcome | null;
  readonly completed: boolean;
  readonly choices: readonly { phase: string; label: string; contextLabel: string | null }[];
  readonly queries: readonly { phase: string; query: string }[];
  /** The student's messages that were answered: in this phase, and in the whole lesson. */
  readonly phaseExchanges: number;
  readonly exchanges: number;
  /** The boundary of a redaction that the model has yet to be told of. */
  readonly redactedBoundary: string | null;
  /** The last reply pressed harder than the cartridge allows: the next is told to ease off. */
  readonly easeOff: boolean;
  /** The safe word was said: the character stays out of its role. */
  readonly outOfRole: boolean;
  /** The random word that marks the session's prompt layers. */
  readonly mark: string;
};

/** The next state, or the reason why there is none. */
export type Step<Extra = object> =
  | ({ kind: 'moved'; state: LessonState } & Extra)
  | { kind: 'refused'; code: ErrorCode };

export type TransitionName = 'on_success' | 'on_partial' | 'on_max_exchanges';

const transitionOf = { understood: 'on_success', partial: 'on_partial', max_reached: 'on_max_exchanges' } as const;

/** A lesson's first state. */
export function initialState(lesson: LessonCartridge, mark: string): LessonState {
  const state: LessonState = {
    phase: lesson.initial_phase,
    outcome: null,
    completed: false,
    choices: [],
    queries: [],
    phaseExchanges: 0,
    exchanges: 0,
    redactedBoundary: null,
    easeOff: false,
    outOfRole: false,
    mark,
  };
  return enter(lesson, state, lesson.initial_phase);
}

/** The phase that a state stands in; null where the cartridge has none of that name. */
export function phaseOf(lesson: LessonCartridge, state: Pick<LessonState, 'phase'>): LessonPhase | null {
  return lesson.phases.find((phase) => phase.id === state.phase) ?? null;
}

/** Takes the choice with that index, or the one way that leads to `targetPhase` (in an investigation, its end). */
export function choose(
  lesson: LessonCartridge,
  state: LessonState,
  choice: { index: number } | { targetPhase: string },
): Step {
  if (state.completed) return refuse('SESSION_ENDED');
  const interaction = phaseOf(lesson, state)?.interaction;
  if (isInteraction(interaction, 'button')) {
    const fitting =
      'index' in choice
        ? interaction.choices.slice(choice.index, choice.index + 1)
        : interaction.choices.filter((each) => each.target_phase === choice.targetPhase);
    const [taken] = fitting;
    if (!taken || fitting.length > 1) return refuse('INVALID_PHASE_TRANSITION');
    const made = { phase: state.phase, label: taken.label, contextLabel: taken.context_label ?? null };
    return { kind: 'moved', state: enter(lesson, { ...state, choices: [...state.choices, made] }, taken.target_phase) };
  }
  if (
    isInteraction(interaction, 'investigation') &&
    'targetPhase' in choice &&
    choice.targetPhase === interaction.submit_target
  ) {
    if (!investigationOf(lesson, state).canSubmit) return refuse('INVALID_PHASE_TRANSITION');
    return { kind: 'moved', state: enter(lesson, state, interaction.submit_target) };
  }
  const phase = phaseOf(lesson, state);
  const isOther =
    interaction && !isInteraction(interaction, 'freeform') && !isInteraction(interaction, 'investigation');
  // An interaction that only its own client knows leads wherever it says it does.
  if (phase && isOther && 'targetPhase' in choice && waysOn(lesson, phase).has(choice.targetPhase)) {
    return { kind: 'moved', state: enter(lesson, state, choice.targetPhase) };
  }
  return refuse('INVALID_PHASE_TRANSITION');
}

/** What has been looked up in the present phase, what that found, and what can be looked up next. */
export type Investigation = {
  searched: string[];
  available: string[];
  /** What the searches of this phase have brought to light, in the order of the cartridge. */
  found: LessonBlock[];
  keyFindings: number;
  needed: number;
  canSubmit: boolean;
};

/** The state of the present phase's investigation; an empty one where the phase has none. */
export function investigationOf(lesson: LessonCartridge, state: LessonState): Investigation {
  const interaction = phaseOf(lesson, state)?.interaction;
  const searched = state.queries.filter((each) => each.phase === state.phase).map((each) => each.query);
  if (!isInteraction(interaction, 'investigation')) {
    return { searched, available: [], found: [], keyFindings: 0, needed: 0, canSubmit: false };
  }
  const done = new Set(searched.map(normaliseQuery));
  const found = searchResults(lesson, state).filter((block) => done.has(normaliseQuery(block.query)));
  const available = new Map(
    [...interaction.starting_queries, ...found.flatMap((block) => block.child_queries ?? [])].map((query) => [
      normaliseQuery(query),
      query,
    ]),
  );
  const keyFindings = found.filter((block) => block.is_key_finding === true).length;
  const needed = interaction.min_key_findings;
  return { searched, available: [...available.values()], found, keyFindings, needed, canSubmit: keyFindings >= needed };
}

/** Looks something up: its results, and the queries they unlock. What is not unlocked yet finds nothing. */
export function investigate(
  lesson: LessonCartridge,
  state: LessonState,
  query: string,
): Step<{ results: LessonBlock[]; unlocked: string[] }> {
  if (state.completed) return refuse('SESSION_ENDED');
  if (!isInteraction(phaseOf(lesson, state)?.interaction, 'investigation')) return refuse('INVALID_PHASE_TRANSITION');
  const before = investigationOf(lesson, state);
  const wanted = normaliseQuery(query);
  const known = before.available.find((each) => normaliseQuery(each) === wanted);
  if (known === undefined) return { kind: 'moved', state, results: [], unlocked: [] };
  const results = searchResults(lesson, state).filter((block) => normaliseQuery(block.query) === wanted);
  const isRepeat = before.searched.some((each) => normaliseQuery(each) === wanted);
  const next = isRepeat ? state : { ...state, queries: [...state.queries, { phase: state.phase, query: known }] };
  const had = new Set(before.searched.map(normaliseQuery));
  const unlocked = new Map(
    results.flatMap((block) => block.child_queries ?? []).map((each) => [normaliseQuery(each), each]),
  );
  return {
    kind: 'moved',
    state: next,
    results,
    unlocked: [...unlocked].filter(([key]) => !had.has(key)).map(([, each]) => each),
  };
}

/** Whether a message can be answered here, and what the reply may do. */
export type Admission =
  | { kind: 'admitted'; phase: LessonPhase; exchangeNumber: number; transitionOffered: boolean }
  | { kind: 'refused'; code: ErrorCode };

/** Admits a student's message: its number in the phase, and whether the model may end the phase in answering it. */
export function admitMessage(lesson: LessonCartridge, state: LessonState): Admission {
  const phase = phaseOf(lesson, state);
  if (state.completed) return refuse('SESSION_ENDED');
  if (!phase?.is_ai_phase || !lesson.ai_config || !isInteraction(phase.interaction, 'freeform'))
    return refuse('NOT_AN_AI_PHASE');
  const exchangeNumber = state.phaseExchanges + 1;
  return {
    kind: 'admitted',
    phase,
    exchangeNumber,
    transitionOffered: exchangeNumber >= phase.interaction.min_exchanges,
  };
}

/** Whether the debrief can be given: only at a lesson's end, and only where a character was at work. */
export function admitDebrief(lesson: LessonCartridge, state: LessonState): Admission {
  const phase = phaseOf(lesson, state);
  if (!lesson.ai_config || !phase) return refuse('NOT_AN_AI_PHASE');
  if (!state.completed) return refuse('INVALID_PHASE_TRANSITION');
  return { kind: 'admitted', phase, exchangeNumber: state.exchanges, transitionOffered: false };
}

/** How a reply ended, for the state machine. `signal` is what the model said of the phase, already known to be one. */
export type ReplyEnd =
  | { kind: 'said'; signal: Signal | null; easeOff: boolean }
  | { kind: 'stopped' }
  | { kind: 'redacted'; boundary: string }
  | { kind: 'stepped_out' };

/** The state after a reply, and the transition that it brought. A redaction outranks a transition. */
export function settleReply(
  lesson: LessonCartridge,
  state: LessonState,
  end: ReplyEnd,
): { state: LessonState; transition: TransitionName | null; nextPhase: string | null } {
  const counted = {
    ...state,
    phaseExchanges: state.phaseExchanges + 1,
    exchanges: state.exchanges + 1,
    redactedBoundary: null,
    easeOff: false,
  };
  if (end.kind === 'redacted') return stay({ ...counted, redactedBoundary: end.boundary });
  if (end.kind === 'stepped_out') return stay({ ...counted, outOfRole: true });
  if (end.kind === 'stopped') return stay(counted);
  const phase = phaseOf(lesson, state);
  const interaction = phase?.interaction;
  const settled = { ...counted, easeOff: end.easeOff };
  if (!phase?.ai_transitions || !isInteraction(interaction, 'freeform')) return stay(settled);
  const isAtEnd = counted.phaseExchanges >= interaction.max_exchanges;
  const isHeard = end.signal !== null && counted.phaseExchanges >= interaction.min_exchanges;
  const transition = isHeard && end.signal !== null ? transitionOf[end.signal] : isAtEnd ? 'on_max_exchanges' : null;
  if (transition === null) return stay(settled);
  const nextPhase = phase.ai_transitions[transition];
  return { state: enter(lesson, settled, nextPhase), transition, nextPhase };
}

/** Moves a lesson on to a phase by the teacher's hand, or from a phase that is gone. Refused where there is no such phase. */
export function moveTo(lesson: LessonCartridge, state: LessonState, phaseId: string): Step {
  if (!lesson.phases.some((phase) => phase.id === phaseId)) return refuse('INVALID_PHASE_TRANSITION');
  return { kind: 'moved', state: enter(lesson, { ...state, completed: false, outcome: null }, phaseId) };
}

function enter(lesson: LessonCartridge, state: LessonState, phaseId: string): LessonState {
  const phase = lesson.phases.find((each) => each.id === phaseId);
  const isOver = phase?.is_terminal ?? false;
  return {
    ...state,
    phase: phaseId,
    phaseExchanges: 0,
    completed: isOver,
    outcome: isOver ? (phase?.evaluation_outcome ?? null) : null,
  };
}

function stay(state: LessonState) {
  return { state, transition: null, nextPhase: null };
}

function refuse(code: ErrorCode): { kind: 'refused'; code: ErrorCode } {
  return { kind: 'refused', code };
}

/** The results a phase can bring to light: those it lists in `visible_blocks`, or, where it lists none, all there are. */
function searchResults(lesson: LessonCartridge, state: LessonState) {
  const all = lesson.presentation_blocks.filter((block) => isBlock(block, 'search_result'));
  const visible = new Set(phaseOf(lesson, state)?.visible_blocks);
  const listed = all.filter((block) => visible.has(block.id));
  return listed.length > 0 ? listed : all;
}
