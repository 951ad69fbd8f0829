import {
  isInteraction,
  type LessonBlock,
  type LessonCartridge,
  type LessonPhase,
  type Outcome,
} from '../cartridge/lesson.ts';
import { absentLayer, type Layer } from './layer.ts';
import { constantBoundaries, fileLayers, languageLayer, redactionLayer } from './shared-layers.ts';
import type { FrozenText } from './snapshot.ts';

/** What a lesson's layers are made from. All of it is data; nothing here was typed by a student. */
export type LessonContext = {
  readonly cartridge: LessonCartridge;
  readonly phase: LessonPhase;
  readonly language: string;
  readonly prompts: readonly FrozenText[];
  /** Labels of the choices made so far, as the cartridge words them. */
  readonly path: readonly string[];
  readonly outcome: Outcome | null;
  /** How the student's finished lessons ended, newest first: what the cartridge's `context_requirements` draw on. */
  readonly pastOutcomes: readonly string[];
  /** The boundary of a redaction that the model has not been told of yet. */
  readonly redactedBoundary: string | null;
  readonly exchangeNumber: number;
  readonly transitionOffered: boolean;
};

/** The eight layers of a lesson's dialogue, in order, and the redaction context after them. */
export function dialogueLayers(context: LessonContext): Layer[] {
  return [
    ...fileLayers(context.prompts),
    dialogueTask(context),
    safetyLayer(context),
    languageLayer(context.language),
    pathLayer(context),
    historyLayer(context),
    redactionLayer(context.redactedBoundary),
  ];
}

/** The debrief's layers: the same texts, but the task is to reveal, and the adversarial stance is dropped. */
export function debriefLayers(context: LessonContext): Layer[] {
  return [
    ...fileLayers(context.prompts),
    debriefTask(context),
    safetyLayer(context),
    languageLayer(context.language),
    pathLayer(context),
    redactionLayer(context.redactedBoundary),
  ];
}

function dialogueTask({ cartridge, phase, exchangeNumber, transitionOffered }: LessonContext): Layer {
  const { evaluation } = cartridge;
  const freeform = isInteraction(phase.interaction, 'freeform') ? phase.interaction : null;
  const lines = [
    `Lesson: ${cartridge.title} (technique: ${cartridge.technique}; medium: ${cartridge.medium}; difficulty ${cartridge.difficulty} of 5).`,
    `Your part: ${personaModeText[cartridge.ai_config?.persona_mode ?? 'presenting']}`,
    `Phase: ${phase.id} (${phase.title}). This is the student's message ${exchangeNumber}${freeform ? ` of at most ${freeform.max_exchanges}` : ''}.`,
  ];
  const seen = seenByStudent(cartridge, phase);
  if (seen.length > 0) lines.push('', 'What the student has in front of them:', ...seen);
  if (freeform) lines.push('', `You opened the conversation with: ${freeform.trickster_opening}`);
  if (evaluation.patterns_embedded.length > 0) {
    lines.push('', 'Patterns to put to work on the student, never to name before the reveal:');
    for (const pattern of evaluation.patterns_embedded) lines.push(`- ${pattern.description} (${pattern.technique})`);
  }
  const checklist = checklistOf(cartridge, phase);
  if (checklist.length > 0) {
    lines.push('', 'What shows that the student sees through it:');
    for (const item of checklist) lines.push(`- ${item.description}${item.isMandatory ? ' (needed)' : ''}`);
  }
  lines.push(
    '',
    'How the lesson ends:',
    `- the student sees through it: ${evaluation.pass_conditions.trickster_loses}`,
    `- half: ${evaluation.pass_conditions.partial}`,
    `- the student is taken in: ${evaluation.pass_conditions.trickster_wins}`,
  );
  if (transitionOffered) {
    lines.push(
      '',
      'When the student has shown enough, call transition_phase with "understood"; with "partial" when more talk will not get them further. Say your last words to the student in the same reply.',
    );
  }
  return { name: 'task_context', text: lines.join('\n'), source: `cartridge:${cartridge.task_id}#/phases/${phase.id}` };
}

function debriefTask({ cartridge, phase, outcome }: LessonContext): Layer {
  const { evaluation, reveal } = cartridge;
  const lines = [
    `Lesson: ${cartridge.title}. It is over, and it ended like this: ${outcomeText[outcome ?? ''] ?? 'without a verdict'}.`,
    'Drop the adversarial stance altogether: you are no longer the Trickster at work but an honest guide who shows how the trick was done. Be warm; nobody is to feel stupid for having been taken in.',
    '',
    'Reveal each of these, in plain words, and tie it to something that this student really said or did in the conversation (quote a few of their words). Where they said nothing that fits, say where it was at work instead:',
  ];
  if (evaluation.patterns_embedded.length === 0)
    lines.push('- Nothing was a trick here: the material was sound. Say so, and say by what signs one could tell.');
  for (const pattern of evaluation.patterns_embedded) {
    lines.push(
      `- ${pattern.description} (${pattern.technique}). In the world outside: ${pattern.real_world_connection}`,
    );
  }
  const checklist = checklistOf(cartridge, phase);
  if (checklist.length > 0) {
    lines.push('', 'Say which of these the student managed, and which are worth watching for next time:');
    for (const item of checklist) lines.push(`- ${item.description}`);
  }
  lines.push(
    '',
    `What to take along: ${reveal.key_lesson}`,
    '',
    'End with one habit that the student can try tomorrow. Ask nothing; this is the last word.',
  );
  return { name: 'task_context', text: lines.join('\n'), source: `cartridge:${cartridge.task_id}#/evaluation` };
}

