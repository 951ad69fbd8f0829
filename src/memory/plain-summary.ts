/** How a model begs off instead of writing what it was asked for, in the languages of the house. */
const refusals = [
  /^\P{L}*(?:i['’]?m|i am|we['’]?re|we are) (?:very |really |so |truly )?(?:sorry|afraid|unable|not able)\b/iu,
  /^\P{L}*(?:sorry|(?:my )?apologies|i apologi[sz]e)\b/iu,
  /^\P{L}*(?:unfortunately,? )?(?:i|we) (?:can['’]?t|cannot|can not|won['’]?t|will not|must decline|decline)\b/iu,
  /^\P{L}*as an? (?:ai|artificial|language model|assistant)\b/iu,
  /^\P{L}*(?:atsiprašau|apgailestauju|deja, (?:aš )?(?:negaliu|nepavyks)|(?:aš )?negaliu)(?!\p{L})/iu,
  /^\P{L}*kaip (?:dirbtinis intelektas|dirbtinio intelekto|kalbos modelis)(?!\p{L})/iu,
];

/**
 * A summary from a model that wrote plain text where JSON was asked for. Null where it is JSON that is broken, or where the
 * model begs off: an apology must never take the place of what is remembered.
 */
export function plainSummary(written: string): string | null {
  if (/^\s*[{`]/u.test(written) || refusals.some((refusal) => refusal.test(written))) return null;
  return written.trim();
}
