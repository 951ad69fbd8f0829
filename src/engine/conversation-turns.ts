import { newId } from '../core/ids.ts';
import { screenInput } from '../safety/input-screen.ts';
import { awaitMemory } from './await-memory.ts';
import { companionCharacter } from './companion-character.ts';
import type { ContextLoader } from './companion-loader.ts';
import { levelsOf } from './companion-loader.ts';
import type { CartridgeVersions } from './cartridge-versions.ts';
import { conversationPhase, readConversationState } from './conversation-session.ts';
import type { FrozenPrompts } from './frozen-prompts.ts';
import { type Refusal, refuse } from './outcome.ts';
import type { CompanionStore } from './ports/companion-store.ts';
import type { MemorySearch } from './ports/memory-search.ts';
import type { ModelProvider, ModelTier } from './ports/model.ts';
import type { LoadedSession, NewTurn, Owner, TurnRecord } from './ports/store.ts';
import type { ProjectMemory } from './project-memory.ts';
import { createProjectTurn } from './project-turn.ts';
import type { TurnParts } from './turn-job.ts';
import { turnRates } from './turn-limits.ts';
import { alertsFor, type PreparedTurn, type TurnStarter, type TurnTicket } from './turn-start.ts';

export type ConversationTurnParts = TurnParts & {
  starter: TurnStarter;
  companions: CompanionStore;
  search: MemorySearch;
  projects: ProjectMemory;
  loader: ContextLoader;
  versions: CartridgeVersions;
  prompts: FrozenPrompts;
  models: Readonly<Record<ModelTier, ModelProvider>>;
  /** Speaks for a cartridge with `has_static_fallback` while its model is down. */
  fallback: ModelProvider;
};

/** Makes the turns of conversations with companions ready. */
export class ConversationTurns {
  readonly #parts: ConversationTurnParts;

  constructor(parts: ConversationTurnParts) {
    this.#parts = parts;
  }

