/** The forms a noun takes after a number, by CLDR category; `other` where a language has no more. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** A number, written as the language writes it, with the form of the noun that goes with it; never parted at a line's end. */
export function counted(language: string, count: number, forms: Forms): string {
  const form = forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
  return `${new Intl.NumberFormat(language).format(count)}\u00a0${form}`;
}
