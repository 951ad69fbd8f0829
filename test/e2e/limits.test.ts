import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../fixtures/caller.ts';
import { type CompanionServer, saysJson, startCompanionServer } from '../fixtures/companion-server.ts';

let house: CompanionServer;

beforeAll(async () => {
  house = await startCompanionServer();
  house.answers.set('rolling', () => saysJson({ summary: 'Notes were taken.', facts: [] }));
});
afterAll(() => house[Symbol.asyncDispose]());

const turn = { role: 'user', content: 'Emma can divide fractions now.' };
const ways: readonly [string, (person: string) => Promise<Caller>, string, object, number][] = [
  [
    'turns posted to a memory',
    (person) => house.as('facilitator', person),
    '/api/conversation-memory',
    { conversation_turns: [turn] },
    30,
  ],
  ['sheets asked for anew', (person) => house.as('admin', person), '/api/objectives/refresh', { user_id: 's' }, 20],
  ['learners named', (person) => house.as('facilitator', person), '/api/learners', { name: 'Emma' }, 60],
  [
    'conversations begun',
    (person) => house.as('student', person),
    '/api/conversations',
    { cartridge_id: 'counselor' },
    60,
  ],
];

it('what is told to one person is in nobody’s cache', async () => {
  const caller = await house.as('facilitator', 'careful');
  for (const path of ['/api/me', '/api/cartridges', '/api/conversations', '/api/learners', '/api/conversation-memory'])
    expect([path, (await caller.request('GET', path)).headers.get('cache-control')]).toEqual([path, 'no-store']);
});

describe('what costs is limited', () => {
  it.each(ways)('for each person: %s', async (_, as, path, body, limit) => {
    const caller = await as('busy');
    let response = await caller.request('POST', path, body);
    let done = 0;
    // A minute may end in between, and another begin.
    for (; response.ok && done <= 2 * limit; done += 1) response = await caller.request('POST', path, body);
    expect(done).toBeGreaterThanOrEqual(limit);
    expect([response.status, await response.json()]).toMatchObject([429, { code: 'RATE_LIMITED' }]);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await as('calm');
    expect((await other.request('POST', path, body)).status).toBeLessThan(300);
  });
});
