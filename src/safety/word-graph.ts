/** Where a word begins in the graph, and which phrase goes on after it. */
export type WordStart = { root: number; tail: number };

/**
 * What follows a word of a phrase: another word, or the end, where `label` says what the phrase is. Phrases that go on
 * alike share their tails, however they began.
 */
export type Tail = {
  /** How many words of the phrase come before this one. */
  index: number;
  next: WordStart | null;
  label: number;
  /** The next word may follow with nothing between ("#likethis"). */
  joinable: boolean;
  /** The phrase is this one word. */
  single: boolean;
};

/** The forms of words as one graph: forms that end alike share their ends. Nodes are numbers. */
export class WordGraph {
  readonly #symbols: number[] = [];
  readonly #ends: boolean[] = [];
  readonly #edges: (readonly (readonly [number, number])[])[] = [];
  readonly #nodes = new Map<string, number>();
  readonly #tails: Tail[] = [];
  readonly #tailIds = new Map<string, number>();

  /** The node before the first letter of any of these forms. */
  add(forms: readonly (readonly number[])[]): number {
    const root: Draft = { children: new Map(), end: false };
    for (const form of forms) {
      let draft = root;
      for (const symbol of form) {
        const child = draft.children.get(symbol) ?? { children: new Map(), end: false };
        draft.children.set(symbol, child);
        draft = child;
      }
      draft.end = true;
    }
    return this.#settle(-1, root);
  }

  tailOf(tail: Tail): number {
    const { index, next, label, joinable, single } = tail;
    const key = `${index} ${next ? `${next.root}>${next.tail}` : label} ${joinable} ${single}`;
    const known = this.#tailIds.get(key);
    if (known !== undefined) return known;
    const id = this.#tails.push(tail) - 1;
    this.#tailIds.set(key, id);
    return id;
  }

  tail(id: number): Tail {
    const tail = this.#tails[id];
    if (!tail) throw new Error(`no tail ${id}`);
    return tail;
  }

  /** The symbols that lead on from a node, each with the node it leads to. */
  edges(node: number): readonly (readonly [number, number])[] {
    return this.#edges[node] ?? [];
  }

  child(node: number, symbol: number): number | undefined {
    return this.edges(node).find(([edge]) => edge === symbol)?.[1];
  }

  /** The symbol that leads to the node; -1 for a root. */
  symbol(node: number): number {
    return this.#symbols[node] ?? -1;
  }

  isEnd(node: number): boolean {
    return this.#ends[node] ?? false;
  }

  get size(): number {
    return this.#symbols.length;
  }

  #settle(symbol: number, draft: Draft): number {
    const edges = Array.from(draft.children, ([next, child]) => [next, this.#settle(next, child)] as const);
    edges.sort((a, b) => a[0] - b[0]);
    const key = `${symbol} ${draft.end} ${edges.join(';')}`;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const id = this.#symbols.push(symbol) - 1;
    this.#ends.push(draft.end);
    this.#edges.push(edges);
    this.#nodes.set(key, id);
    return id;
  }
}

type Draft = { children: Map<number, Draft>; end: boolean };
