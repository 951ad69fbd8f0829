import { describe, expect, it } from 'vitest';
import { testLesson } from '../../test/fixtures/lesson.ts';
import {
  admitDebrief,
  admitMessage,
  choose,
  initialState,
  investigate,
  investigationOf,
  type LessonState,
  moveTo,
  settleReply,
} from './machine.ts';

const lesson = testLesson();
const start = initialState(lesson, 'k-00000000');
const at = (phase: string, more: Partial<LessonState> = {}): LessonState => ({ ...start, phase, ...more });
const said = (signal: 'understood' | 'partial' | 'max_reached' | null = null) =>
  ({ kind: 'said', signal, easeOff: false }) as const;

function moved<T extends { kind: string }>(step: T): Extract<T, { kind: 'moved' }> {
  expect(step.kind).toBe('moved');
  return step as Extract<T, { kind: 'moved' }>;
}

describe('choices', () => {
  it('takes a choice by its index and keeps the label that the cartridge gives it', () => {
    const { state } = moved(choose(lesson, start, { index: 1 }));
    expect(state.phase).toBe('search');
    expect(state.choices).toEqual([
      { phase: 'start', label: 'Look it up', contextLabel: 'Student looked it up first' },
    ]);
  });

  it('takes a target phase where one choice alone leads there', () => {
    expect(moved(choose(lesson, start, { targetPhase: 'search' })).state.phase).toBe('search');
  });

  it.each([
    ['a target that two choices lead to', { targetPhase: 'talk' }],
    ['a target that no choice leads to', { targetPhase: 'seen' }],
    ['an index past the end', { index: 3 }],
  ])('refuses %s', (_, choice) => {
    expect(choose(lesson, start, choice)).toEqual({ kind: 'refused', code: 'INVALID_PHASE_TRANSITION' });
  });

  it('refuses a choice in a conversation, and any once the lesson is over', () => {
    expect(choose(lesson, at('talk'), { index: 0 })).toEqual({ kind: 'refused', code: 'INVALID_PHASE_TRANSITION' });
    expect(choose(lesson, at('seen', { completed: true }), { index: 0 })).toEqual({
      kind: 'refused',
      code: 'SESSION_ENDED',
    });
  });
});

describe('an interaction that only its own client knows', () => {
  it('leads to the phases that it mentions, by their id', () => {
    const phases = lesson.phases.map((phase) =>
      phase.id === 'start' ? { ...phase, interaction: { type: 'slider', low: 'talk', high: 'search' } } : phase,
    );
    const odd = testLesson({ phases });
    expect(moved(choose(odd, start, { targetPhase: 'search' })).state.phase).toBe('search');
    expect(choose(odd, start, { targetPhase: 'seen' })).toEqual({ kind: 'refused', code: 'INVALID_PHASE_TRANSITION' });
    expect(choose(odd, start, { index: 0 })).toEqual({ kind: 'refused', code: 'INVALID_PHASE_TRANSITION' });
  });
});

describe('an investigation', () => {
  const searching = at('search');

  it('finds the results of a query, whatever its case and spacing, and what they unlock', () => {
    const step = moved(investigate(lesson, searching, '  Poster   SOURCE? '));
    expect(step.results.map((block) => block.id)).toEqual(['r-one']);
    expect(step.unlocked).toEqual(['old poster']);
    expect(step.state.queries).toEqual([{ phase: 'search', query: 'poster source' }]);
  });

  it('finds nothing for a query that is not unlocked yet, and remembers nothing of it', () => {
    expect(moved(investigate(lesson, searching, 'old poster'))).toMatchObject({
      results: [],
      unlocked: [],
      state: searching,
    });
  });

  it('can be handed in once enough key findings are found, and not before', () => {
    expect(choose(lesson, searching, { targetPhase: 'talk' })).toEqual({
      kind: 'refused',
      code: 'INVALID_PHASE_TRANSITION',
    });
    const first = moved(investigate(lesson, searching, 'poster source')).state;
    const second = moved(investigate(lesson, first, 'old poster')).state;
    expect(investigationOf(lesson, second)).toMatchObject({ keyFindings: 1, needed: 1, canSubmit: true });
    expect(moved(choose(lesson, second, { targetPhase: 'talk' })).state.phase).toBe('talk');
  });

  it('counts a query once, however often it is asked', () => {
    const once = moved(investigate(lesson, searching, 'poster source')).state;
    expect(moved(investigate(lesson, once, 'poster source')).state).toBe(once);
  });

  it('is refused in a phase that has none', () => {
    expect(investigate(lesson, start, 'poster source')).toEqual({ kind: 'refused', code: 'INVALID_PHASE_TRANSITION' });
  });
});

