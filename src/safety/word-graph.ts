/** The forms of many words as one graph: forms that end alike share their ends. Nodes are numbers. */
export class WordGraph {
  readonly root: number;
  readonly #symbols: number[] = [];
  readonly #ends: (readonly number[])[] = [];
  readonly #edges: (readonly (readonly [number, number])[])[] = [];
  readonly #nodes = new Map<string, number>();

  /** Of forms, each with the numbers that it is known by. */
  constructor(forms: Iterable<readonly [readonly number[], readonly number[]]>) {
    const root: Draft = { children: new Map(), end: [] };
    for (const [form, end] of forms) {
      let draft = root;
      for (const symbol of form) {
        const child = draft.children.get(symbol) ?? { children: new Map(), end: [] };
        draft.children.set(symbol, child);
        draft = child;
      }
      draft.end = end;
    }
    this.root = this.#settle(-1, root);
  }

  /** The symbols that lead on from a node, each with the node it leads to. */
  edges(node: number): readonly (readonly [number, number])[] {
    return this.#edges[node] ?? [];
  }

  child(node: number, symbol: number): number | undefined {
    return this.edges(node).find(([edge]) => edge === symbol)?.[1];
  }

  /** The symbol that leads to the node; -1 for the root. */
  symbol(node: number): number {
    return this.#symbols[node] ?? -1;
  }

  /** What the form that ends at the node is known by; empty where none ends. */
  end(node: number): readonly number[] {
    return this.#ends[node] ?? [];
  }

  #settle(symbol: number, draft: Draft): number {
    const edges = Array.from(draft.children, ([next, child]) => [next, this.#settle(next, child)] as const);
    edges.sort((a, b) => a[0] - b[0]);
    const key = `${symbol} ${draft.end.join()} ${edges.join(';')}`;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const id = this.#symbols.push(symbol) - 1;
    this.#ends.push(draft.end);
    this.#edges.push(edges);
    this.#nodes.set(key, id);
    return id;
  }
}

type Draft = { children: Map<number, Draft>; end: readonly number[] };
