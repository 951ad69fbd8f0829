import type { NewMemoryItem, WorkflowChange } from './prepared-store.ts';
import type { NewJob } from './queue.ts';

/**
 * What is kept. Every call on something that belongs to someone carries its school and its owner, and finds nothing
 * where they do not match. Times are milliseconds since the Unix epoch; ids are opaque. Each call is one transaction.
 * A failure that nobody can handle is thrown; every outcome that a caller acts on is a value.
 */
export interface Store {
  /** The first school, teacher and class, made where the store is empty; the same ones at every later start. */
  firstClass(make: FirstClass): Promise<FirstClass & { created: boolean }>;

  createClass(record: ClassRecord): Promise<'created' | 'code_taken'>;
  /** A teacher's classes, newest first. */
  classesOf(owner: Owner): Promise<ClassRecord[]>;
  classOf(owner: Owner, classId: string): Promise<ClassRecord | null>;
  /** The class a student belongs to, for what it may use. */
  classOfStudent(schoolId: string, classId: string): Promise<ClassRecord | null>;
  /** Makes a student of the class with that code; null where no class has it. */
  joinClass(joinCode: string, student: NewStudent): Promise<{ class: ClassRecord } | null>;
  /** The students of a teacher's class, who joined last first; `total` is how many there are. Null: not theirs. */
  classStudents(
    owner: Owner,
    classId: string,
    page: { offset: number; limit: number },
  ): Promise<{ items: ClassStudent[]; total: number } | null>;
  /** A student of a school and the classes they are in, joined last first; null where there is no such student. */
  student(schoolId: string, userId: string): Promise<StudentRecord | null>;

  /** Keeps a cartridge's text by its hash, so that sessions can go on with the version they began with. */
  keepCartridge(version: CartridgeVersion): Promise<void>;
  cartridge(hash: string): Promise<CartridgeVersion | null>;

  /** The sessions of a teacher's class that were touched since a time, most recent first; at most 500. Null: not theirs. */
  classSessions(owner: Owner, classId: string, since: number): Promise<ClassSession[] | null>;
  /** Alerts of a teacher's class since a time, oldest first; at most 500. Null: not theirs. */
  classAlerts(owner: Owner, classId: string, since: number): Promise<AlertRecord[] | null>;
  /** Freezes or unfreezes sessions of a teacher's class: all that are active, or one. Says which changed. */
  freezeSessions(owner: Owner, freeze: FreezeSessions): Promise<ClassSession[] | null>;
  /** Whether a session is frozen just now; false where there is none. */
  isFrozen(owner: Owner, sessionId: string): Promise<boolean>;
  /** The owner of a session in a teacher's class, to act on it in their name. */
  sessionOwner(owner: Owner, classId: string, sessionId: string): Promise<Owner | null>;

  /** Also makes the school and the user where an identity provider named ones that were not seen before. */
  createSession(session: SessionRecord): Promise<void>;
  /** The session with its exchanges (oldest first) and its live turn. */
  loadSession(owner: Owner, sessionId: string): Promise<LoadedSession | null>;
  /** Saves a new state where the version still is `expectedVersion`; the version then goes up by one. */
  saveSession(owner: Owner, change: SessionChange): Promise<'saved' | 'conflict'>;
  /** Outcomes of the owner's finished lessons, newest first, other than `exceptSessionId`. */
  recentOutcomes(owner: Owner, exceptSessionId: string, limit: number): Promise<string[]>;

  /** Commits the learner's words and the turn, and takes the session's one live turn. */
  beginTurn(turn: NewTurn): Promise<BegunTurn>;
  /** Ends a turn: reply, state, usage and trace in one commit. `fenced` where the turn is no longer live. */
  settleTurn(settlement: TurnSettlement): Promise<'settled' | 'fenced' | 'conflict'>;
  turn(owner: Owner, sessionId: string, turnId: string): Promise<TurnRecord | null>;
  /** As `turn`, where its session is not known. */
  turnById(owner: Owner, turnId: string): Promise<TurnRecord | null>;
  /** The latest turn that a `clientMessageId` made in a session. */
  turnOfMessage(owner: Owner, sessionId: string, clientMessageId: string): Promise<TurnRecord | null>;
  /** The latest turn of a kind in a session, whatever became of it. */
  latestTurn(owner: Owner, sessionId: string, kind: TurnKind): Promise<TurnRecord | null>;
  /** A turn's trace as JSON text, for the staff of a school. */
  trace(schoolId: string, sessionId: string, turnId: string): Promise<string | null>;
  /** Marks every live turn as interrupted; called once at start, before anything is served. Says how many. */
  interruptLiveTurns(now: number): Promise<number>;

