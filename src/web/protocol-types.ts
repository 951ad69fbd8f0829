/** What the server says to a page, as protocol.md has it: names in snake_case, times in ISO 8601 UTC, ids opaque. */

export type Role = 'student' | 'teacher' | 'facilitator' | 'guardian' | 'admin';

export type Me = {
  user_id: string;
  role: Role;
  school_id: string;
  class_id: string | null;
  display_name?: string | null;
};

export type Joined = {
  token: string;
  expires_at: string;
  role: Role;
  user_id: string;
  display_name: string | null;
  class: { id: string; title: string };
};

/** One cartridge of the list; what would give the trick away is not in it for a student. */
export type CartridgeSummary = {
  id: string;
  kind: 'lesson' | 'companion';
  title: string;
  description: string;
  language: string;
  time_minutes: number;
};

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

export type SearchProgress = {
  available_queries: string[];
  searched_queries: string[];
  key_findings_found: number;
  min_key_findings: number;
  can_submit: boolean;
};

export type InvestigationInteraction = SearchProgress & {
  type: 'investigation';
  submit_target: string;
};

export type InteractionView = ButtonInteraction | FreeformInteraction | InvestigationInteraction | { type: 'other' };

export type Action = 'choice' | 'investigate' | 'respond' | 'debrief';
export type Outcome = 'trickster_wins' | 'partial' | 'trickster_loses';

export type ExchangeView = {
  id: string;
  role: 'student' | 'trickster' | 'user' | 'assistant';
  content: string;
  phase: string;
  turn_id: string;
  redacted: boolean;
  created_at: string;
};

export type RevealView = { key_lesson: string; additional_resources: unknown[] };

export type SessionView = {
  session_id: string;
  cartridge_id: string;
  cartridge_title: string;
  language: string;
  status: string;
  current_phase: string;
  title: string;
  content: BlockView[];
  trickster_intro: string | null;
  interaction: InteractionView | null;
  available_actions: Action[];
  is_terminal: boolean;
  evaluation_outcome: Outcome | null;
  reveal: RevealView | null;
  exchanges: ExchangeView[];
  exchanges_count: number;
  active_turn_id: string | null;
  /** Who makes the replies: a model, or the lesson's own script where there is none. */
  ai: 'model' | 'offline' | null;
  /** The teacher has paused the lesson. */
  frozen: boolean;
};

export type InvestigationView = SearchProgress & {
  query: string;
  results: BlockView[];
  unlocked_queries: string[];
};

/** `application/problem+json`. */
export type Problem = {
  type?: string;
  title?: string;
  status: number;
  code: string;
  detail?: string;
  instance?: string;
  errors?: { path: string; message: string }[];
  /** With `TURN_IN_PROGRESS`: the live turn. */
  turn_id?: string;
  /** With `CARTRIDGE_CHANGED`: where to go on. */
  initial_phase?: string;
};
