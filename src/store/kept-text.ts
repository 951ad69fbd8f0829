/**
 * Text that people or models wrote, as every store keeps it: a lone surrogate and a NUL, which no UTF-8 column of every
 * database can hold, each become U+FFFD. The length in UTF-16 units stays as it was, so token lengths still fit.
 */
export function keptText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\uFFFD') : wellFormed;
}
