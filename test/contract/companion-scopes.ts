import fc from 'fast-check';
import type { MemoryScope } from '../../src/engine/ports/companion-store.ts';
import type { Owner } from '../../src/engine/ports/store.ts';

/** One owner's memory with one companion about one learner, or about none. */
export type Place = { owner: Owner; scope: MemoryScope };

/** Everyone of one world and every place they have; several worlds share a store. */
export type World = { owners: readonly Owner[]; places: readonly Place[] };

/** Ids that differ in case or in what only looks like a pattern, and ones that a person and a learner share. */
const schools = ['a', 'A'];
const people = ['b', 'B%'];
const learners = [null, 'b', 'B'];
const cartridges = ['mentor', 'mento_'];

export function aWorld(name: string): World {
  const owners = schools.flatMap((school) => people.map((userId) => ({ schoolId: `${school}:${name}`, userId })));
  const scopes = cartridges.flatMap((cartridgeId) => learners.map((learnerId) => ({ cartridgeId, learnerId })));
  return { owners, places: owners.flatMap((owner) => scopes.map((scope) => ({ owner, scope }))) };
}

/**
 * One thing that is written. `at` is a place; `by` is someone, who may try it on what is another's; `talk` is a
 * conversation there is, by its number; ids are few, so that many have the same.
 */
export type Step =
  | { do: 'roll'; at: number; ids: string[] }
  | { do: 'learn'; at: number; id: string; supersedes: string | null }
  | { do: 'summarise' | 'clear'; at: number }
  | { do: 'talk'; at: number; endsEarlier: boolean }
  | { do: 'end' | 'note'; talk: number; by: number }
  | { do: 'recall'; talk: number; by: number; part: 'summary' | 'topics' }
  | { do: 'name'; by: number; id: string }
  | { do: 'guard'; by: number; at: number }
  | { do: 'consent'; at: number; isGranted: boolean };

const { owners, places } = aWorld('');
const at = fc.nat(places.length - 1);
const talk = fc.nat(20);
/** Half of the time whoever's it is. */
const by = fc.oneof(fc.constant(-1), fc.nat(owners.length - 1));
const id = fc.constantFrom('1', '2', '3', '4', '5', '6');
const does = <const Name extends string>(...names: Name[]) => fc.constantFrom(...names);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: does('roll'), at, ids: fc.array(id, { minLength: 1, maxLength: 4 }) }) },
  { weight: 5, arbitrary: fc.record({ do: does('learn'), at, id, supersedes: fc.option(id) }) },
  { weight: 5, arbitrary: fc.record({ do: does('summarise', 'clear'), at }) },
  { weight: 4, arbitrary: fc.record({ do: does('talk'), at, endsEarlier: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: does('end', 'note'), talk, by }) },
  { weight: 3, arbitrary: fc.record({ do: does('recall'), talk, by, part: does('summary', 'topics') }) },
  { weight: 1, arbitrary: fc.record({ do: does('name'), by, id }) },
  { weight: 3, arbitrary: fc.record({ do: does('guard'), by, at }) },
  { weight: 2, arbitrary: fc.record({ do: does('consent'), at, isGranted: fc.boolean() }) },
);

export const someSteps: fc.Arbitrary<Step[]> = fc.array(step, { minLength: 40, maxLength: 120, size: 'max' });
