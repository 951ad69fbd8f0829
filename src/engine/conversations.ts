import type { CompanionCartridge } from '../cartridge/companion.ts';
import { isoTime } from '../core/clock.ts';
import { newId, newMark } from '../core/ids.ts';
import type { CartridgeVersions } from './cartridge-versions.ts';
import { usesProjects } from './companion-summary.ts';
import type { ContextLoader } from './companion-loader.ts';
import { viewWidget } from './companion-tools.ts';
import {
  beginConversation,
  conversationChange,
  conversationPhase,
  readConversationState,
  writeConversation,
} from './conversation-session.ts';
import { type Refusal, refuse } from './outcome.ts';
import type { CompanionStore, ConversationPage, ConversationRecord } from './ports/companion-store.ts';
import type { CartridgeLibrary, ServedCompanion } from './ports/library.ts';
import type { ModelProvider, ModelTier } from './ports/model.ts';
import type { LoadedSession, Owner, SessionRecord } from './ports/store.ts';
import type { Confirmed } from './profile-answers.ts';
import { viewExchange } from './session-view.ts';
import type { TurnRunner } from './turn.ts';
import type { TurnParts } from './turn-job.ts';
import { confirmWidget, type WidgetAnswer } from './widget-answer.ts';

export type Talker = Owner & { role: string; classId: string | null };

export type ConversationParts = Pick<TurnParts, 'store' | 'clock' | 'random'> & {
  companions: CompanionStore;
  library: CartridgeLibrary;
  versions: CartridgeVersions;
  loader: ContextLoader;
  runner: TurnRunner;
  models: Readonly<Record<ModelTier, ModelProvider>>;
  /** Brings a confirmed answer into the person's profile. */
  confirmed: (owner: Owner, answer: { field: string; title: string; value: unknown }) => Promise<Confirmed>;
};

export type ConversationRequest = {
  cartridgeId: string;
  learnerId: string | null;
  projectId: string | null;
  title: string | null;
  entryContext: string | null;
  language: string | null;
};

const attempts = 5;

/** What people do with companions apart from talking: begin a conversation, look at it, end it. */
export class Conversations {
  readonly #parts: ConversationParts;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  /** The active companions that are there for the person's role. */
  offered({ role }: Pick<Talker, 'role'>): ServedCompanion[] {
    return this.#parts.library
      .companions()
      .filter(({ cartridge }) => cartridge.status === 'active' && cartridge.audience.some((each) => each === role));
  }

  /** The companion that a request names; null where it is not for the person. */
  find(talker: Pick<Talker, 'role'>, cartridgeId: string): ServedCompanion | null {
    return this.offered(talker).find(({ cartridge }) => cartridge.id === cartridgeId) ?? null;
  }

  /** Begins a conversation, in one of the companion's languages. */
  async begin(talker: Talker, request: ConversationRequest): Promise<Refusal | { kind: 'view'; view: object }> {
    const { clock, random, versions, companions } = this.#parts;
    const served = this.find(talker, request.cartridgeId);
    if (!served) return refuse('NOT_FOUND');
    const { cartridge, hash } = served;
    const languages = [...new Set([cartridge.language, ...cartridge.available_languages])];
    const language = request.language ?? cartridge.language;
    if (!languages.includes(language))
      return refuse('INVALID_REQUEST', {
        errors: [{ path: 'language', message: `must be one of ${languages.join(', ')}` }],
      });
    const now = clock.now();
    await versions.keep(served, now);
    const session: SessionRecord = {
      id: newId(random),
      schoolId: talker.schoolId,
      ownerId: talker.userId,
      ownerRole: talker.role,
      classId: talker.classId,
      kind: 'companion',
      cartridgeId: cartridge.id,
      cartridgeHash: hash,
      language,
      status: 'active',
      frozen: false,
      phase: conversationPhase,
      outcome: null,
      state: writeConversation(beginConversation(newMark(random))),
      prompts: null,
      version: 0,
      createdAt: now,
      updatedAt: now,
      endedAt: null,
    };
    const { learnerId, title, entryContext } = request;
    const projectId = usesProjects(cartridge) ? (request.projectId ?? defaultProject) : null;
    await companions.createConversation({
      session,
      details: { learnerId, projectId, title, entryContext, idleMs: cartridge.session.inactivity_minutes * 60_000 },
      endsEarlier: cartridge.session.one_at_a_time,
    });
    return this.view(talker, session.id);
  }

