import { stemmer } from '@orama/stemmers/lithuanian';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseMemories, chooseRead, fadeOf } from './choose-memories.ts';
import { keyTerms } from './key-terms.ts';
import { readMemory } from './relevance.ts';
import { type MemoryItem, memoryItemTypes, type Relevance, typedMemorySettings } from './typed-memory.ts';

const now = Date.UTC(2026, 10, 21, 9);
const hour = 3_600_000;
const day = 24 * hour;

const item = (id: string, text: string, more: Partial<MemoryItem> = {}): MemoryItem => ({
  id,
  type: 'context',
  key: id,
  text,
  at: now,
  ...more,
});

const seed = typedMemorySettings();
const balanced = typedMemorySettings({ relevance: 'balanced' });
const ids = (chosen: readonly { item: MemoryItem }[]) => chosen.map((each) => each.item.id);

describe('choosing memories by the seed', () => {
  it('scores, fades and orders them', () => {
    const items = [
      item('old', 'session session logs', { at: now - 10 * hour }),
      item('new', 'the session'),
      item('other', 'nothing of it'),
    ];
    const chosen = chooseMemories(items, ['exact', 'session', 'logs'], { now, settings: seed });
    expect(ids(chosen)).toEqual(['new', 'old']);
    expect(chosen[0]?.relevanceScore).toBe(7);
    expect(chosen[1]?.relevanceScore).toBeCloseTo(18 * Math.exp(-1), 12);
  });

  it('takes in what scores exactly the threshold and nothing below', () => {
    const items = [item('seven', 'session'), item('six', 'server')];
    const at = (threshold: number) =>
      ids(chooseMemories(items, ['session', 'server'], { now, settings: { ...seed, threshold } }));
    expect(at(7)).toEqual(['seven']);
    expect(at(6)).toEqual(['seven', 'six']);
    expect(at(7.000001)).toEqual([]);
  });

  it('looks at the newest hundred of more', () => {
    const items = Array.from({ length: 150 }, (_, index) => item(`m${index}`, 'session', { at: now - index * 1_000 }));
    items.push(item('best', 'session session session', { at: now - 200_000 }));
    const settings = { ...seed, top: 1_000 };
    const chosen = chooseMemories(items, ['session'], { now, settings });
    expect(chosen).toHaveLength(100);
    expect(ids(chosen)).not.toContain('best');
    const read = items.map((each) => readMemory(each));
    expect(chooseRead(read, ['session'], { now, settings })).toEqual(chosen);
  });

  it('counts words as they are written, whatever stems there are', () => {
    const items = [item('inflected', 'klaidos'), item('same', 'klaida')];
    const chosen = chooseMemories(items, ['klaida'], { now, settings: seed, stem: stemmer });
    expect(chosen.map((each) => [each.item.id, each.relevanceScore])).toEqual([['same', 6]]);
  });
});

describe('choosing balanced memories', () => {
  it('remembers after three weeks what the seed forgets after a day and a half', () => {
    const items = [
      item('solution', 'Restart redis and raise its connection limit', { type: 'solution', at: now - 21 * day }),
      item('noise', 'The weather is fine today'),
    ];
    const terms = keyTerms('redis refuses the connection again');
    expect(ids(chooseMemories(items, terms, { now, settings: balanced }))).toEqual(['solution']);
    expect(chooseMemories(items, terms, { now, settings: seed })).toEqual([]);
  });

  it('puts the solution before the message of the same age and words', () => {
    const items = [
      item('message', 'redis limit', { type: 'message', at: now - 10 * day }),
      item('solution', 'redis limit', { type: 'solution', at: now - 10 * day }),
    ];
    expect(ids(chooseMemories(items, ['redis', 'limit'], { now, settings: balanced }))).toEqual([
      'solution',
      'message',
    ]);
  });

  it('looks at those that fit best of more than its candidates, however old', () => {
    const items = Array.from({ length: 300 }, (_, index) => item(`m${index}`, `session number${index} and so forth`));
    items.push(item('best', 'session token', { at: now - 5 * day }));
    const chosen = chooseMemories(items, ['session', 'token'], { now, settings: { ...balanced, top: 1 } });
    expect(ids(chosen)).toEqual(['best']);
    expect(
      chooseMemories(items, ['session'], { now, settings: { ...balanced, top: 1_000, threshold: 0 } }),
    ).toHaveLength(100);
  });

  it('finds a Lithuanian word in another form by its stem', () => {
    const items = [item('a', 'Prisijungimo klaidos serveryje'), item('b', 'Spalvos ir šriftai')];
    const terms = keyTerms('Kokia klaida serverio žurnale?', 'lt');
    expect(ids(chooseMemories(items, terms, { now, settings: balanced, stem: stemmer }))).toEqual(['a']);
    const read = items.map((each) => readMemory(each, { stem: stemmer }));
    expect(ids(chooseRead(read, terms, { now, settings: balanced, stem: stemmer }))).toEqual(['a']);
  });
});

