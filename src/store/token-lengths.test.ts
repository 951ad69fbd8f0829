import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packLengths, unpackLengths } from './token-lengths.ts';

it('gives back the lengths that were packed', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(300), fc.nat(2 ** 31 - 1))), (lengths) => {
      expect(unpackLengths(packLengths(lengths))).toEqual(lengths);
    }),
  );
});

it('takes one byte for a token shorter than 128 characters', () => {
  expect(packLengths([0, 5, 127])).toHaveLength(3);
  expect(packLengths([128])).toHaveLength(2);
});
