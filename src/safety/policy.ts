/** Boundaries that hold in every cartridge, whatever it lists. */
const always = ['self_harm', 'sexual_content'];

/** Boundaries that authors write for several at once. */
const combined: Readonly<Record<string, readonly string[]>> = {
  no_real_harm: ['self_harm', 'violence', 'hate_speech', 'real_radicalization', 'drugs'],
};

/** The boundaries that are live for a cartridge that lists these. */
export function liveBoundaries(listed: readonly string[]): ReadonlySet<string> {
  return new Set([...always, ...listed.flatMap((boundary) => combined[boundary] ?? [boundary])]);
}
