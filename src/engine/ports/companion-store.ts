import type { Owner, SessionRecord } from './store.ts';

/**
 * What companions keep: conversations, and what is remembered of them. As with the store, every call on something that
 * belongs to someone carries its school and its owner and finds nothing that is not theirs; times are milliseconds
 * since the Unix epoch; each call is one transaction.
 */
export interface CompanionStore {
  /**
   * Begins a conversation. Where `endsEarlier`, the owner's active ones with the same companion about the same learner
   * end in the same commit.
   */
  createConversation(make: NewConversation): Promise<void>;
  conversation(owner: Owner, sessionId: string): Promise<ConversationRecord | null>;
  /** The owner's conversations, the one touched last first. */
  conversations(owner: Owner, page: ConversationPage): Promise<{ items: ConversationRecord[]; total: number }>;
  /**
   * Ends a conversation, once: `over` where it had ended. Whoever ends it puts one job `remember` of the key
   * `remember:<session id>` into the queue, in the same commit. `busy`: a reply is being made. Null: not theirs.
   */
  endConversation(owner: Owner, sessionId: string, now: number): Promise<'ended' | 'over' | 'busy' | null>;
  /** Ends at most `limit` conversations that nobody has touched for their time; no two callers end the same one. */
  endIdleConversations(now: number, limit: number): Promise<{ owner: Owner; sessionId: string }[]>;

  /** The turns of a conversation whose message showed signs of crisis: they are for people, and for no memory. */
  alertedTurns(owner: Owner, sessionId: string): Promise<string[]>;

  /** Keeps one part of what is remembered of a conversation; one kept before gives way to it. */
  keepPart(owner: Owner, part: SessionPart): Promise<void>;
  partsOf(owner: Owner, sessionId: string): Promise<SessionPart[]>;
  /** The owner's latest ended conversations with a companion, latest first, that left a summary or topics. */
  recalledSessions(owner: Owner, scope: MemoryScope, limit: number): Promise<RecalledSession[]>;
  /** Whether work is under way, or due at `now`, on what is remembered of one of the latest ended conversations. */
  isRemembering(owner: Owner, scope: MemoryScope, now: number): Promise<boolean>;

  rollingMemory(owner: Owner, scope: MemoryScope): Promise<RollingMemory | null>;
  /** Every rolling memory of the owner's with a companion: of each learner, and of none. */
  rollingMemories(owner: Owner, cartridgeId: string): Promise<RollingMemory[]>;
  /**
   * Takes turns in, each once by its id, and says what is now to be summarised. Where they take the count past
   * `archiveAfter`, what was there before is archived first and the count begins again with them.
   */
  rollIn(owner: Owner, scope: MemoryScope, turns: RollIn): Promise<RollingMemory>;
  /** `conflict`: the memory is at another version. */
  keepSummary(owner: Owner, scope: MemoryScope, summary: KeepSummary): Promise<'kept' | 'conflict'>;
  /** Marks that the last update of the summary failed for good, or is well again (null). */
  markRolling(owner: Owner, scope: MemoryScope, failure: string | null): Promise<void>;
  /** Archives the memory with its facts, then forgets it; false where there is none. */
  clearMemory(owner: Owner, scope: MemoryScope, now: number): Promise<boolean>;
  archives(owner: Owner, scope: MemoryScope, limit: number): Promise<ArchivedMemory[]>;

  /** Facts that stand, oldest first; with `all`, superseded ones too. */
  facts(owner: Owner, scope: MemoryScope, all: boolean): Promise<FactRecord[]>;
  /** Adds facts and marks those they supersede, each once by its id. */
  keepFacts(owner: Owner, scope: MemoryScope, facts: readonly NewFact[]): Promise<void>;

  /** Whom a facilitator talks about, by name. */
  learners(owner: Owner): Promise<LearnerRecord[]>;
  /** Keeps a learner; one of the same id gets the new name. */
  keepLearner(owner: Owner, learner: LearnerRecord): Promise<void>;

  /** A note for the guardians of a student; one a conversation. */
  keepParentNote(note: ParentNoteRecord): Promise<void>;
  /** Notes that a guardian may read: of students who are in their care and whose consent stands. Latest first. */
  parentNotes(
    guardian: Owner,
    page: { studentId?: string; offset: number; limit: number },
  ): Promise<{
    items: ParentNoteRecord[];
    total: number;
  }>;
  /** Null where there is no such note that the guardian may read. */
  viewParentNote(guardian: Owner, noteId: string, now: number): Promise<ParentNoteRecord | null>;

