/** `Did you mean "title"?` where one of `words` is a slip of the pen away from `typed`, else an empty text. */
export function didYouMean(typed: string, words: Iterable<string>): string {
  const word = nearestWord(typed, words);
  return word === null ? '' : `Did you mean ${JSON.stringify(word)}?`;
}

/** The word that `typed` was most likely meant to be; null where none is near. Case, `-` and blanks do not count. */
function nearestWord(typed: string, words: Iterable<string>): string | null {
  const wanted = plain(typed);
  if (wanted.length === 0 || wanted.length > 60) return null;
  let nearest: { word: string; distance: number } | null = null;
  for (const word of words) {
    const candidate = plain(word);
    const allowed = Math.max(candidate.length, wanted.length) < 4 ? 0 : candidate.length < 9 ? 1 : 2;
    if (Math.abs(candidate.length - wanted.length) > allowed) continue;
    const distance = editDistance(wanted, candidate);
    if (distance <= allowed && (nearest === null || distance < nearest.distance)) nearest = { word, distance };
  }
  return nearest?.word ?? null;
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/gu, '');
}

/** Insertions, deletions, substitutions and swaps of neighbours that make `from` into `to`. */
function editDistance(from: string, to: string): number {
  let twoBack: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (twoBack[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    twoBack = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}
