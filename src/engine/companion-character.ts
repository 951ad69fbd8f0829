import { type CompanionCartridge, companionTools } from '../cartridge/companion.ts';
import { assembleCompanionCall } from '../prompt/companion-call.ts';
import type { HistoryMessage } from '../prompt/trim.ts';
import type { InputScreen } from '../safety/input-screen.ts';
import { performTool, type ToolScope } from './companion-tools.ts';
import type { LoadedContext } from './companion-loader.ts';
import { conversationChange, conversationPhase, type ConversationState, type Widget } from './conversation-session.ts';
import { companionLinesFor } from './lines.ts';
import type { NewJob } from './ports/queue.ts';
import type { SessionRecord } from './ports/store.ts';
import type { ProjectTurn } from './project-turn.ts';
import type { TurnCharacter, TurnEnd, TurnOutcome } from './turn-job.ts';

/** What a companion's turn is made from. */
export type CompanionPart = {
  turnId: string;
  session: SessionRecord;
  companion: CompanionCartridge;
  state: ConversationState;
  loaded: LoadedContext;
  history: readonly HistoryMessage[];
  screen: InputScreen;
  tools: Omit<ToolScope, 'onWidget'>;
  /** How a companion that answers in structure reads and judges its replies; null for one that answers in plain text. */
  project: ProjectTurn | null;
};

/** A companion in one turn of a conversation. */
export function companionCharacter(part: CompanionPart): TurnCharacter {
  const { session, companion, state, loaded, history, project } = part;
  const { context } = loaded;
  const shown: Widget[] = [];
  const scope: ToolScope = { ...part.tools, onWidget: (widget) => void shown.push(widget) };
  return {
    replyRole: 'assistant',
    phase: conversationPhase,
    policy: {
      boundaries: companion.safety.content_boundaries,
      mode: 'dialogue',
      language: session.language,
      intensity: null,
      toolNames: companion.tools.length === 0 ? [] : companionTools,
    },
    hasSafeWord: false,
    momentLayers: [],
    lines: companionLinesFor(session.language),
    assemble: (input) => assembleCompanionCall({ context, history, mark: state.mark, ...input }),
    brief: () => ({
      kind: 'conversation',
      language: session.language,
      title: companion.title,
      said: history.filter((message) => message.role === 'user').map((message) => message.content),
      remembered: rememberedLines(loaded),
      replyFormat: companion.reply_format ?? null,
    }),
    closingOf: () => '',
    perform: companion.tools.length === 0 ? null : (call) => performTool(scope, companion.tools, call),
    createReader: project && project.createReader,
    faultOf: project && project.faultOf,
    unsaid: () => [shown.map(({ title, data }) => [title, data]), project?.unsaid()],
    settle: (end) => settleConversation(part, end, shown),
    board: null,
    traceOf: () => ({
      exchange_number: state.exchanges + 1,
      memories: (context.typed?.memories ?? []).map(({ item, relevanceScore }) => ({
        id: item.id,
        relevance_score: relevanceScore,
      })),
      ...project?.traceOf(),
    }),
  };
}

function settleConversation(part: CompanionPart, end: TurnEnd, shown: readonly Widget[]): TurnOutcome {
  const { session, state, loaded, project } = part;
  const counted = end.isUnsaid
    ? state
    : {
        ...state,
        exchanges: state.exchanges + 1,
        redactedBoundary: end.boundary,
        recalled: loaded.recalled,
        // What came with a withdrawn reply is withdrawn with it.
        widgets: end.kind === 'redacted' ? state.widgets : [...state.widgets, ...shown],
      };
  const judged = end.kind === 'said' && project ? project.settle(end) : null;
  return {
    change: conversationChange(session, counted, end.now),
    done: { exchanges_count: counted.exchanges, widgets: [], ...judged?.done },
    decision: { exchanges: counted.exchanges, ...judged?.decision },
    jobs: jobsAfter(part, end),
    ...(judged?.project ? { project: judged.project } : {}),
  };
}

/**
 * The rolling memory takes in what was said, later and apart from the reply. Not what was withdrawn or broken off, and
 * not what shows signs of crisis: that is for people, not for notes.
 */
function jobsAfter({ turnId, session, companion, screen }: CompanionPart, end: TurnEnd): NewJob[] {
  const isKept = end.kind === 'said' && screen.crisis.length === 0;
  if (!isKept || companion.memory.rolling?.update !== 'exchange') return [];
  return [
    {
      key: `rolling:${turnId}`,
      kind: 'rolling',
      payload: { session_id: session.id },
      schoolId: session.schoolId,
      ownerId: session.ownerId,
      runAt: end.now,
    },
  ];
}

function rememberedLines({ context: { rolling, sessions } }: LoadedContext): string[] {
  const facts = [...(rolling?.facts ?? []), ...(sessions?.facts ?? [])].map(({ text }) => text);
  return [...facts.toReversed(), ...(rolling && rolling.summary !== '' ? [rolling.summary] : [])].slice(0, 5);
}
