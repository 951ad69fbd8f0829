import type {
  CartridgeSummary,
  ConversationPage,
  ConversationView,
  GreetingView,
  LearnerView,
  Me,
  MemoryCleared,
  MemorySearchView,
  MemoryUpdate,
  MemoryView,
  WidgetView,
} from '../protocol-types.ts';
import { fetchCartridges, fetchMe } from './common-calls.ts';
import { type CallOptions, createServerCalls, type ServerOptions } from './server-calls.ts';
import { createTurnCalls, type OutgoingMessage } from './turn-calls.ts';
import type { TurnEvent } from './turn-event.ts';
import type { StreamOptions } from './turn-stream.ts';

/** Which rolling memory is meant: of a companion, about a learner or (null) about nobody in particular. */
export type MemoryScope = { cartridgeId: string; learnerId: string | null };

export type NewConversation = MemoryScope & {
  /** The project it is about, where the companion keeps one for each; null for the one without a name. */
  projectId?: string | null | undefined;
  language?: string | undefined;
  /** Where the person comes from, and what they asked there. */
  entry?: { source: string | null; query: string | null } | undefined;
};

export type WidgetAnswer = { status: 'confirmed' | 'dismissed'; value?: unknown };

/**
 * The routes of companions: conversations, what is remembered of them, and whom they are about. Calls and streams
 * resolve, mend themselves and throw as the lessons' client does.
 */
export interface CompanionClient {
  /** Who the caller is; null for nobody. */
  me(options?: CallOptions): Promise<Me | null>;
  cartridges(options?: CallOptions): Promise<CartridgeSummary[]>;
  /** A companion's first words, without a conversation being begun. */
  greeting(asked: NewConversation, options?: CallOptions): Promise<GreetingView>;
  /** What the last conversations left. */
  recalled(scope: MemoryScope, options?: CallOptions): Promise<MemoryView>;
  begin(asked: NewConversation): Promise<ConversationView>;
  /** The caller's conversations, the one touched last first; pages count from 1. */
  conversations(
    asked: { cartridgeId?: string; active?: boolean; page?: number; limit?: number },
    options?: CallOptions,
  ): Promise<ConversationPage>;
  conversation(id: string, options?: CallOptions): Promise<ConversationView>;
  /** Ends a conversation and has it remembered; ended again, the same. */
  end(id: string): Promise<void>;
  /** Says something and streams the reply. With the same `clientMessageId` a repeat never says it twice. */
  respond(id: string, message: OutgoingMessage, options?: StreamOptions): AsyncIterable<TurnEvent>;
  /** Streams a turn from `after` (a sequence number, 0 for all) on. */
  follow(id: string, turnId: string, options?: StreamOptions & { after?: number }): AsyncIterable<TurnEvent>;
  stop(id: string, turnId: string): Promise<void>;
  /** Confirms (as shown, or with a value) or puts aside what was shown. `CHANGED_MEANWHILE` where it was before. */
  answerWidget(id: string, widgetId: string, answer: WidgetAnswer): Promise<WidgetView>;
  /** The rolling memory; null where nothing is remembered. `NOT_FOUND` where the companion keeps none. */
  memory(scope: MemoryScope, options?: CallOptions): Promise<MemoryUpdate>;
  searchMemory(
    scope: MemoryScope,
    asked: { search: string; includeArchive: boolean; page?: number },
    options?: CallOptions,
  ): Promise<MemorySearchView>;
  /** Puts the caller's own words in the summary's place. */
  editMemory(scope: MemoryScope, summary: string): Promise<MemoryUpdate>;
  /** Archives the memory and forgets it; false where there was nothing. */
  clearMemory(scope: MemoryScope): Promise<boolean>;
  learners(options?: CallOptions): Promise<LearnerView[]>;
  addLearner(name: string): Promise<LearnerView>;
}

const memoryPath = '/api/conversation-memory';

/** A client for one server's companions. */
export function createCompanionClient(options: ServerOptions = {}): CompanionClient {
  const server = createServerCalls(options);
  const { json, call } = server;
  const conversation = (id: string) => `/api/conversations/${encodeURIComponent(id)}`;
  const turns = createTurnCalls({ server, pathOf: conversation });
  const update = async (path: string, sending?: Parameters<typeof json>[1]) =>
    (await json<{ conversation_update: MemoryUpdate }>(path, sending)).conversation_update;
  const scopeQuery = ({ cartridgeId, learnerId }: MemoryScope) => ({
    cartridge_id: cartridgeId,
    learner_id: learnerId ?? undefined,
  });

  return {
    me: (init) => fetchMe(server, init),
    cartridges: (init) => fetchCartridges(server, init),
    greeting: ({ language, cartridgeId, learnerId }, init) =>
      json(withQuery('/api/conversations/greeting', { ...scopeQuery({ cartridgeId, learnerId }), language }), init),
    recalled: (scope, init) => json(withQuery('/api/conversations/memory', scopeQuery(scope)), init),
    begin: ({ cartridgeId, learnerId, projectId, language, entry }) =>
      json('/api/conversations', {
        body: {
          cartridge_id: cartridgeId,
          learner_id: learnerId,
          ...(projectId ? { project_id: projectId } : {}),
          ...(language ? { language } : {}),
          ...(entry ? { entry_context: entry } : {}),
        },
      }),
    conversations: ({ cartridgeId, ...asked }, init) =>
      json(withQuery('/api/conversations', { cartridge_id: cartridgeId, ...asked }), init),
    conversation: (id, init) => json(conversation(id), init),
    end: async (id) => void (await call(`${conversation(id)}/end`, { method: 'POST' })),
    respond: (id, message, init) => turns.say(id, `${conversation(id)}/messages`, { ...message, options: init }),
    follow: turns.follow,
    stop: turns.stop,
    answerWidget: (id, widgetId, answer) =>
      json(`${conversation(id)}/widgets/${encodeURIComponent(widgetId)}`, { body: answer }),
    memory: (scope, init) => update(withQuery(memoryPath, scopeQuery(scope)), init),
    searchMemory: (scope, { search, includeArchive, page }, init) =>
      json(withQuery(memoryPath, { ...scopeQuery(scope), search, include_archive: includeArchive, page }), init),
    editMemory: ({ cartridgeId, learnerId }, summary) =>
      update(memoryPath, { method: 'PUT', body: { cartridge_id: cartridgeId, learner_id: learnerId, summary } }),
    clearMemory: async (scope) =>
      (await json<MemoryCleared>(withQuery(memoryPath, scopeQuery(scope)), { method: 'DELETE' })).archived,
    learners: async (init) => (await json<{ items: LearnerView[] }>('/api/learners', init)).items,
    addLearner: (name) => json('/api/learners', { body: { name } }),
  };
}

function withQuery(path: string, query: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
