/** Why a summary cannot be used. */
export type SummaryFault = 'empty' | 'too_long' | 'wrong_language';

/** Small words that hardly occur in the other language, lower-case. */
const telling: Readonly<Record<'en' | 'lt', ReadonlySet<string>>> = {
  en: new Set(
    'the and of is was with that this for they their about will would has have not are were from which who what'.split(
      ' ',
    ),
  ),
  lt: new Set(
    'ir yra buvo kad su apie bet kaip jis ji jie savo per prie dėl arba tai jos nuo kurie kuri kuris dar jau mokytoja mokinys'.split(
      ' ',
    ),
  ),
};

/** Below this many telling words nothing is said of the language. */
const fewestWords = 4;

/** What is wrong with a summary of at most `mostWords` words in `language`; null where it can be kept. */
export function faultOfSummary(
  summary: string,
  { mostWords, language }: { mostWords: number; language: string },
): SummaryFault | null {
  const words = summary.match(/\S+/gu) ?? [];
  if (words.length === 0) return 'empty';
  if (words.length > mostWords) return 'too_long';
  const told = languageOf(summary);
  return told !== null && told !== language.toLowerCase().split('-')[0] ? 'wrong_language' : null;
}

/** Which of the two languages a text is in; null where it is too short to tell, or in neither. */
export function languageOf(text: string): 'en' | 'lt' | null {
  const counts = { en: 0, lt: 0 };
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    if (telling.en.has(word)) counts.en += 1;
    if (telling.lt.has(word) || /[ąčęėįšųūž]/u.test(word)) counts.lt += 1;
  }
  const [more, less] = counts.en > counts.lt ? ([counts.en, counts.lt] as const) : ([counts.lt, counts.en] as const);
  if (more < fewestWords || more < less * 3) return null;
  return counts.en > counts.lt ? 'en' : 'lt';
}
