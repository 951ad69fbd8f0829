import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advanceWorkflow,
  beginWorkflow,
  completionSign,
  currentLevel,
  isWorkflowExpired,
  viewWorkflow,
  type WorkflowReply,
  type WorkflowRules,
  type WorkflowState,
} from './workflow.ts';
import { defaultWorkflowLevels } from './workflow-levels.ts';

const now = Date.UTC(2026, 10, 21, 9);
const day = 86_400_000;
const rules: WorkflowRules = {
  levels: defaultWorkflowLevels('en'),
  tokensOf: (text) => Math.ceil(text.length / 4),
  language: 'en',
};
const insights = [
  'Logins fail on phones alone',
  'Cookies vanish between both domains',
  'Middleware rewrites redirect headers wrongly',
  'Clock drift invalidates signatures early',
  'Replace homemade tokens with library',
];
const reply = (more: Partial<WorkflowReply> = {}): WorkflowReply => ({
  confidence: 0.5,
  text: 'Looking into it.',
  summary: '',
  insights: [],
  now,
  ...more,
});
const sure = (insight: string) => reply({ confidence: 0.96, summary: `${insight}.`, insights: [insight] });
const begun = beginWorkflow('I have authentication issues in my Next.js app', now);

function stateAfter(state: WorkflowState, each: WorkflowReply): WorkflowState {
  const step = advanceWorkflow(state, each, rules);
  if (step.kind === 'expired') throw new Error('expired');
  return step.state;
}

