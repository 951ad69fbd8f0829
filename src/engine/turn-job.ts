import type { LessonCartridge, LessonPhase } from '../cartridge/lesson.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Random } from '../core/random.ts';
import type { Settings } from '../core/settings.ts';
import type { AssembledCall } from '../prompt/lesson-call.ts';
import type { LessonContext } from '../prompt/lesson-layers.ts';
import type { HistoryMessage } from '../prompt/trim.ts';
import type { CompiledSafety } from '../safety/compile.ts';
import type { InputScreen } from '../safety/input-screen.ts';
import type { LessonState } from './machine.ts';
import type { ClassFeed } from './ports/class-feed.ts';
import type { ModelProvider } from './ports/model.ts';
import type { SentenceJudge } from './ports/sentence-judge.ts';
import type { Owner, SessionRecord, Store } from './ports/store.ts';
import type { TurnLog } from './ports/turn-log.ts';
import type { Reply } from './reply.ts';
import type { TurnLimits } from './turn-limits.ts';

/** A turn that has been begun in the store, with everything its reply is made from. */
export type TurnJob = {
  turnId: string;
  owner: Owner;
  session: SessionRecord;
  /** For the teacher's board: the learner's name, and how many messages and withdrawn replies there are so far. */
  board: { ownerName: string | null; messages: number; redactions: number };
  kind: 'dialogue' | 'debrief';
  lesson: LessonCartridge;
  state: LessonState;
  phase: LessonPhase;
  context: LessonContext;
  history: readonly HistoryMessage[];
  provider: ModelProvider;
  /** Speaks where the provider cannot: the cartridge's static fallback. Null where it has none. */
  fallback: ModelProvider | null;
  screen: InputScreen;
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
  replies: Reply[];
};
