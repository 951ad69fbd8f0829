import { cutText, fitTokens } from './fit-text.ts';
import { type InsightTerms, insightTerms, isNewInsight } from './insights.ts';
import type { Stem } from './relevance.ts';
import type { WorkflowLevel } from './workflow-levels.ts';

/** How far the analysis of one problem has come: plain data, kept with the conversation, changed only from here. */
export type WorkflowState = {
  /** The problem as it was first told. */
  readonly problem: string;
  /** The level being worked on; once complete, the last one. */
  readonly depth: number;
  readonly isComplete: boolean;
  /** What the last three finished levels found, oldest first. */
  readonly summaries: readonly string[];
  /** What the finished levels brought to light, and what this one has so far. */
  readonly known: readonly InsightTerms[];
  readonly found: readonly InsightTerms[];
  /** What the last reply explained; absent before the first, and in what was kept by earlier versions. */
  readonly said?: InsightTerms;
  /** Milliseconds since the Unix epoch; every change puts it off. */
  readonly expiresAt: number;
};

/** What the model reads of a workflow (seed 004). */
export type WorkflowView = {
  readonly current_depth: number;
  readonly original_problem: string;
  readonly completed_stages: number;
  readonly analysis_complete: boolean;
  readonly recent_insights: readonly string[];
};

/** A reply, as the workflow judges it. */
export type WorkflowReply = {
  /** 0 to 1, as the model gave it; null, or out of that range, where it gave none that can be used. */
  readonly confidence: number | null;
  readonly text: string;
  /** What the level found, in short; where it is empty, the insights stand for it, or else the reply, cut to size. */
  readonly summary: string;
  /** One sentence each; where there are none, the summary is taken for one, or else the reply. */
  readonly insights: readonly string[];
  readonly now: number;
};

export type WorkflowRules = {
  readonly levels: readonly WorkflowLevel[];
  readonly tokensOf: (text: string) => number;
  readonly language: string;
  readonly stem?: Stem | undefined;
};

/** What told that a level is done. */
export type CompletionSign = 'confidence' | 'ANALYSIS_COMPLETE' | 'READY_FOR_IMPLEMENTATION';

export type WorkflowStep =
  | { readonly kind: 'advanced'; readonly state: WorkflowState; readonly sign: CompletionSign }
  | {
      readonly kind: 'stayed';
      readonly state: WorkflowState;
      readonly reason: 'no_sign' | 'no_new_insight' | 'complete';
    }
  | { readonly kind: 'expired' };

export const workflowLimits = {
  confidence: 0.95,
  summaries: 3,
  summaryTokens: 200,
  problemCharacters: 8_000,
  insights: 8,
  days: 30,
} as const;

const signWords = ['ANALYSIS_COMPLETE', 'READY_FOR_IMPLEMENTATION'] as const;

/** A workflow at level 0. */
export function beginWorkflow(problem: string, now: number): WorkflowState {
  return {
    problem: cutText(problem.trim(), workflowLimits.problemCharacters),
    depth: 0,
    isComplete: false,
    summaries: [],
    known: [],
    found: [],
    expiresAt: expiry(now),
  };
}

/**
 * Judges a reply: one that is sure of itself (0.95 or more) or says that it is done ends its level, if the level has
 * brought something that no earlier one had, in this reply or one before it. One reply ends one level, whatever it
 * says, so that none is skipped; the last level's end completes the workflow.
 */
export function advanceWorkflow(state: WorkflowState, reply: WorkflowReply, rules: WorkflowRules): WorkflowStep {
  if (isWorkflowExpired(state, reply.now)) return { kind: 'expired' };
  const kept = { ...state, expiresAt: expiry(reply.now) };
  if (state.isComplete) return { kind: 'stayed', state: kept, reason: 'complete' };
  const next = { ...kept, found: foundWith(state, reply, rules), said: explanationOf(reply, rules) };
  const sign = completionSign(reply);
  if (sign === null) return { kind: 'stayed', state: next, reason: 'no_sign' };
  if (next.found.length === 0) return { kind: 'stayed', state: next, reason: 'no_new_insight' };
  return { kind: 'advanced', state: deeper(next, summaryOf(reply, rules), rules), sign };
}

