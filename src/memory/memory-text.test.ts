import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryTextLimits, textOfValue } from './memory-text.ts';

describe('the text of a value', () => {
  it('is each of its values after the names that lead there', () => {
    const value = {
      error_message: 'Warning: require(C:\\xampp)',
      tried: ['restart', { step: 'clear cache', worked: false }],
      line: 12,
      nothing: null,
      blank: '  ',
    };
    expect(textOfValue(value)).toBe(
      [
        'error_message: Warning: require(C:\\xampp)',
        'tried: restart',
        'tried.step: clear cache',
        'tried.worked: false',
        'line: 12',
      ].join('\n'),
    );
  });

  it.each([
    ['text', 'sesija nutrūko', 'sesija nutrūko'],
    ['a number', 0, '0'],
    ['a truth value', true, 'true'],
    ['null', null, ''],
    ['nothing', undefined, ''],
    ['an empty object', {}, ''],
    ['an empty list', [], ''],
    ['a function', () => 1, ''],
  ])('is plain for %s', (_, value, expected) => {
    expect(textOfValue(value)).toBe(expected);
  });

  it('ends at the limit, whole characters only', () => {
    expect(textOfValue('x'.repeat(100_000))).toHaveLength(memoryTextLimits.characters);
    expect(textOfValue({ a: 'x'.repeat(3_000), b: 'y'.repeat(3_000) })).toHaveLength(memoryTextLimits.characters);
    expect(textOfValue(`x${'😀'.repeat(10_000)}`).endsWith('😀')).toBe(true);
    expect(textOfValue('\ud83d').isWellFormed()).toBe(true);
  });

  it('gives up on what is nested too deep, wound into itself or has too many parts', () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 50_000; level++) deep = level % 2 === 0 ? [deep] : { inner: deep };
    expect(textOfValue({ top: 'top', deep })).toBe('top: top');
    const nested = (levels: number) => {
      let names: unknown = 'bottom';
      for (let level = 0; level < levels; level++) names = { in: names };
      return textOfValue(names);
    };
    expect(nested(memoryTextLimits.depth)).toMatch(/: bottom$/u);
    expect(nested(memoryTextLimits.depth + 1)).toBe('');
    const loop: unknown[] = ['in'];
    loop.push(loop, loop);
    expect(textOfValue(loop).startsWith('in\nin')).toBe(true);
    expect(textOfValue(Array.from({ length: 100_000 }, () => 7)).split('\n').length).toBeLessThan(
      memoryTextLimits.values,
    );
  });

  it('reads names that objects have as it reads any other', () => {
    const value: unknown = JSON.parse('{"__proto__": {"polluted": "yes"}, "constructor": "c", "toString": 1}');
    expect(textOfValue(value)).toBe('__proto__.polluted: yes\nconstructor: c\ntoString: 1');
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  it('is well formed and within the limit, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = textOfValue(value);
        expect(text.length).toBeLessThanOrEqual(memoryTextLimits.characters);
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });
});
