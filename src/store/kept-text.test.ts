import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keptText } from './kept-text.ts';

it('leaves well-formed text as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!text.includes('\0'));
      expect(keptText(text)).toBe(text);
    }),
  );
});

it('makes any text one that UTF-8 can hold, of the same length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', '\udfff', '\0'), (text, odd) => {
      const kept = keptText(text + odd);
      expect(Buffer.from(kept).toString()).toBe(kept);
      expect(kept).not.toContain('\0');
      expect(kept).toHaveLength(text.length + odd.length);
    }),
  );
});
