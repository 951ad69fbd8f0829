import type { MemoryScope } from '../../src/engine/ports/companion-store.ts';
import type { Owner } from '../../src/engine/ports/store.ts';
import type { Place } from './companion-scopes.ts';

/** What is found by its words. */
type Document = { mark: string; isArchived: boolean };
type Fact = { id: string; mark: string; stands: boolean };

/** What is remembered in one place: of each text only the mark that no other text has. */
export type Remembered = {
  turns: string[];
  summary: string | null;
  facts: Fact[];
  archives: (string | null)[];
  /** By a name of the model's own. */
  documents: Map<string, Document>;
};

export type Talk = {
  id: string;
  place: Place;
  title: string;
  isActive: boolean;
  parts: Map<string, string>;
  note: { id: string; mark: string } | null;
};

/** What should be there after each write, simply: nothing of it is shared between places. */
export class CompanionModel {
  readonly talks: Talk[] = [];
  readonly names = new Map<string, Map<string, string>>();
  readonly guardians = new Set<string>();
  readonly consented = new Set<string>();
  readonly #places = new Map<string, Remembered>();
  readonly #known = new Set<string>();
  readonly #archiveAfter: number;

  constructor(archiveAfter: number) {
    this.#archiveAfter = archiveAfter;
  }

  at({ owner, scope }: Place): Remembered {
    const name = nameOf(owner, scope);
    const there = this.#places.get(name);
    if (there) return there;
    const empty: Remembered = { turns: [], summary: null, facts: [], archives: [], documents: new Map() };
    this.#places.set(name, empty);
    return empty;
  }

  rollIn(place: Place, turns: readonly { id: string; mark: string }[]): void {
    const there = this.at(place);
    const fresh = turns.filter(({ id }) => this.#isNew(place.owner, `turn ${id}`));
    if (there.turns.length > 0 && fresh.length > 0 && there.turns.length + fresh.length > this.#archiveAfter)
      this.#archive(there);
    for (const { mark } of fresh) {
      there.turns.push(mark);
      there.documents.set(`turn ${mark}`, { mark, isArchived: false });
    }
  }

  summarise(place: Place, mark: string): void {
    const there = this.at(place);
    there.summary = mark;
    there.documents.set('summary', { mark, isArchived: false });
  }

  learn(place: Place, { id, mark, supersedes }: { id: string; mark: string; supersedes: string | null }): void {
    const there = this.at(place);
    if (!this.#isNew(place.owner, `fact ${id}`)) return;
    const old = there.facts.find((fact) => fact.id === supersedes && fact.stands);
    if (old) {
      old.stands = false;
      archiveIn(there, `fact ${old.mark}`);
    }
    there.facts.push({ id, mark, stands: true });
    there.documents.set(`fact ${mark}`, { mark, isArchived: false });
  }

  /** False where there was nothing. */
  clear(place: Place): boolean {
    const there = this.at(place);
    if (there.turns.length === 0 && there.facts.length === 0) return false;
    if (there.turns.length > 0) this.#archive(there);
    there.summary = null;
    for (const { mark } of there.facts) archiveIn(there, `fact ${mark}`);
    there.facts = [];
    return true;
  }

  begin(talk: Omit<Talk, 'isActive' | 'parts' | 'note'>, endsEarlier: boolean): void {
    const { owner, scope } = talk.place;
    const name = nameOf(owner, scope);
    for (const other of this.talks)
      if (endsEarlier && nameOf(other.place.owner, other.place.scope) === name) other.isActive = false;
    this.talks.push({ ...talk, isActive: true, parts: new Map(), note: null });
  }

  keepPart(talk: Talk, part: string, mark: string): void {
    talk.parts.set(part, mark);
    this.at(talk.place).documents.set(`${part} ${talk.id}`, { mark, isArchived: false });
  }

  #archive(there: Remembered): void {
    there.archives.unshift(there.summary);
    there.turns = [];
    for (const [name, document] of there.documents) if (name.startsWith('turn ')) document.isArchived = true;
    const summary = there.documents.get('summary');
    if (!summary) return;
    there.documents.delete('summary');
    there.documents.set(`archived ${summary.mark}`, { ...summary, isArchived: true });
  }

  #isNew({ schoolId, userId }: Owner, what: string): boolean {
    const name = JSON.stringify([schoolId, userId, what]);
    if (this.#known.has(name)) return false;
    this.#known.add(name);
    return true;
  }
}

function nameOf({ schoolId, userId }: Owner, { cartridgeId, learnerId }: MemoryScope): string {
  return JSON.stringify([schoolId, userId, cartridgeId, learnerId]);
}

function archiveIn({ documents }: Remembered, name: string): void {
  const document = documents.get(name);
  if (document) document.isArchived = true;
}
