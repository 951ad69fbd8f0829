/** Whether a text is short enough. */
export type Fits = (text: string) => boolean;

/**
 * Lines that fit together, in their order; those at the end count most. One that is too long by itself, or for what is
 * left, takes no other with it.
 */
export function fitLatest(lines: readonly string[], fits: Fits): string[] {
  let kept: string[] = [];
  for (const line of lines.toReversed()) {
    const longer = [line, ...kept];
    if (fits(longer.join('\n'))) kept = longer;
  }
  return kept;
}

/** As many of the lines as fit together, from the first on. */
export function fitFirst(lines: readonly string[], fits: Fits): string[] {
  for (let count = lines.length; count > 0; count -= 1) {
    const kept = lines.slice(0, count);
    if (fits(kept.join('\n'))) return kept;
  }
  return [];
}
