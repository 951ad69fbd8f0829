import type { Complaint } from './finding.ts';
import { isInteraction, type LessonCartridge } from './lesson.ts';
import { quote } from './schema-complaints.ts';

/** Parts of a lesson that contradict one another. */
export function checkCoherence(lesson: LessonCartridge): Complaint[] {
  return [...checkPatterns(lesson), ...checkCharacter(lesson), ...checkPrompts(lesson), ...checkAudience(lesson)];
}

function checkPatterns({ is_clean: isClean, evaluation }: LessonCartridge): Complaint[] {
  const hasPatterns = evaluation.patterns_embedded.length > 0;
  if (isClean === !hasPatterns) return [];
  if (isClean) {
    return [
      {
        severity: 'error',
        path: ['is_clean'],
        message: '"is_clean" is true, yet "patterns_embedded" lists patterns.',
        hint: 'Set "is_clean" to false, or empty "patterns_embedded": a clean lesson has no trick in it.',
      },
    ];
  }
  return [
    {
      severity: 'warning',
      path: ['evaluation', 'patterns_embedded'],
      message: 'No pattern is embedded, yet "is_clean" is false.',
      hint: 'List the tricks of the lesson, or set "is_clean" to true.',
    },
  ];
}

function checkCharacter({ task_type: type, ai_config: config, phases }: LessonCartridge): Complaint[] {
  const talking = phases.findIndex((phase) => phase.is_ai_phase);
  const name = quote(phases[talking]?.id ?? '');
  if (type === 'static' && talking >= 0) {
    return [
      {
        severity: config ? 'warning' : 'error',
        path: ['phases', talking, 'is_ai_phase'],
        message: `The lesson is "static", yet ${name} is an AI phase${config ? '' : ', and there is no "ai_config"'}.`,
        hint: 'Set "task_type" to "hybrid" and give the lesson an "ai_config", or "is_ai_phase" to false.',
      },
    ];
  }
  if (type === 'static') return [];
  const complaints: Complaint[] = [];
  if (!config) {
    complaints.push({
      severity: 'error',
      path: ['ai_config'],
      message: `The lesson is "${type}", yet it has no "ai_config".`,
      hint: 'Add an "ai_config" with persona_mode, has_static_fallback and context_requirements, or set "task_type" to "static".',
    });
  }
  if (talking < 0 && !phases.some((phase) => isInteraction(phase.interaction, 'freeform'))) {
    complaints.push({
      severity: 'warning',
      path: ['task_type'],
      message: `The lesson is "${type}", yet none of its phases is an AI phase.`,
      hint: 'Set "task_type" to "static", or "is_ai_phase" to true where the character speaks.',
    });
  }
  return complaints;
}

function checkPrompts({ ai_config: config }: LessonCartridge): Complaint[] {
  const directory = config?.prompt_directory;
  if (directory === undefined || /^(prompts\/)?(tasks\/)?[\p{L}\p{N}][\p{L}\p{N}._-]*\/?$/u.test(directory)) return [];
  return [
    {
      severity: 'error',
      path: ['ai_config', 'prompt_directory'],
      message: `${quote(directory)} is not a folder of prompts/tasks.`,
      hint: 'Write the name of a folder in prompts/tasks, like "click-trap".',
    },
  ];
}

function checkAudience({
  language,
  available_languages: languages,
  prerequisites,
  task_id: id,
}: LessonCartridge): Complaint[] {
  const complaints: Complaint[] = [];
  if (languages.length > 0 && !languages.includes(language)) {
    complaints.push({
      severity: 'warning',
      path: ['available_languages'],
      message: `The lesson's own language, ${quote(language)}, is not among "available_languages".`,
      hint: `Add ${quote(language)}.`,
    });
  }
  if (prerequisites.includes(id)) {
    complaints.push({
      severity: 'warning',
      path: ['prerequisites', prerequisites.indexOf(id)],
      message: 'The lesson is its own prerequisite.',
      hint: 'Remove it, or name another lesson.',
    });
  }
  return complaints;
}
