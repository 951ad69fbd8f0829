import { join } from 'node:path';
import { type CompanionCartridge, layersOf } from '../../src/cartridge/companion.ts';
import { SimulatedClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { type Random, seededRandom } from '../../src/core/random.ts';
import { defaultSettings } from '../../src/core/settings.ts';
import { ContextLoader } from '../../src/engine/companion-loader.ts';
import { beginConversation, type ConversationState, type Widget } from '../../src/engine/conversation-session.ts';
import { FrozenPrompts } from '../../src/engine/frozen-prompts.ts';
import { ProjectMemory } from '../../src/engine/project-memory.ts';
import { openCartridgeLibrary } from '../../src/library/cartridge-library.ts';
import { openPromptLibrary } from '../../src/library/prompt-library.ts';
import type { AssembledCall } from '../../src/prompt/assemble.ts';
import { assembleCompanionCall } from '../../src/prompt/companion-call.ts';
import type { CompanionContext } from '../../src/prompt/companion-context.ts';
import type { SqliteStore } from '../../src/store/sqlite-store.ts';
import { readProjectMemories } from '../fixtures/project-memories.ts';
import { fillMemory, fullNow, type Fullness } from './memory-full.ts';
import { fullTextsIn } from './memory-full-texts.ts';
import { openTemporaryStore, tokensOf } from './memory-store.ts';

const root = join(import.meta.dirname, '../..');
/** Exchanges that a conversation has had before the present message. */
const exchanges = 10;
/** How much longer each text is where it is tried whether the budgets hold. */
const overfull = 12;

/** Messages that many items of the labelled projects have to do with, so that as many are told as may be. */
const broadMessages = {
  en: 'Which books, copies and titles can pupils borrow, and which loans does the librarian see?',
  lt: 'Kokius duomenis stoties jutiklis siunčia į serverį ir kas rodoma grafike?',
};

/**
 * What each shipped companion's call costs in tokens (as the house estimates them) when everything it can be told of is
 * there, by layer; and whether each layer stays within its budget, also where every text is far too long.
 */
export async function measurePromptTokens() {
  await using opened = await openTemporaryStore();
  const clock = new SimulatedClock(fullNow);
  await using cartridges = await openCartridgeLibrary({
    folder: join(root, 'cartridges'),
    logger: silentLogger,
    clock,
    watch: false,
  });
  await using prompts = await openPromptLibrary({ folder: join(root, 'prompts'), logger: silentLogger, watch: false });
  const frozen = new FrozenPrompts(prompts, opened.store);
  const random = seededRandom(7);
  const companions: Record<string, object> = {};
  const overBudget: string[] = [];
  const checked = { full: 0, overfull: 0 };
  for (const { cartridge } of cartridges.companions()) {
    const measured: Record<string, object> = {};
    for (const language of ['en', 'lt'] as const) {
      const fullness = await fullnessIn(language, random);
      const { texts } = await frozen.of(cartridge, null, 'openai');
      const assemble = async (longer: number) =>
        assembleFull(opened.store, cartridge, { ...fullness, longer, prompts: texts });
      const full = await assemble(1);
      measured[language] = viewTokens(full, cartridge);
      const calls = { full, overfull: await assemble(overfull) };
      for (const name of ['full', 'overfull'] as const) {
        const budgeted = budgetedLayers(calls[name], cartridge);
        checked[name] += budgeted.length;
        for (const { layer, tokens, budget } of budgeted)
          if (tokens > budget)
            overBudget.push(`${cartridge.id}, ${language}, ${name}: ${layer} takes ${tokens} of ${budget}`);
      }
    }
    companions[cartridge.id] = measured;
  }
  return { companions, layers_checked: checked, over_budget: overBudget };
}

async function fullnessIn(language: 'en' | 'lt', random: Random): Promise<Omit<Fullness, 'longer'>> {
  const projects = await readProjectMemories();
  const project = projects.find(({ id }) => id === (language === 'lt' ? 'oro-stotis' : 'library-desk'));
  if (!project) throw new Error('the labelled project is not there');
  return { language, project, random, texts: await fullTextsIn(language) };
}

type FullOrder = Fullness & { prompts: Awaited<ReturnType<FrozenPrompts['of']>>['texts'] };

type FullCall = { context: CompanionContext; call: AssembledCall };

async function assembleFull(store: SqliteStore, companion: CompanionCartridge, full: FullOrder): Promise<FullCall> {
  const { language, texts, longer, random, prompts } = full;
  const { owner, conversation } = await fillMemory(store, companion, full);
  const { companions, prepared } = store;
  const projects = new ProjectMemory({ prepared, clock: new SimulatedClock(fullNow), random });
  const loader = new ContextLoader({ companions, prepared, projects, tokensOf });
  const said = texts.turns.slice(0, exchanges * 2);
  const { context } = await loader.load({
    owner,
    companion,
    conversation,
    state: stateWith(texts.facts, longer),
    said: [...said.filter((_, index) => index % 2 === 0), broadMessages[language]],
    prompts,
    now: fullNow,
  });
  const history = [...said, broadMessages[language]].map((content, index) => ({
    id: String(index),
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content,
  }));
  const call = assembleCompanionCall({
    context,
    history,
    mark: 'k-0badcafe',
    budgetTokens: defaultSettings.promptBudgetTokens,
    tokensOf: (text) => tokensOf(text, language),
    extraLayers: [],
  });
  return { context, call };
}

/** Three widgets that wait and three that were confirmed. */
function stateWith(facts: readonly string[], longer: number): ConversationState {
  const widgets = facts.slice(0, 6).map(
    (title, index): Widget => ({
      id: `widget-${index}`,
      kind: 'choice',
      title: `${title} `.repeat(longer).slice(0, 400).trim(),
      data: {},
      profileField: null,
      status: index % 2 === 0 ? 'pending' : 'confirmed',
      value: 'Vilniaus universitetas '.repeat(longer).trim(),
    }),
  );
  return { ...beginConversation('k-0badcafe'), widgets };
}

function viewTokens({ context, call: { trace, tools } }: FullCall, companion: CompanionCartridge) {
  const layers = trace.layers.map((layer) => ('tokens' in layer ? [layer.name, layer.tokens] : [layer.name, null]));
  const budgets = layersOf(companion).flatMap(({ layer, budgetTokens }) =>
    budgetTokens === null ? [] : [[layer, budgetTokens]],
  );
  return {
    layers: Object.fromEntries(layers) as Record<string, number | null>,
    budgets: Object.fromEntries(budgets) as Record<string, number>,
    memories: context.typed?.memories.length ?? null,
    tools: tools.length,
    system_and_tools: trace.system_tokens,
    messages: trace.messages_sent,
    message_tokens: trace.message_tokens,
    total: trace.system_tokens + trace.message_tokens,
  };
}

/** The layers that are there and have a budget. */
function budgetedLayers({ call: { trace } }: FullCall, companion: CompanionCartridge) {
  return layersOf(companion).flatMap(({ layer, budgetTokens: budget }) => {
    const made = trace.layers.find(({ name }) => name === layer);
    return budget !== null && made && 'tokens' in made ? [{ layer, tokens: made.tokens, budget }] : [];
  });
}
