import { z } from 'zod';
import type { CompanionCartridge, EndingName } from '../cartridge/companion.ts';
import { endings } from '../cartridge/companion.ts';
import { checkFacts } from '../memory/fact-check.ts';
import { analyseText } from '../memory/search-text.ts';
import { plainSummary } from '../memory/plain-summary.ts';
import { faultOfSummary, languageOf } from '../memory/summary-check.ts';
import { newId } from '../core/ids.ts';
import { isGranted } from './consent.ts';
import { type ModelTaskParts, readJsonReply, runModelTask, unusable } from './model-task.ts';
import type { CompanionStore, ConversationRecord, MemoryTurn } from './ports/companion-store.ts';
import type { Owner } from './ports/store.ts';
import { factId, numberedTurns } from './rolling-memories.ts';

export type SessionMemoryParts = ModelTaskParts & { companions: CompanionStore };

/** An ended conversation, with what of it may be remembered. */
export type EndedConversation = {
  owner: Owner;
  companion: CompanionCartridge;
  conversation: ConversationRecord;
  ownerName: string | null;
  /** The messages without those that showed signs of crisis and without withdrawn replies, oldest first. */
  turns: readonly MemoryTurn[];
};

/** Parts made for every ended conversation on its own; objectives are made for a person. */
export type SessionPartName = Exclude<EndingName, 'objectives'>;

type Made = { content: string; indexed?: { text: string; words: string; stems: string } | null };
type PartMaker = (ended: EndedConversation, signal: AbortSignal) => Promise<Made | null>;

const summaryWords = 200;
const line = z.string().transform((text) => text.replace(/\s+/gu, ' ').trim());
const lines = z
  .array(line)
  .nullish()
  .transform((list) => (list ?? []).filter((text) => text !== ''));
const sourced = z.union([
  z.string().transform((text) => ({ text, from: null })),
  z.object({ text: z.string(), from: z.number().nullish().catch(null) }),
]);
const sourcedList = z.array(sourced).nullish().catch([]);
const summaryReply = z.object({ summary: z.string() });
const factsReply = z.object({ decisions: sourcedList, preferences: sourcedList, learned: sourcedList });
const topicsReply = z.object({ topics: lines });
const learningsReply = z.object({ learnings: sourcedList });
const noteReply = z.object({ summary: line, highlights: lines, concerns: lines, suggestions: lines });

/** Makes what is remembered of conversations that have ended, each part on its own. */
export class SessionMemories {
  readonly #parts: SessionMemoryParts;
  readonly #makers: Readonly<Record<SessionPartName, PartMaker>>;

