import type { MemoryItemType } from './typed-memory.ts';

type Missing = Exclude<MemoryItemType, 'message'>;

type ActionTexts = {
  readonly askForDetails: string;
  readonly gather: (missing: readonly Missing[]) => string;
  readonly verify: string;
  readonly review: (count: number) => string;
  readonly implement: string;
  readonly reuse: string;
};

const english: ActionTexts = {
  askForDetails: 'Ask what exactly happens, where and when, before offering a solution',
  gather: (missing) => `Find out what is not known yet: ${missing.map((type) => englishNames[type]).join(', ')}`,
  verify: 'Go ahead, and have each step checked',
  review: (count) => `Look through what is remembered of this: ${count} ${count === 1 ? 'item' : 'items'}`,
  implement: 'Enough is known to carry it out: go ahead',
  reuse: 'Take up what has worked before as it is; a short check is enough',
};

const englishNames: Readonly<Record<Missing, string>> = {
  error: 'errors and their messages',
  solution: 'solutions that worked',
  context: 'what the project is and how it is set up',
  dependency: 'what it depends on',
};

const lithuanian: ActionTexts = {
  askForDetails: 'Prieš siūlydamas sprendimą paklausk, kas tiksliai vyksta, kur ir kada',
  gather: (missing) => `Išsiaiškink, ko dar nežinoma: ${missing.map((type) => lithuanianNames[type]).join(', ')}`,
  verify: 'Tęsk, bet kiekvieną žingsnį patikrinkite',
  review: (count) => `Peržiūrėk, kas apie tai įsiminta: ${count} ${lithuanianItems(count)}`,
  implement: 'Žinoma pakankamai: galima įgyvendinti',
  reuse: 'Remkis tuo, kas jau pasiteisino; užteks trumpo patikrinimo',
};

const lithuanianNames: Readonly<Record<Missing, string>> = {
  error: 'klaidos ir jų pranešimai',
  solution: 'pasiteisinę sprendimai',
  context: 'koks tai projektas ir kaip jis sutvarkytas',
  dependency: 'nuo ko jis priklauso',
};

const lithuanianPlural = new Intl.PluralRules('lt');

function lithuanianItems(count: number): string {
  const rule = lithuanianPlural.select(count);
  return rule === 'one' ? 'įrašas' : rule === 'few' ? 'įrašai' : 'įrašų';
}

/** What the model is advised to do next, in the conversation's language; in English where it is not known here. */
export function memoryActionTexts(language: string): ActionTexts {
  return language === 'lt' ? lithuanian : english;
}
