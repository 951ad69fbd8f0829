const ellipsis = '…';

/**
 * The beginning of a text that costs at most `tokens`, ending in "…" where something is left out: cut between words
 * where one ends near, and never within a character. `tokensOf` must not fall as text grows.
 */
export function fitTokens(text: string, tokens: number, tokensOf: (text: string) => number): string {
  const whole = text.trim();
  if (tokensOf(whole) <= tokens) return whole;
  let fits = 0;
  let tooLong = whole.length;
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (tokensOf(whole.slice(0, middle) + ellipsis) <= tokens) fits = middle;
    else tooLong = middle;
  }
  if (fits === 0) return '';
  const cut = whole.slice(0, fits);
  const gap = /\s/u.test(whole.charAt(fits)) ? fits : cut.search(/\s\S*$/u);
  const kept = gap > fits * 0.7 ? cut.slice(0, gap) : withoutBrokenCharacter(cut, whole);
  return kept.trimEnd() + ellipsis;
}

/** Takes off the last character where the cut went through it: an emoji of several parts, or a letter and its mark. */
function withoutBrokenCharacter(cut: string, whole: string): string {
  const near = Math.max(0, cut.length - 64);
  const segments = new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(whole.slice(near, cut.length + 64));
  const at = segments.containing(cut.length - near);
  return at === undefined ? cut : cut.slice(0, near + at.index);
}

/** The first `characters` of a text, less the half that a cut would leave of a surrogate pair; well formed. */
export function cutText(text: string, characters: number): string {
  const cut = text.slice(0, characters);
  const isHalved = cut.length < text.length && /[\ud800-\udbff]$/.test(cut);
  return (isHalved ? cut.slice(0, -1) : cut).toWellFormed();
}
