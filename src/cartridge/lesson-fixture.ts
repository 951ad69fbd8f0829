import type { JsonPath } from '../core/json-source.ts';
import type { Finding } from './finding.ts';
import { type ParsedCartridge, parseCartridge } from './parse.ts';

/** A whole lesson without a fault: every kind of phase, most kinds of block. */
const plainLesson = {
  task_id: 'soup-headline',
  task_type: 'hybrid',
  title: 'The soup headline',
  description: 'A headline about school soup.',
  version: '1.0.0',
  trigger: 'curiosity',
  technique: 'clickbait',
  medium: 'article',
  learning_objectives: ['Tell a headline from its story'],
  difficulty: 2,
  time_minutes: 15,
  is_evergreen: true,
  is_clean: false,
  tags: ['headline'],
  prerequisites: [],
  status: 'active',
  language: 'en',
  available_languages: ['en'],
  presentation_blocks: [
    { id: 'story', type: 'text', text: 'Soup was served.', style: 'article' },
    { id: 'photo', type: 'image', src: 'soup.png', alt_text: 'A bowl of soup' },
    { id: 'message', type: 'chat_message', username: 'Ema', text: 'Seen it?', timestamp: '14:05' },
    {
      id: 'post',
      type: 'social_post',
      author: 'Ema',
      text: 'Wow',
      engagement: { likes: 3 },
      image: 'assets/post.png',
    },
    {
      id: 'cook',
      type: 'search_result',
      query: 'the cook',
      title: 'The cook',
      snippet: 'Says no.',
      child_queries: ['menu'],
    },
    { id: 'menu', type: 'search_result', query: 'menu', title: 'Menu', snippet: 'Soup.', is_key_finding: true },
  ],
  phases: [
    {
      id: 'start',
      title: 'Start',
      visible_blocks: ['story', 'photo', 'message', 'post'],
      trickster_content: 'Look!',
      interaction: {
        type: 'button',
        choices: [
          { label: 'Search', target_phase: 'search', context_label: 'The student searched' },
          { label: 'Share', target_phase: 'talk' },
        ],
      },
    },
    {
      id: 'search',
      title: 'Search',
      visible_blocks: ['story', 'cook', 'menu'],
      interaction: {
        type: 'investigation',
        starting_queries: ['The cook?'],
        submit_target: 'talk',
        min_key_findings: 1,
      },
    },
    {
      id: 'talk',
      title: 'Talk',
      visible_blocks: ['story'],
      is_ai_phase: true,
      interaction: { type: 'freeform', trickster_opening: 'Well?', min_exchanges: 1, max_exchanges: 4 },
      ai_transitions: { on_success: 'won', on_partial: 'half', on_max_exchanges: 'half' },
      evaluator_checklist: ['sees-gap', { id: 'own-words', description: 'Says it in own words', is_mandatory: true }],
    },
    { id: 'won', title: 'Seen through', is_terminal: true, evaluation_outcome: 'trickster_loses' },
    { id: 'half', title: 'Half', is_terminal: true, evaluation_outcome: 'partial' },
  ],
  initial_phase: 'start',
  evaluation: {
    patterns_embedded: [{ id: 'gap', description: 'A gap', technique: 'clickbait', real_world_connection: 'News' }],
    checklist: [{ id: 'sees-gap', description: 'Sees the gap', pattern_refs: ['gap'], is_mandatory: true }],
    pass_conditions: { trickster_wins: 'Shares', partial: 'Doubts', trickster_loses: 'Explains' },
  },
  ai_config: {
    model_preference: 'standard',
    prompt_directory: 'prompts/tasks/soup-headline',
    persona_mode: 'presenting',
    has_static_fallback: true,
    context_requirements: 'session_only',
  },
  reveal: { key_lesson: 'Read before you share.', additional_resources: ['A book'] },
  safety: { content_boundaries: ['self_harm'], intensity_ceiling: 2, cold_start_safe: true } as Record<string, unknown>,
};

/** Puts a value at a path; undefined takes out what is there. */
export type Edit = readonly [path: JsonPath, value: unknown];

/** The fixture's text after some edits, two spaces deep. */
export function lessonText(...edits: readonly Edit[]): string {
  const lesson: unknown = structuredClone(plainLesson);
  for (const [path, value] of edits) {
    const parent = path
      .slice(0, -1)
      .reduce<unknown>((inner, step) => (isObject(inner) ? Reflect.get(inner, step) : null), lesson);
    const step = path.at(-1);
    if (step === undefined || !isObject(parent)) throw new Error(`There is nothing at ${path.join('.')}`);
    Reflect.set(parent, step, value);
  }
  return JSON.stringify(lesson, null, 2);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The fixture's assets, all there. */
export const lessonAssets: ReadonlySet<string> = new Set([
  'soup.png',
  'assets/soup.png',
  'post.png',
  'assets/post.png',
]);

/** What becomes of the fixture after some edits, in the folder it belongs in. */
export function parseLesson(...edits: readonly Edit[]): ParsedCartridge {
  const text = lessonText(...edits);
  return parseCartridge({ file: 'lesson.json', text, folder: 'soup-headline', assets: lessonAssets });
}

/** Line and column of the one place where `needle` stands in `text`. */
export function placeOf(text: string, needle: string): Pick<Finding, 'line' | 'column'> {
  const [before = '', ...others] = text.split(needle);
  if (others.length !== 1) throw new Error(`${needle} stands ${others.length} times in the text`);
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