describe('a message', () => {
  it('is admitted with its number, and the tool is offered from min_exchanges on', () => {
    expect(admitMessage(lesson, at('talk'))).toMatchObject({
      kind: 'admitted',
      exchangeNumber: 1,
      transitionOffered: false,
    });
    expect(admitMessage(lesson, at('talk', { phaseExchanges: 1 }))).toMatchObject({
      exchangeNumber: 2,
      transitionOffered: true,
    });
  });

  it('is refused where nobody answers, and at the end', () => {
    expect(admitMessage(lesson, start)).toEqual({ kind: 'refused', code: 'NOT_AN_AI_PHASE' });
    expect(admitMessage(lesson, at('seen', { completed: true }))).toEqual({ kind: 'refused', code: 'SESSION_ENDED' });
    expect(admitMessage(testLesson({ ai_config: undefined }), at('talk'))).toEqual({
      kind: 'refused',
      code: 'NOT_AN_AI_PHASE',
    });
  });
});

describe('a reply', () => {
  it.each([
    ['understood', 'on_success', 'seen', 'trickster_loses'],
    ['partial', 'on_partial', 'half', 'partial'],
    ['max_reached', 'on_max_exchanges', 'taken', 'trickster_wins'],
  ] as const)('with the signal %s takes %s', (signal, transition, nextPhase, outcome) => {
    const settled = settleReply(lesson, at('talk', { phaseExchanges: 1 }), said(signal));
    expect(settled).toMatchObject({
      transition,
      nextPhase,
      state: { phase: nextPhase, completed: true, outcome, phaseExchanges: 0, exchanges: 1 },
    });
  });

  it('before min_exchanges moves nothing, whatever it signals', () => {
    expect(settleReply(lesson, at('talk'), said('understood'))).toMatchObject({
      transition: null,
      state: { phase: 'talk', phaseExchanges: 1 },
    });
  });

  it('at max_exchanges takes on_max_exchanges where no signal came', () => {
    expect(settleReply(lesson, at('talk', { phaseExchanges: 3 }), said())).toMatchObject({
      transition: 'on_max_exchanges',
      nextPhase: 'taken',
    });
  });

  it('at max_exchanges follows the signal where one came', () => {
    expect(settleReply(lesson, at('talk', { phaseExchanges: 3 }), said('understood'))).toMatchObject({
      transition: 'on_success',
    });
  });

  it('that was redacted moves nothing even at max_exchanges, and is to be told to the model', () => {
    const settled = settleReply(lesson, at('talk', { phaseExchanges: 3 }), { kind: 'redacted', boundary: 'violence' });
    expect(settled).toMatchObject({
      transition: null,
      state: { phase: 'talk', redactedBoundary: 'violence', phaseExchanges: 4 },
    });
    expect(settleReply(lesson, settled.state, said())).toMatchObject({
      transition: 'on_max_exchanges',
      state: { redactedBoundary: null },
    });
  });

  it('consumes what the model was told of an earlier redaction', () => {
    expect(settleReply(lesson, at('talk', { redactedBoundary: 'drugs', easeOff: true }), said()).state).toMatchObject({
      redactedBoundary: null,
      easeOff: false,
    });
  });

  it('that was stopped counts as an exchange and moves nothing', () => {
    expect(settleReply(lesson, at('talk', { phaseExchanges: 3 }), { kind: 'stopped' })).toMatchObject({
      transition: null,
      state: { phaseExchanges: 4 },
    });
  });

  it('to the safe word leaves the role for good', () => {
    expect(settleReply(lesson, at('talk'), { kind: 'stepped_out' }).state.outOfRole).toBe(true);
  });
});

describe('the debrief', () => {
  it('is given at the end alone, and only where a character was at work', () => {
    expect(admitDebrief(lesson, at('talk'))).toEqual({ kind: 'refused', code: 'INVALID_PHASE_TRANSITION' });
    expect(admitDebrief(lesson, at('seen', { completed: true }))).toMatchObject({ kind: 'admitted' });
    expect(admitDebrief(testLesson({ ai_config: undefined }), at('seen', { completed: true }))).toEqual({
      kind: 'refused',
      code: 'NOT_AN_AI_PHASE',
    });
  });
});

describe('moving a lesson on', () => {
  it('goes to any phase there is, and counts its exchanges from the start', () => {
    expect(moved(moveTo(lesson, at('seen', { completed: true, phaseExchanges: 2 }), 'talk')).state).toMatchObject({
      phase: 'talk',
      completed: false,
      phaseExchanges: 0,
    });
    expect(moveTo(lesson, start, 'nowhere')).toEqual({ kind: 'refused', code: 'INVALID_PHASE_TRANSITION' });
  });
});
