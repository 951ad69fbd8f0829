import type { CompanionCartridge } from '../../src/cartridge/companion.ts';
import { SimulatedClock } from '../../src/core/clock.ts';
import { newId } from '../../src/core/ids.ts';
import type { Random } from '../../src/core/random.ts';
import { beginConversation, conversationPhase, writeConversation } from '../../src/engine/conversation-session.ts';
import type { ConversationRecord } from '../../src/engine/ports/companion-store.ts';
import type { Owner } from '../../src/engine/ports/store.ts';
import { ProjectMemory } from '../../src/engine/project-memory.ts';
import { analyseText } from '../../src/memory/search-text.ts';
import { advanceWorkflow, beginWorkflow, type WorkflowState } from '../../src/memory/workflow.ts';
import { levelsOf } from '../../src/engine/companion-loader.ts';
import type { SqliteStore } from '../../src/store/sqlite-store.ts';
import type { LabelledProject } from '../fixtures/project-memories.ts';
import { type FullTexts, fullProfile } from './memory-full-texts.ts';
import { tokensOf } from './memory-store.ts';

/** `longer`: how many times as long each text is as what people and models usually leave. */
export type Fullness = {
  language: 'en' | 'lt';
  texts: FullTexts;
  project: LabelledProject;
  longer: number;
  /** Of all that is put into one store, so that no id comes twice. */
  random: Random;
};

export type FullMemory = { owner: Owner; conversation: ConversationRecord };

export const fullNow = Date.UTC(2026, 10, 21, 12);
const dayMs = 24 * 3_600_000;
const turnsKept = 50;
const factsKept = 60;

/**
 * Fills everything that a companion can be told of, in the real store and through its ports: rolling memory, facts,
 * ended conversations, profile, objectives, a project's items and its workflow. Gives the conversation that comes next.
 */
export async function fillMemory(
  store: SqliteStore,
  companion: CompanionCartridge,
  fullness: Fullness,
): Promise<FullMemory> {
  const owner = { schoolId: 'school', userId: `${companion.id}-${fullness.language}-${fullness.longer}` };
  const filling = { store, owner, companion, fullness, random: fullness.random };
  const learnerId = companion.id === 'mentor' ? 'learner-1' : null;
  const projectId = companion.memory.typed ? fullness.project.id : null;
  const name = fullness.longer > 1 ? 'Žemyna Marija '.repeat(30).trim() : 'Žemyna Kazlauskaitė';
  await store.companions.keepLearner(owner, { id: 'learner-1', name, createdAt: fullNow });
  await fillRolling(filling, learnerId);
  await fillSessions(filling, learnerId);
  await fillPrepared(filling);
  if (projectId !== null) await fillProject(filling, projectId);
  const entryContext = fullness.texts.entry.repeat(fullness.longer);
  const id = await begin(filling, { learnerId, projectId, entryContext, at: fullNow });
  const conversation = await store.companions.conversation(owner, id);
  if (!conversation) throw new Error('the conversation that was just begun is not there');
  return { owner, conversation };
}

type Filling = { store: SqliteStore; owner: Owner; companion: CompanionCartridge; fullness: Fullness; random: Random };

async function fillRolling({ store, owner, companion, fullness, random }: Filling, learnerId: string | null) {
  const { companions } = store;
  const { texts, language, longer } = fullness;
  const scope = { cartridgeId: companion.id, learnerId };
  const turns = Array.from({ length: turnsKept }, (_, index) => {
    const content = texts.turns[index % texts.turns.length] ?? '';
    const role = index % 2 === 0 ? ('user' as const) : ('assistant' as const);
    const turn = { id: newId(random), role, content, saidAt: fullNow - (turnsKept - index) * 60_000, sessionId: null };
    return { ...turn, ...analyseText(content, language) };
  });
  const order = { newId: newId(random), turns, archiveAfter: turnsKept, archiveId: newId(random), now: fullNow };
  const memory = await companions.rollIn(owner, scope, order);
  const summary = texts.words((companion.memory.rolling?.summary_words[1] ?? 200) * longer);
  await companions.keepSummary(owner, scope, {
    expectedVersion: memory.version,
    summary,
    summarised: turnsKept,
    indexed: analyseText(summary, language),
    now: fullNow,
  });
  const facts = Array.from({ length: factsKept }, (_, index) => {
    const text = `${texts.facts[index % texts.facts.length] ?? ''} `.repeat(longer).trim();
    const from = { kind: 'context', sessionId: null, exchangeId: turns[0]?.id ?? null, supersedes: null };
    const learnedAt = fullNow - (factsKept - index) * dayMs;
    return { id: newId(random), text, ...from, learnedAt, ...analyseText(text, language) };
  });
  await companions.keepFacts(owner, scope, facts);
}

