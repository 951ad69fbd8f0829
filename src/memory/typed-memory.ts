/** The kinds of memory item that a project keeps (seed 004). */
export const memoryItemTypes = ['error', 'solution', 'context', 'dependency', 'message'] as const;

export type MemoryItemType = (typeof memoryItemTypes)[number];

/** Something remembered of a project. `text` is what its value says in words; `at` is in milliseconds. */
export type MemoryItem = {
  readonly id: string;
  readonly type: MemoryItemType;
  readonly key: string;
  readonly text: string;
  readonly at: number;
};

/** How memory items are told from one another: by the seed's formula, or by weighted and length-normalised terms. */
export type Relevance = 'seed' | 'balanced';

/** What an item loses with each hour of its age: it fades by e^(-decay × hours). */
export type DecayPerHour = Readonly<Record<MemoryItemType, number>>;

/** How a project's memory is searched; the names are the cartridge's (`memory.typed`). */
export type TypedMemorySettings = {
  readonly candidates: number;
  /** An item scored below this is left out; one scored exactly this is in. */
  readonly threshold: number;
  readonly top: number;
  readonly decay_per_hour: DecayPerHour;
  readonly ttl_days: number;
  readonly relevance: Relevance;
};

/** What a cartridge says of it: any part may be missing, and one number for the decay stands for every type. */
export type TypedMemoryChoice = {
  readonly candidates?: number | undefined;
  readonly threshold?: number | undefined;
  readonly top?: number | undefined;
  readonly decay_per_hour?: number | Readonly<Partial<Record<MemoryItemType, number | undefined>>> | undefined;
  readonly ttl_days?: number | undefined;
  readonly relevance?: Relevance | undefined;
};

const halfLifeDays = (days: number) => Math.LN2 / (days * 24);

/**
 * The decay where the cartridge names none. What went wrong and what was said lose half their weight in two or three
 * weeks, since they are put right or said again; what worked, and what a project is built on, keep most of theirs for
 * all of their 30 days.
 */
const decayDefaults: Readonly<Record<Relevance, DecayPerHour>> = {
  seed: { error: 0.1, solution: 0.1, context: 0.1, dependency: 0.1, message: 0.1 },
  balanced: {
    error: halfLifeDays(21),
    solution: halfLifeDays(90),
    context: halfLifeDays(45),
    dependency: halfLifeDays(90),
    message: halfLifeDays(14),
  },
};

/** The settings in force: what the cartridge says, and for the rest the seed's numbers. */
export function typedMemorySettings(choice: TypedMemoryChoice = {}): TypedMemorySettings {
  const relevance = choice.relevance ?? 'seed';
  return {
    candidates: choice.candidates ?? 100,
    threshold: choice.threshold ?? 0.3,
    top: choice.top ?? 10,
    decay_per_hour: decayOf(relevance, choice.decay_per_hour),
    ttl_days: choice.ttl_days ?? 30,
    relevance,
  };
}

function decayOf(relevance: Relevance, chosen: TypedMemoryChoice['decay_per_hour']): DecayPerHour {
  const usual = decayDefaults[relevance];
  if (chosen === undefined) return usual;
  const of = (type: MemoryItemType) => (typeof chosen === 'number' ? chosen : (chosen[type] ?? usual[type]));
  return {
    error: of('error'),
    solution: of('solution'),
    context: of('context'),
    dependency: of('dependency'),
    message: of('message'),
  };
}

/** Whether a word names a kind of memory item. */
export function isMemoryItemType(word: string): word is MemoryItemType {
  return memoryItemTypes.some((type) => type === word);
}

/** When an item is forgotten: at this moment it is gone. */
export function expiryOf(item: Pick<MemoryItem, 'at'>, settings: Pick<TypedMemorySettings, 'ttl_days'>): number {
  return item.at + settings.ttl_days * 24 * 3_600_000;
}
