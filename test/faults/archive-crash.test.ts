import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import type { CompanionStore } from '../../src/engine/ports/companion-store.ts';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite-store.ts';
import { aMemoryTurn, aRollIn, found } from '../contract/companion-fixtures.ts';
import { type ArchiveFact, archivePlaces, turnText, wordOf } from './archive-facts.ts';
import { type KeptPlace, readArchives } from './archive-rows.ts';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const [writer, kill] = [fileOf('./archive-writer.ts'), fileOf('./archive-kill.ts')];

/** When a process is killed: from outside once it has acknowledged so much, or by itself before a statement. */
type Death = { acknowledged: number } | { archive: number; statement: number };

/** Runs the writer until its death, and gives all it acknowledged. */
async function crash(file: string, run: string, death: Death): Promise<ArchiveFact[]> {
  const isOutside = 'acknowledged' in death;
  const { KILL_AT_ARCHIVE, KILL_AT_STATEMENT } = isOutside
    ? {}
    : { KILL_AT_ARCHIVE: String(death.archive), KILL_AT_STATEMENT: String(death.statement) };
  const child = spawn(process.execPath, [...(isOutside ? [] : ['--import', kill]), writer, file, run], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, KILL_AT_ARCHIVE, KILL_AT_STATEMENT },
  });
  const exited = once(child, 'exit');
  let lines: string[] = [];
  try {
    let said = '';
    child.stdout.setEncoding('utf8');
    for await (const piece of child.stdout) {
      said += String(piece);
      lines = said.split('\n').slice(0, -1);
      if (isOutside && lines.length >= death.acknowledged) child.kill('SIGKILL');
      // A statement that never comes must not be waited for.
      if (lines.length > 5_000) throw new Error('the process does not die');
    }
  } finally {
    child.kill('SIGKILL');
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
  return lines.map((line) => JSON.parse(line) as ArchiveFact);
}

/** Everything acknowledged is there once, and what was cleared is in the archive. */
function checkKept(places: readonly KeptPlace[], facts: readonly ArchiveFact[]): void {
  for (const [number, { current, archives, summaries, ...kept }] of places.entries()) {
    const here = facts.filter(({ place }) => place === number);
    const archived = [...archives.values()].map(({ turns }) => turns);
    const times = (id: string) => [current, ...archived].filter((turns) => turns.has(id)).length;
    const rolled = (some: readonly ArchiveFact[]) => some.flatMap((fact) => (fact.kind === 'rolled' ? fact.ids : []));
    const learned = (some: readonly ArchiveFact[]) =>
      some.flatMap((fact) => (fact.kind === 'learned' ? [fact.id] : []));
    expect(rolled(here).filter((id) => times(id) !== 1)).toEqual([]);
    expect(learned(here).filter((id) => kept.facts.has(id) === kept.clearedFacts.has(id))).toEqual([]);
    const cleared = here.slice(0, here.findLastIndex(({ kind }) => kind === 'cleared') + 1);
    expect(rolled(cleared).filter((id) => current.has(id))).toEqual([]);
    expect(learned(cleared).filter((id) => kept.facts.has(id))).toEqual([]);
    const summary = here.findLast((fact) => fact.kind === 'summarised')?.summary;
    if (summary) expect(Math.max(...summaries.map(batchOf))).toBeGreaterThanOrEqual(batchOf(summary));
  }
}

/** A summary says of which batch of which run it is; a later one may have been kept and not been acknowledged. */
function batchOf(summary: string): number {
  const [run = '', , batch = ''] = summary.replace('santrauka ', '').split('.');
  return Number(run) * 10_000 + Number(batch);
}

/** The port says what the rows say, and a memory that a crash left goes on: what comes again changes nothing. */
async function checkRead(
  store: SqliteStore,
  places: readonly KeptPlace[],
  facts: readonly ArchiveFact[],
): Promise<void> {
  const { companions, search } = store;
  for (const [number, { owner, scope }] of archivePlaces.entries()) {
    const kept = places[number];
    if (!kept) throw new Error(`there is no place ${number}`);
    const memory = await companions.rollingMemory(owner, scope);
    expect(new Set(memory?.turns.map(({ id }) => id))).toEqual(kept.current);
    const archives = await companions.archives(owner, scope, 10_000);
    const sizes = [...kept.archives].map(([id, { size }]) => [id, size] as const);
    expect(new Map(archives.map(({ id, turnCount }) => [id, turnCount]))).toEqual(new Map(sizes));
    const last = facts.findLast((fact) => fact.kind === 'rolled' && fact.place === number);
    const ids = last?.kind === 'rolled' ? last.ids : [];
    await again(companions, number, ids);
    expect(await companions.rollingMemory(owner, scope)).toEqual(memory);
    const [id] = ids;
    if (!id) continue;
    expect(await found(search, owner, { text: wordOf(id), includeArchive: true })).toEqual([`turn:${id}`]);
    const isCurrent = kept.current.has(id);
    expect(await found(search, owner, { text: wordOf(id) })).toEqual(isCurrent ? [`turn:${id}`] : []);
  }
}

async function again(companions: CompanionStore, place: number, ids: readonly string[]): Promise<void> {
  const { owner, scope } = archivePlaces[place] ?? {};
  if (!owner || !scope) throw new Error(`there is no place ${place}`);
  const turns = ids.map((id) => aMemoryTurn({ id, content: turnText(id) }));
  await companions.rollIn(owner, scope, aRollIn(turns));
}

describe('a process killed while it archives memories', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trickster-archive-'));
  const file = join(folder, 'trickster.db');
  const random = seededRandom(20_263);
  const acknowledged: ArchiveFact[] = [];
  let run = 0;

  beforeAll(async () => {
    // One database lives through all of it, so that each start meets what the last crash left.
    await (await openSqliteStore({ file })).close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function survive(death: Death): Promise<void> {
    run += 1;
    const facts = await crash(file, String(run), death);
    acknowledged.push(...facts);
    const places = readArchives(file);
    checkKept(places, facts);
    const store = await openSqliteStore({ file });
    try {
      await checkRead(store, places, facts);
    } finally {
      await store.close();
    }
  }

  it.each(Array.from({ length: 10 }, (_, index) => index))('loses no turn at any moment: crash %i', async () => {
    await survive({ acknowledged: 1 + Math.floor(random.fraction() * 200) });
  });

  // The first statements of an archive, and then whichever of the hundreds that it and the commit after it take.
  const statements = [0, 1, 2, 3, ...Array.from({ length: 16 }, () => Math.floor(random.fraction() * 400))];
  it.each(statements)('loses no turn inside the transaction that archives: before statement %i', async (statement) => {
    await survive({ archive: 1 + Math.floor(random.fraction() * 4), statement });
  });

  it('has after all the crashes everything that was acknowledged before any of them', () => {
    const places = readArchives(file);
    checkKept(places, acknowledged);
    const reasons = new Set(places.flatMap(({ archives }) => [...archives.values()].map(({ reason }) => reason)));
    expect(reasons).toEqual(new Set(['long', 'cleared']));
  });
});