describe('a workflow', () => {
  it('begins at level 0 with the problem as it was told', () => {
    expect(viewWorkflow(begun)).toEqual({
      current_depth: 0,
      original_problem: 'I have authentication issues in my Next.js app',
      completed_stages: 0,
      analysis_complete: false,
      recent_insights: [],
    });
    expect(currentLevel(begun, rules.levels)?.title).toBe('The problem');
  });

  it('goes through levels 0 to 4 to its end, keeping the problem and the last three summaries', () => {
    const depths: number[] = [];
    let state = begun;
    for (const insight of insights) {
      depths.push(viewWorkflow(state).current_depth);
      state = stateAfter(state, sure(insight));
    }
    expect(depths).toEqual([0, 1, 2, 3, 4]);
    expect(viewWorkflow(state)).toEqual({
      current_depth: 4,
      original_problem: 'I have authentication issues in my Next.js app',
      completed_stages: 5,
      analysis_complete: true,
      recent_insights: insights.slice(2).map((insight) => `${insight}.`),
    });
    expect(currentLevel(state, rules.levels)).toBeNull();
    expect(advanceWorkflow(state, sure('Something quite different'), rules)).toMatchObject({
      kind: 'stayed',
      reason: 'complete',
    });
  });

  it("shows at level 2 what the seed's example shows", () => {
    const first = sure('Initial problem analysis completed');
    const second = sure('Security vulnerabilities identified');
    expect(viewWorkflow(stateAfter(stateAfter(begun, first), second))).toMatchObject({
      current_depth: 2,
      completed_stages: 2,
      analysis_complete: false,
      recent_insights: ['Initial problem analysis completed.', 'Security vulnerabilities identified.'],
    });
  });

  it.each([
    [0.95, 'advanced'],
    [0.9499999, 'stayed'],
    [1, 'advanced'],
    [1.01, 'stayed'],
    [95, 'stayed'],
    [-1, 'stayed'],
    [NaN, 'stayed'],
    [null, 'stayed'],
  ])('at a confidence of %s has %s', (confidence, kind) => {
    expect(advanceWorkflow(begun, reply({ confidence, insights: ['Logins fail on phones'] }), rules).kind).toBe(kind);
  });

  it.each([
    ['ANALYSIS_COMPLETE', 'ANALYSIS_COMPLETE'],
    ['Done. **ANALYSIS_COMPLETE** - on to the rest', 'ANALYSIS_COMPLETE'],
    ['_READY_FOR_IMPLEMENTATION_!', 'READY_FOR_IMPLEMENTATION'],
    ['ANALYSIS\\_COMPLETE', 'ANALYSIS_COMPLETE'],
    ['Baigta:ANALYSIS_COMPLETE.', 'ANALYSIS_COMPLETE'],
    ['ANALYSIS_COMPLETED', null],
    ['PRE_ANALYSIS_COMPLETE', null],
    ['analysis_complete', null],
    ['The analysis is complete', null],
    ['NOT_READY_FOR_IMPLEMENTATION', null],
    ['ŠANALYSIS_COMPLETE', null],
    ['', null],
  ])('takes %j for %s', (text, expected) => {
    expect(completionSign({ text, confidence: 0.5 })).toBe(expected);
  });

  it('moves one level for one reply, though it says every word there is', () => {
    const text = 'ANALYSIS_COMPLETE READY_FOR_IMPLEMENTATION';
    const step = advanceWorkflow(begun, { ...sure('Logins fail'), text }, rules);
    expect(step).toMatchObject({ kind: 'advanced', sign: 'ANALYSIS_COMPLETE', state: { depth: 1, isComplete: false } });
  });

  it('stays where a level repeats what an earlier one found, however sure it is', () => {
    const second = stateAfter(begun, sure('The session token expires early'));
    const step = advanceWorkflow(second, sure('Early, the session token expires'), rules);
    expect(step).toMatchObject({ kind: 'stayed', reason: 'no_new_insight', state: { depth: 1 } });
    expect(advanceWorkflow(second, sure('Two servers disagree about time'), rules).kind).toBe('advanced');
  });

  it('stays where a reply is said again word for word, though it names no insight', () => {
    const first = { ...sure('The session token expires early'), summary: 'Tokens are signed by a clock that drifts.' };
    const second = stateAfter(begun, first);
    expect(second.depth).toBe(1);
    expect(advanceWorkflow(second, { ...first, insights: [] }, rules)).toMatchObject({ reason: 'no_new_insight' });
    const other = { ...first, insights: [], summary: 'Redirects between both domains lose their cookies.' };
    expect(advanceWorkflow(second, other, rules).kind).toBe('advanced');
  });

  it('remembers what a level found before it was sure, and then may say it again', () => {
    const found = advanceWorkflow(begun, reply({ confidence: 0.8, insights: ['Cookies vanish on phones'] }), rules);
    expect(found).toMatchObject({ kind: 'stayed', reason: 'no_sign' });
    const state = stateAfter(begun, reply({ confidence: 0.8, insights: ['Cookies vanish on phones'] }));
    expect(advanceWorkflow(state, sure('Cookies vanish on phones'), rules).kind).toBe('advanced');
    expect(advanceWorkflow(state, reply({ confidence: 0.97, text: 'ok' }), rules).kind).toBe('advanced');
  });

  it('repeats what a level found before its sure reply no later on', () => {
    const found = stateAfter(begun, reply({ insights: ['Cookies vanish on phones'] }));
    const second = stateAfter(found, sure('Redirects lose their headers'));
    expect(advanceWorkflow(second, sure('Cookies vanish on phones'), rules).kind).toBe('stayed');
  });

  it('takes the summary for an insight, or the reply without its sign, where nothing else was told', () => {
    const bySummary = reply({ confidence: 1, summary: 'Logins fail on phones' });
    expect(advanceWorkflow(begun, bySummary, rules).kind).toBe('advanced');
    const byText = reply({ text: 'Logins fail on phones. ANALYSIS_COMPLETE' });
    expect(viewWorkflow(stateAfter(begun, byText)).recent_insights).toEqual(['Logins fail on phones.']);
    expect(advanceWorkflow(begun, reply({ text: 'ANALYSIS_COMPLETE' }), rules)).toMatchObject({
      reason: 'no_new_insight',
    });
  });

  it('keeps 200 tokens of a summary, and problems of any size within limits', () => {
    const long = stateAfter(begun, reply({ confidence: 1, summary: 'finding '.repeat(20_000) }));
    const [summary = ''] = viewWorkflow(long).recent_insights;
    expect(rules.tokensOf(summary)).toBeLessThanOrEqual(200);
    expect(rules.tokensOf(summary)).toBeGreaterThan(190);
    const problem = beginWorkflow(`x${'😀'.repeat(50_000)}`, now).problem;
    expect(problem.length).toBeLessThanOrEqual(8_000);
    expect(problem.endsWith('😀')).toBe(true);
  });

  it('lasts thirty days from its last reply, and no longer', () => {
    expect(isWorkflowExpired(begun, now + 30 * day - 1)).toBe(false);
    expect(isWorkflowExpired(begun, now + 30 * day)).toBe(true);
    expect(advanceWorkflow(begun, reply({ now: now + 30 * day }), rules)).toEqual({ kind: 'expired' });
    const touched = stateAfter(begun, reply({ now: now + 29 * day }));
    expect(isWorkflowExpired(touched, now + 58 * day)).toBe(false);
  });

  it('has the levels its cartridge names, and ends where they were made fewer', () => {
    const two = { ...rules, levels: rules.levels.slice(0, 2) };
    const deep = stateAfter(stateAfter(stateAfter(begun, sure(insights[0] ?? '')), sure(insights[1] ?? '')), reply());
    expect(currentLevel(deep, two.levels)).toBeNull();
    expect(advanceWorkflow(deep, sure(insights[2] ?? ''), two)).toMatchObject({ state: { isComplete: true } });
    expect(advanceWorkflow(begun, sure('Logins fail'), { ...rules, levels: [] })).toMatchObject({
      state: { isComplete: true },
    });
  });

  it('works in Lithuanian', () => {
    const lt = { ...rules, levels: defaultWorkflowLevels('lt'), language: 'lt' };
    const state = beginWorkflow('Mokiniai negali prisijungti', now);
    const step = advanceWorkflow(state, sure('Slapukai dingsta tarp dviejų sričių'), lt);
    expect(step).toMatchObject({ kind: 'advanced' });
    if (step.kind === 'expired') return;
    expect(currentLevel(step.state, lt.levels)?.title).toBe('Paviršius');
    expect(advanceWorkflow(step.state, sure('Slapukai dingsta tarp sričių'), lt).kind).toBe('stayed');
  });

  it('is not held up by a reply of nothing but underscores', () => {
    const start = performance.now();
    completionSign({ text: '_'.repeat(100_000), confidence: null });
    completionSign({ text: 'ANALYSIS_COMPLETE_'.repeat(6_000), confidence: null });
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it('is the same after it was kept as JSON', () => {
    const state = stateAfter(begun, sure('Logins fail on phones'));
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });

  it('never goes back, skips a level, alters the problem or its own past, whatever is said', () => {
    const aReply = fc.record({
      confidence: fc.option(fc.double({ min: 0, max: 1 })),
      text: fc.constantFrom('ANALYSIS_COMPLETE', 'more', '🎉', 'READY_FOR_IMPLEMENTATION'),
      summary: fc.string({ unit: 'grapheme', maxLength: 60 }),
      insights: fc.array(fc.constantFrom(...insights, '', 'constructor __proto__'), { maxLength: 3 }),
      now: fc.constant(now),
    });
    fc.assert(
      fc.property(fc.array(aReply, { maxLength: 15 }), (replies) => {
        let state = begun;
        for (const each of replies) {
          const before = structuredClone(state);
          const next = stateAfter(state, each);
          expect(state).toEqual(before);
          const [was, is] = [viewWorkflow(state), viewWorkflow(next)];
          expect(is.completed_stages - was.completed_stages).toBeGreaterThanOrEqual(0);
          expect(is.completed_stages - was.completed_stages).toBeLessThanOrEqual(1);
          expect(is.original_problem).toBe(was.original_problem);
          expect(is.recent_insights.length).toBe(Math.min(3, is.completed_stages));
          expect(is.analysis_complete).toBe(is.completed_stages === 5);
          state = next;
        }
      }),
    );
  });
});
