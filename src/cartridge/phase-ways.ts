import type { JsonPath } from '../core/json-source.ts';
import { isInteraction, type LessonCartridge, type LessonPhase } from './lesson.ts';

/** A way on from a phase: the id of the phase it leads to, and where the cartridge says so. */
export type Way = { readonly to: string; readonly path: JsonPath };

/**
 * The ways on that a phase names: its choices, the end of its investigation, its `ai_transitions`. Their targets have
 * to be there.
 */
export function namedWays(phase: LessonPhase, at: JsonPath): Way[] {
  const { interaction, ai_transitions: transitions } = phase;
  const ways: Way[] = [];
  if (isInteraction(interaction, 'button')) {
    for (const [index, choice] of interaction.choices.entries()) {
      ways.push({ to: choice.target_phase, path: [...at, 'interaction', 'choices', index, 'target_phase'] });
    }
  }
  if (isInteraction(interaction, 'investigation')) {
    ways.push({ to: interaction.submit_target, path: [...at, 'interaction', 'submit_target'] });
  }
  if (transitions) {
    for (const name of ['on_success', 'on_partial', 'on_max_exchanges'] as const) {
      ways.push({ to: transitions[name], path: [...at, 'ai_transitions', name] });
    }
  }
  return ways;
}

/**
 * Where a phase can lead: its named ways, and, where its interaction is of a type that the format does not know, the
 * phases that the interaction mentions. Transitions that no conversation can bring about do not count.
 */
export function waysOn(lesson: LessonCartridge, phase: LessonPhase): ReadonlySet<string> {
  const { interaction } = phase;
  const isTalk = phase.is_ai_phase || isInteraction(interaction, 'freeform');
  const targets = namedWays(phase, [])
    .filter((way) => isTalk || way.path[0] !== 'ai_transitions')
    .map((way) => way.to);
  const isKnown = (['button', 'freeform', 'investigation'] as const).some((type) => isInteraction(interaction, type));
  if (!interaction || isKnown) return new Set(targets);
  const ids = new Set(lesson.phases.map((each) => each.id));
  return new Set([...targets, ...textsIn(interaction).filter((text) => ids.has(text) && text !== phase.id)]);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