  /**
   * Keeps a person's message and starts the turn that answers it. The same `clientMessageId` gets the turn it made the
   * first time; one that was interrupted or failed retryably gets a new turn for the same words.
   */
  respond(
    owner: Owner,
    sessionId: string,
    request: { message: string; clientMessageId: string | null },
  ): Promise<Refusal | TurnTicket> {
    const { clientMessageId } = request;
    return this.#parts.starter.begin({
      owner,
      sessionId,
      prepare: () => this.#prepare(owner, sessionId, request),
      earlier: async () =>
        clientMessageId === null ? null : this.#parts.store.turnOfMessage(owner, sessionId, clientMessageId),
    });
  }

  /** A turn of a conversation of the owner's. */
  turn(owner: Owner, sessionId: string, turnId: string): Promise<TurnRecord | null> {
    return this.#parts.starter.turn(owner, sessionId, turnId);
  }

  /** Ends a turn where it stands; a turn that is over stays as it is. */
  stop(owner: Owner, sessionId: string, turnId: string): Promise<Refusal | { kind: 'stopping' }> {
    return this.#parts.starter.stop(owner, sessionId, turnId);
  }

  async #prepare(
    owner: Owner,
    sessionId: string,
    { message, clientMessageId }: { message: string; clientMessageId: string | null },
  ): Promise<Refusal | PreparedTurn> {
    const { store, companions, versions, prompts, models, safety, random, clock, limits } = this.#parts;
    const [loaded, conversation] = await Promise.all([
      store.loadSession(owner, sessionId),
      companions.conversation(owner, sessionId),
    ]);
    if (loaded?.session.kind !== 'companion' || !conversation) return refuse('NOT_FOUND');
    const { session } = loaded;
    if (session.status !== 'active') return refuse('SESSION_ENDED', conversationEnded);
    if (session.frozen) return refuse('SESSION_FROZEN');
    const companion = await versions.companion(session.cartridgeId, session.cartridgeHash);
    const provider = models[companion.ai_config.model_preference];
    const state = readConversationState(session);
    if (state.exchanges === 0)
      await awaitMemory(this.#parts, owner, { cartridgeId: companion.id, learnerId: conversation.learnerId });
    const now = clock.now();
    const [{ texts, freeze }, context] = await Promise.all([
      prompts.of(companion, session.prompts, provider.promptsOf ?? provider.name),
      this.#parts.loader.load({
        owner,
        companion,
        conversation,
        state,
        said: saidWith(loaded, message),
        prompts: [],
        now,
      }),
    ]);
    const screen = screenInput(safety, message, { language: session.language, safeWords: [] });
    const turn: NewTurn = {
      id: newId(random),
      owner,
      sessionId,
      expectedVersion: session.version,
      kind: 'conversation',
      clientMessageId,
      exchange: { id: newId(random), role: 'user', content: message, phase: conversationPhase },
      freeze,
      rates: turnRates(limits, owner, now),
      alerts: alertsFor(screen, random),
      now,
    };
    const prepared = { turn, loaded, companion, provider, screen, conversation };
    const withPrompts = { ...context, context: { ...context.context, prompts: texts } };
    return {
      kind: 'prepared',
      turn,
      session,
      job: (exchangeId) => this.#job({ ...prepared, context: withPrompts }, exchangeId),
    };
  }

  #job(
    { turn, loaded, companion, provider, screen, conversation, context }: Prepared,
    exchangeId: string | null,
  ): ReturnType<PreparedTurn['job']> {
    const { random, companions, search, projects, fallback, tokensOf } = this.#parts;
    const { session, exchanges } = loaded;
    const { owner } = turn;
    const again = exchanges.find((exchange) => exchange.id === exchangeId);
    const message = again?.content ?? turn.exchange?.content ?? '';
    const history = exchanges
      .filter((exchange) => exchange.id !== exchangeId)
      .map(({ id, role, content }) => ({
        id,
        role: role === 'user' ? ('user' as const) : ('assistant' as const),
        content,
      }));
    const hasFallback = companion.ai_config.has_static_fallback && provider.name !== fallback.name;
    const { language } = session;
    return {
      turnId: turn.id,
      owner,
      session,
      kind: 'conversation',
      provider,
      fallback: hasFallback ? fallback : null,
      screen,
      character: companionCharacter({
        turnId: turn.id,
        session,
        companion,
        state: readConversationState(session),
        loaded: context,
        history: [...history, { id: exchangeId ?? turn.id, role: 'user', content: message }],
        screen,
        tools: {
          owner,
          cartridgeId: companion.id,
          learnerId: conversation.learnerId,
          companions,
          search,
          random,
        },
        project:
          companion.reply_format === undefined
            ? null
            : createProjectTurn({
                companion,
                language,
                projectId: conversation.projectId,
                message,
                // Signs of crisis are for people, not for a project's memory.
                isRemembered: screen.crisis.length === 0,
                workflow: context.workflow,
                workflowAt: context.workflowAt,
                levels: levelsOf(companion, language),
                startedAt: turn.now,
                random,
                tokensOf: (text) => tokensOf(text, language),
                itemOf: (item) => projects.itemOf(item, companion.memory.typed),
              }),
      }),
    };
  }
}

type Prepared = {
  turn: NewTurn;
  loaded: LoadedSession;
  companion: Parameters<typeof companionCharacter>[0]['companion'];
  provider: ModelProvider;
  screen: Parameters<typeof companionCharacter>[0]['screen'];
  conversation: NonNullable<Awaited<ReturnType<CompanionStore['conversation']>>>;
  context: Awaited<ReturnType<ContextLoader['load']>>;
};

const conversationEnded = { detail: 'This conversation has ended. Begin a new one to go on.' };

/** What the person said, the message that is answered now at its end: words tried again are there already. */
function saidWith({ exchanges }: LoadedSession, message: string): string[] {
  const said = exchanges.filter(({ role }) => role === 'user').map(({ content }) => content);
  const last = exchanges.at(-1);
  const isAgain = last?.role === 'user' && last.content === message;
  return isAgain ? said : [...said, message];
}