describe('choosing memories by either formula', () => {
  const both: Relevance[] = ['seed', 'balanced'];

  it.each(both)('finds nothing without items or without terms (%s)', (relevance) => {
    const settings = typedMemorySettings({ relevance, threshold: 0 });
    expect(chooseMemories([], ['session'], { now, settings })).toEqual([]);
    expect(chooseMemories([item('a', 'session')], [], { now, settings })).toEqual([]);
    expect(chooseMemories([item('a', '')], ['session'], { now, settings })).toEqual([]);
  });

  it.each(both)('forgets an item at thirty days, and not a moment before (%s)', (relevance) => {
    const settings = typedMemorySettings({ relevance, decay_per_hour: 0 });
    const items = [
      item('gone', 'session', { at: now - 30 * day }),
      item('there', 'session', { at: now - 30 * day + 1 }),
    ];
    expect(ids(chooseMemories(items, ['session'], { now, settings }))).toEqual(['there']);
  });

  it.each(both)('takes what comes from the future for new, and what has no time for nothing (%s)', (relevance) => {
    const settings = typedMemorySettings({ relevance });
    const items = [item('ahead', 'session', { at: now + day }), item('never', 'session', { at: NaN })];
    const chosen = chooseMemories(items, ['session'], { now, settings });
    expect(ids(chosen)).toEqual(['ahead']);
    expect(fadeOf({ type: 'error', at: now + day }, now, settings)).toBe(1);
  });

  it.each(both)('counts a term asked twice once (%s)', (relevance) => {
    const settings = typedMemorySettings({ relevance });
    const items = [item('a', 'session token')];
    expect(chooseMemories(items, ['token', 'token'], { now, settings })).toEqual(
      chooseMemories(items, ['token'], { now, settings }),
    );
  });

  it.each(both)('puts the newer of two alike first, then the one whose id comes first (%s)', (relevance) => {
    const settings = typedMemorySettings({ relevance, decay_per_hour: 0 });
    const items = [
      item('c', 'session'),
      item('old', 'session', { at: now - 1 }),
      item('a', 'session'),
      item('b', 'session'),
    ];
    expect(ids(chooseMemories(items, ['session'], { now, settings }))).toEqual(['a', 'b', 'c', 'old']);
  });

  const words = fc.constantFrom('redis', 'session', 'token', 'klaida', 'ąžuolas', 'login', '__proto__', '🎉', 'خطأ');
  const anItem = fc.record({
    type: fc.constantFrom(...memoryItemTypes),
    key: fc.string({ maxLength: 5 }),
    text: fc.array(words, { maxLength: 12 }).map((each) => each.join(' ')),
    at: fc.integer({ min: -40 * 24, max: 2 }).map((hours) => now + hours * hour),
  });
  const someItems = fc
    .array(anItem, { maxLength: 40 })
    .map((all) => all.map((each, index) => ({ ...each, id: `m${index}` })));

  it('keeps to threshold, number, range and order, whatever the order of what comes in', () => {
    fc.assert(
      fc.property(
        someItems,
        fc.uniqueArray(words, { maxLength: 6 }),
        fc.constantFrom(...both),
        fc.constantFrom(0, 0.3, 0.6),
        fc.integer({ min: 1, max: 12 }),
        (items, asked, relevance, threshold, top) => {
          const settings = typedMemorySettings({ relevance, threshold, top });
          const terms = keyTerms(asked.join(' '));
          const chosen = chooseMemories(items, terms, { now, settings });
          expect(chosen.length).toBeLessThanOrEqual(top);
          for (const [index, { item: each, relevanceScore }] of chosen.entries()) {
            expect(relevanceScore).toBeGreaterThanOrEqual(threshold);
            expect(relevanceScore).toBeGreaterThan(0);
            expect(relevanceScore).toBeLessThanOrEqual(relevance === 'balanced' ? 1 : Infinity);
            const next = chosen[index + 1];
            if (next === undefined) continue;
            const isInOrder =
              relevanceScore > next.relevanceScore ||
              (relevanceScore === next.relevanceScore &&
                (each.at > next.item.at || (each.at === next.item.at && each.id < next.item.id)));
            expect(isInOrder).toBe(true);
          }
          expect(chooseMemories(items.toReversed(), terms, { now, settings })).toEqual(chosen);
          const read = items.map((each) => readMemory(each));
          expect(chooseRead(read, terms, { now, settings })).toEqual(chosen);
        },
      ),
      { numRuns: 300 },
    );
  });
});
