import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { CompanionCartridge } from '../../src/cartridge/companion.ts';
import { SimulatedClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { defaultSettings } from '../../src/core/settings.ts';
import { type Random, seededRandom } from '../../src/core/random.ts';
import { ContextLoader } from '../../src/engine/companion-loader.ts';
import { beginConversation } from '../../src/engine/conversation-session.ts';
import type { ConversationRecord } from '../../src/engine/ports/companion-store.ts';
import { FrozenPrompts } from '../../src/engine/frozen-prompts.ts';
import { ProjectMemory } from '../../src/engine/project-memory.ts';
import { openCartridgeLibrary } from '../../src/library/cartridge-library.ts';
import { openPromptLibrary } from '../../src/library/prompt-library.ts';
import { memoryItemTypes } from '../../src/memory/typed-memory.ts';
import { assembleCompanionCall } from '../../src/prompt/companion-call.ts';
import type { SqliteStore } from '../../src/store/sqlite-store.ts';
import { readMemoryQuestions } from '../fixtures/memory-questions/memory-questions.ts';
import { readProjectMemories } from '../fixtures/project-memories.ts';
import { quantiles } from './memory-search.ts';
import { openTemporaryStore, owner, tokensOf } from './memory-store.ts';

export type AssemblyPlan = { items: number; messages: number };

const usualPlan: AssemblyPlan = { items: 10_000, messages: 500 };
const now = Date.UTC(2026, 10, 21, 12);
const projectId = 'large';
/** Messages before those that are measured, from the same source. */
const warmUp = 100;
const historyMessages = 10;
const goalMs = 5;

/**
 * How long it takes to put a project manager's call together in a project of many items, from the message to the whole
 * call: choosing memories, loading the context (which chooses them too) and assembling. No message comes twice.
 */
export async function measureContextAssembly({ items, messages }: AssemblyPlan = usualPlan) {
  await using opened = await openTemporaryStore();
  const clock = new SimulatedClock(now);
  const root = join(import.meta.dirname, '../..');
  const shelf = { folder: join(root, 'cartridges'), logger: silentLogger, clock, watch: false };
  await using cartridges = await openCartridgeLibrary(shelf);
  await using prompts = await openPromptLibrary({ folder: join(root, 'prompts'), logger: silentLogger, watch: false });
  const companion = cartridges.companion('project-manager')?.cartridge;
  if (!companion) throw new Error('the project manager is not there');
  const random = seededRandom(21);
  const said = await sentences();
  const { store } = opened;
  const put_a_second = await fill(store, { items, said, random, companion });
  const projects = new ProjectMemory({ prepared: store.prepared, clock, random });
  const { companions, prepared } = store;
  const loader = new ContextLoader({ companions, prepared, projects, tokensOf });
  const { texts } = await new FrozenPrompts(prompts, store).of(companion, null, 'openai');
  const asked = messagesFrom(said, warmUp + messages, random);
  const times = { choose: [] as number[], load: [] as number[], assemble: [] as number[], whole: [] as number[] };
  let memories = 0;
  let first = 0;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  for (const [index, { message, language }] of asked.entries()) {
    if (index === warmUp) {
      for (const each of Object.values(times)) each.length = 0;
      memories = 0;
      delay.enable();
    }
    const began = performance.now();
    await projects.choose(owner, { projectId, message, policy: companion.memory.typed, language });
    const chosen = performance.now();
    const history = asked.slice(Math.max(0, index - historyMessages), index + 1);
    const { context } = await loader.load({
      owner,
      companion,
      conversation: conversationIn(language),
      state: beginConversation('k-0badcafe'),
      said: history.map((one) => one.message),
      prompts: texts,
      now,
    });
    const loaded = performance.now();
    assembleCompanionCall({
      context,
      history: history.map(({ message: content }, at) => ({ id: String(at), role: 'user', content })),
      mark: 'k-0badcafe',
      budgetTokens: defaultSettings.promptBudgetTokens,
      tokensOf: (text) => tokensOf(text, language),
      extraLayers: [],
    });
    const assembled = performance.now();
    times.choose.push(chosen - began);
    times.load.push(loaded - chosen);
    times.assemble.push(assembled - loaded);
    times.whole.push(assembled - chosen);
    if (index === 0) first = assembled - began;
    memories += context.typed?.memories.length ?? 0;
  }
  delay.disable();
  const whole = quantiles(times.whole);
  return {
    items,
    messages,
    put_a_second,
    choose_ms: quantiles(times.choose),
    load_ms: quantiles(times.load),
    assemble_ms: quantiles(times.assemble),
    whole_ms: whole,
    first_message_ms: Math.round(first * 100) / 100,
    memories_a_message: memories / messages,
    event_loop_held_up_ms: { p99: delay.percentile(99) / 1e6 - 1, max: delay.max / 1e6 - 1 },
    goal: `p99 of whole_ms under ${goalMs}: ${whole.p99 < goalMs ? 'met' : 'missed'}`,
  };
}

type Sentence = { text: string; language: 'en' | 'lt' };

/** What people wrote, in both languages: the turns and facts of the conversations, the items of the projects. */
async function sentences(): Promise<Sentence[]> {
  const { conversations } = await readMemoryQuestions();
  const projects = await readProjectMemories();
  return [
    ...conversations.flatMap(({ language, turns, facts }) =>
      [...turns.map(({ content }) => content), ...facts.map(({ text }) => text)].map((text) => ({ text, language })),
    ),
    ...projects.flatMap(({ items }) =>
      items.map(({ value }) => {
        const text = typeof value === 'string' ? value : `${value.user_input} ${value.reply}`;
        return { text, language: /[ąčęėįšųūž]/u.test(text) ? ('lt' as const) : ('en' as const) };
      }),
    ),
  ];
}

type FillOrder = { items: number; said: readonly Sentence[]; random: Random; companion: CompanionCartridge };

/** Items of three sentences and two words that no other has, from 29 days old to an hour. Gives how many went in a second. */
async function fill({ prepared }: SqliteStore, { items, said, random, companion }: FillOrder): Promise<number> {
  const memory = new ProjectMemory({ prepared, clock: new SimulatedClock(now), random });
  const hourMs = 3_600_000;
  const before = performance.now();
  for (let start = 0; start < items; start += 500) {
    const batch = Array.from({ length: Math.min(500, items - start) }, (_, offset) => {
      const index = start + offset;
      const language = random.fraction() < 0.5 ? 'en' : 'lt';
      const own = said.filter((one) => one.language === language);
      const names = [0, 1].map(() => `k${Math.floor(random.fraction() * 1e9).toString(36)}`);
      const value = [...[0, 1, 2].map(() => drawOne(own, random).text), ...names].join(' ');
      const type = memoryItemTypes[index % memoryItemTypes.length] ?? 'message';
      const at = now - hourMs - Math.round(28.9 * 24 * hourMs * (1 - index / items));
      const item = { id: `item-${index}`, projectId, type, key: `key-${index}`, value, now: at };
      return prepared.putItem(owner, memory.itemOf(item, companion.memory.typed));
    });
    await Promise.all(batch);
  }
  return Math.round(items / ((performance.now() - before) / 1_000));
}

/** Messages of 3 to 14 words that stand together in a sentence, no message twice. */
function messagesFrom(said: readonly Sentence[], count: number, random: Random) {
  const messages = new Map<string, 'en' | 'lt'>();
  while (messages.size < count) {
    const { text, language } = drawOne(said, random);
    const words = text.split(/\s+/u);
    const length = 3 + Math.floor(random.fraction() * 12);
    const start = Math.floor(random.fraction() * Math.max(1, words.length - length));
    messages.set(words.slice(start, start + length).join(' '), language);
  }
  return [...messages].map(([message, language]) => ({ message, language }));
}

function drawOne(said: readonly Sentence[], random: Random): Sentence {
  const drawn = said[Math.floor(random.fraction() * said.length)];
  if (!drawn) throw new Error('there is nothing to draw from');
  return drawn;
}

function conversationIn(language: 'en' | 'lt'): ConversationRecord {
  return {
    id: 'conversation',
    cartridgeId: 'project-manager',
    language,
    learnerId: null,
    projectId,
    title: null,
    entryContext: null,
    idleMs: 900_000,
    isActive: true,
    messages: historyMessages,
    createdAt: now,
    lastMessageAt: now,
    endedAt: null,
  };
}
