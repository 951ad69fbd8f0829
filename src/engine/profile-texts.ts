/** The sentences of a narrative in one language; dates come as `yyyy-mm-dd`. */
export type NarrativeTexts = {
  readonly locale: string;
  readonly number: (value: number) => string;
  readonly date: (day: string) => string;
  readonly year: (year: string) => string;
  readonly average: (value: number, scale: number) => string;
  readonly due: (title: string, day: string, days: number) => string;
  readonly deadline: (day: string) => string;
  readonly deadlineWas: (day: string) => string;
  readonly hours: (hours: number) => string;
  readonly years: (years: number) => string;
  readonly coming: (told: string) => string;
  readonly later: (told: string) => string;
  readonly passed: (told: string) => string;
  readonly schools: (told: string) => string;
  readonly tests: (told: string) => string;
  readonly activities: (told: string) => string;
  readonly interests: (interests: readonly string[]) => string;
  readonly note: (sentence: string) => string;
};

const isNumber = (year: string) => /^\d{1,2}$/u.test(year);

function formatsOf(locale: string) {
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 3, useGrouping: false });
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  return {
    locale,
    number: (value: number) => numbers.format(value),
    date: (day: string) => dates.format(new Date(day)),
    listed: (all: readonly string[]) => list.format(all),
  };
}

const en = formatsOf('en-GB');
const english: NarrativeTexts = {
  ...en,
  year: (year) => (isNumber(year) ? `The student is in year ${year}.` : `The student's school year: ${year}.`),
  average: (value, scale) => `The average of marks is ${en.number(value)} out of ${en.number(scale)}.`,
  due: (title, day, days) => {
    const left = days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`;
    return `${title} on ${en.date(day)} (${left})`;
  },
  deadline: (day) => `deadline ${en.date(day)}`,
  deadlineWas: (day) => `the deadline was ${en.date(day)}`,
  hours: (hours) => `${en.number(hours)} ${hours === 1 ? 'hour' : 'hours'} a week`,
  years: (years) => `${en.number(years)} ${years === 1 ? 'year' : 'years'}`,
  coming: (told) => `Coming up: ${told}.`,
  later: (told) => `Later: ${told}.`,
  passed: (told) => `The date has passed for: ${told}.`,
  schools: (told) => `Schools they think of: ${told}.`,
  tests: (told) => `Tests taken: ${told}.`,
  activities: (told) => `Outside lessons: ${told}.`,
  interests: (interests) => `They are interested in ${en.listed(interests)}.`,
  note: (sentence) => `Noted in the profile: ${sentence}`,
};

const lt = formatsOf('lt');
const plural = new Intl.PluralRules('lt');
const lithuanian: NarrativeTexts = {
  ...lt,
  year: (year) => (isNumber(year) ? `Mokosi ${year} klasėje.` : `Klasė arba kursas: ${year}.`),
  average: (value, scale) => `Pažymių vidurkis – ${lt.number(value)} iš ${lt.number(scale)}.`,
  due: (title, day, days) => {
    const left =
      days === 0
        ? 'šiandien'
        : days === 1
          ? 'rytoj'
          : `po ${days} ${plural.select(days) === 'one' ? 'dienos' : 'dienų'}`;
    return `${title} – ${lt.date(day)} (${left})`;
  },
  deadline: (day) => `terminas ${lt.date(day)}`,
  deadlineWas: (day) => `terminas buvo ${lt.date(day)}`,
  hours: (hours) => `${lt.number(hours)} val. per savaitę`,
  years: (years) => `${lt.number(years)} ${['one', 'few'].includes(plural.select(years)) ? 'metai' : 'metų'}`,
  coming: (told) => `Artimiausi terminai: ${told}.`,
  later: (told) => `Vėliau: ${told}.`,
  passed: (told) => `Terminas jau praėjo: ${told}.`,
  schools: (told) => `Svarsto stoti: ${told}.`,
  tests: (told) => `Laikyti testai ir egzaminai: ${told}.`,
  activities: (told) => `Veikla po pamokų: ${told}.`,
  interests: (interests) => `Domisi: ${lt.listed(interests)}.`,
  note: (sentence) => `Profilyje pažymėta: ${sentence}`,
};

/** The sentences in a language as BCP 47 names it; in English where it is not known here. */
export function narrativeTexts(language: string): NarrativeTexts {
  return language.toLowerCase().split('-')[0] === 'lt' ? lithuanian : english;
}