/** What the model is told. */
export function viewWorkflow(state: WorkflowState): WorkflowView {
  return {
    current_depth: state.depth,
    original_problem: state.problem,
    completed_stages: state.isComplete ? state.depth + 1 : state.depth,
    analysis_complete: state.isComplete,
    recent_insights: state.summaries,
  };
}

/** The level being worked on; null once complete, or where the cartridge no longer has it. */
export function currentLevel(state: WorkflowState, levels: readonly WorkflowLevel[]): WorkflowLevel | null {
  return state.isComplete ? null : (levels[state.depth] ?? null);
}

/** Whether a workflow has not been touched for 30 days. */
export function isWorkflowExpired(state: Pick<WorkflowState, 'expiresAt'>, now: number): boolean {
  return now >= state.expiresAt;
}

/** How a reply says that its level is done: by one of the two words, also in Markdown, or by its confidence. */
export function completionSign({
  text,
  confidence,
}: Pick<WorkflowReply, 'text' | 'confidence'>): CompletionSign | null {
  const said = signWords.find((word) => signPatterns[word].test(text));
  if (said !== undefined) return said;
  return confidence !== null && confidence >= workflowLimits.confidence && confidence <= 1 ? 'confidence' : null;
}

/** The word by itself: not as part of a longer one, but within `**` or `_`, and with its underscores escaped. */
const signPatterns = {
  ANALYSIS_COMPLETE: /(?<![\p{L}\p{N}]_{0,3})ANALYSIS\\?_COMPLETE(?!_{0,3}[\p{L}\p{N}])/u,
  READY_FOR_IMPLEMENTATION: /(?<![\p{L}\p{N}]_{0,3})READY\\?_FOR\\?_IMPLEMENTATION(?!_{0,3}[\p{L}\p{N}])/u,
} as const;

function deeper(state: WorkflowState, summary: string, { levels }: WorkflowRules): WorkflowState {
  const isComplete = state.depth + 1 >= levels.length;
  return {
    ...state,
    depth: isComplete ? state.depth : state.depth + 1,
    isComplete,
    summaries: [...state.summaries, summary].slice(-workflowLimits.summaries),
    known: [...state.known, ...state.found],
    found: [],
  };
}

function foundWith(state: WorkflowState, reply: WorkflowReply, { language, stem }: WorkflowRules): InsightTerms[] {
  const found = [...state.found];
  for (const insight of insightsOf(reply)) {
    if (found.length >= workflowLimits.insights) break;
    const terms = insightTerms(insight, language, stem);
    if (isNewInsight(terms, [...state.known, ...found, ...(state.said ? [state.said] : [])])) found.push(terms);
  }
  return found;
}

/** What a reply explains, to know it again where the next says the same without naming an insight. */
function explanationOf(reply: WorkflowReply, { language, stem }: WorkflowRules): InsightTerms {
  return insightTerms(inShort(reply), language, stem);
}

function insightsOf(reply: WorkflowReply): readonly string[] {
  const told = reply.insights.filter(isSaid);
  return told.length > 0 ? told : [inShort(reply)];
}

function inShort({ summary, text }: WorkflowReply): string {
  return isSaid(summary) ? summary : withoutSigns(text);
}

function summaryOf({ summary, text, insights }: WorkflowReply, { tokensOf }: WorkflowRules): string {
  const source = [summary, insights.filter(isSaid).join('; ')].find(isSaid) ?? withoutSigns(text);
  return fitTokens(source, workflowLimits.summaryTokens, tokensOf);
}

function isSaid(text: string): boolean {
  return text.trim() !== '';
}

function withoutSigns(text: string): string {
  return signWords.reduce((rest, word) => rest.replace(signPatterns[word], ''), text);
}

function expiry(now: number): number {
  return now + workflowLimits.days * 24 * 3_600_000;
}
