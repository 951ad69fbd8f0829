import { isFirstLetter, isGap, nextPlace, opensWord, type Place, places } from './place.ts';
import {
  APOSTROPHE,
  AT,
  DIGIT_ZERO,
  DOT,
  isSign,
  isWordSymbol,
  LOOKALIKES,
  LONE_VOWELS,
  OTHER_LETTER,
  PLUS,
  SEPARATOR,
  startsWord,
  SYMBOL_COUNT,
} from './symbols.ts';
import type { WordGraph } from './word-graph.ts';

/**
 * One deterministic automaton for the forms of all words of all phrases, whatever the boundary or language.
 * `next[state * SYMBOL_COUNT + symbol]` is the state that follows; state 0 is the beginning of a text.
 */
export type WordAutomaton = {
  readonly next: Uint16Array | Uint32Array;
  readonly places: Uint8Array;
  /** By state: which word this is, as an index of `accepted`; 0 where it is none. In a gap: which word ended here. */
  readonly accepts: Uint32Array;
  /** Sets of word sets, the first empty: the sets that a word belongs to. */
  readonly accepted: readonly Int32Array[];
  /** By state: the word sets with a form that can still come of this word, as an index of `reached`. */
  readonly reaches: Uint32Array;
  /** Sorted sets of word sets, the first empty. */
  readonly reached: readonly Int32Array[];
  /** The state after a sign that may have ended a word. */
  readonly afterSign: number;
};

/**
 * Where a reading of a word stands: node * 2, and 1 where a real letter led there (lookalikes alone make no word). An
 * innocent word is followed too, letter for letter: its nodes are the negative ones, less 1.
 */
type Item = number;

/**
 * Determinizes the graph of all forms with lookalikes, repeated letters and boundaries. `innocent` has the words that are
 * none although they only repeat a form's letters ("assess" is no "asses").
 */
export function buildWordAutomaton(graph: WordGraph, innocent: WordGraph): WordAutomaton {
  return new Builder(graph, innocent).build();
}

class Builder {
  readonly #graph: WordGraph;
  readonly #innocent: WordGraph;
  readonly #ids = new Map<string, number>();
  readonly #states: { place: Place; items: readonly Item[]; ended: number }[] = [];
  readonly #accepted = new Interned();
  readonly #reached = new Interned();
  readonly #reachOfNode = new Map<number, ReadonlySet<number>>();

  constructor(graph: WordGraph, innocent: WordGraph) {
    this.#graph = graph;
    this.#innocent = innocent;
  }

