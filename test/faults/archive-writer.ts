import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { aFact, aMemoryTurn, aRollIn } from '../contract/companion-fixtures.ts';
import { aSummary } from '../contract/companion-rolling.ts';
import { type ArchiveFact, archivePlaces, turnText } from './archive-facts.ts';

/**
 * A process to be killed: fills memories past their length and clears them, in several places at once, for ever, and
 * says on its standard output what the store has acknowledged, a line each.
 * `node archive-writer.ts <database file> <name of this run>`
 */

const [file = '', run = ''] = process.argv.slice(2);

function acknowledge(fact: ArchiveFact): void {
  process.stdout.write(`${JSON.stringify(fact)}\n`);
}

const { companions } = await openSqliteStore({ file });

async function fill(place: number): Promise<never> {
  const { owner, scope } = archivePlaces[place] ?? {};
  if (!owner || !scope) throw new Error(`there is no place ${place}`);
  for (let batch = 1; ; batch += 1) {
    const size = 6 + ((batch * 5 + place * 3) % 9);
    const name = `${run}.${place}.${batch}`;
    const ids = Array.from({ length: size }, (_, index) => `${name}.${size}.${index}`);
    const turns = ids.map((id) => aMemoryTurn({ id, content: turnText(id) }));
    const ofThisProcess = { newId: `memory-${name}`, archiveId: `archive-${name}` };
    const { version, turnCount } = await companions.rollIn(owner, scope, aRollIn(turns, ofThisProcess));
    acknowledge({ kind: 'rolled', place, ids });
    const summary = `santrauka ${name}`;
    const made = aSummary(version, { summary, summarised: turnCount });
    await companions.keepSummary(owner, scope, made);
    acknowledge({ kind: 'summarised', place, summary });
    const fact = aFact({ id: name, text: `faktas ${name}` });
    await companions.keepFacts(owner, scope, [fact]);
    acknowledge({ kind: 'learned', place, id: fact.id });
    if ((batch + place) % 7 !== 0) continue;
    await companions.clearMemory(owner, scope, batch);
    acknowledge({ kind: 'cleared', place });
  }
}

await Promise.all(archivePlaces.map((_, place) => fill(place)));
