import type { Clock } from '../core/clock.ts';
import { newId } from '../core/ids.ts';
import type { Random } from '../core/random.ts';
import { type ChosenMemory, chooseMemories } from '../memory/choose-memories.ts';
import { analyseContext, type ContextAnalysis } from '../memory/context-analysis.ts';
import { keyTerms } from '../memory/key-terms.ts';
import { textOfValue } from '../memory/memory-text.ts';
import type { Stem } from '../memory/relevance.ts';
import { analyseText, stemsOf } from '../memory/search-text.ts';
import {
  expiryOf,
  isMemoryItemType,
  type MemoryItemType,
  memoryItemTypes,
  type TypedMemoryChoice,
  typedMemorySettings,
} from '../memory/typed-memory.ts';
import type { MemoryItemRecord, NewMemoryItem, PreparedStore } from './ports/prepared-store.ts';
import type { Owner } from './ports/store.ts';

export { type MemoryItemType, memoryItemTypes };

export type ProjectMemoryParts = { prepared: PreparedStore; clock: Clock; random: Random };

/** What a cartridge says of its typed memory (`memory.typed`); undefined: nothing, and the seed's numbers hold. */
export type MemoryPolicy = TypedMemoryChoice | undefined;

/** A value (JSON) to be remembered of a project, under a key of its type. */
export type ProjectItem = { projectId: string; type: MemoryItemType; key: string; value: unknown };

export type MemoryQuery = { projectId: string; message: string; policy: MemoryPolicy; language: string };

/** The items worth telling the model, best first, and how far they answer the message. */
export type ProjectRecall = {
  terms: readonly string[];
  memories: readonly (ChosenMemory & { record: MemoryItemRecord })[];
  analysis: ContextAnalysis;
};

/** So many words' stems are kept of each language; past that they are made anew. */
const stemsKept = 30_000;

/** A project's typed memory (seed 004): what is kept of it, and what of that has to do with a message. */
export class ProjectMemory {
  readonly #parts: ProjectMemoryParts;
  /** By language and word: making them anew took most of a choice's time, and most words come back with each message. */
  readonly #stems = new Map<string, Map<string, string>>();

  constructor(parts: ProjectMemoryParts) {
    this.#parts = parts;
  }

  /** Looks through the owner's project for what a message is about. */
  async choose(owner: Owner, { projectId, message, policy, language }: MemoryQuery): Promise<ProjectRecall> {
    const { prepared, clock } = this.#parts;
    const settings = typedMemorySettings(policy);
    const now = clock.now();
    const terms = keyTerms(message, language);
    // Nothing can be relevant to a message without terms.
    const stems = terms.flatMap((term) => stemsOf(term));
    const search = { projectId, stems, now, limit: settings.candidates };
    const records = terms.length === 0 ? [] : await prepared.itemCandidates(owner, search);
    const byId = new Map(records.map((record) => [record.id, record]));
    const items = records.flatMap(({ id, type, key, text, createdAt: at }) =>
      isMemoryItemType(type) ? [{ id, type, key, text, at }] : [],
    );
    const stem = this.#stemIn(language);
    const chosen = chooseMemories(items, terms, { now, settings, stem });
    const memories = chosen.flatMap((memory) => {
      const record = byId.get(memory.item.id);
      return record ? [{ ...memory, record }] : [];
    });
    return { terms, memories, analysis: analyseContext(memories, terms, language) };
  }

  /** Keeps an item from now on, in place of one of the same project, type and key. */
  remember(owner: Owner, item: ProjectItem, policy: MemoryPolicy): Promise<MemoryItemRecord> {
    const { prepared, clock, random } = this.#parts;
    return prepared.putItem(owner, this.itemOf({ ...item, id: newId(random), now: clock.now() }, policy));
  }

  /** An item ready to be kept; of no type named, it is a message. */
  itemOf(
    {
      id,
      projectId,
      type = 'message',
      key,
      value,
      now,
    }: Omit<ProjectItem, 'type'> & {
      id: string;
      type?: MemoryItemType;
      now: number;
    },
    policy: MemoryPolicy,
  ): NewMemoryItem {
    const text = textOfValue(value);
    const expiresAt = Math.round(expiryOf({ at: now }, typedMemorySettings(policy)));
    const record = { id, projectId, type, key, value: JSON.stringify(value), text, createdAt: now, expiresAt };
    return { ...record, ...analyseText(text) };
  }

  #stemIn(named: string): Stem {
    // Whatever callers name, no more languages are told apart than the stems are.
    const primary = named.toLowerCase().split('-')[0];
    const language = primary === 'en' || primary === 'lt' ? primary : 'other';
    const known = this.#stems.get(language) ?? new Map<string, string>();
    this.#stems.set(language, known);
    return (word) => {
      const kept = known.get(word);
      if (kept !== undefined) return kept;
      const stem = stemsOf(word, language)[0] ?? word;
      if (known.size >= stemsKept) known.clear();
      known.set(word, stem);
      return stem;
    };
  }
}
