import type { z } from 'zod';
import type * as protocol from '../http/protocol.ts';

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

/** `application/problem+json`; of a response that is none, only the status is sure. */
export type Problem = { status: number; code: string } & Partial<Omit<protocol.Problem, 'status' | 'code'>>;
