import { isInteraction } from '../cartridge/lesson.ts';
import { assembleCall, type AssembledCall, type PromptTool } from './assemble.ts';
import type { Layer } from './layer.ts';
import { checklistOf, debriefLayers, dialogueLayers, type LessonContext } from './lesson-layers.ts';
import type { HistoryMessage } from './trim.ts';

export const transitionToolName = 'transition_phase';
export const signals = ['understood', 'partial', 'max_reached'] as const;
export type Signal = (typeof signals)[number];

/** How the model says that the phase is over. Offered only once the phase's `min_exchanges` are reached. */
export const transitionTool: PromptTool = {
  name: transitionToolName,
  description:
    'Ends this part of the lesson. "understood": the student has shown that they see through it. "partial": they see some of it, and more talk will not get them further. "max_reached": the conversation has run its length.',
  parameters: {
    type: 'object',
    properties: {
      signal: { type: 'string', enum: [...signals], description: 'How far the student got.' },
      response_text: {
        type: 'string',
        description: 'Your last words to the student, where you have not written them already.',
      },
    },
    required: ['signal'],
  },
};

/** A point that a character with no model behind it can ask about. */
export type PromptPoint = {
  id: string;
  description: string;
  isMandatory: boolean;
  technique: string | null;
  realWorld: string | null;
};

export type CallInput = {
  kind: 'dialogue' | 'debrief';
  context: LessonContext;
  /** The session's messages, oldest first, the student's present one last. */
  history: readonly HistoryMessage[];
  /** The session's random mark: see `joinLayers`. */
  mark: string;
  budgetTokens: number;
  tokensOf: (text: string) => number;
  /** Layers of the moment, after all others: crisis, de-escalation. */
  extraLayers?: readonly Layer[];
};

/** Puts a lesson's call together: layers into the system prompt, history into the budget that is left, tools. */
export function assembleLessonCall(input: CallInput): AssembledCall {
  const { context, tokensOf, kind, mark, history } = input;
  const own = kind === 'debrief' ? debriefLayers(context) : dialogueLayers(context);
  const asked = { id: 'debrief', role: 'user' as const, content: debriefRequest(context.language) };
  return assembleCall({
    layers: [...own, ...(input.extraLayers ?? [])],
    tools: kind === 'dialogue' && context.transitionOffered ? [transitionTool] : [],
    history: kind === 'debrief' ? [...history, asked] : history,
    mark,
    // The debrief speaks of the whole conversation, so nothing of it is left out.
    budgetTokens: kind === 'debrief' ? Number.POSITIVE_INFINITY : input.budgetTokens,
    tokensOf,
  });
}

/** The opening line of the phase's conversation; empty where it has none. */
export function openingOf({ phase }: Pick<LessonContext, 'phase'>): string {
  return isInteraction(phase.interaction, 'freeform') ? phase.interaction.trickster_opening : '';
}

/** What the phase is to bring the student to see. */
export function pointsOf({ cartridge, phase }: LessonContext): PromptPoint[] {
  const patterns = new Map(cartridge.evaluation.patterns_embedded.map((pattern) => [pattern.id, pattern]));
  return checklistOf(cartridge, phase).map((item) => {
    const pattern = item.patternIds.map((id) => patterns.get(id)).find((found) => found !== undefined);
    return {
      id: item.id,
      description: item.description,
      isMandatory: item.isMandatory,
      technique: pattern?.technique ?? null,
      realWorld: pattern?.real_world_connection ?? null,
    };
  });
}

function debriefRequest(language: string): string {
  return language === 'lt'
    ? '(Pamoka baigėsi. Papasakok, kas iš tikrųjų vyko.)'
    : '(The lesson is over. Tell me what was really going on.)';
}