function safetyLayer({ cartridge }: LessonContext): Layer {
  const { content_boundaries: boundaries, intensity_ceiling: ceiling } = cartridge.safety;
  const lines = [
    'The student is between 15 and 18 years old.',
    'Never write anything that belongs to these, not even as an example:',
    ...[...new Set([...constantBoundaries, ...boundaries])].map((boundary) => `- ${boundary.replaceAll('_', ' ')}`),
    `Pressure on the student: at most ${ceiling} on a scale from 1 (gentle teasing) to 5 (hard confrontation).`,
  ];
  return { name: 'safety_configuration', text: lines.join('\n'), source: `cartridge:${cartridge.task_id}#/safety` };
}

function pathLayer({ path, cartridge }: LessonContext): Layer {
  if (path.length === 0) return absentLayer('student_path', 'the student has made no choice that has a context_label');
  const text = ['What the student chose on the way here:', ...path.map((label) => `- ${label}`)].join('\n');
  return { name: 'student_path', text, source: `cartridge:${cartridge.task_id}#/phases/*/interaction/choices` };
}

/** Earlier lessons by their outcomes alone: never their titles or techniques, which would give this one away. */
function historyLayer({ pastOutcomes, cartridge }: LessonContext): Layer {
  const requirement = cartridge.ai_config?.context_requirements ?? 'session_only';
  if (requirement === 'session_only') return absentLayer('history', 'context_requirements is session_only');
  if (pastOutcomes.length === 0) return absentLayer('history', 'the student has finished no lesson before');
  if (requirement === 'learning_profile') {
    const seenThrough = pastOutcomes.filter((outcome) => outcome === 'trickster_loses').length;
    const text = `This student has finished ${pastOutcomes.length} earlier lesson(s) and saw through the trick in ${seenThrough}. Pitch your first moves accordingly.`;
    return { name: 'history', text, source: 'store:sessions' };
  }
  const lines = pastOutcomes.map((outcome) => `- ${outcomeText[outcome] ?? 'without a verdict'}`);
  return {
    name: 'history',
    text: ["How this student's last lessons ended, newest first:", ...lines].join('\n'),
    source: 'store:sessions',
  };
}

export type ChecklistPoint = { id: string; description: string; isMandatory: boolean; patternIds: readonly string[] };

/**
 * The checklist that counts in a phase: what its `evaluator_checklist` names, by id or with a description of its own;
 * all of the lesson's where it names nothing.
 */
export function checklistOf(cartridge: LessonCartridge, phase: LessonPhase): ChecklistPoint[] {
  const all = cartridge.evaluation.checklist.map(
    (item): ChecklistPoint => ({
      id: item.id,
      description: item.description,
      isMandatory: item.is_mandatory,
      patternIds: item.pattern_refs,
    }),
  );
  const chosen = phase.evaluator_checklist.flatMap((entry, index): ChecklistPoint[] => {
    const named = typeof entry === 'string' ? { id: entry } : entry;
    const known = all.find((item) => item.id === named.id);
    if (known) return [known];
    // A text that is no id is the point itself.
    const description = typeof entry === 'string' ? entry : entry.description;
    if (description === undefined) return [];
    const own = typeof entry === 'string' ? {} : entry;
    return [
      {
        id: named.id ?? `${phase.id}-${index + 1}`,
        description,
        isMandatory: own.is_mandatory ?? false,
        patternIds: own.pattern_refs ?? [],
      },
    ];
  });
  return chosen.length > 0 ? chosen : all;
}

/** The texts of the blocks that the phase shows, one line each. */
function seenByStudent(cartridge: LessonCartridge, phase: LessonPhase): string[] {
  const visible = new Set(phase.visible_blocks);
  return cartridge.presentation_blocks
    .filter((block) => visible.has(block.id))
    .map((block) => `- ${block.type}: ${blockText(block)}`);
}

const textFields = [
  'author',
  'username',
  'text',
  'title',
  'snippet',
  'top_text',
  'bottom_text',
  'alt_text',
  'image_alt',
  'caption',
  'transcript',
  'cited_source',
];

function blockText(block: LessonBlock): string {
  const fields = block as Readonly<Record<string, unknown>>;
  return textFields
    .map((field) => fields[field])
    .filter((value) => typeof value === 'string' && value !== '')
    .join(' / ')
    .replace(/\s+/gu, ' ');
}

const personaModeText = {
  presenting: 'you present the material to the student and defend it.',
  chat_participant: 'you are one of the people in the chat that the student reads; write as that person would.',
  narrator: 'you tell the story in which the student takes part.',
  commenter: 'you comment on the material, as one does below a post.',
} as const;

const outcomeText: Readonly<Record<string, string>> = {
  trickster_wins: 'the student was taken in',
  partial: 'the student saw through half of it',
  trickster_loses: 'the student saw through it',
};
