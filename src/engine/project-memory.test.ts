import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { SimulatedClock } from '../core/clock.ts';
import { seededRandom } from '../core/random.ts';
import { openSqliteStore } from '../store/sqlite-store.ts';
import { type MemoryItemType, type MemoryPolicy, ProjectMemory } from './project-memory.ts';

const owner = { schoolId: 'school', userId: 'ona' };
const day = 24 * 3_600_000;

let clock: SimulatedClock;
let projects: ProjectMemory;

beforeEach(async () => {
  const store = await openSqliteStore({ file: ':memory:' });
  onTestFinished(() => store.close());
  clock = new SimulatedClock();
  projects = new ProjectMemory({ prepared: store.prepared, clock, random: seededRandom(1) });
});

const remember = (key: string, value: unknown, type: MemoryItemType = 'context', policy?: MemoryPolicy) =>
  projects.remember(owner, { projectId: 'shop', type, key, value }, policy);
const choose = (message: string, policy?: MemoryPolicy, language = 'en') =>
  projects.choose(owner, { projectId: 'shop', message, policy, language });
const keysOf = ({ memories }: Awaited<ReturnType<typeof choose>>) => memories.map(({ item }) => item.key);

describe('a project’s memory', () => {
  it('finds Lithuanian words in whatever form they stand', async () => {
    await remember('k', 'Prisijungimo klaida: nepavyko pasiekti serverio');
    await remember('other', 'Parduotuvėje yra dviračių');
    const recall = await choose('Kodėl vėl klaidos serveryje?', { relevance: 'balanced' }, 'lt');
    expect(keysOf(recall)).toEqual(['k']);
    expect(recall.terms).toEqual(['klaidos', 'serveryje']);
  });

  it('tells a word’s forms by the language of each message, whatever was asked before', async () => {
    await remember('k', 'Prisijungimo klaida');
    const ask = async (language: string) => keysOf(await choose('klaidos', { relevance: 'balanced' }, language));
    expect(await ask('en')).toEqual([]);
    expect(await ask('lt')).toEqual(['k']);
    expect(await ask('en-GB')).toEqual([]);
    expect(await ask('LT-lt')).toEqual(['k']);
  });

  it('by the seed fades within days, and balanced keeps a solution for weeks', async () => {
    await remember('s', 'Raise the redis connection limit', 'solution');
    clock.advance(14 * day);
    expect(keysOf(await choose('redis connection'))).toEqual([]);
    expect(keysOf(await choose('redis connection', { relevance: 'balanced' }))).toEqual(['s']);
  });

  it('forgets an item when its days are over, and not a moment sooner', async () => {
    const policy = { ttl_days: 2, relevance: 'balanced' } as const;
    const kept = await remember('k', 'redis', 'solution', policy);
    expect(kept.expiresAt - kept.createdAt).toBe(2 * day);
    clock.advance(2 * day - 1);
    expect(keysOf(await choose('redis', policy))).toEqual(['k']);
    clock.advance(1);
    expect(keysOf(await choose('redis', policy))).toEqual([]);
  });

  it('finds the one item that is meant among a thousand newer ones', async () => {
    await remember('meant', 'The certificate of payments.example expired', 'error');
    await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => remember(`${index}`, `The shop sold bicycle ${index}`)),
    );
    expect(keysOf(await choose('payments certificate of the shop')).at(0)).toBe('meant');
  });

  it.each([null, 0, false, '', [], {}, { a: { b: [1, 'ą 🎒'] } }, 'x'.repeat(10_000)])(
    'keeps the value %j as it was',
    async (value) => {
      const kept = await remember('k', value);
      expect(JSON.parse(kept.value)).toEqual(value);
      expect(kept.text.length).toBeLessThanOrEqual(4_000);
    },
  );

  it('has nothing to say to a message without a term', async () => {
    await remember('k', 'redis');
    expect(await choose('is it?')).toMatchObject({ terms: [], memories: [], analysis: { confidence_score: 0 } });
  });
});
