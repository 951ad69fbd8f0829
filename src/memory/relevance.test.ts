import { stemmer } from '@orama/stemmers/lithuanian';
import { describe, expect, it } from 'vitest';
import { corpusOf, readMemory, scoreBalanced, scoreSeed, weighTerms } from './relevance.ts';
import type { MemoryItem } from './typed-memory.ts';

const item = (text: string): MemoryItem => ({ id: 'm', type: 'context', key: 'k', text, at: 0 });
const memories = (...texts: string[]) => texts.map((text) => readMemory(item(text)));
const read = (text: string) => readMemory(item(text));

describe("the seed's relevance", () => {
  it('is how often each term occurs times its letters, added up', () => {
    const memory = read('Session lost. The session id is in the logs; session logs end there.');
    expect(scoreSeed(memory, ['exact', 'session', 'logs', 'tell'], 1)).toBe(3 * 7 + 2 * 4);
  });

  it('fades by e^(-0.1 × hours): a term of seven letters falls below 0.3 after 31 hours and a half', () => {
    const memory = read('session');
    expect(scoreSeed(memory, ['session'], Math.exp(-0.1 * 10))).toBeCloseTo(7 * 0.367879, 5);
    expect(scoreSeed(memory, ['session'], Math.exp(-0.1 * 31))).toBeGreaterThan(0.3);
    expect(scoreSeed(memory, ['session'], Math.exp(-0.1 * 32))).toBeLessThan(0.3);
  });

  it('counts letters, not bytes or halves of pairs', () => {
    expect(scoreSeed(read('žžž ąčę'), ['žžž'], 1)).toBe(3);
    expect(scoreSeed(read('𐍈𐍈𐍈'), ['𐍈𐍈𐍈'], 1)).toBe(3);
  });

  it('counts whole words alone', () => {
    expect(scoreSeed(read('sessions obsession'), ['session'], 1)).toBe(0);
  });

  it('is nought without terms, without words and for names that objects have', () => {
    expect(scoreSeed(read('session'), [], 1)).toBe(0);
    expect(scoreSeed(read(''), ['session'], 1)).toBe(0);
    expect(scoreSeed(read('session'), ['constructor', '__proto__'], 1)).toBe(0);
  });
});

describe('balanced relevance', () => {
  const project = memories(
    'redis connection refused by the cache server',
    'the login page and the login form of the app',
    'token expires before the session ends',
    'the app needs redis and node',
  );
  const score = (text: string, terms: string[]) => scoreBalanced(read(text), weighTerms(terms, corpusOf(project)), 1);

  it('is, for one term once in an item of average length, the root of 1 / 1.5', () => {
    const one = memories('session lost');
    expect(scoreBalanced(read('session lost'), weighTerms(['session'], corpusOf(one)), 1)).toBeCloseTo(
      Math.sqrt(1 / 1.5),
      12,
    );
    expect(scoreBalanced(read('session lost'), weighTerms(['session'], corpusOf(one)), 0.5)).toBeCloseTo(
      Math.sqrt(1 / 1.5) / 2,
      12,
    );
  });

  it('gives a rare term more than a common one', () => {
    expect(score('token here today', ['token', 'app'])).toBeGreaterThan(score('app here today', ['token', 'app']));
  });

  it('is higher for more of the terms than for one of them over and over', () => {
    const terms = ['redis', 'token', 'login'];
    expect(score('redis token', terms)).toBeGreaterThan(score('redis redis redis redis redis', terms));
  });

  it('holds length against an item that says the same', () => {
    const padding = ' and many other words beside it'.repeat(20);
    expect(score(`redis${padding}`, ['redis'])).toBeLessThan(score('redis refused', ['redis']));
  });

  it('passes the threshold with two terms of seven, and not with one common term of nine', () => {
    const two = ['redis', 'cache', 'aaa', 'bbb', 'ccc', 'ddd', 'eee'];
    expect(score('the redis cache is slow and old', two)).toBeGreaterThan(0.3);
    const one = ['app', 'redis', 'token', 'login', 'cache', 'form', 'node', 'page', 'server'];
    expect(score('an app that does something else over there, whatever', one)).toBeLessThan(0.3);
  });

  it('gives every term a share of one whole, and one that nothing holds the average', () => {
    const { shares } = weighTerms(['redis', 'token', 'unheard'], corpusOf(project));
    expect(shares.reduce((sum, [, share]) => sum + share, 0)).toBeCloseTo(1, 12);
    const [redis, token, unheard] = shares.map(([, share]) => share);
    expect(unheard).toBeCloseTo(((redis ?? 0) + (token ?? 0)) / 2, 12);
  });

  it('counts all words that no item holds as one, however much is said around those that count', () => {
    const smallTalk = Array.from({ length: 40 }, (_, index) => `chatter${index}`);
    const { shares } = weighTerms([...smallTalk, 'redis', 'token'], corpusOf(project));
    const total = (of: typeof shares) => of.reduce((sum, [, share]) => sum + share, 0);
    expect(total(shares)).toBeCloseTo(1, 12);
    expect(total(shares.slice(smallTalk.length))).toBeCloseTo(2 / 3, 12);
    expect(score('redis lost the token', [...smallTalk, 'redis', 'token'])).toBeGreaterThan(0.3);
  });

  it('takes the numbers of the whole project where they are known', () => {
    const corpus = { items: 10_000, averageLength: 5, itemsWith: (term: string) => (term === 'redis' ? 4_000 : 3) };
    const terms = weighTerms(['redis', 'token'], corpus);
    const [redis, token] = terms.shares.map(([, share]) => share);
    expect(token ?? 0).toBeGreaterThan(5 * (redis ?? 0));
    expect(scoreBalanced(read('token'), terms, 1)).toBeLessThanOrEqual(1);
  });

  it('is a number even of an empty project and of numbers that contradict each other', () => {
    expect(weighTerms([], corpusOf([])).shares).toEqual([]);
    expect(scoreBalanced(read('redis'), weighTerms(['redis'], corpusOf([])), 1)).toBeGreaterThan(0);
    const wrong = weighTerms(['redis'], { items: 2, averageLength: 0, itemsWith: () => 9 });
    expect(scoreBalanced(read('redis'), wrong, 1)).toBeLessThanOrEqual(1);
  });

  it('knows the forms of a Lithuanian word by their stem', () => {
    const stemmed = readMemory(item('Serverio klaidos pasikartoja, klaidą matė visi.'), { stem: stemmer });
    expect(stemmed.counts.get(stemmer('klaida'))).toBe(2);
    const terms = weighTerms([stemmer('klaida')], corpusOf([stemmed]));
    expect(scoreBalanced(stemmed, terms, 1)).toBeGreaterThan(0.3);
  });
});

describe('reading a memory', () => {
  it('counts every word of three letters or more, or only those asked for', () => {
    const all = read('Redis is down, redis again');
    expect(Object.fromEntries(all.counts)).toEqual({ redis: 2, down: 1, again: 1 });
    const some = readMemory(item('Redis is down, redis again'), { only: new Set(['redis']) });
    expect([Object.fromEntries(some.counts), some.length]).toEqual([{ redis: 2 }, all.length]);
  });

  it('stays within its limits on a text of 100 kB', () => {
    expect(read('klaida 🎉 خطأ '.repeat(8_000)).length).toBeLessThan(20_000);
  });
});
