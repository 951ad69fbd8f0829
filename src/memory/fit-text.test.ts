import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText, fitTokens } from './fit-text.ts';

const thirds = (text: string) => Math.ceil(text.length / 3);

describe('fitting a text into tokens', () => {
  it('leaves what fits as it is', () => {
    expect(fitTokens('  the cause is known ', 7, thirds)).toBe('the cause is known');
    expect(fitTokens('', 0, thirds)).toBe('');
  });

  it('cuts between words and says so', () => {
    expect(fitTokens('the session token expires early', 6, thirds)).toBe('the session token…');
    expect(fitTokens('the session token expires early', 5, thirds)).toBe('the session…');
  });

  it('cuts a text without spaces, but no character of it', () => {
    expect(fitTokens('x'.repeat(100), 3, thirds)).toBe('xxxxxxxx…');
    const family = '👩‍👩‍👧‍👦';
    expect(fitTokens(family.repeat(10), 5, thirds)).toBe(`${family}…`);
  });

  it('is empty where not even a sign of leaving out fits', () => {
    expect(fitTokens('long enough', 0, thirds)).toBe('');
  });

  it('costs no more than it may, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.nat(60), (text, tokens) => {
        const fitted = fitTokens(text, tokens, thirds);
        expect(thirds(fitted)).toBeLessThanOrEqual(tokens);
        expect(text.trim().startsWith(fitted.replace(/…$/u, ''))).toBe(true);
      }),
    );
  });
});

describe('cutting a text', () => {
  it('takes a whole pair off rather than half of it', () => {
    expect(cutText('ab😀', 3)).toBe('ab');
    expect(cutText('ab😀', 4)).toBe('ab😀');
    expect(cutText('ab\ud83d', 3)).toBe('ab\ufffd');
  });
});