  /** A conversation as its page is made from it, with what is remembered of earlier ones. */
  async view(owner: Owner, sessionId: string): Promise<Refusal | { kind: 'view'; view: object }> {
    const { store, companions, versions, models } = this.#parts;
    const [loaded, record] = await Promise.all([
      store.loadSession(owner, sessionId),
      companions.conversation(owner, sessionId),
    ]);
    if (!loaded || !record) return refuse('NOT_FOUND');
    const companion = await versions.companion(record.cartridgeId, loaded.session.cartridgeHash);
    const [memory, parts] = await Promise.all([
      this.memory(owner, companion, record.learnerId),
      companions.partsOf(owner, sessionId),
    ]);
    const state = readConversationState(loaded.session);
    const view = {
      ...viewConversation(record),
      cartridge_title: companion.title,
      greeting: (
        await this.greet(owner, companion, {
          name: loaded.ownerName,
          learnerId: record.learnerId,
          language: record.language,
        })
      ).greeting,
      memory,
      exchanges: loaded.exchanges.map(viewExchange),
      exchanges_count: state.exchanges,
      widgets: state.widgets.map(viewWidget),
      active_turn_id: loaded.liveTurnId,
      remembered: Object.fromEntries(parts.map(({ part, status }) => [part, status])),
      ai: models[companion.ai_config.model_preference].name === 'offline' ? 'offline' : 'model',
    };
    return { kind: 'view', view };
  }

  async list(owner: Owner, page: ConversationPage): Promise<{ items: object[]; total: number }> {
    const { items, total } = await this.#parts.companions.conversations(owner, page);
    return { items: items.map(viewConversation), total };
  }