  constructor(parts: SessionMemoryParts) {
    this.#parts = parts;
    this.#makers = {
      summary: (ended, signal) => this.#summary(ended, signal),
      key_facts: (ended, signal) => this.#keyFacts(ended, signal),
      topics: (ended, signal) => this.#topics(ended, signal),
      learnings: (ended, signal) => this.#learnings(ended, signal),
      parent_note: (ended, signal) => this.#parentNote(ended, signal),
    };
  }

  /** The parts that a companion's cartridge asks for. */
  partsOf({ session }: CompanionCartridge): SessionPartName[] {
    return endings.filter((name): name is SessionPartName => name !== 'objectives' && session.on_end.includes(name));
  }

  /**
   * Makes one part and keeps it; one that is made already stays. Where there is nothing to make it of it is `skipped`.
   * Throws a retryable `AppError` where the model gave nothing that can be kept: what was there stays.
   */
  async make(ended: EndedConversation, part: SessionPartName, signal: AbortSignal): Promise<void> {
    const { companions, clock } = this.#parts;
    const { owner, conversation, turns } = ended;
    const sessionId = conversation.id;
    const kept = await companions.partsOf(owner, sessionId);
    if (kept.some((each) => each.part === part && each.status === 'done')) return;
    const hasWords = turns.some(({ role }) => role === 'user');
    const made = hasWords ? await this.#makers[part](ended, signal) : null;
    await companions.keepPart(owner, {
      sessionId,
      part,
      status: made ? 'done' : 'skipped',
      content: made?.content ?? '',
      madeAt: clock.now(),
      indexed: made?.indexed ?? null,
    });
  }

  /** Says that a part has failed for good, for whoever looks at the conversation. */
  async giveUp(owner: Owner, sessionId: string, part: string): Promise<void> {
    const { companions, clock } = this.#parts;
    const kept = await companions.partsOf(owner, sessionId);
    if (kept.some((each) => each.part === part && each.status === 'done')) return;
    await companions.keepPart(owner, { sessionId, part, status: 'failed', content: '', madeAt: clock.now() });
  }

  async #summary(ended: EndedConversation, signal: AbortSignal): Promise<Made | null> {
    const { language } = ended.conversation;
    const written = await this.#ask(ended, { name: 'summary', notes: [] }, signal);
    const parsed = summaryReply.safeParse(readJsonReply(written));
    const summary = parsed.success ? parsed.data.summary.trim() : plainSummary(written);
    if (summary === null) throw unusable('it is not the JSON that was asked for');
    // The model's word for a conversation that left nothing; a reply without a word is none.
    if (parsed.success && summary === '') return null;
    const fault = faultOfSummary(summary, { mostWords: summaryWords, language });
    if (fault !== null) throw unusable(`the summary is ${fault}`);
    return { content: summary, indexed: { text: summary, ...analyseText(summary, language) } };
  }

  /** Facts are kept on their own, each with the message it came from; the part holds them as they were found. */
  async #keyFacts(ended: EndedConversation, signal: AbortSignal): Promise<Made | null> {
    const { companions } = this.#parts;
    const { owner, companion, conversation, turns } = ended;
    const { language } = conversation;
    const written = await this.#ask(ended, { name: 'key_facts', notes: [] }, signal);
    const parsed = factsReply.safeParse(readJsonReply(written));
    if (!parsed.success) throw unusable('the key facts are not the JSON that was asked for');
    const scope = { cartridgeId: companion.id, learnerId: conversation.learnerId };
    const known = await companions.facts(owner, scope, false);
    const { decisions, preferences, learned } = parsed.data;
    const claims = [
      ...(decisions ?? []).map((fact) => ({ kind: 'decision', ...fact })),
      ...(preferences ?? []).map((fact) => ({ kind: 'preference', ...fact })),
      ...(learned ?? []).map((fact) => ({ kind: 'learned', ...fact })),
    ].map(({ from, ...fact }) => ({ ...fact, from: from ?? null, supersedes: null }));
    // Facts of an earlier run of this very work are not known ones: they get the same ids.
    const others = known.filter(({ id, exchangeId, text }) => id !== factId(conversation.id, exchangeId ?? '', text));
    const sources = turns.map((turn, index) => ({ number: index + 1, ...turn }));
    const facts = checkFacts(claims, { turns: sources, known: others, language });
    await companions.keepFacts(
      owner,
      scope,
      facts.map(({ kind, text, source, supersedes }) => ({
        id: factId(conversation.id, source.id, text),
        kind,
        text,
        sessionId: conversation.id,
        exchangeId: source.id,
        learnedAt: turns.find(({ id }) => id === source.id)?.saidAt ?? conversation.createdAt,
        supersedes,
        ...analyseText(text, language),
      })),
    );
    const of = (kind: string) => facts.filter((fact) => fact.kind === kind).map(({ text }) => text);
    return {
      content: JSON.stringify({ decisions: of('decision'), preferences: of('preference'), learned: of('learned') }),
    };
  }

  async #topics(ended: EndedConversation, signal: AbortSignal): Promise<Made | null> {
    const most = ended.companion.memory.sessions?.max_topics ?? 10;
    const written = await this.#ask(ended, { name: 'topics', notes: [`At most ${most} topics.`] }, signal);
    const parsed = topicsReply.safeParse(readJsonReply(written));
    if (!parsed.success) throw unusable('the topics are not the JSON that was asked for');
    const topics = [...new Set(parsed.data.topics)].slice(0, most).map((topic) => topic.slice(0, 80).toWellFormed());
    return { content: JSON.stringify(topics) };
  }

  async #learnings(ended: EndedConversation, signal: AbortSignal): Promise<Made | null> {
    const written = await this.#ask(ended, { name: 'learnings', notes: [] }, signal);
    const parsed = learningsReply.safeParse(readJsonReply(written));
    if (!parsed.success) throw unusable('the learnings are not the JSON that was asked for');
    const learnings = (parsed.data.learnings ?? []).map(({ text }) => text.replace(/\s+/gu, ' ').trim());
    return { content: JSON.stringify(learnings.filter((text) => text !== '').slice(0, 20)) };
  }

  /** Only with a guardian's consent; asked for again just before it is kept, for it may have been withdrawn. */
  async #parentNote(ended: EndedConversation, signal: AbortSignal): Promise<Made | null> {
    const { companions, clock, random } = this.#parts;
    const { owner, companion, conversation, ownerName } = ended;
    if (!(await isGranted(companions, owner, 'parent_notes'))) return null;
    const minutes = durationOf(conversation);
    const subject = companion.subject ?? companion.title;
    const written = await this.#ask(
      ended,
      { name: 'parent_note', notes: [`Subject: ${subject}. Duration: ${minutes} min.`] },
      signal,
    );
    const parsed = noteReply.safeParse(readJsonReply(written));
    if (!parsed.success) throw unusable('the note is not the JSON that was asked for');
    const { summary, highlights, concerns, suggestions } = parsed.data;
    if (summary === '') return null;
    const told = languageOf(summary);
    if (told !== null && told !== conversation.language) throw unusable('the note is in another language');
    if (!(await isGranted(companions, owner, 'parent_notes'))) return null;
    await companions.keepParentNote({
      id: newId(random),
      schoolId: owner.schoolId,
      studentId: owner.userId,
      studentName: ownerName,
      sessionId: conversation.id,
      cartridgeId: companion.id,
      subject,
      durationMinutes: minutes,
      summary: summary.slice(0, 1_200).toWellFormed(),
      highlights: highlights.slice(0, 5),
      concerns: concerns.length > 0 ? concerns.slice(0, 3) : null,
      suggestions: suggestions.length > 0 ? suggestions.slice(0, 3) : null,
      generatedAt: clock.now(),
      viewedAt: null,
    });
    return { content: '' };
  }

  #ask(
    { owner, companion, conversation, turns }: EndedConversation,
    { name, notes }: { name: string; notes: readonly string[] },
    signal: AbortSignal,
  ): Promise<string> {
    const said = turns.map(({ role, content }) => ({ role, content }));
    const { language } = conversation;
    return runModelTask(
      this.#parts,
      { owner, companion, name, language, notes, data: numberedTurns(turns), brief: { said, earlier: '' } },
      signal,
    );
  }
}

/** Whole minutes from the first to the last thing said, at least one. */
function durationOf({ createdAt, lastMessageAt }: ConversationRecord): number {
  return Math.max(1, Math.round(((lastMessageAt ?? createdAt) - createdAt) / 60_000));
}
