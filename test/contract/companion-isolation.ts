import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Owner } from '../../src/engine/ports/store.ts';
import { parseQuery } from '../../src/memory/search-query.ts';
import type { CompanionsUnderTest } from './companion-fixtures.ts';
import type { CompanionModel, Talk } from './companion-model.ts';
import { CompanionPlay, commonWord, marksIn, textOf } from './companion-play.ts';
import { aWorld, type Place, someSteps, type World } from './companion-scopes.ts';
import { freshId, start } from './store-fixtures.ts';

const page = { offset: 0, limit: 1_000 };
const known = (marks: readonly (string | null)[]) => new Set(marks.filter((mark) => mark !== null));

/** Reads everything that anyone can read in a world, and holds it against what should be there. */
class IsolationCheck {
  readonly #opened: CompanionsUnderTest;
  readonly #world: World;
  readonly #model: CompanionModel;

  constructor(opened: CompanionsUnderTest, world: World, model: CompanionModel) {
    this.#opened = opened;
    this.#world = world;
    this.#model = model;
  }

  async run(): Promise<void> {
    await Promise.all(this.#world.places.map((place) => this.#checkPlace(place)));
    await Promise.all(this.#world.owners.map((owner) => this.#checkOwner(owner)));
  }

  /** What is read in a place is what was written there, all of it and nothing else. */
  async #checkPlace(place: Place): Promise<void> {
    const { companions } = this.#opened;
    const { owner, scope } = place;
    const there = this.#model.at(place);
    const talks = this.#talksOf(owner).filter((talk) => talk.place.scope === scope);
    const memory = await companions.rollingMemory(owner, scope);
    expect(marksIn(memory)).toEqual(known([...there.turns, there.summary]));
    const listed = await companions.rollingMemories(owner, scope.cartridgeId);
    expect(listed.filter(({ learnerId }) => learnerId === scope.learnerId)).toEqual(memory ? [memory] : []);
    const facts = async (all: boolean) => marksIn(await companions.facts(owner, scope, all));
    expect(await facts(true)).toEqual(known(there.facts.map(({ mark }) => mark)));
    expect(await facts(false)).toEqual(known(there.facts.filter(({ stands }) => stands).map(({ mark }) => mark)));
    const archives = await companions.archives(owner, scope, 1_000);
    expect(archives.map(({ summary }) => summary)).toEqual(
      there.archives.map((mark) => (mark === null ? '' : textOf(mark))),
    );
    const ended = talks.filter(({ isActive }) => !isActive);
    const recalled = await companions.recalledSessions(owner, scope, 1_000);
    expect(marksIn(recalled)).toEqual(known(ended.flatMap(({ parts }) => [...parts.values()])));
    const documents = [...there.documents.values()];
    expect(await this.#found(owner, scope, true)).toEqual(known(documents.map(({ mark }) => mark)));
    const current = documents.filter(({ isArchived }) => !isArchived);
    expect(await this.#found(owner, scope, false)).toEqual(known(current.map(({ mark }) => mark)));
  }

  async #checkOwner(owner: Owner): Promise<void> {
    const { companions } = this.#opened;
    const model = this.#model;
    const own = this.#talksOf(owner);
    const listed = await companions.conversations(owner, page);
    expect(listed.total).toBe(own.length);
    expect(marksIn(listed)).toEqual(known(own.map(({ title }) => title)));
    for (const talk of model.talks) {
      const isOwn = own.includes(talk);
      const record = await companions.conversation(owner, talk.id);
      const { title, isActive } = talk;
      if (isOwn) expect(record).toMatchObject({ ...talk.place.scope, title: textOf(title), isActive });
      else expect(record).toBeNull();
      const parts = await companions.partsOf(owner, talk.id);
      expect(marksIn(parts)).toEqual(known(isOwn ? [...talk.parts.values()] : []));
    }
    const documents = this.#world.places
      .filter((place) => place.owner === owner)
      .flatMap((place) => [...model.at(place).documents.values()]);
    expect(await this.#found(owner, {}, true)).toEqual(known(documents.map(({ mark }) => mark)));
    expect(marksIn(await companions.learners(owner))).toEqual(
      new Set(model.names.get(JSON.stringify(owner))?.values() ?? []),
    );
    await this.#checkNotes(owner);
  }

  /** A guardian reads the notes of those in their care whose consent stands. */
  async #checkNotes(owner: Owner): Promise<void> {
    const { companions } = this.#opened;
    const { schoolId, userId } = owner;
    const noted = this.#model.talks.filter(({ note }) => note !== null);
    const readable = noted.filter(({ place: { owner: student } }) => {
      const isTheirs = this.#model.guardians.has(JSON.stringify([schoolId, userId, student.userId]));
      const consented = this.#model.consented.has(JSON.stringify([schoolId, student.userId]));
      return student.schoolId === schoolId && isTheirs && consented;
    });
    expect(marksIn(await companions.parentNotes(owner, page))).toEqual(
      known(readable.map(({ note }) => note?.mark ?? null)),
    );
    for (const talk of noted) {
      const viewed = await companions.viewParentNote(owner, talk.note?.id ?? '', start);
      expect(marksIn(viewed)).toEqual(known(readable.includes(talk) ? [talk.note?.mark ?? null] : []));
    }
  }

  #talksOf(owner: Owner): Talk[] {
    return this.#model.talks.filter(({ place }) => place.owner === owner);
  }

  async #found(owner: Owner, scope: Partial<Place['scope']>, includeArchive: boolean): Promise<Set<string>> {
    const request = { query: parseQuery(commonWord), match: 'all' as const, ...page, ...scope, includeArchive };
    const { hits, total } = await this.#opened.search.searchMemory(owner, request);
    const marks = marksIn(hits);
    expect([hits.length, total]).toEqual([marks.size, marks.size]);
    return marks;
  }
}

export function describeCompanionIsolation(shared: () => CompanionsUnderTest): void {
  describe('whatever is written by whomever', () => {
    it('is read in its own scope, and nothing of it in any other', async () => {
      await fc.assert(
        fc.asyncProperty(someSteps, async (steps) => {
          const world = aWorld(freshId('world'));
          const play = new CompanionPlay(shared(), world);
          for (const step of steps) await play.take(step);
          await new IsolationCheck(shared(), world, play.model).run();
        }),
        { numRuns: 50, interruptAfterTimeLimit: 20_000 },
      );
    });
  });
}
