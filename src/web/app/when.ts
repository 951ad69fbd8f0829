/** A moment (ISO 8601) as a day and a time in a language, on the reader's own clock. */
export function dayAndTime(moment: string, language: string): string {
  return new Intl.DateTimeFormat(regional(language), { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(moment),
  );
}

/** A moment as a day. */
export function day(moment: string, language: string): string {
  return new Intl.DateTimeFormat(regional(language), { dateStyle: 'medium' }).format(new Date(moment));
}

/** A date (`yyyy-mm-dd`) as a day; it is the same day everywhere. What is no date stands as it is. */
export function calendarDay(date: string, language: string): string {
  const moment = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(moment.getTime())) return date;
  return new Intl.DateTimeFormat(regional(language), { dateStyle: 'long', timeZone: 'UTC' }).format(moment);
}

/** A language as the reader's browser names it: `en-GB` writes a day in another way than `en-US`. */
function regional(language: string): string {
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;
}
