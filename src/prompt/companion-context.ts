import type { CompanionCartridge } from '../cartridge/companion.ts';
import type { ChosenMemory } from '../memory/choose-memories.ts';
import type { ContextAnalysis } from '../memory/context-analysis.ts';
import type { ConversationView } from '../memory/conversation-state.ts';
import type { WorkflowLevel } from '../memory/workflow-levels.ts';
import type { WorkflowView } from '../memory/workflow.ts';
import type { PromptTool } from './assemble.ts';
import type { FrozenText } from './snapshot.ts';

/** A fact as it is recalled: what it says, of what kind it is, and when it was learnt (ISO 8601 day). */
export type RecalledFact = { kind: string; text: string; day: string };

/** What is remembered over all conversations with one person about one learner, or about none. */
export type RecalledMemory = {
  summary: string;
  /** Messages that the memory has taken in since it was last archived. */
  turnCount: number;
  /** ISO 8601 day of the last change. */
  day: string;
  facts: readonly RecalledFact[];
};

/** The last ended conversations, merged. */
export type RecalledSessions = {
  /** Their summaries, latest first, each with the day it is of. */
  summaries: readonly { day: string; text: string }[];
  facts: readonly RecalledFact[];
  topics: readonly string[];
};

/** The prep sheet: what to ask, what to check on, what to share. */
export type Objectives = {
  priorityQuestions: readonly string[];
  checkOn: readonly string[];
  updatesToShare: readonly string[];
  day: string;
};

/** A widget that was shown, and what became of it. */
export type ShownWidget = { kind: string; title: string; status: 'pending' | 'confirmed' | 'dismissed'; value: string };

/**
 * What a companion's layers are made from. What people said, now or earlier, is in it as they said it; the layers quote
 * it as data. A part is null where the cartridge does not ask for it or there is nothing yet.
 */
export type CompanionContext = {
  readonly cartridge: CompanionCartridge;
  readonly language: string;
  readonly prompts: readonly FrozenText[];
  /** ISO 8601 day of this turn. */
  readonly day: string;
  /** Whom the conversation is about; null where it is about no learner. */
  readonly learnerName: string | null;
  readonly rolling: RecalledMemory | null;
  readonly sessions: RecalledSessions | null;
  readonly narrative: string | null;
  readonly entryContext: string | null;
  readonly objectives: Objectives | null;
  readonly conversation: ConversationView;
  readonly widgets: readonly ShownWidget[];
  readonly typed: { memories: readonly ChosenMemory[]; analysis: ContextAnalysis } | null;
  readonly workflow: { view: WorkflowView; level: WorkflowLevel | null } | null;
  readonly tools: readonly PromptTool[];
  /** The boundary of a redaction that the model has not been told of yet. */
  readonly redactedBoundary: string | null;
};

/** What a builder may use beside the context: the tokens its text may take, and what a text costs. */
export type LayerBudget = { tokens: number; tokensOf: (text: string) => number };

/** Makes the text of one layer; a reason where there is none. */
export type LayerBuilder = (context: CompanionContext, budget: LayerBudget) => LayerText;

export type LayerText = { text: string; source: string } | { absent: string };
