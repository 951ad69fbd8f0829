import { analyseText } from './search-text.ts';

/** A message that facts can come from, by its number in what the model read. */
export type SourceTurn = { number: number; id: string; role: 'user' | 'assistant'; content: string };

/** A fact as the model gave it. `from`: the number of the turn; `supersedes`: the id of a fact that no longer holds. */
export type FactClaim = { kind: string; text: string; from: number | null; supersedes: string | null };

/** A fact that can be kept, with the turn it came from. */
export type CheckedFact = { kind: string; text: string; source: SourceTurn; supersedes: string | null };

export type KnownFact = { id: string; text: string };

const longestFact = 400;
/** Two facts that share this much of their words say the same. */
const sameShare = 0.8;

/**
 * Which of the facts that a model drew from a conversation can be kept. One that is known already is not new; one that
 * only the character said (it may have been recalled to it) is no fact of the person's; each comes from a turn of the
 * person's own.
 */
export function checkFacts(
  claims: readonly FactClaim[],
  { turns, known, language }: { turns: readonly SourceTurn[]; known: readonly KnownFact[]; language: string },
): CheckedFact[] {
  const own = turns
    .filter(({ role }) => role === 'user')
    .map((turn) => ({ turn, stems: stemsOf(turn.content, language) }));
  const others = turns.filter(({ role }) => role === 'assistant').map(({ content }) => stemsOf(content, language));
  const knownStems = known.map(({ id, text }) => ({ id, stems: stemsOf(text, language) }));
  const taken: ReadonlySet<string>[] = [];
  return claims.flatMap(({ kind, text: given, from, supersedes }) => {
    const text = given.replace(/\s+/gu, ' ').trim().slice(0, longestFact).toWellFormed();
    const stems = stemsOf(text, language);
    if (stems.size === 0) return [];
    const replaced = known.some(({ id }) => id === supersedes) ? supersedes : null;
    const isKnown = knownStems.some((fact) => fact.id !== replaced && isSame(fact.stems, stems));
    if (isKnown || taken.some((fact) => isSame(fact, stems))) return [];
    const source = sourceOf(stems, { from, own, others });
    if (!source) return [];
    taken.push(stems);
    return [{ kind, text, source, supersedes: replaced }];
  });
}

type OwnTurn = { turn: SourceTurn; stems: ReadonlySet<string> };

function sourceOf(
  stems: ReadonlySet<string>,
  { from, own, others }: { from: number | null; own: readonly OwnTurn[]; others: readonly ReadonlySet<string>[] },
): SourceTurn | null {
  const named = own.find(({ turn }) => turn.number === from);
  const isTheirs = others.some((said) => shared(stems, said) > 0);
  // Where the named turn has not a word of it and the character's have, the character said it: a yes is no fact.
  if (named && (shared(stems, named.stems) > 0 || !isTheirs)) return named.turn;
  const shares = own.map(({ turn, stems: said }) => ({ turn, shared: shared(stems, said) }));
  const best = shares.reduce<(typeof shares)[number] | null>(
    (one, other) => (other.shared > 0 && other.shared >= (one?.shared ?? 0) ? other : one),
    null,
  );
  if (best) return best.turn;
  // In other words than anyone's, a fact sums up the whole; in the character's alone, it is the character's.
  return isTheirs ? null : (own.at(-1)?.turn ?? null);
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const all = new Set([...one, ...other]).size;
  return all > 0 && shared(one, other) / all >= sameShare;
}

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let count = 0;
  for (const stem of one) if (other.has(stem)) count += 1;
  return count;
}

function stemsOf(text: string, language: string): ReadonlySet<string> {
  return new Set(
    analyseText(text, language)
      .stems.split(' ')
      .filter((stem) => stem !== ''),
  );
}