  build(): WordAutomaton {
    this.#state(places.gap, [], 0);
    const afterSign = this.#state(places.wordSign, [], 0);
    const rows: Uint32Array[] = [];
    for (let index = 0; index < this.#states.length; index++) rows.push(this.#expand(index));
    const size = rows.length * SYMBOL_COUNT;
    const next = rows.length < 0x10000 ? new Uint16Array(size) : new Uint32Array(size);
    rows.forEach((row, index) => next.set(row, index * SYMBOL_COUNT));
    const accepts = Uint32Array.from(this.#states, ({ place, items, ended }) =>
      isGap(place) ? ended : this.#accept(items),
    );
    const reaches = Uint32Array.from(this.#states, ({ items }) => this.#reach(items));
    return {
      next,
      places: Uint8Array.from(this.#states, ({ place }) => place),
      accepts,
      accepted: this.#accepted.sets,
      reaches,
      reached: this.#reached.sets,
      afterSign,
    };
  }

  #expand(index: number): Uint32Array {
    const { place, items } = this.#states[index] ?? { place: places.gap, items: [] };
    const row = new Uint32Array(SYMBOL_COUNT);
    const relevant = this.#relevant(place, items);
    for (let symbol = 0; symbol < SYMBOL_COUNT; symbol++) {
      if (relevant[symbol]) row[symbol] = this.#follow(place, items, symbol);
    }
    for (let symbol = 0; symbol < AT; symbol++) if (!relevant[symbol]) row[symbol] = row[OTHER_LETTER] ?? 0;
    row[DOT] = row[SEPARATOR] ?? 0;
    row[PLUS] = row[SEPARATOR] ?? 0;
    return row;
  }

  /** The symbols that do not lead where a letter of no word leads. */
  #relevant(place: Place, items: readonly Item[]): Uint8Array {
    const graph = this.#graph;
    const relevant = new Uint8Array(SYMBOL_COUNT);
    const nodes = items.filter((item) => item >= 0).map((item) => item >> 1);
    const exact = items.filter((item) => item < 0).map((item) => -item - 1);
    if (opensWord(place)) {
      nodes.push(graph.root);
      exact.push(this.#innocent.root);
      for (const vowel of LONE_VOWELS) relevant[vowel] = 1;
    }
    for (const node of nodes) {
      for (const [symbol] of graph.edges(node)) relevant[symbol] = 1;
      if (graph.symbol(node) >= 0) relevant[graph.symbol(node)] = 1;
    }
    for (const node of exact) for (const [symbol] of this.#innocent.edges(node)) relevant[symbol] = 1;
    for (let digit = DIGIT_ZERO; digit < AT; digit++) {
      if (LOOKALIKES[digit]?.some((letter) => relevant[letter] === 1)) relevant[digit] = 1;
    }
    for (let symbol = AT; symbol <= APOSTROPHE; symbol++) relevant[symbol] = 1;
    relevant[SEPARATOR] = 1;
    relevant[OTHER_LETTER] = 1;
    return relevant;
  }

  #follow(place: Place, items: readonly Item[], symbol: number): number {
    const after = nextPlace(place, symbol);
    if (isGap(after)) {
      const lone = isFirstLetter(place) || (isGap(place) && after === place);
      return this.#state(after, lone ? items : [], isGap(place) ? 0 : this.#accept(items));
    }
    const out: Item[] = [];
    const within = !isGap(place) && place !== places.wordSign;
    if (within) for (const item of items) this.#advance(item, symbol, out);
    const begins = isWordSymbol(symbol) || (startsWord(symbol) && isGap(place));
    if (opensWord(place) && begins) {
      this.#advance(this.#graph.root * 2, symbol, out);
      this.#advance(-this.#innocent.root - 1, symbol, out);
    }
    return this.#state(after, out, 0);
  }

  /** Goes on in a word: by the symbol itself, by what it looks like, or by a letter repeated. */
  #advance(item: Item, symbol: number, out: Item[]): void {
    if (item < 0) {
      const exact = this.#innocent.child(-item - 1, symbol);
      if (exact !== undefined) out.push(-exact - 1);
      return;
    }
    const graph = this.#graph;
    const node = item >> 1;
    const next = graph.child(node, symbol);
    if (next !== undefined) out.push(next * 2 + 1);
    if (symbol < OTHER_LETTER && graph.symbol(node) === symbol) out.push(node * 2 + 1);
    for (const letter of LOOKALIKES[symbol] ?? []) {
      const alike = graph.child(node, letter);
      if (alike !== undefined) out.push(alike * 2 + (item & 1));
      if (graph.symbol(node) === letter && isSignOrDigit(symbol)) out.push(item);
    }
  }

  #accept(items: readonly Item[]): number {
    if (items.some((item) => item < 0 && this.#innocent.end(-item - 1).length > 0)) return 0;
    return this.#accepted.add(items.flatMap((item) => (item > 0 && item & 1 ? this.#graph.end(item >> 1) : [])));
  }

  #reach(items: readonly Item[]): number {
    return this.#reached.add(items.flatMap((item) => (item < 0 ? [] : [...this.#reachOf(item >> 1)])));
  }

  #reachOf(node: number): ReadonlySet<number> {
    const known = this.#reachOfNode.get(node);
    if (known) return known;
    const reach = new Set(this.#graph.end(node));
    for (const [, child] of this.#graph.edges(node)) for (const name of this.#reachOf(child)) reach.add(name);
    this.#reachOfNode.set(node, reach);
    return reach;
  }

  #state(place: Place, items: readonly Item[], ended: number): number {
    const kept = items.length > 1 ? withoutDoubles(items) : items;
    const key = `${place} ${ended} ${kept.join()}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#states.push({ place, items: kept, ended }) - 1;
    this.#ids.set(key, id);
    return id;
  }
}

/** The items, each once and in order, a lookalike's left out where a real letter's is there. */
function withoutDoubles(items: readonly Item[]): readonly Item[] {
  const sorted = items.toSorted((a, b) => a - b);
  return sorted.filter((item, index) => {
    if (item === sorted[index - 1]) return false;
    return item < 0 || item & 1 || !sorted.includes(item + 1);
  });
}

function isSignOrDigit(symbol: number): boolean {
  return isSign(symbol) || (symbol >= DIGIT_ZERO && symbol < AT);
}

/** Sets of numbers, each kept once; 0 is the empty set. */
class Interned {
  readonly sets: Int32Array[] = [new Int32Array(0)];
  readonly #ids = new Map<string, number>([['', 0]]);

  add(numbers: readonly number[]): number {
    const sorted = Int32Array.from(new Set(numbers)).sort();
    const key = sorted.join();
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.sets.push(sorted) - 1;
    this.#ids.set(key, id);
    return id;
  }
}
