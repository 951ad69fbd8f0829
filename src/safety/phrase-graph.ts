/** A place between two words of a phrase: which set of words comes next, and what then. */
export type Position = {
  id: number;
  wordSet: number;
  next: Position | null;
  /** Where `next` is null: the entry that the phrase is, and the bit that says whether it is live. */
  entry: number;
  bit: number;
  /** The next word may follow with nothing between ("#likethis"). */
  joinable: boolean;
  /** The phrase is one word alone. */
  single: boolean;
};

/** A phrase to add: its words as numbers of word sets. */
export type PhraseDraft = { wordSets: readonly number[]; entry: number; bit: number; joinable: boolean };

/** Phrases as chains of positions; phrases of one entry that go on alike share them. */
export class PhraseGraph {
  /** Where each phrase begins. */
  readonly starts: Position[] = [];
  readonly #positions = new Map<string, Position>();

  add({ wordSets, entry, bit, joinable }: PhraseDraft): void {
    const single = wordSets.length === 1;
    let next: Position | null = null;
    for (const wordSet of wordSets.toReversed()) next = this.#position({ wordSet, next, entry, bit, joinable, single });
    if (next && !this.starts.includes(next)) this.starts.push(next);
  }

  #position(draft: Omit<Position, 'id'>): Position {
    const { wordSet, next, entry, joinable, single } = draft;
    const key = `${wordSet} ${next?.id ?? ''} ${entry} ${joinable} ${single}`;
    const known = this.#positions.get(key);
    if (known) return known;
    const position = { id: this.#positions.size, ...draft };
    this.#positions.set(key, position);
    return position;
  }
}
