import type { RecalledMemory } from '../prompt/companion-context.ts';
import type { SessionChange, SessionRecord } from './ports/store.ts';

/** Something shown for the person to confirm or change. */
export type Widget = {
  readonly id: string;
  readonly kind: WidgetKind;
  readonly title: string;
  /** What it shows, by kind: options, items, a date, a school. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The profile's field that a confirmation reaches; null where it reaches none. */
  readonly profileField: string | null;
  readonly status: 'pending' | 'confirmed' | 'dismissed';
  readonly value: unknown;
};

export const widgetKinds = ['choice', 'date', 'checklist', 'school_card'] as const;
export type WidgetKind = (typeof widgetKinds)[number];

/** Where a conversation stands: plain data, kept with its session. */
export type ConversationState = {
  /** The random word that marks the session's prompt layers. */
  readonly mark: string;
  /** Messages that were answered. */
  readonly exchanges: number;
  /** The boundary of a redaction that the model has yet to be told of. */
  readonly redactedBoundary: string | null;
  /**
   * The rolling memory as it stood at the first message, and which one it was; the whole conversation keeps it, and
   * what is said in it is in its messages. Null before the first message and where there was none.
   */
  readonly recalled: { readonly memoryId: string; readonly memory: RecalledMemory } | null;
  readonly widgets: readonly Widget[];
};

export const conversationPhase = 'conversation';

/** Widgets beyond this many are forgotten, the oldest first. */
const mostWidgets = 50;

/** A conversation in which nothing was said yet. */
export function beginConversation(mark: string): ConversationState {
  return { mark, exchanges: 0, redactedBoundary: null, recalled: null, widgets: [] };
}

export function writeConversation(state: ConversationState): string {
  return JSON.stringify({ ...state, widgets: state.widgets.slice(-mostWidgets) });
}

/** The state as last kept. The store gives back what `writeConversation` made, so this only parses. */
export function readConversationState(session: SessionRecord): ConversationState {
  return JSON.parse(session.state) as ConversationState;
}

/** The change that puts an active conversation into `state`. */
export function conversationChange(session: SessionRecord, state: ConversationState, now: number): SessionChange {
  return {
    sessionId: session.id,
    expectedVersion: session.version,
    status: 'active',
    phase: conversationPhase,
    outcome: null,
    state: writeConversation(state),
    updatedAt: now,
  };
}
