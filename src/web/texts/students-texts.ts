import { profileEnglish, studentsEnglish } from './students-en.ts';
import { profileLithuanian, studentsLithuanian } from './students-lt.ts';

/** What a student's page says in one language, beside what every page says. */
export type StudentsTexts = typeof studentsEnglish;

/** What the form of a profile says, on that page and on others. */
export type ProfileTexts = typeof profileEnglish;

const languages: Record<string, StudentsTexts> = { en: studentsEnglish, lt: studentsLithuanian };
const profiles: Record<string, ProfileTexts> = { en: profileEnglish, lt: profileLithuanian };

/** The texts of a language that `chooseLanguage` gave. */
export function studentsTextsOf(language: string): StudentsTexts {
  return languages[language] ?? studentsEnglish;
}

/** The same, of a profile alone. */
export function profileTextsOf(language: string): ProfileTexts {
  return profiles[language] ?? profileEnglish;
}
