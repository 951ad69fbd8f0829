import { SimulatedClock } from '../../src/core/clock.ts';
import { seededRandom } from '../../src/core/random.ts';
import { type MemoryPolicy, ProjectMemory } from '../../src/engine/project-memory.ts';
import type { SqliteStore } from '../../src/store/sqlite-store.ts';
import { type LabelledProject, readProjectMemories } from '../fixtures/project-memories.ts';
import { type Ranked, recallAt, scoresBy, scoresOf, thousandths } from './memory-scores.ts';
import { openTemporaryStore, owner } from './memory-store.ts';

const now = Date.UTC(2026, 10, 21, 12);
const hourMs = 3_600_000;

/** Under what an item scores, and how old it may be, for one way of choosing. */
const ways = {
  seed: { relevance: 'seed' },
  balanced: { relevance: 'balanced' },
  seed_without_fading: { relevance: 'seed', decay_per_hour: 0 },
  balanced_without_fading: { relevance: 'balanced', decay_per_hour: 0 },
} as const satisfies Record<string, MemoryPolicy>;

/** What people say around a question; nothing of it is in the projects. */
const around = {
  en: [
    'Hello again, sorry to bother you so late. We talked it over after gym yesterday, my cousin had another opinion, and honestly nobody could recall precisely.',
    'Perhaps you noted something useful, otherwise simply admit that, and thank you kindly in advance, greetings from everybody here.',
  ],
  lt: [
    'Labas vakaras, atleiskite, kad trukdau taip vėlai. Vakar po kūno kultūros ilgai ginčijomės, pusbrolis manė kitaip, ir atvirai sakant niekas tiksliai neprisiminė.',
    'Galbūt pasižymėjote ką nors naudingo, o jeigu ne, drąsiai prisipažinkite, ir nuoširdžiai dėkoju iš anksto, linkėjimai nuo visų.',
  ],
};

type Answered = Ranked & {
  language: string;
  /** Of the relevant items: those that scored below the threshold, and those that scored nothing. */
  underThreshold: number;
  scoredNothing: number;
  /** How many items were told that nobody labelled relevant. */
  others: number;
  ages: readonly { hoursAgo: number; isTold: boolean }[];
};

/** The seed's way of choosing memories beside the balanced one, over the labelled projects in the real store. */
export async function measureRelevance() {
  await using opened = await openTemporaryStore();
  const projects = await readProjectMemories();
  await keepAll(opened.store, projects);
  const measured: Record<string, object> = { latest_ten: scoresOf(latestTen(projects)) };
  for (const [name, policy] of Object.entries(ways)) {
    const answered = await answerAll(opened.store, projects, policy);
    const sum = (count: (one: Answered) => number) => answered.reduce((total, one) => total + count(one), 0);
    const relevant = sum((one) => one.relevant.length);
    measured[name] = {
      ...scoresOf(answered),
      in_many_words: scoresOf(await answerAll(opened.store, inManyWords(projects), policy)),
      by_language: scoresBy(answered, ({ language }) => language),
      recall_10_by_age: byAge(answered),
      relevant_items: relevant,
      under_threshold: sum(({ underThreshold }) => underThreshold),
      scored_nothing: sum(({ scoredNothing }) => scoredNothing),
      beyond_the_tenth: sum(
        (one) =>
          one.relevant.length -
          one.underThreshold -
          one.scoredNothing -
          Math.round(recallAt(10, one) * one.relevant.length),
      ),
      told_a_question: thousandths(sum(({ found }) => found.length) / answered.length),
      of_those_not_relevant: thousandths(
        sum(({ others }) => others) /
          Math.max(
            1,
            sum(({ found }) => found.length),
          ),
      ),
    };
  }
  return measured;
}

/** The same questions as part of a longer message, some forty words on top. */
function inManyWords(projects: readonly LabelledProject[]): LabelledProject[] {
  return projects.map((project) => ({
    ...project,
    questions: project.questions.map(({ question, ...rest }) => {
      const [before, after] = around[rest.language];
      return { ...rest, question: `${before} ${question} ${after}` };
    }),
  }));
}

/** Puts each item in as the product does, at the moment it is of. */
async function keepAll({ prepared }: SqliteStore, projects: readonly LabelledProject[]): Promise<void> {
  for (const { id: projectId, items } of projects)
    for (const { type, key, value, hoursAgo } of items) {
      const clock = new SimulatedClock(Math.round(now - hoursAgo * hourMs));
      const memory = new ProjectMemory({ prepared, clock, random: seededRandom(now + hoursAgo) });
      await memory.remember(owner, { projectId, type, key, value }, undefined);
    }
}

async function answerAll(
  { prepared }: SqliteStore,
  projects: readonly LabelledProject[],
  policy: NonNullable<MemoryPolicy>,
): Promise<Answered[]> {
  const memory = new ProjectMemory({ prepared, clock: new SimulatedClock(now), random: seededRandom(1) });
  const answered = [];
  for (const { id: projectId, items, questions } of projects) {
    for (const { language, question, relevant } of questions) {
      const choose = async (limits: MemoryPolicy) => {
        const recall = await memory.choose(owner, { projectId, message: question, policy: limits, language });
        return recall.memories.map(({ item, relevanceScore }) => ({ key: item.key, relevanceScore }));
      };
      const found = (await choose(policy)).map(({ key }) => key);
      const scores = new Map((await choose({ ...policy, threshold: 0, top: 1_000 })).map((one) => [one.key, one]));
      const passed = new Set((await choose({ ...policy, top: 1_000 })).map(({ key }) => key));
      answered.push({
        language,
        found,
        relevant,
        underThreshold: relevant.filter((key) => scores.has(key) && !passed.has(key)).length,
        scoredNothing: relevant.filter((key) => !scores.has(key)).length,
        others: found.filter((key) => !relevant.includes(key)).length,
        ages: items
          .filter(({ key }) => relevant.includes(key))
          .map(({ key, hoursAgo }) => ({ hoursAgo, isTold: found.includes(key) })),
      });
    }
  }
  return answered;
}

function byAge(answered: readonly Answered[]): Record<string, { relevant: number; told: number }> {
  const groups = Object.groupBy(
    answered.flatMap(({ ages }) => ages),
    ({ hoursAgo }) => (hoursAgo <= 72 ? 'to_3_days' : hoursAgo <= 168 ? 'to_a_week' : 'older'),
  );
  return Object.fromEntries(
    Object.entries(groups).map(([age, each]) => [
      age,
      { relevant: each.length, told: thousandths(each.filter(({ isTold }) => isTold).length / each.length) },
    ]),
  );
}

/** What would be told without looking at the question. */
function latestTen(projects: readonly LabelledProject[]): Ranked[] {
  return projects.flatMap(({ items, questions }) => {
    const found = items.toReversed().map(({ key }) => key);
    return questions.map(({ relevant }) => ({ found: found.slice(0, 10), relevant }));
  });
}
