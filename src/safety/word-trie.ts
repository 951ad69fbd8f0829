/** Forms of words as a tree of symbols. Nodes are numbers; the roots of all words live in one arena. */
export class WordTries {
  readonly #children: Map<number, number>[] = [];
  readonly #symbols: number[] = [];
  readonly #ends: boolean[] = [];
  readonly #roots = new Map<string, number>();

  /** The root of a word's tree; the same forms have the same tree. */
  add(forms: readonly (readonly number[])[]): number {
    const key = forms.map((form) => form.join()).join(';');
    const known = this.#roots.get(key);
    if (known !== undefined) return known;
    const root = this.#node(-1);
    for (const form of forms) {
      let node = root;
      for (const symbol of form) node = this.child(node, symbol) ?? this.#grow(node, symbol);
      this.#ends[node] = true;
    }
    this.#roots.set(key, root);
    return root;
  }

  child(node: number, symbol: number): number | undefined {
    return this.#children[node]?.get(symbol);
  }

  /** The symbols that lead on from a node. */
  symbolsAfter(node: number): Iterable<number> {
    return this.#children[node]?.keys() ?? [];
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

  #node(symbol: number): number {
    this.#children.push(new Map());
    this.#ends.push(false);
    return this.#symbols.push(symbol) - 1;
  }

  #grow(parent: number, symbol: number): number {
    const node = this.#node(symbol);
    this.#children[parent]?.set(symbol, node);
    return node;
  }
}
