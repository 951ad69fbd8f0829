import { expect, it } from 'vitest';
import { entryOf } from './entry.ts';

const here = 'https://school.example/companions/counselor';

it('reads a link that says where it stood and what was asked', () => {
  const href = `${here}?from=Karjeros%20diena&query=Ar%20reikia%0Achemijos%3F`;
  expect(entryOf({ href, referrer: '' })).toEqual({ source: 'Karjeros diena', query: 'Ar reikia chemijos?' });
});

it('else takes the page of this server that one comes from, and nothing of another', () => {
  const from = (referrer: string) => entryOf({ href: here, referrer })?.source ?? null;
  expect(from('https://school.example/')).toBe('the lessons');
  expect(from('https://school.example/me')).toBe('the page /me');
  expect(from('https://school.example/companions')).toBeNull();
  expect(from('https://elsewhere.example/private?q=1')).toBeNull();
  expect(from('')).toBeNull();
});

it('is short whatever a link holds', () => {
  const entry = entryOf({ href: `${here}?from=${'a'.repeat(5_000)}&query=${'b'.repeat(5_000)}`, referrer: '' });
  expect([entry?.source?.length, entry?.query?.length]).toEqual([120, 300]);
});
