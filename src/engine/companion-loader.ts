import { type CompanionCartridge, layersOf } from '../cartridge/companion.ts';
import { isoTime } from '../core/clock.ts';
import { readConversation } from '../memory/conversation-state.ts';
import { defaultWorkflowLevels } from '../memory/workflow-levels.ts';
import {
  beginWorkflow,
  currentLevel,
  isWorkflowExpired,
  viewWorkflow,
  type WorkflowState,
} from '../memory/workflow.ts';
import type {
  CompanionContext,
  Objectives,
  RecalledFact,
  RecalledMemory,
  RecalledSessions,
} from '../prompt/companion-context.ts';
import type { FrozenText } from '../prompt/snapshot.ts';
import { toolsNamed } from './companion-tools.ts';
import type { ConversationState } from './conversation-session.ts';
import type { CompanionStore, ConversationRecord, FactRecord, RollingMemory } from './ports/companion-store.ts';
import type { PreparedStore } from './ports/prepared-store.ts';
import type { Owner } from './ports/store.ts';
import { readObjectives } from './objectives.ts';
import { narrativeOf } from './profile.ts';
import type { ProjectMemory } from './project-memory.ts';

export type LoaderParts = {
  companions: CompanionStore;
  prepared: PreparedStore;
  projects: ProjectMemory;
  tokensOf: (text: string, language: string) => number;
};

export type LoadRequest = {
  owner: Owner;
  companion: CompanionCartridge;
  conversation: ConversationRecord;
  state: ConversationState;
  /** What the person said in this conversation, oldest first, the present message last. */
  said: readonly string[];
  prompts: readonly FrozenText[];
  now: number;
};

export type LoadedContext = {
  context: CompanionContext;
  /** The rolling memory that this conversation goes on with. */
  recalled: ConversationState['recalled'];
  /** The project's workflow as it stands before this turn; null where the cartridge has none. */
  workflow: WorkflowState | null;
  /** When the workflow that is kept was last changed; null where none is. */
  workflowAt: number | null;
};

type LoadedWorkflow = { state: WorkflowState; at: number | null };

/** Reads from the store what the layers that a companion names are made of, and nothing else. */
export class ContextLoader {
  readonly #parts: LoaderParts;

  constructor(parts: LoaderParts) {
    this.#parts = parts;
  }

