import { mineEnglish } from './mine-en.ts';
import { mineLithuanian } from './mine-lt.ts';
import { type Texts, textsOf } from './texts.ts';

/** What the guardians' page and the page about one's own data say in one language, beside what every page says. */
export type MineTexts = typeof mineEnglish;

export type MinePageTexts = Texts & { mine: MineTexts };

const languages: Record<string, MineTexts> = { en: mineEnglish, lt: mineLithuanian };

/** All texts of these pages in a language that `chooseLanguage` gave. */
export function mineTextsOf(language: string): MinePageTexts {
  const texts = textsOf(language);
  const mine = languages[language] ?? mineEnglish;
  // Nothing is written here that would be kept for when the network is back.
  return { ...texts, mine, connection: { ...texts.connection, offline: mine.offline } };
}
