import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Random, seededRandom } from '../../src/core/random.ts';
import type { MemorySearch, SearchDocument } from '../../src/engine/ports/memory-search.ts';
import { searchMemories } from '../../src/engine/search-memory.ts';
import { analyseText } from '../../src/memory/search-text.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { searchIndexer } from '../../src/store/sqlite/search-indexer.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';

export type MemorySearchPlan = {
  /** How many documents there are at each measurement, fewest first. */
  rows: readonly number[];
  /** Searches of each sort at each size. */
  searches: number;
  /** No more documents are put in after this; what was reached by then is measured and reported. */
  longestBuildMs: number;
};

const usualPlan: MemorySearchPlan = { rows: [1_000, 100_000, 1_000_000], searches: 400, longestBuildMs: 900_000 };

const mostPeople = 1_000;
const fewestDocumentsEach = 100;
/** Who has this share of all documents; the others share the rest alike. */
const busyShare = 0.02;
const busy = 0;
const wordsInText = 30;
const schoolId = 'school';

/**
 * How fast memories go in and are found, searched as a caller does: through the port and the database's thread, with
 * snippets. Times in milliseconds; how long this process's event loop was held up meanwhile is measured too.
 */
export async function measureMemorySearch(plan: MemorySearchPlan = usualPlan) {
  const folder = mkdtempSync(join(tmpdir(), 'trickster-memory-search-'));
  const file = join(folder, 'search.db');
  const random = seededRandom(11);
  const language = makeLanguage(random);
  try {
    const sizes = [];
    const deadline = performance.now() + plan.longestBuildMs;
    let there = 0;
    for (const rows of plan.rows) {
      const built = build({ file, random, language, from: there, to: rows, deadline });
      there = built.rows;
      const found = await measure({ file, language, rows, searches: plan.searches });
      sizes.push({ ...built, people: peopleAt(rows), megabytes: megabytes(file), ...found });
      if (there < rows) break;
    }
    return { analysed_a_second: analysisRate(language, random), sizes, erasure: erase(file) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Words like Lithuanian ones, the commonest first, each as frequent as its rank says (Zipf). */
type Language = { words: string[]; analysed: { words: string; stems: string }[]; cumulated: number[]; total: number };

function makeLanguage(random: Random): Language {
  const pick = (parts: readonly string[]) => parts[Math.floor(random.fraction() * parts.length)] ?? '';
  const starts = ['b', 'd', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 'š', 't', 'v', 'z', 'ž', 'pr', 'sk', 'tr', 'kr'];
  const vowels = ['a', 'e', 'i', 'o', 'u', 'ė', 'ū', 'y', 'ai', 'ie', 'uo'];
  const endings = ['as', 'is', 'us', 'a', 'ė', 'os', 'ų', 'ams', 'oje', 'ti'];
  const words = new Set<string>();
  while (words.size < 20_000) {
    const syllables = Array.from({ length: 2 + Math.floor(random.fraction() * 2) }, () => pick(starts) + pick(vowels));
    words.add(`${syllables.join('')}${pick(starts)}${pick(endings)}`);
  }
  const cumulated: number[] = [];
  let total = 0;
  for (let rank = 0; rank < words.size; rank += 1) cumulated.push((total += 1 / (rank + 3)));
  const list = [...words];
  return { words: list, analysed: list.map((word) => analyseText(word, 'lt')), cumulated, total };
}

function drawWord({ cumulated, total }: Language, random: Random): number {
  const wanted = random.fraction() * total;
  let low = 0;
  let high = cumulated.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cumulated[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Sources = { language: Language; random: Random };

function makeDocument(number: number, people: number, { language, random }: Sources): SearchDocument {
  const owner = random.fraction() < busyShare ? busy : 1 + Math.floor(random.fraction() * (people - 1));
  const drawn = Array.from({ length: wordsInText }, () => drawWord(language, random));
  const of = (part: 'words' | 'stems') => drawn.map((index) => language.analysed[index]?.[part] ?? '').join(' ');
  return {
    id: `document-${number}`,
    schoolId,
    ownerId: ownerId(owner),
    cartridgeId: 'mentor',
    learnerId: `learner-${owner}-${number % 25}`,
    kind: 'turn',
    isArchived: number % 3 === 0,
    at: number,
    text: drawn.map((index) => language.words[index]).join(' '),
    words: of('words'),
    stems: of('stems'),
  };
}

function peopleAt(rows: number): number {
  return Math.min(mostPeople, Math.ceil(rows / fewestDocumentsEach));
}

type BuildOrder = Sources & {
  file: string;
  from: number;
  to: number;
  deadline: number;
};

/** Puts documents in, a thousand to a commit and then some alone, as they come while people talk. */
function build({ file, from, to, deadline, ...sources }: BuildOrder) {
  const people = peopleAt(to);
  const { db } = openDatabase(file);
  try {
    const indexer = searchIndexer(db);
    const putAll = db.transaction((documents: SearchDocument[]) => documents.forEach((one) => indexer.put(one)));
    const alone = Math.min(300, Math.floor((to - from) / 10));
    const before = performance.now();
    let rows = from;
    while (rows < to - alone && performance.now() < deadline) {
      const count = Math.min(1_000, to - alone - rows);
      putAll(Array.from({ length: count }, (_, index) => makeDocument(rows + index, people, sources)));
      rows += count;
    }
    const seconds = (performance.now() - before) / 1_000;
    const ingested = rows - from;
    const times = [];
    for (let index = 0; index < alone; index += 1) {
      const document = makeDocument(rows + index, people, sources);
      times.push(timed(() => putAll([document])));
    }
    return {
      rows: rows + alone,
      ingested_a_second: Math.round(ingested / seconds),
      put_alone_ms: quantiles(times),
    };
  } finally {
    db.close();
  }
}

type MeasureOrder = { file: string; language: Language; rows: number; searches: number };

async function measure({ file, language, rows, searches }: MeasureOrder) {
  const store = await openSqliteStore({ file });
  try {
    const random = seededRandom(12);
    const anyone = () => 1 + Math.floor(random.fraction() * (peopleAt(rows) - 1));
    const ranked = (from: number, to: number) =>
      language.words[from + Math.floor(random.fraction() * (to - from))] ?? '';
    const common = () => ranked(0, 10);
    const sorts: Record<string, () => [person: number, text: string]> = {
      rare_word: () => [anyone(), ranked(5_000, 20_000)],
      common_word: () => [anyone(), common()],
      common_word_of_busy: () => [busy, common()],
      three_words: () => [anyone(), `${common()} ${ranked(20, 200)} ${ranked(200, 2_000)}`],
      phrase: () => [anyone(), `"${common()} ${common()}"`],
      common_without_common: () => [anyone(), `${common()} -${common()}`],
      typo: () => [anyone(), misspelt(ranked(10, 300), random)],
      typo_of_busy: () => [busy, misspelt(ranked(10, 300), random)],
    };
    await runAll(store.search, sorts, 20);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const times = await runAll(store.search, sorts, searches);
    delay.disable();
    return {
      search_ms: times,
      event_loop_held_up_ms: { p99: delay.percentile(99) / 1e6 - 1, max: delay.max / 1e6 - 1 },
    };
  } finally {
    await store.close();
  }
}

async function runAll(
  memory: MemorySearch,
  sorts: Record<string, () => [person: number, text: string]>,
  searches: number,
) {
  const results: Record<string, ReturnType<typeof quantiles> & { found: number; corrected: number }> = {};
  for (const [sort, make] of Object.entries(sorts)) {
    const times = [];
    let found = 0;
    let corrected = 0;
    for (let index = 0; index < searches; index += 1) {
      const [person, text] = make();
      const owner = { schoolId, userId: ownerId(person) };
      const before = performance.now();
      const answer = await searchMemories(memory, owner, {
        text,
        includeArchive: index % 2 === 0,
        limit: 10,
        offset: 0,
      });
      times.push(performance.now() - before);
      if (answer.kind === 'found' && answer.total > 0) found += 1;
      if (answer.kind === 'found' && answer.corrected.length > 0) corrected += 1;
    }
    results[sort] = { ...quantiles(times), found: found / searches, corrected: corrected / searches };
  }
  return results;
}

/** One letter fewer, doubled or swapped, never the first. */
function misspelt(word: string, random: Random): string {
  const at = 1 + Math.floor(random.fraction() * Math.max(1, word.length - 3));
  const ways = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + word.slice(at, at + 1) + word.slice(at),
    word.slice(0, at) + word.slice(at + 1, at + 2) + word.slice(at, at + 1) + word.slice(at + 2),
  ];
  return ways[Math.floor(random.fraction() * ways.length)] ?? word;
}

/** Takes out everything of one person, ten documents to a commit, and then empties the WAL. */
function erase(file: string) {
  const { db } = openDatabase(file);
  try {
    const indexer = searchIndexer(db);
    const remove = db.transaction(() => indexer.removeOwner({ schoolId, userId: ownerId(1) }, 10));
    const times = [];
    let documents = 0;
    for (let removed = 1; removed > 0; ) {
      times.push(timed(() => (removed = remove())));
      documents += removed;
    }
    const checkpoint = timed(() => db.pragma('wal_checkpoint(TRUNCATE)'));
    return { documents, ten_ms: quantiles(times), checkpoint_ms: round(checkpoint) };
  } finally {
    db.close();
  }
}

function analysisRate(language: Language, random: Random): number {
  const texts = Array.from({ length: 2_000 }, (_, index) => makeDocument(index, mostPeople, { language, random }).text);
  const ms = timed(() => texts.forEach((text) => analyseText(text)));
  return Math.round((texts.length / ms) * 1_000);
}

function ownerId(person: number): string {
  return `person-${person}`;
}

function megabytes(file: string): number {
  return Math.round(statSync(file).size / 1e6);
}

function timed(action: () => unknown): number {
  const before = performance.now();
  action();
  return performance.now() - before;
}

/** Middle, 99th of a hundred and worst, to hundredths of what the times are in. */
export function quantiles(times: number[]): { p50: number; p99: number; max: number } {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
