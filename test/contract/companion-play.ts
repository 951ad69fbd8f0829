import { expect } from 'vitest';
import type { Owner } from '../../src/engine/ports/store.ts';
import { analyseText } from '../../src/memory/search-text.ts';
import {
  aConversation,
  aFact,
  aMemoryTurn,
  aNote,
  aPart,
  aRollIn,
  type CompanionsUnderTest,
} from './companion-fixtures.ts';
import { CompanionModel, type Talk } from './companion-model.ts';
import { aSummary } from './companion-rolling.ts';
import type { Step, World } from './companion-scopes.ts';
import { freshId, start } from './store-fixtures.ts';

const archiveAfter = 3;
/** In every text, so that one search finds all of them. */
export const commonWord = 'vulkanas';

/** A text that is told from all others by its mark. */
export function textOf(mark: string): string {
  return `${commonWord} ${mark}`;
}

/** The marks of all texts in what was read, however deep. */
export function marksIn(read: unknown): Set<string> {
  return new Set(JSON.stringify(read).match(/zyme\d+/gu) ?? []);
}

const freshMark = () => freshId('zyme').replace('-', '');
const isSame = (one: Owner, other: Owner) => one.schoolId === other.schoolId && one.userId === other.userId;

function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`there is no ${index} among ${list.length}`);
  return found;
}

/** One sequence of writes in a world, done in the store and in a model of what should come of them. */
export class CompanionPlay {
  readonly #opened: CompanionsUnderTest;
  readonly #world: World;
  readonly model = new CompanionModel(archiveAfter);
  #now = start;

  constructor(opened: CompanionsUnderTest, world: World) {
    this.#opened = opened;
    this.#world = world;
  }

  async take(step: Step): Promise<void> {
    const model = this.model;
    const { companions } = this.#opened;
    this.#now += 1_000;
    switch (step.do) {
      case 'roll': {
        const { owner, scope } = at(this.#world.places, step.at);
        const turns = step.ids.map((id) => ({ id, mark: freshMark() }));
        const given = turns.map(({ id, mark }) => aMemoryTurn({ id, content: textOf(mark) }));
        await companions.rollIn(owner, scope, aRollIn(given, { archiveAfter }));
        return model.rollIn({ owner, scope }, turns);
      }
      case 'summarise': {
        const { owner, scope } = at(this.#world.places, step.at);
        const memory = await companions.rollingMemory(owner, scope);
        const mark = freshMark();
        const made = aSummary(memory?.version ?? 0, { summary: textOf(mark) });
        const kept = await companions.keepSummary(owner, scope, made);
        expect(kept).toBe(memory ? 'kept' : 'conflict');
        return memory ? model.summarise({ owner, scope }, mark) : undefined;
      }
      case 'clear': {
        const place = at(this.#world.places, step.at);
        const isCleared = await companions.clearMemory(place.owner, place.scope, this.#now);
        return expect(isCleared).toBe(model.clear(place));
      }
      case 'learn': {
        const { owner, scope } = at(this.#world.places, step.at);
        const fact = { id: step.id, supersedes: step.supersedes, mark: freshMark() };
        const { mark, ...named } = fact;
        await companions.keepFacts(owner, scope, [aFact({ ...named, text: textOf(mark) })]);
        return model.learn({ owner, scope }, fact);
      }
      case 'name': {
        const owner = at(this.#world.owners, Math.max(step.by, 0));
        const mark = freshMark();
        await companions.keepLearner(owner, { id: step.id, name: textOf(mark), createdAt: start });
        const names = model.names.get(JSON.stringify(owner)) ?? new Map<string, string>();
        return void model.names.set(JSON.stringify(owner), names.set(step.id, mark));
      }
      case 'talk': {
        const place = at(this.#world.places, step.at);
        const title = freshMark();
        const made = aConversation(place.owner, {
          ...place.scope,
          title: textOf(title),
          endsEarlier: step.endsEarlier,
          createdAt: this.#now,
        });
        await companions.createConversation(made);
        return model.begin({ id: made.session.id, place, title }, step.endsEarlier);
      }
      case 'guard':
      case 'consent':
        return this.#entrust(step);
      default: {
        const talk = model.talks[step.talk % Math.max(model.talks.length, 1)];
        return talk ? this.#touch(step, talk) : undefined;
      }
    }
  }

  /** Something about a conversation, from whoever's it is or from someone else. */
  async #touch(step: Extract<Step, { talk: number }>, talk: Talk): Promise<void> {
    const { companions } = this.#opened;
    const by = step.by < 0 ? talk.place.owner : at(this.#world.owners, step.by);
    const isOwn = isSame(by, talk.place.owner);
    const mark = freshMark();
    switch (step.do) {
      case 'end': {
        const outcome = talk.isActive ? 'ended' : 'over';
        expect(await companions.endConversation(by, talk.id, this.#now)).toBe(isOwn ? outcome : null);
        if (isOwn) talk.isActive = false;
        return;
      }
      case 'recall': {
        const text = textOf(mark);
        const content = step.part === 'topics' ? JSON.stringify([text]) : text;
        const indexed = { text, ...analyseText(text, 'lt') };
        await companions.keepPart(by, aPart(talk.id, { part: step.part, content, indexed }));
        return isOwn ? this.model.keepPart(talk, step.part, mark) : undefined;
      }
      case 'note': {
        const session = { id: talk.id, cartridgeId: talk.place.scope.cartridgeId };
        const note = aNote(by, session, { summary: textOf(mark) });
        await companions.keepParentNote(note);
        if (isOwn) talk.note ??= { id: note.id, mark };
      }
    }
  }

  async #entrust(step: Extract<Step, { do: 'guard' | 'consent' }>): Promise<void> {
    const { companions } = this.#opened;
    const { schoolId, userId: studentId } = at(this.#world.places, step.at).owner;
    if (step.do === 'guard') {
      const { userId: guardianId } = at(this.#world.owners, Math.max(step.by, 0));
      await companions.keepGuardian(schoolId, {
        guardianId,
        guardianName: null,
        studentId,
        studentName: null,
        createdAt: start,
      });
      this.model.guardians.add(JSON.stringify([schoolId, guardianId, studentId]));
      return;
    }
    const said = { kind: 'parent_notes', isGranted: step.isGranted, byUser: 'x', changedAt: this.#now };
    await companions.keepConsent(schoolId, { studentId, ...said });
    const name = JSON.stringify([schoolId, studentId]);
    if (step.isGranted) this.model.consented.add(name);
    else this.model.consented.delete(name);
  }
}
