import { type CompiledSafety, compileSafety } from './compile.ts';
import type { LanguageData, LexiconEntry, SafetyFiles } from './safety-files.ts';

/** A little of everything, so that the tests of the filters do not hang on the data that ships. */
const emptyLanguage: LanguageData = {
  paradigms: {},
  ordinaryWords: [],
  debriefMarkers: [],
  indicators: [],
  injections: [],
  crisisSigns: [],
  fallbacks: {},
  helpLines: { intro: '', lines: [] },
  safeWords: [],
};

const entry = (id: string, phrase: string, category = 'phrase'): LexiconEntry => ({
  id,
  phrase,
  category,
  severity: 2,
});

export const sampleFiles: SafetyFiles = {
  lexicons: [
    {
      language: 'en',
      boundary: 'self_harm',
      entries: [
        entry('sh-1', 'kill|hang|hurt yourself|urself'),
        entry('sh-2', 'end your own? life'),
        entry('sh-3', 'cut your wrists', 'instruction'),
      ],
    },
    {
      language: 'lt',
      boundary: 'self_harm',
      entries: [entry('sh-lt-1', 'nusižud~verb_yti'), entry('sh-lt-2', 'pasikar~{ti,k,siu}')],
    },
    { language: 'en', boundary: 'profanity', entries: [entry('pf-1', 'ass~{,es}'), entry('pf-2', 'bitch~{,es}')] },
    { language: 'lt', boundary: 'profanity', entries: [entry('pf-lt-1', 'kal~{ė,ės,ei}')] },
    { language: 'en', boundary: 'sexual_content', entries: [entry('sx-1', 'naked pictures')] },
    {
      language: 'en',
      boundary: 'violence',
      entries: [entry('vi-1', "i'll murder you"), entry('vi-2', 'bomb the school')],
    },
  ],
  languages: {
    en: {
      ...emptyLanguage,
      ordinaryWords: ['kale', 'assess'],
      debriefMarkers: [{ id: 'dm-1', phrase: 'this is manipulation' }],
      indicators: [
        { id: 'in-1', phrase: 'prove it', kind: 'challenge', weight: 1 },
        { id: 'in-2', phrase: 'you are wrong', kind: 'confrontation', weight: 1 },
        { id: 'in-3', phrase: 'pathetic', kind: 'insult', weight: 1.5 },
      ],
      injections: [
        { id: 'ij-1', phrase: 'ignore all? previous instructions', kind: 'override' },
        { id: 'ij-2', phrase: 'system', kind: 'role' },
      ],
      crisisSigns: [{ id: 'cr-1', phrase: 'i want to die', kind: 'self_harm', severity: 3 }],
      fallbacks: { default: 'Let us stop here.', self_harm: 'You matter. Call 116 123.' },
      helpLines: {
        intro: 'You are not alone.',
        lines: [
          { name: 'Youth line', contact: '8 800 28888', hours: 'always', for: ['self_harm'] },
          { name: 'Women line', contact: 'pagalba@example.lt', hours: 'always', for: ['abuse'] },
        ],
      },
      safeWords: ['red light'],
    },
    lt: {
      ...emptyLanguage,
      paradigms: { verb_yti: ['yti', 'ysiu', 'yk', 'ė', 'o'] },
      ordinaryWords: ['kalei'],
      debriefMarkers: [{ id: 'dm-lt-1', phrase: 'tai manipuliacija' }],
      fallbacks: { default: 'Čia sustokime.' },
      safeWords: ['stop žaidimas'],
    },
  },
};

export const sampleSafety: CompiledSafety = compileSafety(sampleFiles);
