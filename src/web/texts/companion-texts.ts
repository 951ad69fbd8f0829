import { companionsEnglish } from './companions-en.ts';
import { companionsLithuanian } from './companions-lt.ts';
import { type Texts, textsOf } from './texts.ts';

/** What the companions' pages say in one language, beside what every page says. */
export type CompanionTexts = typeof companionsEnglish;

export type CompanionPageTexts = Texts & { companions: CompanionTexts };

const languages: Record<string, CompanionTexts> = { en: companionsEnglish, lt: companionsLithuanian };

/** All texts of a companions' page in a language that `chooseLanguage` gave; `name` is who speaks there. */
export function companionTextsOf(language: string, name: string): CompanionPageTexts {
  const texts = textsOf(language);
  const companions = languages[language] ?? companionsEnglish;
  const { chat, writing, ai } = companions;
  const named = { trickster: name, writing: writing(name), ai: ai(name) };
  return { ...texts, chat: { ...texts.chat, ...neutral(language), ...chat, ...named }, companions };
}

/** Lessons say „tu“ in Lithuanian; here teachers write too. */
function neutral(language: string): Partial<Texts['chat']> {
  if (language !== 'lt') return {};
  return {
    you: 'Aš',
    over: (count) => `Per ilga (${count}). Sutrumpinus bus galima išsiųsti.`,
    notSent: 'Žinutė neišsiųsta.',
    lost: 'Ryšys nutrūko. Žinutė išsaugota.',
    failed: 'Atsakyti nepavyko. Žinutė išsaugota.',
    interrupted: 'Atsakymas nutrūko. Žinutė išsaugota.',
    tooMany: (seconds) => `Labai daug žinučių vienu metu. Vėl rašyti bus galima po ${seconds} s.`,
  };
}
