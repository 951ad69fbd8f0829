import type { JsonPath } from '../core/json-source.ts';
import type { Complaint } from './finding.ts';
import { type LessonCartridge, modelPreferences } from './lesson.ts';
import { didYouMean } from './nearest-word.ts';
import { quote } from './schema-complaints.ts';
import { valueAt } from './shape.ts';

const triggers = [
  'anger',
  'authority',
  'belonging',
  'curiosity',
  'cynicism',
  'empathy',
  'fear',
  'fomo',
  'greed',
  'guilt',
  'hope',
  'humour',
  'identity',
  'injustice',
  'nostalgia',
  'novelty',
  'outrage',
  'pity',
  'pride',
  'reward',
  'scarcity',
  'shame',
  'social_proof',
  'surprise',
  'trust',
  'urgency',
  'vanity',
  'none',
];

const techniques = [
  'ad_hominem',
  'astroturfing',
  'bandwagon',
  'cherry_picking',
  'clickbait',
  'conspiracy',
  'curiosity_gap',
  'deepfake',
  'emotional_framing',
  'emotional_language',
  'fabrication',
  'fake_account',
  'fake_expert',
  'fake_reviews',
  'false_authority',
  'false_balance',
  'false_context',
  'false_dilemma',
  'headline_manipulation',
  'impersonation',
  'impostor_content',
  'loaded_language',
  'manipulated_image',
  'manufactured_deadline',
  'misleading_framing',
  'misleading_statistics',
  'omission',
  'phantom_quote',
  'phishing',
  'scapegoating',
  'scarcity',
  'social_engineering',
  'social_proof',
  'source_weaponization',
  'straw_man',
  'voice_cloning',
  'wedge_driving',
  'whataboutism',
  'none',
];

const mediums = [
  'advertisement',
  'article',
  'audio',
  'chat',
  'comments',
  'email',
  'feed',
  'forum',
  'image',
  'investigation',
  'meme',
  'podcast',
  'poster',
  'social_post',
  'video',
  'video_transcript',
  'visualization',
  'website',
];

/** The boundaries that have a lexicon; `no_real_harm` stands for several of them. */
const boundaries = [
  'self_harm',
  'violence',
  'sexual_content',
  'hate_speech',
  'real_radicalization',
  'drugs',
  'personal_data',
  'profanity',
  'no_real_harm',
];

/** Warnings for words outside the known lists, none of which keeps a lesson from being served. */
export function checkVocabulary(lesson: LessonCartridge, authored: unknown): Complaint[] {
  const preference = valueAt(authored, ['ai_config', 'model_preference']);
  return [
    ...unknownWord(lesson.trigger, triggers, ['trigger']),
    ...unknownWord(lesson.technique, techniques, ['technique']),
    ...unknownWord(lesson.medium, mediums, ['medium']),
    ...(lesson.ai_config ? unknownPreference(preference) : []),
    ...lesson.safety.content_boundaries.flatMap((boundary, index) => unknownBoundary(boundary, index)),
    ...(/^\d+\.\d+(\.\d+)?([-+].+)?$/u.test(lesson.version) ? [] : [unusualVersion(lesson.version)]),
  ];
}

function unknownWord(word: string, known: readonly string[], path: JsonPath): Complaint[] {
  if (known.includes(word)) return [];
  const slip = didYouMean(word, known);
  const hint = slip === '' ? `Known are ${known.join(', ')}. A word of your own is kept as it is.` : slip;
  return [{ severity: 'warning', path, message: `${quote(word)} is not a known ${String(path[0])}.`, hint }];
}

function unknownPreference(preference: unknown): Complaint[] {
  if (modelPreferences.some((known) => known === preference)) return [];
  const path = ['ai_config', 'model_preference'];
  const wrong =
    typeof preference === 'string'
      ? `${quote(preference)} is not a known model preference`
      : '"model_preference" is missing';
  return [
    {
      severity: 'warning',
      path,
      message: `${wrong}; "standard" is used.`,
      hint: 'Write one of "fast", "standard", "complex".',
    },
  ];
}

function unknownBoundary(boundary: string, index: number): Complaint[] {
  if (boundaries.includes(boundary)) return [];
  const slip = didYouMean(boundary, boundaries);
  return [
    {
      severity: 'warning',
      path: ['safety', 'content_boundaries', index],
      message: `The boundary ${quote(boundary)} only steers the prompt: no filter knows it.`,
      hint: slip === '' ? `Filtered are ${boundaries.join(', ')}.` : slip,
    },
  ];
}

function unusualVersion(version: string): Complaint {
  const message = `The version ${quote(version)} is not like "1.0.0".`;
  return { severity: 'warning', path: ['version'], message, hint: 'Write three numbers with points between them.' };
}
