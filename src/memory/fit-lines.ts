/** Whether a text is short enough. */
export type Fits = (text: string) => boolean;

/** As many of the lines as fit together, in their order; those at the end count most, and the first goes first. */
export function fitLatest(lines: readonly string[], fits: Fits): string[] {
  for (let start = 0; start < lines.length; start += 1) {
    const kept = lines.slice(start);
    if (fits(kept.join('\n'))) return kept;
  }
  return [];
}

/** As many of the lines as fit together, from the first on. */
export function fitFirst(lines: readonly string[], fits: Fits): string[] {
  for (let count = lines.length; count > 0; count -= 1) {
    const kept = lines.slice(0, count);
    if (fits(kept.join('\n'))) return kept;
  }
  return [];
}
