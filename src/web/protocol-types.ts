import type { z } from 'zod';
import type * as conversation from '../http/conversation-protocol.ts';
import type * as held from '../http/me-protocol.ts';
import type * as prepared from '../http/prepared-protocol.ts';
import type * as protocol from '../http/protocol.ts';
import type * as student from '../http/student-protocol.ts';

/**
 * What the server says to a page: the types of the schemas that its requests are checked by, and narrower ones where
 * a schema lets a cartridge's own fields through.
 */

export type Me = z.infer<typeof protocol.me> & { display_name?: string | null };
export type Joined = protocol.JoinResponse;
export type CartridgeSummary = protocol.CartridgeListItem;
export type ExchangeView = protocol.SessionView['exchanges'][number];

/** A block as authored, with the address of its file beside the file's name; null where the file is missing. */
export type BlockView = { id: string; type: string; src_url?: string | null; [key: string]: unknown };

export type ButtonInteraction = {
  type: 'button';
  choices: { index: number; label: string; target_phase: string }[];
};

export type FreeformInteraction = {
  type: 'freeform';
  trickster_opening: string;
  min_exchanges: number;
  max_exchanges: number;
};

/** How far an investigation has come. */
export type SearchProgress = Pick<
  protocol.InvestigateResponse,
  'available_queries' | 'searched_queries' | 'key_findings_found' | 'min_key_findings' | 'can_submit'
>;

export type InvestigationInteraction = SearchProgress & { type: 'investigation'; submit_target: string };

/** `other` stands for every type that this version does not know. */
export type InteractionView = ButtonInteraction | FreeformInteraction | InvestigationInteraction | { type: 'other' };

export type SessionView = Omit<protocol.SessionView, 'content' | 'interaction'> & {
  content: BlockView[];
  interaction: InteractionView | null;
};

export type InvestigationView = Omit<protocol.InvestigateResponse, 'results'> & { results: BlockView[] };

export type ConversationItem = z.infer<typeof conversation.conversationItem>;
export type ConversationPage = z.infer<typeof conversation.conversationList>;
export type GreetingView = z.infer<typeof conversation.greetingView>;
export type LearnerView = z.infer<typeof conversation.learnerView>;
export type MemoryView = z.infer<typeof conversation.memoryView>;
/** Null where nothing is remembered. */
export type MemoryUpdate = z.infer<typeof conversation.memoryUpdateView>['conversation_update'];
export type RollingMemory = NonNullable<MemoryUpdate>;
export type MemorySearchView = z.infer<typeof conversation.memorySearchView>;
export type MemoryHit = MemorySearchView['results'][number];
export type MemoryCleared = z.infer<typeof conversation.memoryClearedView>;

export type School = {
  name: string;
  location?: string | null;
  /** `yyyy-mm-dd`. */
  deadline?: string | null;
  notes?: string | null;
};

type Shown = { id: string; title: string; status: 'pending' | 'confirmed' | 'dismissed' };

/** Something shown for the person to confirm or change; `value` is what was confirmed, null before. */
export type WidgetView = Shown &
  (
    | { kind: 'choice'; options: string[]; value: string | null }
    | { kind: 'date'; date?: string | null; value: string | null }
    | { kind: 'checklist'; items: string[]; value: { item: string; done: boolean }[] | null }
    | { kind: 'school_card'; school: School; value: School | null }
  );

export type ConversationView = Omit<z.infer<typeof conversation.conversationView>, 'widgets'> & {
  widgets: WidgetView[];
};

/** `application/problem+json`; of a response that is none, only the status is sure. */
export type Problem = { status: number; code: string } & Partial<Omit<protocol.Problem, 'status' | 'code'>>;

export type ConsentView = z.infer<typeof held.consentList>['items'][number];
export type ParentNotePage = z.infer<typeof held.parentNoteList>;
export type ParentNoteView = z.infer<typeof held.parentNoteView>;
/** What was erased: how many rows of which table, and no word of what they said. */
export type ErasureReceipt = z.infer<typeof held.erasureReceipt>;

export type StudentView = z.infer<typeof student.studentView>;
/** What is not known has no key. */
export type Profile = Partial<z.infer<typeof prepared.profileView>['profile']>;
export type ProfileView = Omit<z.infer<typeof prepared.profileView>, 'profile'> & { profile: Profile };
export type ObjectivesView = z.infer<typeof prepared.objectivesView>['items'][number];
export type GuardianLink = z.infer<typeof held.guardianView>;
export type GuardianView = z.infer<typeof held.guardianList>['items'][number];