/** As many ended conversations as the companion recalls, each with a summary and topics. */
async function fillSessions(filling: Filling, learnerId: string | null): Promise<void> {
  const { store, owner, companion, fullness } = filling;
  const { texts, longer } = fullness;
  const policy = companion.memory.sessions;
  for (let index = 0; index < (policy?.recall ?? 0); index += 1) {
    const at = fullNow - (index + 1) * dayMs;
    const sessionId = await begin(filling, { learnerId, projectId: null, entryContext: '', at });
    await store.companions.endConversation(owner, sessionId, at + 1_800_000);
    const topics = texts.topics.slice(0, policy?.max_topics).map((topic) => `${topic} `.repeat(longer).trim());
    const part = { sessionId, status: 'done' as const, madeAt: at };
    await store.companions.keepPart(owner, { ...part, part: 'summary', content: texts.words(120 * longer) });
    await store.companions.keepPart(owner, { ...part, part: 'topics', content: JSON.stringify(topics) });
  }
}

async function fillPrepared({ store, owner, companion, fullness }: Filling): Promise<void> {
  const { schoolId, userId } = owner;
  const { texts, longer } = fullness;
  const profile = JSON.stringify(fullProfile(fullness.texts, longer));
  await store.prepared.saveProfile(schoolId, userId, { profile, expectedVersion: 0, updatedBy: userId, now: fullNow });
  const lines = texts.facts.map((fact) => `${fact} `.repeat(longer).trim());
  const objectives = JSON.stringify({
    priority_questions: lines.slice(0, 6),
    check_on: lines.slice(6, 12),
    updates_to_share: lines.slice(12, 18),
  });
  const sheet = { cartridgeId: companion.id, objectives, reason: 'daily', generatedAt: fullNow };
  await store.prepared.saveObjectives(schoolId, userId, sheet);
}

async function fillProject({ store, owner, companion, fullness, random }: Filling, projectId: string): Promise<void> {
  const { language, texts, longer, project } = fullness;
  for (const { type, key, value, hoursAgo } of project.items) {
    const clock = new SimulatedClock(Math.round(fullNow - hoursAgo * 3_600_000));
    const memory = new ProjectMemory({ prepared: store.prepared, clock, random });
    const item = { projectId, type, key, value: longer > 1 ? Array.from({ length: longer }, () => value) : value };
    await memory.remember(owner, item, companion.memory.typed);
  }
  const levels = levelsOf(companion, language);
  let state: WorkflowState = beginWorkflow(texts.words(80 * longer), fullNow);
  for (const insight of texts.facts.slice(0, levels.length - 1)) {
    const reply = { confidence: 0.96, text: insight, insights: [insight], now: fullNow };
    const rules = { levels, language, tokensOf: (text: string) => tokensOf(text, language) };
    const step = advanceWorkflow(state, { ...reply, summary: texts.words(90 * longer) }, rules);
    if (step.kind === 'advanced') state = step.state;
  }
  const workflow = { state: JSON.stringify(state), updatedAt: fullNow, expiresAt: state.expiresAt };
  await store.prepared.saveWorkflow(owner, projectId, workflow);
}

type Beginning = { learnerId: string | null; projectId: string | null; entryContext: string; at: number };

async function begin({ store, owner, companion, fullness, random }: Filling, conversation: Beginning): Promise<string> {
  const { at, ...details } = conversation;
  const id = newId(random);
  await store.companions.createConversation({
    session: {
      id,
      schoolId: owner.schoolId,
      ownerId: owner.userId,
      ownerRole: 'student',
      classId: null,
      kind: 'companion',
      cartridgeId: companion.id,
      cartridgeHash: companion.id,
      language: fullness.language,
      status: 'active',
      frozen: false,
      phase: conversationPhase,
      outcome: null,
      state: writeConversation(beginConversation('k-0badcafe')),
      prompts: null,
      version: 0,
      createdAt: at,
      updatedAt: at,
      endedAt: null,
    },
    details: { ...details, title: null, idleMs: 900_000 },
    endsEarlier: false,
  });
  return id;
}
