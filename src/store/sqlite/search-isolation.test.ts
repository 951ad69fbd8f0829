import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SearchDocument } from '../../engine/ports/memory-search.ts';
import type { MemoryQuestion } from '../../engine/search-memory.ts';
import { aDocument, indexIntegrity, openSearch } from './search.fixture.ts';

/** Ids that differ in where one ends and the next begins, and one person's that is another's learner. */
const schools = ['a', 'ab', 'a,b'];
const people = ['b', 'bc', 'c', 'b"'];
const learners = [null, 'b', 'c', 'nobody', ''];
const cartridges = ['mentor', 'maestro', 'current'];
const words = ['volcano', 'ugnikalnis', 'knygų', 'reading', 'long', 'division', 'žąsis', 'emma'];
const asked = [
  ...words,
  'knyga',
  'reads',
  '"long division"',
  '-emma',
  '-"long division"',
  'volcanp',
  'ugnikalnos',
  'zasys',
];

const owner = fc.record({ schoolId: fc.constantFrom(...schools), userId: fc.constantFrom(...people) });
const place = { owner, id: fc.constantFrom('1', '2', '3', '4', '5') };
const steps = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      ...place,
      learnerId: fc.constantFrom(...learners),
      cartridgeId: fc.constantFrom(...cartridges),
      isArchived: fc.boolean(),
      text: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' ')),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), ...place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('archive' as const), ...place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('removeOwner' as const), owner }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('removeLearner' as const),
      schoolId: fc.constantFrom(...schools),
      learnerId: fc.constantFrom('b', 'c', 'nobody', ''),
    }),
  },
);
const questions = fc.record(
  {
    owner,
    text: fc.array(fc.constantFrom(...asked), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' ')),
    learnerId: fc.constantFrom(...learners),
    cartridgeId: fc.constantFrom(...cartridges),
    includeArchive: fc.boolean(),
  },
  { requiredKeys: ['owner', 'text', 'includeArchive'] },
);

type Step = typeof steps extends fc.Arbitrary<infer Value> ? Value : never;

/** What should be there after a step, by whose it is and its id. */
function apply(there: Map<string, SearchDocument>, step: Step, search: ReturnType<typeof openSearch>): void {
  const key = (schoolId: string, ownerId: string, id: string) => JSON.stringify([schoolId, ownerId, id]);
  const removeWhere = (isGone: (document: SearchDocument) => boolean) => {
    const gone = [...there].filter(([, document]) => isGone(document));
    for (const [name] of gone) there.delete(name);
    return gone.length;
  };
  switch (step.kind) {
    case 'put': {
      const { owner: of, id, learnerId, cartridgeId, isArchived, text } = step;
      const document = aDocument(of, text, { id, learnerId, cartridgeId, isArchived });
      search.put(document);
      there.set(key(of.schoolId, of.userId, id), document);
      return;
    }
    case 'remove': {
      const isThere = there.delete(key(step.owner.schoolId, step.owner.userId, step.id));
      expect(search.indexer.remove(step.owner, [step.id])).toBe(isThere ? 1 : 0);
      return;
    }
    case 'archive': {
      const document = there.get(key(step.owner.schoolId, step.owner.userId, step.id));
      expect(search.indexer.archive(step.owner, [step.id])).toBe(document && !document.isArchived ? 1 : 0);
      if (document) document.isArchived = true;
      return;
    }
    case 'removeOwner': {
      const { schoolId, userId } = step.owner;
      const gone = removeWhere((document) => document.schoolId === schoolId && document.ownerId === userId);
      expect(search.indexer.removeOwner(step.owner, 100)).toBe(gone);
      return;
    }
    case 'removeLearner': {
      const { schoolId, learnerId } = step;
      const gone = removeWhere((document) => document.schoolId === schoolId && document.learnerId === learnerId);
      expect(search.indexer.removeLearner(schoolId, learnerId, 100)).toBe(gone);
    }
  }
}

describe('among many people and learners', () => {
  it('a search returns nothing of anyone else, and everything of one’s own that it asks for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(steps, { minLength: 5, maxLength: 40 }),
        fc.array(questions, { minLength: 5, maxLength: 15 }),
        async (taken, put) => {
          const search = openSearch();
          try {
            const there = new Map<string, SearchDocument>();
            for (const step of taken) apply(there, step, search);
            indexIntegrity(search.db);
            for (const { owner: who, ...question } of put) {
              const mine = [...there.values()].filter((document) => isFor(document, who, question));
              await expectOnly(search, who, question, mine);
            }
          } finally {
            search.close();
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

type Question = Pick<MemoryQuestion, 'text' | 'includeArchive' | 'learnerId' | 'cartridgeId'>;

function isFor(document: SearchDocument, who: { schoolId: string; userId: string }, question: Question): boolean {
  return (
    document.schoolId === who.schoolId &&
    document.ownerId === who.userId &&
    (question.includeArchive || !document.isArchived) &&
    (question.learnerId === undefined || document.learnerId === question.learnerId) &&
    (question.cartridgeId === undefined || document.cartridgeId === question.cartridgeId)
  );
}

async function expectOnly(
  search: ReturnType<typeof openSearch>,
  who: { schoolId: string; userId: string },
  question: Question,
  mine: readonly SearchDocument[],
): Promise<void> {
  const answer = await search.ask(who, question.text, { ...question, limit: 1_000 });
  if (answer.kind === 'nothing_asked') return;
  const texts = mine.map(({ id, text }) => `${id} ${text}`);
  for (const hit of answer.hits) expect(texts).toContain(`${hit.id} ${hit.text}`);
  expect(answer.total).toBe(answer.hits.length);
  const known = new Set(mine.flatMap(({ words: own }) => own.split(' ')));
  for (const { to } of answer.corrected) expect(known).toContain(to);
  const single = /^\w+$/.test(question.text) && mine.filter(({ text }) => text.split(' ').includes(question.text));
  if (single) expect(answer.hits.length).toBeGreaterThanOrEqual(single.length);
}
