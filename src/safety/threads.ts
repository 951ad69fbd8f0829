import type { Position } from './phrase-graph.ts';
import type { PhraseMachine, Waiting } from './phrase-machine.ts';

/**
 * Phrases waiting for a word, and where each began: all at `start`, or where `starts` is given, each at its own. They are
 * held back from `heldFrom`; Infinity where none of them is.
 */
export type Threads = {
  readonly waiting: Waiting;
  readonly start: number;
  readonly starts: readonly number[] | null;
  readonly heldFrom: number;
};

/** A word that is whole, by its number; what waited for it; and where it began. */
export type WholeWord = { accepted: number; threads: Threads; start: number };

/** No phrase at all. */
export function noThreads(machine: PhraseMachine): Threads {
  return { waiting: machine.nothing, start: 0, starts: null, heldFrom: Infinity };
}

/** Where the phrase at `index` of those waiting began. */
export function startOf(threads: Threads, index: number): number {
  return threads.starts ? (threads.starts[index] ?? threads.start) : threads.start;
}

/** What waits once `word` was taken: `sources` says of each phrase which one it was before, -1 where it begins. */
export function threadsAfter(word: WholeWord, waiting: Waiting, sources: readonly number[]): Threads {
  const old = word.threads;
  if (old.waiting.positions.length === 0) {
    return { waiting, start: word.start, starts: null, heldFrom: waiting.held.length > 0 ? word.start : Infinity };
  }
  return withStarts(
    waiting,
    sources.map((from) => (from < 0 ? word.start : startOf(old, from))),
  );
}

/** The phrases of both; one that is in both began where the earlier of them did. */
export function unite(machine: PhraseMachine, some: Threads, others: Threads): Threads {
  if (some.waiting.positions.length === 0) return others;
  if (others.waiting.positions.length === 0) return some;
  if (some.waiting === others.waiting) return uniteSame(some, others);
  const starts = new Map<Position, number>();
  for (const threads of [some, others]) {
    threads.waiting.positions.forEach((position, index) => {
      starts.set(position, Math.min(starts.get(position) ?? Infinity, startOf(threads, index)));
    });
  }
  const waiting = machine.waiting([...starts.keys()], false);
  return withStarts(
    waiting,
    waiting.positions.map((position) => starts.get(position) ?? 0),
  );
}

/** The same phrases, held as another machine holds them. */
export function moveTo(machine: PhraseMachine, threads: Threads): Threads {
  const waiting = machine.waiting(threads.waiting.positions, threads.waiting.closed);
  return withStarts(
    waiting,
    waiting.positions.map((_, index) => startOf(threads, index)),
  );
}

function uniteSame(some: Threads, others: Threads): Threads {
  if (!some.starts && !others.starts) return some.start <= others.start ? some : others;
  const starts = some.waiting.positions.map((_, index) => Math.min(startOf(some, index), startOf(others, index)));
  return withStarts(some.waiting, starts);
}

function withStarts(waiting: Waiting, starts: readonly number[]): Threads {
  const heldFrom = waiting.held.reduce((from, index) => Math.min(from, starts[index] ?? 0), Infinity);
  return { waiting, start: 0, starts, heldFrom };
}
