import { expect, test } from 'vitest';
import { createMineClient } from './mine-client.ts';
import { ConnectionLostError, ProblemError } from './problem.ts';

type Asked = { method: string | undefined; path: string; body: unknown };

/** A client whose every request is answered with `response`. */
function answering(response: () => Response) {
  const asked: Asked[] = [];
  const client = createMineClient({
    token: 't',
    fetch: (path, { method, body }) => {
      asked.push({ method, path, body: typeof body === 'string' ? JSON.parse(body) : null });
      return Promise.resolve(response());
    },
  });
  return { asked, client };
}

test('a consent names the student, and what stands for all comes back', async () => {
  const item = { student_id: 'ą', kind: 'parent_notes', granted: true };
  const { asked, client } = answering(() => Response.json({ items: [item] }));
  expect(await client.answerConsent({ studentId: 'ą', kind: 'parent_notes', granted: true })).toEqual([item]);
  expect(await client.consents()).toEqual([item]);
  expect(asked).toEqual([
    { method: 'PUT', path: '/api/me/consents', body: item },
    { method: 'GET', path: '/api/me/consents', body: null },
  ]);
});

test('whatever is in an id stays in its place of the address', async () => {
  const { asked, client } = answering(() => Response.json({}));
  await client.notes({ studentId: 'a&page=9', page: 2, limit: 10 });
  await client.viewNote('../me');
  expect(asked.map(({ method, path }) => [method, path])).toEqual([
    ['GET', '/api/parent-notes?student_id=a%26page%3D9&page=2&limit=10'],
    ['POST', '/api/parent-notes/..%2Fme/viewed'],
  ]);
});

test('an export is the file as it came; nobody is nobody; an erasure gives its receipt', async () => {
  const { client } = answering(() => new Response('{"a": 1}'));
  expect(await (await client.export()).text()).toBe('{"a": 1}');
  expect(await answering(() => new Response(null, { status: 401 })).client.me()).toBeNull();
  const receipt = { receipt_id: 'r', erased_at: '2026-01-01T00:00:00.000Z', rows: { users: 1 }, total: 1 };
  const { asked, client: eraser } = answering(() => Response.json(receipt));
  expect(await eraser.erase()).toEqual(receipt);
  expect(asked).toEqual([{ method: 'DELETE', path: '/api/me', body: null }]);
});

test('a refusal keeps how long to wait, and a broken line is told apart from it', async () => {
  const limited = new Response('{"code":"RATE_LIMITED"}', { status: 429, headers: { 'Retry-After': '30' } });
  const refusal = await answering(() => limited)
    .client.export()
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ProblemError);
  expect(refusal).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfterMs: 30_000 });
  const broken = createMineClient({ fetch: () => Promise.reject(new TypeError('gone')) });
  await expect(broken.erase()).rejects.toBeInstanceOf(ConnectionLostError);
});
