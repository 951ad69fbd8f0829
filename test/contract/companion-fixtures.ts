import { onTestFinished } from 'vitest';
import type {
  CompanionStore,
  ConversationDetails,
  MemoryTurn,
  NewConversation,
  NewFact,
  ParentNoteRecord,
  RollIn,
  SessionPart,
} from '../../src/engine/ports/companion-store.ts';
import type { MemorySearch } from '../../src/engine/ports/memory-search.ts';
import type { LeasedJob, Queue } from '../../src/engine/ports/queue.ts';
import type { Owner, SessionRecord, Store } from '../../src/engine/ports/store.ts';
import { parseQuery } from '../../src/memory/search-query.ts';
import { analyseText } from '../../src/memory/search-text.ts';
import { aSession, freshId, start } from './store-fixtures.ts';

/** An adapter over an empty database of its own: what companions keep, and what is committed together with it. */
export type CompanionsUnderTest = {
  store: Store;
  companions: CompanionStore;
  queue: Queue;
  search: MemorySearch;
  close: () => Promise<void>;
};
export type OpenCompanions = () => Promise<CompanionsUnderTest>;

export const idleMs = 15 * 60_000;

/** Text as people, models and those who mean ill may write it, and as a store keeps it. */
export const hostileTexts: readonly { name: string; written: string; kept: string }[] = [
  { name: 'a NUL', written: 'a\0b', kept: 'a\uFFFDb' },
  { name: 'lone surrogates', written: '\uDC00x\uD800', kept: '\uFFFDx\uFFFD' },
  { name: 'emoji and Lithuanian', written: '👩‍🏫 Ąžuolėlis – „ėį“ 🇱🇹', kept: '👩‍🏫 Ąžuolėlis – „ėį“ 🇱🇹' },
  { name: 'SQL', written: `'); DROP TABLE facts; -- "%_`, kept: `'); DROP TABLE facts; -- "%_` },
  { name: '100 kB', written: 'ilgas žodis '.repeat(8_500), kept: 'ilgas žodis '.repeat(8_500) },
];

export function aConversation(
  owner: Owner,
  over: Partial<SessionRecord> & Partial<ConversationDetails> & { endsEarlier?: boolean } = {},
): NewConversation {
  const { learnerId = null, projectId = null, title = null, entryContext = null, ...others } = over;
  const { idleMs: stays = idleMs, endsEarlier = false, ...session } = others;
  return {
    session: aSession(owner, {
      kind: 'companion',
      cartridgeId: 'mentor',
      phase: 'conversation',
      state: '{}',
      ...session,
    }),
    details: { learnerId, projectId, title, entryContext, idleMs: stays },
    endsEarlier,
  };
}

export async function keepConversation(
  companions: CompanionStore,
  owner: Owner,
  over: Parameters<typeof aConversation>[1] = {},
): Promise<SessionRecord> {
  const made = aConversation(owner, over);
  await companions.createConversation(made);
  return made.session;
}

/** A conversation that was ended `after` milliseconds from the start. */
export async function keepEnded(
  companions: CompanionStore,
  owner: Owner,
  { after = 60_000, ...over }: Parameters<typeof aConversation>[1] & { after?: number } = {},
): Promise<SessionRecord> {
  const session = await keepConversation(companions, owner, over);
  await companions.endConversation(owner, session.id, start + after);
  return session;
}

export function aPart(sessionId: string, over: Partial<SessionPart> = {}): SessionPart {
  return { sessionId, part: 'summary', status: 'done', content: 'Kalbėta apie trupmenas.', madeAt: start, ...over };
}

export function aMemoryTurn(over: Partial<MemoryTurn> = {}): RollIn['turns'][number] {
  const content = over.content ?? 'Ema jau moka trupmenas.';
  const turn = { id: freshId('said'), role: 'user' as const, content, saidAt: start, sessionId: null };
  return { ...turn, ...analyseText(content, 'lt'), ...over };
}

export function someTurns(count: number, over: Partial<MemoryTurn> = {}): RollIn['turns'] {
  return Array.from({ length: count }, () => aMemoryTurn(over));
}

export function aRollIn(turns: RollIn['turns'], over: Partial<RollIn> = {}): RollIn {
  return { newId: freshId('memory'), turns, archiveAfter: 50, archiveId: freshId('archive'), now: start, ...over };
}

export function aFact(over: Partial<NewFact> = {}): NewFact {
  const text = over.text ?? 'Mėgsta pavyzdžius iš krepšinio.';
  const said = { sessionId: null, exchangeId: null, learnedAt: start, supersedes: null };
  return { id: freshId('fact'), kind: 'preference', text, ...said, ...analyseText(text, 'lt'), ...over };
}

export function aNote(
  student: Owner,
  session: Pick<SessionRecord, 'id' | 'cartridgeId'>,
  over: Partial<ParentNoteRecord> = {},
): ParentNoteRecord {
  return {
    id: freshId('note'),
    schoolId: student.schoolId,
    studentId: student.userId,
    studentName: null,
    sessionId: session.id,
    cartridgeId: session.cartridgeId,
    subject: 'Matematika',
    durationMinutes: 12,
    summary: 'Mokėsi trupmenų.',
    highlights: ['Pats rado klaidą'],
    concerns: null,
    suggestions: ['Pakartoti dalybą'],
    generatedAt: start,
    viewedAt: null,
    ...over,
  };
}

/** Everything of the kinds that is in the queue and due by the end of time, taken out of it. */
export async function drain(queue: Queue, kinds: readonly string[] = ['remember']): Promise<LeasedJob[]> {
  const jobs: LeasedJob[] = [];
  const now = start + 10 * 365 * 24 * 3_600_000;
  for (;;) {
    const outcome = await queue.lease({ kinds, now, leaseMs: 60_000 });
    if (outcome.kind === 'none') return jobs;
    jobs.push(outcome.job);
    await queue.complete(outcome.job.lease, now);
  }
}

/** The ids of documents of a person's that have all the words, put in last first. */
export async function found(
  search: MemorySearch,
  owner: Owner,
  { text, includeArchive = false, cartridgeId }: { text: string; includeArchive?: boolean; cartridgeId?: string },
): Promise<string[]> {
  const scope = { includeArchive, ...(cartridgeId === undefined ? {} : { cartridgeId }) };
  const request = { query: parseQuery(text), match: 'all' as const, limit: 1_000, offset: 0, ...scope };
  return (await search.searchMemory(owner, request)).hits.map(({ id }) => id);
}

/** Opens an adapter that closes with the test. */
export async function openForTest(open: OpenCompanions): Promise<CompanionsUnderTest> {
  const opened = await open();
  onTestFinished(() => opened.close());
  return opened;
}