  /** Puts a student into a guardian's care; a guardian whom the store knows keeps their name. */
  keepGuardian(schoolId: string, link: GuardianLink): Promise<void>;
  /** Takes a student out of a guardian's care, and back what that guardian agreed to for them. */
  removeGuardian(schoolId: string, link: Pick<GuardianLink, 'guardianId' | 'studentId'>): Promise<void>;
  guardiansOf(schoolId: string, studentId: string): Promise<GuardianLink[]>;
  childrenOf(guardian: Owner): Promise<GuardianLink[]>;
  consents(schoolId: string, studentId: string): Promise<ConsentRecord[]>;
  keepConsent(schoolId: string, consent: ConsentRecord): Promise<void>;
}

/** Whose memory it is beside its owner's: with which companion, and about which learner (null: about none). */
export type MemoryScope = { cartridgeId: string; learnerId: string | null };

/** What a text is searched by. */
export type Indexed = { words: string; stems: string };

export type ConversationDetails = {
  learnerId: string | null;
  /** Whose typed memory it draws on; null where it draws on none. */
  projectId: string | null;
  title: string | null;
  entryContext: string | null;
  /** How long nobody may say anything before it ends. */
  idleMs: number;
};

export type NewConversation = { session: SessionRecord; details: ConversationDetails; endsEarlier: boolean };

export type ConversationRecord = ConversationDetails & {
  id: string;
  cartridgeId: string;
  language: string;
  isActive: boolean;
  messages: number;
  createdAt: number;
  lastMessageAt: number | null;
  endedAt: number | null;
};

export type ConversationPage = { cartridgeId?: string; isActive?: boolean; offset: number; limit: number };

/** `content`: what was made, as JSON text; '' where nothing was. */
export type SessionPart = {
  sessionId: string;
  part: string;
  status: 'done' | 'failed' | 'skipped';
  content: string;
  madeAt: number;
  /** Where what was made can be searched. */
  indexed?: (Indexed & { text: string }) | null;
};

export type RecalledSession = {
  sessionId: string;
  summary: string;
  topics: string[];
  startedAt: number;
  endedAt: number;
};

export type MemoryTurn = {
  id: string;
  role: 'user' | 'assistant';
  content: string;
  saidAt: number;
  sessionId: string | null;
};

export type RollingMemory = MemoryScope & {
  id: string;
  summary: string;
  turnCount: number;
  version: number;
  /** Why the summary could not be brought up to date; null where it could, or is being. */
  failure: string | null;
  /** All turns since the last archive, oldest first. */
  turns: MemoryTurn[];
  /** How many of them the summary has taken in. */
  summarised: number;
  createdAt: number;
  updatedAt: number;
};

export type RollIn = {
  /** For a memory that is not there yet. */
  newId: string;
  turns: readonly (MemoryTurn & Indexed)[];
  archiveAfter: number;
  /** For an archive, should there be one. */
  archiveId: string;
  now: number;
};

export type KeepSummary = {
  expectedVersion: number;
  summary: string;
  /** How many of the turns it has taken in. */
  summarised: number;
  indexed: Indexed;
  now: number;
};

export type ArchivedMemory = {
  id: string;
  summary: string;
  turnCount: number;
  reason: 'long' | 'cleared';
  archivedAt: number;
};

export type FactRecord = {
  id: string;
  kind: string;
  text: string;
  /** Where it was said; null where that is not known any more. */
  sessionId: string | null;
  exchangeId: string | null;
  learnedAt: number;
  supersededAt: number | null;
  supersededBy: string | null;
};

export type NewFact = Omit<FactRecord, 'supersededAt' | 'supersededBy'> & Indexed & { supersedes: string | null };

export type ParentNoteRecord = {
  id: string;
  schoolId: string;
  studentId: string;
  studentName: string | null;
  sessionId: string;
  cartridgeId: string;
  subject: string;
  durationMinutes: number;
  summary: string;
  highlights: string[];
  concerns: string[] | null;
  suggestions: string[] | null;
  generatedAt: number;
  viewedAt: number | null;
};

/** `id`: what conversations and memories name the learner by. */
export type LearnerRecord = { id: string; name: string; createdAt: number };

export type GuardianLink = {
  guardianId: string;
  guardianName: string | null;
  studentId: string;
  studentName: string | null;
  createdAt: number;
};

export type ConsentRecord = {
  studentId: string;
  kind: string;
  isGranted: boolean;
  /** Who said so. */
  byUser: string;
  changedAt: number;
};
