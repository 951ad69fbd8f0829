import { expect, test } from 'vitest';
import { readRoute, type Route, writeRoute } from './router.ts';

test('every route reads back from the address it writes', () => {
  const routes: Route[] = [{ kind: 'lessons' }, { kind: 'join' }, { kind: 'lesson', sessionId: 'a/b c%' }];
  for (const route of routes) expect(readRoute(writeRoute(route))).toEqual(route);
});

test('an address that names nothing is the list of lessons', () => {
  for (const hash of ['', '#', '#/nowhere', '#/lesson/', '#/lesson/%E0%A4%A']) {
    expect(readRoute(hash)).toEqual({ kind: 'lessons' });
  }
});