  async load(request: LoadRequest): Promise<LoadedContext> {
    const { companion, conversation, state, said, prompts, now } = request;
    const names = new Set<string>(layersOf(companion).map(({ layer }) => layer));
    const when = <T>(isWanted: boolean, load: () => Promise<T>) => (isWanted ? load() : Promise.resolve(null));
    const [recalled, sessions, narrative, objectives, typed, workflow, learnerName] = await Promise.all([
      when(names.has('rolling_memory') || names.has('conversation_summary'), () => this.#rolling(request)),
      when(names.has('session_memory'), () => this.#sessions(request)),
      when(names.has('profile_narrative'), () => this.#narrative(request)),
      when(names.has('objectives'), () => this.#objectives(request)),
      when(names.has('typed_memories') || names.has('context_analysis'), () => this.#typed(request)),
      when(companion.workflow !== undefined, () => this.#workflow(request)),
      when(conversation.learnerId !== null, () => this.#learnerName(request)),
    ]);
    return {
      recalled,
      workflow: workflow && workflow.state,
      workflowAt: workflow && workflow.at,
      context: {
        cartridge: companion,
        language: conversation.language,
        prompts,
        day: dayOf(now),
        learnerName: learnerName ?? conversation.learnerId,
        rolling: recalled?.memory ?? null,
        sessions,
        narrative,
        entryContext: conversation.entryContext,
        objectives,
        conversation: readConversation(said, conversation.language),
        widgets: state.widgets.map(({ kind, title, status, value }) => ({ kind, title, status, value: textOf(value) })),
        typed,
        workflow: workflow && {
          view: viewWorkflow(workflow.state),
          level: currentLevel(workflow.state, levelsOf(companion, conversation.language)),
        },
        tools: toolsNamed(companion.tools),
        redactedBoundary: state.redactedBoundary,
      },
    };
  }

  /** What a conversation's view and greeting are made from, without a turn. */
  async recall(owner: Owner, companion: CompanionCartridge, learnerId: string | null): Promise<RecalledSessions> {
    const scope = { cartridgeId: companion.id, learnerId };
    const policy = companion.memory.sessions ?? { recall: 3, max_facts: 5, max_topics: 10 };
    const { companions } = this.#parts;
    const [sessions, facts] = await Promise.all([
      companions.recalledSessions(owner, scope, policy.recall),
      companions.facts(owner, scope, false),
    ]);
    const recallsSessions = companion.memory.sessions !== undefined;
    const recalled = new Set(sessions.map(({ sessionId }) => sessionId));
    return {
      summaries: sessions
        .filter(({ summary }) => summary !== '')
        .map(({ summary, endedAt }) => ({ day: dayOf(endedAt), text: summary })),
      facts: facts
        .filter(({ sessionId }) => !recallsSessions || sessionId === null || recalled.has(sessionId))
        .slice(-policy.max_facts)
        .map(recallFact),
      topics: [...new Set(sessions.flatMap(({ topics }) => topics))].slice(0, policy.max_topics),
    };
  }

  async #rolling({ owner, companion, conversation, state }: LoadRequest): Promise<ConversationState['recalled']> {
    const { companions } = this.#parts;
    const scope = { cartridgeId: companion.id, learnerId: conversation.learnerId };
    const memory = await companions.rollingMemory(owner, scope);
    if (memory === null) return null;
    const isFirst = state.exchanges === 0;
    const isFrozen = companion.memory.rolling?.update === 'exchange' && !isFirst;
    // What was cleared meanwhile is forgotten here too.
    if (isFrozen) return state.recalled?.memoryId === memory.id ? state.recalled : null;
    return { memoryId: memory.id, memory: recallMemory(memory, await companions.facts(owner, scope, false)) };
  }

  #sessions({ owner, companion, conversation }: LoadRequest): Promise<RecalledSessions> {
    return this.recall(owner, companion, conversation.learnerId);
  }

  async #narrative({ owner, conversation, now }: LoadRequest): Promise<string | null> {
    const kept = await this.#parts.prepared.profile(owner.schoolId, owner.userId);
    if (kept === null) return null;
    const { language } = conversation;
    return narrativeOf(kept, { language, today: dayOf(now), tokensOf: (text) => this.#parts.tokensOf(text, language) });
  }

  async #objectives({ owner, companion }: LoadRequest): Promise<Objectives | null> {
    const kept = await this.#parts.prepared.objectives(owner.schoolId, owner.userId, companion.id);
    return kept && { ...readObjectives(kept.objectives), day: dayOf(kept.generatedAt) };
  }

  async #typed({ owner, companion, conversation, said }: LoadRequest): Promise<CompanionContext['typed']> {
    const { memory } = companion;
    if (!memory.typed || conversation.projectId === null) return null;
    const { projectId, language } = conversation;
    const message = said.at(-1) ?? '';
    return this.#parts.projects.choose(owner, { projectId, message, policy: memory.typed, language });
  }

  async #workflow({ owner, conversation, said, now }: LoadRequest): Promise<LoadedWorkflow | null> {
    if (conversation.projectId === null) return null;
    const kept = await this.#parts.prepared.workflow(owner, conversation.projectId, now);
    const state = kept && (JSON.parse(kept.state) as WorkflowState);
    // A new conversation after the last problem was solved is about another.
    const isOver = state !== null && (isWorkflowExpired(state, now) || (state.isComplete && said.length === 1));
    const at = kept && kept.updatedAt;
    return { at, state: state && !isOver ? state : beginWorkflow(said.at(-1) ?? '', now) };
  }

  async #learnerName({ owner, conversation }: LoadRequest): Promise<string | null> {
    const learners = await this.#parts.companions.learners(owner);
    return learners.find(({ id }) => id === conversation.learnerId)?.name ?? null;
  }
}

/** A companion's depth levels, or the house's where it names none. */
export function levelsOf(companion: CompanionCartridge, language: string) {
  return companion.workflow?.levels ?? defaultWorkflowLevels(language);
}

export function recallMemory(memory: RollingMemory, facts: readonly FactRecord[]): RecalledMemory {
  const { summary, turnCount, updatedAt } = memory;
  return { summary, turnCount, day: dayOf(updatedAt), facts: facts.map(recallFact) };
}

function recallFact({ kind, text, learnedAt }: FactRecord): RecalledFact {
  return { kind, text, day: dayOf(learnedAt) };
}

function dayOf(time: number): string {
  return isoTime(time).slice(0, 10);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