  /** Ends a conversation and has it remembered; one that has ended stays as it is. A live reply is stopped first. */
  async end(owner: Owner, sessionId: string): Promise<Refusal | { kind: 'ended' }> {
    const { companions, store, runner, clock } = this.#parts;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const outcome = await companions.endConversation(owner, sessionId, clock.now());
      if (outcome === null) return refuse('NOT_FOUND');
      if (outcome !== 'busy') return { kind: 'ended' };
      const liveTurnId = (await store.loadSession(owner, sessionId))?.liveTurnId ?? null;
      if (liveTurnId !== null && !runner.isLive(liveTurnId)) return refuse('TURN_IN_PROGRESS', { turnId: liveTurnId });
      if (liveTurnId !== null) await runner.stop(liveTurnId);
    }
    return refuse('INTERNAL');
  }

  /** What the last conversations with a companion left. */
  async memory(owner: Owner, companion: CompanionCartridge, learnerId: string | null): Promise<object> {
    const { loader, companions } = this.#parts;
    const [recalled, sessions, rolling] = await Promise.all([
      loader.recall(owner, companion, learnerId),
      companions.recalledSessions(owner, { cartridgeId: companion.id, learnerId }, 1),
      companion.memory.rolling ? companions.rollingMemory(owner, { cartridgeId: companion.id, learnerId }) : null,
    ]);
    const [latest] = recalled.summaries;
    const lastDate = sessions[0]?.endedAt ?? rolling?.updatedAt ?? null;
    return {
      recent_summary: latest?.text ?? (rolling && rolling.summary !== '' ? rolling.summary : null),
      key_facts: recalled.facts.map(({ text }) => text),
      topics: recalled.topics,
      last_session_date: lastDate === null ? null : isoTime(lastDate),
    };
  }

  /** The companion's first words to a person, with what it remembers of them. */
  async greet(
    owner: Owner,
    companion: CompanionCartridge,
    { name, learnerId, language }: { name: string | null; learnerId: string | null; language?: string },
  ): Promise<{ greeting: string; topics: readonly string[] }> {
    const { topics, facts, summaries } = await this.#parts.loader.recall(owner, companion, learnerId);
    return {
      greeting: greetingOf(companion, {
        name,
        topics,
        language,
        hasMet: topics.length + facts.length + summaries.length > 0,
      }),
      topics,
    };
  }

  /** Keeps what a person made of a widget: confirmed it, changed it, or put it aside. */
  async answerWidget(
    owner: Owner,
    sessionId: string,
    answer: { widgetId: string } & WidgetAnswer,
  ): Promise<Refusal | { kind: 'view'; view: object }> {
    const { store, clock, confirmed } = this.#parts;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const loaded = await store.loadSession(owner, sessionId);
      if (loaded?.session.kind !== 'companion') return refuse('NOT_FOUND');
      const answered = this.#answer(loaded, answer);
      if (answered.kind === 'refused') return answered;
      const { widget, state } = answered;
      // First into the profile, where once more changes nothing: what is answered is then never lost on the way there.
      if (widget.status === 'confirmed' && widget.profileField !== null) {
        const { profileField: field, title, value } = widget;
        const kept = await confirmed(owner, { field, title, value });
        if (kept === 'conflict') return refuse('CHANGED_MEANWHILE');
        if (kept === 'does_not_fit') {
          const message = 'does not fit the profile: shorten it, or take something out of the profile first';
          return refuse('INVALID_REQUEST', { errors: [{ path: 'value', message }] });
        }
      }
      const change = conversationChange(loaded.session, state, clock.now());
      if ((await store.saveSession(owner, { ...change, status: loaded.session.status })) !== 'saved') continue;
      return { kind: 'view', view: viewWidget(widget) };
    }
    return refuse('INTERNAL');
  }

  #answer({ session, liveTurnId }: LoadedSession, { widgetId, ...answer }: { widgetId: string } & WidgetAnswer) {
    if (liveTurnId !== null) return refuse('TURN_IN_PROGRESS', { turnId: liveTurnId });
    const state = readConversationState(session);
    const widget = state.widgets.find(({ id }) => id === widgetId);
    if (!widget) return refuse('NOT_FOUND');
    const answered = confirmWidget(widget, answer);
    if (answered.kind === 'refused') return answered;
    const widgets = state.widgets.map((each) => (each.id === widgetId ? answered.widget : each));
    return { ...answered, state: { ...state, widgets } };
  }
}

/** What conversations draw on where nobody said which project they are about. */
const defaultProject = 'default';

function viewConversation(record: ConversationRecord): Record<string, unknown> {
  return {
    id: record.id,
    conversation_id: record.id,
    cartridge_id: record.cartridgeId,
    learner_id: record.learnerId,
    project_id: record.projectId,
    title: record.title,
    entry_context: record.entryContext,
    language: record.language,
    active: record.isActive,
    message_count: record.messages,
    created_at: isoTime(record.createdAt),
    last_message_at: record.lastMessageAt === null ? null : isoTime(record.lastMessageAt),
    ended_at: record.endedAt === null ? null : isoTime(record.endedAt),
  };
}

function greetingOf(
  companion: CompanionCartridge,
  {
    name,
    topics,
    language = companion.language,
    hasMet,
  }: {
    name: string | null;
    topics: readonly string[];
    language?: string | undefined;
    hasMet: boolean;
  },
): string {
  const called = (name ?? '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, 40);
  const comma = called === '' ? '' : `, ${called}`;
  if (!hasMet) {
    const greetings = new Map(Object.entries(companion.greeting ?? {}));
    const own = greetings.get(language) ?? greetings.get(companion.language);
    const hello = language === 'lt' ? `Labas${comma}!` : `Hello${comma}!`;
    return own === undefined ? hello : `${hello} ${own}`;
  }
  const listed = topics.slice(0, 3).join(', ');
  if (language === 'lt')
    return `Labas${comma}! Malonu vėl susitikti.${listed === '' ? '' : ` Praėjusį kartą kalbėjomės apie tai: ${listed}.`} Nuo ko pradėsime šiandien?`;
  return `Hello${comma}! Good to see you again.${listed === '' ? '' : ` Last time we talked about ${listed}.`} Where shall we begin today?`;
}
