import type { JsonPath } from '../core/json-source.ts';
import type { Complaint } from './finding.ts';
import { isInteraction, type LessonCartridge, type LessonPhase } from './lesson.ts';
import { waysOn } from './phase-ways.ts';
import { quote } from './schema-complaints.ts';

type Rule = { readonly lesson: LessonCartridge; readonly phase: LessonPhase; readonly at: JsonPath };

/** What a phase has to be in itself: a conversation whole, an end without a way on, anything else with one. */
export function checkPhases(lesson: LessonCartridge): Complaint[] {
  return lesson.phases.flatMap((phase, index) => {
    const rule = { lesson, phase, at: ['phases', index] };
    return [...checkConversation(rule), ...(phase.is_terminal ? checkEnd(rule) : checkMiddle(rule))];
  });
}

function checkConversation({ phase, at }: Rule): Complaint[] {
  const { interaction, ai_transitions: transitions, is_ai_phase: isAi } = phase;
  const isFreeform = isInteraction(interaction, 'freeform');
  const name = quote(phase.id);
  const complaints: Complaint[] = [];
  if (isAi && !phase.is_terminal && !isFreeform) {
    complaints.push({
      severity: 'error',
      path: [...at, 'interaction'],
      message: `The AI phase ${name} has no "freeform" interaction, so nobody can talk in it.`,
      hint: 'Add "interaction": { "type": "freeform", "trickster_opening": "…", "min_exchanges": 2, "max_exchanges": 6 }, or set "is_ai_phase" to false.',
    });
  }
  if (isAi && !phase.is_terminal && !transitions) {
    complaints.push({
      severity: 'error',
      path: [...at, 'ai_transitions'],
      message: `The AI phase ${name} has no "ai_transitions", so its conversation leads nowhere.`,
      hint: 'Add "ai_transitions": { "on_success": "…", "on_partial": "…", "on_max_exchanges": "…" } with ids of phases.',
    });
  }
  if (!isAi && isFreeform && !phase.is_terminal) {
    complaints.push({
      severity: 'error',
      path: [...at, 'interaction'],
      message: `The phase ${name} has a "freeform" interaction but is not an AI phase, so nobody would answer.`,
      hint: 'Add "is_ai_phase": true.',
    });
  } else if (!isAi && transitions && !phase.is_terminal) {
    complaints.push({
      severity: 'warning',
      path: [...at, 'ai_transitions'],
      message: `"ai_transitions" mean nothing in ${name}, which is not an AI phase.`,
      hint: 'Remove them, or set "is_ai_phase" to true.',
    });
  }
  return complaints;
}

function checkEnd({ lesson, phase, at }: Rule): Complaint[] {
  const complaints: Complaint[] = [];
  const key = phase.ai_transitions ? 'ai_transitions' : phase.is_ai_phase ? 'is_ai_phase' : 'interaction';
  const isTalk = phase.is_ai_phase || isInteraction(phase.interaction, 'freeform');
  if (isTalk || phase.ai_transitions || waysOn(lesson, phase).size > 0) {
    complaints.push({
      severity: 'error',
      path: [...at, key],
      message: `The terminal phase ${quote(phase.id)} has a way on.`,
      hint: `Remove "${key}", or set "is_terminal" to false.`,
    });
  }
  if (phase.evaluation_outcome === undefined) {
    complaints.push({
      severity: 'warning',
      path: at,
      message: `The terminal phase ${quote(phase.id)} does not say how the lesson ends.`,
      hint: 'Add "evaluation_outcome": "trickster_wins", "partial" or "trickster_loses".',
    });
  }
  return complaints;
}

function checkMiddle({ lesson, phase, at }: Rule): Complaint[] {
  const complaints: Complaint[] = [];
  const isConversation = phase.is_ai_phase || isInteraction(phase.interaction, 'freeform');
  if (!isConversation && waysOn(lesson, phase).size === 0) {
    complaints.push({
      severity: 'error',
      path: phase.interaction ? [...at, 'interaction'] : at,
      message: `There is no way on from the phase ${quote(phase.id)}.`,
      hint: 'Add a "button" interaction with a choice that leads on, or "is_terminal": true where the lesson ends here.',
    });
  }
  if (phase.evaluation_outcome !== undefined) {
    complaints.push({
      severity: 'warning',
      path: [...at, 'evaluation_outcome'],
      message: `"evaluation_outcome" means nothing in ${quote(phase.id)}, where the lesson does not end.`,
      hint: 'Remove it, or set "is_terminal" to true.',
    });
  }
  return complaints;
}
