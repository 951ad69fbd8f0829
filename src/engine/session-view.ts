import {
  isBlock,
  isInteraction,
  type LessonBlock,
  type LessonCartridge,
  type LessonPhase,
} from '../cartridge/lesson.ts';
import { isoTime } from '../core/clock.ts';
import { type Investigation, investigationOf, type LessonState, phaseOf } from './machine.ts';
import type { ExchangeRecord, LoadedSession } from './ports/store.ts';

/** What a session's page is made from: names in snake_case, as they go out. */
export type SessionView = {
  session_id: string;
  cartridge_id: string;
  cartridge_title: string;
  language: string;
  status: string;
  frozen: boolean;
  current_phase: string;
  title: string;
  content: Record<string, unknown>[];
  trickster_intro: string | null;
  interaction: Record<string, unknown> | null;
  available_actions: ('choice' | 'investigate' | 'respond' | 'debrief')[];
  is_terminal: boolean;
  evaluation_outcome: string | null;
  reveal: { key_lesson: string; additional_resources: readonly unknown[] } | null;
  exchanges: ExchangeView[];
  exchanges_count: number;
  active_turn_id: string | null;
  /** `offline` where no model is behind the character. Null where the lesson has no character. */
  ai: 'model' | 'offline' | null;
};

export type ExchangeView = {
  id: string;
  role: string;
  content: string;
  phase: string;
  turn_id: string;
  redacted: boolean;
  created_at: string;
};

export type ViewInput = {
  loaded: LoadedSession;
  lesson: LessonCartridge;
  state: LessonState;
  /** Paths of the asset files that are there. */
  assets: ReadonlySet<string>;
  ai: 'model' | 'offline';
};

/** The view of a session as it stands. Patterns, checklist and key findings not yet found are never in it. */
export function viewSession({ loaded, lesson, state, assets, ai }: ViewInput): SessionView {
  const { session } = loaded;
  const phase = phaseOf(lesson, state);
  const investigation = investigationOf(lesson, state);
  return {
    session_id: session.id,
    cartridge_id: session.cartridgeId,
    cartridge_title: lesson.title,
    language: session.language,
    status: session.status,
    frozen: session.frozen,
    current_phase: state.phase,
    title: phase?.title ?? lesson.title,
    content: phase ? contentOf(lesson, phase, investigation).map((block) => withAssets(lesson, block, assets)) : [],
    trickster_intro: phase?.trickster_content ?? null,
    interaction: phase ? viewInteraction(phase, investigation) : null,
    available_actions: actionsOf(lesson, state, phase, session.frozen),
    is_terminal: state.completed,
    evaluation_outcome: state.outcome,
    reveal: state.completed
      ? { key_lesson: lesson.reveal.key_lesson, additional_resources: lesson.reveal.additional_resources }
      : null,
    exchanges: loaded.exchanges.map(viewExchange),
    exchanges_count: state.exchanges,
    active_turn_id: loaded.liveTurnId,
    ai: lesson.ai_config ? ai : null,
  };
}

/** A block as a client gets it: as authored, with a URL beside each asset path, null where the file is not there. */
export function withAssets(
  lesson: LessonCartridge,
  block: LessonBlock,
  assets: ReadonlySet<string>,
): Record<string, unknown> {
  const fields = block as Readonly<Record<string, unknown>>;
  const path = ['src', 'image_src', 'image']
    .map((key) => fields[key])
    .find((value) => typeof value === 'string' && value !== '');
  if (typeof path !== 'string') return { ...fields };
  if (path.startsWith('https://')) return { ...fields, src_url: path };
  const clean = path.replace(/^\.\//u, '');
  const url = `/cartridges/${encodeURIComponent(lesson.task_id)}/${clean.split('/').map(encodeURIComponent).join('/')}`;
  return { ...fields, src_url: assets.has(clean) ? url : null };
}

function contentOf(lesson: LessonCartridge, phase: LessonPhase, investigation: Investigation): LessonBlock[] {
  const byId = new Map(lesson.presentation_blocks.map((block) => [block.id, block]));
  const visible = phase.visible_blocks.flatMap((id) => byId.get(id) ?? []);
  if (!isInteraction(phase.interaction, 'investigation')) return visible;
  // What can be looked up is seen once it was looked up.
  return [...visible.filter((block) => !isBlock(block, 'search_result')), ...investigation.found];
}

function viewInteraction(phase: LessonPhase, investigation: Investigation): Record<string, unknown> | null {
  const { interaction } = phase;
  if (!interaction) return null;
  if (isInteraction(interaction, 'button')) {
    // The context labels are the author's words for the model, not for the student.
    return {
      type: 'button',
      choices: interaction.choices.map(({ label, target_phase }, index) => ({ index, label, target_phase })),
    };
  }
  if (isInteraction(interaction, 'investigation')) return { ...interaction, ...viewInvestigation(investigation) };
  return { ...interaction };
}

/** An investigation's progress, as it goes out. */
export function viewInvestigation(investigation: Investigation) {
  return {
    available_queries: investigation.available,
    searched_queries: investigation.searched,
    key_findings_found: investigation.keyFindings,
    min_key_findings: investigation.needed,
    can_submit: investigation.canSubmit,
  };
}

function actionsOf(
  lesson: LessonCartridge,
  state: LessonState,
  phase: LessonPhase | null,
  frozen: boolean,
): SessionView['available_actions'] {
  if (state.completed) return lesson.ai_config ? ['debrief'] : [];
  if (frozen) return [];
  if (isInteraction(phase?.interaction, 'button')) return ['choice'];
  if (isInteraction(phase?.interaction, 'investigation')) return ['investigate', 'choice'];
  return phase?.is_ai_phase && lesson.ai_config ? ['respond'] : [];
}

/** An exchange as clients get it. */
export function viewExchange(exchange: ExchangeRecord): ExchangeView {
  return {
    id: exchange.id,
    role: exchange.role,
    content: exchange.content,
    phase: exchange.phase,
    turn_id: exchange.turnId,
    redacted: exchange.redacted,
    created_at: isoTime(exchange.createdAt),
  };
}
