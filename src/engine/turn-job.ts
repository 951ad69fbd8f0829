import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Random } from '../core/random.ts';
import type { Settings } from '../core/settings.ts';
import type { AssembledCall } from '../prompt/assemble.ts';
import type { Layer } from '../prompt/layer.ts';
import type { CompiledSafety } from '../safety/compile.ts';
import type { InputScreen } from '../safety/input-screen.ts';
import type { ReplyPolicy } from '../safety/reply-filter.ts';
import type { ClassFeed } from './ports/class-feed.ts';
import type { ModelBrief, ModelProvider, ToolCall } from './ports/model.ts';
import type { NewJob } from './ports/queue.ts';
import type { SentenceJudge } from './ports/sentence-judge.ts';
import type { ExchangeRole, Owner, ProjectChange, SessionChange, SessionRecord, Store } from './ports/store.ts';
import type { TurnLog } from './ports/turn-log.ts';
import type { Reply, ReplyReader } from './reply.ts';
import type { TurnLimits } from './turn-limits.ts';

/** A turn that has been begun in the store, with everything its reply is made from. */
export type TurnJob = {
  turnId: string;
  owner: Owner;
  session: SessionRecord;
  kind: 'dialogue' | 'debrief' | 'conversation';
  provider: ModelProvider;
  /** Speaks where the provider cannot: the cartridge's static fallback. Null where it has none. */
  fallback: ModelProvider | null;
  screen: InputScreen;
  character: TurnCharacter;
};

/** How a turn that was not a failure ended, for the character to make its next state of. */
export type TurnEnd = {
  kind: 'said' | 'stopped' | 'stepped_out' | 'redacted';
  /** The boundary of a redaction. */
  boundary: string | null;
  /** Nothing that can be read was said. */
  isUnsaid: boolean;
  /** What was shown. */
  text: string;
  replies: readonly Reply[];
  now: number;
};

/** What a turn leaves behind: the session's next state, what `done` says, and what is to be done after. */
export type TurnOutcome = {
  change: SessionChange;
  /** The terminal event's data. */
  done: object;
  /** For the trace. */
  decision: object;
  /** Work for later, put into the queue in the same commit. */
  jobs?: readonly NewJob[];
  project?: ProjectChange;
};

/** What a tool gave back: the text the model reads, and what of it the client shows. */
export type ToolOutcome = { content: string; isError: boolean; widget: object | null };

/**
 * Why a reply cannot be taken as it is, and what to ask the model for instead. `isCut`: what was shown of it breaks off in
 * the middle, so that what comes instead is to be shown after it.
 */
export type ReplyFault = { reason: string; request: string; isCut: boolean };

/**
 * What one kind of cartridge brings to a turn: data fixed when the turn began, and functions over it. The kernel
 * knows nothing else of what it is running.
 */
export type TurnCharacter = {
  /** What its exchanges are kept under. */
  replyRole: ExchangeRole;
  phase: string;
  policy: ReplyPolicy;
  /** The safe word takes it out of its part. */
  hasSafeWord: boolean;
  /** What this turn carries beside its own layers, other than a crisis. */
  momentLayers: readonly Layer[];
  /** What the model is told to say where a reply came back empty, and what is said where it stays so. */
  lines: { nudge: string; emptyReply: string };
  assemble(input: AssembleInput): AssembledCall;
  brief(call: AssembledCall): ModelBrief;
  /** Last words that came within a tool call, for a reply that said nothing else. */
  closingOf(reply: Reply): string;
  /** Does what a tool call asks for; null where its calls are not answered (a transition). */
  perform: ((call: ToolCall, signal: AbortSignal) => Promise<ToolOutcome>) | null;
  /** A reader for one reply of a character that answers in structure; null where all text is meant to be read. */
  createReader: (() => ReplyReader) | null;
  /** What is wrong with the replies so far; null where they can stand. Asked once the model has ended. */
  faultOf: ((replies: readonly Reply[]) => ReplyFault | null) | null;
  /** What `done` would hand out beside what was said: it is judged as the reply is. Null where there is nothing. */
  unsaid: (() => unknown) | null;
  /** What a redaction, a stop or the end of the reply makes of the session. */
  settle(end: TurnEnd): TurnOutcome;
  /** For the teacher's board; null where the session is not on it. */
  board: ((change: SessionChange | null, redactions: number) => BoardRow) | null;
  /** What the trace says of its own: exchange number, signals, tools, memories. */
  traceOf(replies: readonly Reply[]): object;
};

/** A session as the class's board shows it. */
export type BoardRow = {
  session: SessionRecord;
  ownerName: string | null;
  state: { phase: string; completed: boolean; outcome: string | null };
  messages: number;
  redactions: number;
};

export type AssembleInput = {
  budgetTokens: number;
  tokensOf: (text: string) => number;
  /** Layers of the moment, after all others: crisis, de-escalation. */
  extraLayers: readonly Layer[];
};

/** What every turn is run with. */
export type TurnParts = {
  store: Store;
  log: TurnLog;
  feed: ClassFeed;
  safety: CompiledSafety;
  /** Judges whole sentences beside the filter; null where none is set up. */
  sentenceJudge: SentenceJudge | null;
  settings: Settings;
  limits: TurnLimits;
  clock: Clock;
  random: Random;
  logger: Logger;
  /** Tokens that a text is taken to cost in a language. */
  tokensOf: (text: string, language: string) => number;
};

/** What a turn writes down on the way, for its trace. */
export type TurnNotes = {
  call: AssembledCall | null;
  provider: string;
  model: string;
  attemptsFailed: { provider: string; code: string; retryable: boolean }[];
  decisions: string[];
  tools: { name: string; isError: boolean; milliseconds: number }[];
  widgets: object[];
  replies: Reply[];
};