  /** Prompt texts by content hash; absent ones are left out. */
  promptTexts(hashes: readonly string[]): Promise<PromptText[]>;

  /** Counts one use of `key` in the window that `now` falls in. */
  countUse(use: RateUse): Promise<RateVerdict>;

  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Whose something is. */
export type Owner = { schoolId: string; userId: string };

export type FirstClass = {
  schoolId: string;
  schoolName: string;
  teacherId: string;
  teacherName: string;
  class: ClassRecord;
};

export type ClassRecord = {
  id: string;
  schoolId: string;
  teacherId: string;
  title: string;
  joinCode: string;
  /** Null: every active cartridge. */
  cartridgeIds: readonly string[] | null;
  createdAt: number;
};

export type NewStudent = { id: string; displayName: string | null; createdAt: number };

export type ClassStudent = { userId: string; displayName: string | null; joinedAt: number };

export type StudentRecord = {
  userId: string;
  displayName: string | null;
  classes: { id: string; title: string; teacherId: string; joinedAt: number }[];
};

export type CartridgeVersion = {
  hash: string;
  cartridgeId: string /** The file's text. */;
  text: string;
  keptAt: number;
};

export type SessionStatus = 'active' | 'completed';

/** A session as kept. `state` is the engine's, as JSON text; the columns beside it are what is searched by. */
export type SessionRecord = {
  id: string;
  schoolId: string;
  ownerId: string;
  ownerRole: string;
  classId: string | null;
  kind: 'lesson' | 'companion';
  cartridgeId: string;
  cartridgeHash: string;
  language: string;
  status: SessionStatus;
  frozen: boolean;
  phase: string;
  outcome: string | null;
  state: string;
  /** The prompt texts frozen at the first turn; null before it. */
  prompts: readonly FrozenPrompt[] | null;
  version: number;
  createdAt: number;
  updatedAt: number;
  endedAt: number | null;
};

/** A prompt layer frozen for a session: which file it came from, and its text by hash; null where there was none. */
export type FrozenPrompt = { layer: string; source: string | null; hash: string | null };
export type PromptText = { hash: string; text: string };

export type ExchangeRole = 'student' | 'trickster' | 'user' | 'assistant';

/** One message kept. `redacted`: the reply was withdrawn and `content` is its fallback. */
export type ExchangeRecord = {
  id: string;
  role: ExchangeRole;
  content: string;
  phase: string;
  turnId: string;
  redacted: boolean;
  createdAt: number;
};

/** A session as its class's teacher may know it: where it stands, and not a word of what was said. */
export type ClassSession = {
  sessionId: string;
  ownerId: string;
  ownerName: string | null;
  cartridgeId: string;
  status: SessionStatus;
  frozen: boolean;
  phase: string;
  outcome: string | null;
  /** Messages of the learner's that were kept. */
  messages: number;
  redactions: number;
  updatedAt: number;
};

export type FreezeSessions = { classId: string; sessionId: string | null; frozen: boolean };

/** A sign of crisis in what a learner wrote: its kind and severity (1 to 3), never the words. */
export type AlertRecord = {
  id: string;
  classId: string | null;
  sessionId: string;
  ownerId: string;
  turnId: string;
  kind: string;
  severity: number;
  createdAt: number;
};

export type LoadedSession = {
  session: SessionRecord;
  ownerName: string | null;
  exchanges: ExchangeRecord[];
  liveTurnId: string | null;
};

export type SessionChange = {
  sessionId: string;
  expectedVersion: number;
  status: SessionStatus;
  phase: string;
  outcome: string | null;
  state: string;
  /** Set when the session goes on with another version of its cartridge. */
  cartridgeHash?: string;
  updatedAt: number;
};

export type TurnKind = 'dialogue' | 'debrief' | 'conversation';
export type TurnStatus = 'streaming' | 'done' | 'redacted' | 'stopped' | 'error' | 'interrupted';

export type TurnRecord = {
  id: string;
  sessionId: string;
  kind: TurnKind;
  status: TurnStatus;
  clientMessageId: string | null;
  /** The learner's exchange that this turn answers; null for a debrief. */
  exchangeId: string | null;
  startedAt: number;
  settledAt: number | null;
  /** What a client that comes after the log is gone is served from; null while the turn is live. */
  settled: SettledTurn | null;
};

/** How a turn ended: its text, the lengths of its `token` events, the last event. Of a redaction only the last is kept. */
export type SettledTurn = {
  text: string;
  tokenLengths: readonly number[];
  terminal: { name: 'done' | 'redact' | 'error'; data: string };
  retryable: boolean;
};

export type NewTurn = {
  id: string;
  owner: Owner;
  sessionId: string;
  expectedVersion: number;
  kind: TurnKind;
  clientMessageId: string | null;
  /** The learner's words; null for a debrief. */
  exchange: { id: string; role: ExchangeRole; content: string; phase: string } | null;
  /** Given at the session's first turn: kept with the session, each text once. */
  freeze: { prompts: readonly FrozenPrompt[]; texts: readonly PromptText[] } | null;
  /** What the turn is counted against; where one is over its limit it is `rate_limited` and nothing is counted. */
  rates: readonly RateUse[];
  /** What the learner's words gave cause for, kept in the same commit as the words. */
  alerts: readonly Pick<AlertRecord, 'id' | 'kind' | 'severity'>[];
  now: number;
};

/**
 * `begun`: the turn is live; `exchangeId` is the learner's exchange it answers (an earlier one where a
 * `clientMessageId` was interrupted or failed retryably and is tried again, so its words stand once).
 * `same`: this `clientMessageId` (or, for a debrief, this session) made that turn already. `busy`: another turn is
 * live. `conflict`: the session is at another version. A begun turn does not change the session's version.
 */
export type BegunTurn =
  | { kind: 'begun'; exchangeId: string | null }
  | { kind: 'same'; turn: TurnRecord }
  | { kind: 'busy'; turnId: string }
  | { kind: 'conflict' }
  | { kind: 'rate_limited'; retryAfterSeconds: number };

export type TurnSettlement = {
  turnId: string;
  owner: Owner;
  status: Exclude<TurnStatus, 'streaming' | 'interrupted'>;
  /** The character's exchange; null where nothing was said that is kept. */
  reply: { id: string; role: ExchangeRole; content: string; phase: string; redacted: boolean } | null;
  /** The session's next state; null where the turn leaves it alone (an error). */
  change: SessionChange | null;
  /** Work for later, put into the queue in the same commit. */
  jobs: readonly NewJob[];
  /** What the turn changes of a project: its workflow and its memory. */
  project?: ProjectChange | undefined;
  settled: SettledTurn;
  usage: TurnUsage;
  /** What the turn turned out to cost, counted whatever the limits are. */
  spends: readonly RateUse[];
  /** The trace as JSON text. */
  trace: string;
  now: number;
};

/** `items` expire by themselves; `workflow` is the project's as it now stands, null where it has none. */
export type ProjectChange = {
  projectId: string;
  workflow: WorkflowChange | null;
  items: readonly NewMemoryItem[];
};

export type TurnUsage = { provider: string; model: string; inputTokens: number; outputTokens: number };

/**
 * At most `limit` of `key` in each window of `windowMs`, `cost` (1 where absent, 0 to ask only) at a time; what is begun
 * below the limit may end above it. `limit` 0 is no limit.
 */
export type RateUse = { key: string; limit: number; windowMs: number; now: number; cost?: number };
export type RateVerdict = { kind: 'allowed' } | { kind: 'limited'; retryAfterSeconds: number };
