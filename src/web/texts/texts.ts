import { english } from './en.ts';
import { lithuanian } from './lt.ts';

/** Everything the pages say in one language. */
export type Texts = typeof english;

const languages: Record<string, Texts> = { en: english, lt: lithuanian };

/** The languages the pages speak, each with its own name for itself. */
export const offeredLanguages = [
  { code: 'lt', name: 'Lietuvių' },
  { code: 'en', name: 'English' },
] as const;

/** The first of `wanted` (`lt`, `en-GB`, …) that the pages speak; English where they speak none. */
export function chooseLanguage(wanted: readonly string[]): string {
  return wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find((code) => code in languages) ?? 'en';
}

/** The texts of a language that `chooseLanguage` gave. */
export function textsOf(language: string): Texts {
  return languages[language] ?? english;
}
