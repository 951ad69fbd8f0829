/** Insertions, deletions, substitutions and swaps of neighbours that make `from` into `to`; `limit + 1` where more. */
export function editDistance(from: string, to: string, limit = Infinity): number {
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const costs = [row];
    let least = row;
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from.charCodeAt(row - 1) === to.charCodeAt(column - 1);
      let cost = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
      cost = Math.min(cost, (last[column] ?? 0) + 1, (costs[column - 1] ?? 0) + 1);
      const isSwap =
        row > 1 &&
        column > 1 &&
        from.charCodeAt(row - 1) === to.charCodeAt(column - 2) &&
        from.charCodeAt(row - 2) === to.charCodeAt(column - 1);
      if (isSwap) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      costs.push(cost);
      if (cost < least) least = cost;
    }
    if (least > limit) return limit + 1;
    beforeLast = last;
    last = costs;
  }
  return Math.min(last[to.length] ?? 0, limit + 1);
}
