import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFieldReader } from './structured-reply.ts';

function read(chunks: readonly string[], field = 'user_explanation') {
  const reader = createFieldReader(field);
  const shown = chunks.map((chunk) => reader.push(chunk)).join('') + reader.end();
  return { shown, reader };
}

const sample =
  'Here it is:\n```json\n{"metadata": {"user_explanation": "not this", "list": ["a", {"b": "}"}]}, ' +
  '"user_explanation": "Ačiū: \\"taip\\" \\u0105\\n\\uD83E\\uDD8A 🦊 \\\\ end", "confidence": 0.9}\n```';
const told = 'Ačiū: "taip" ą\n🦊 🦊 \\ end';

describe('a field of a reply that is still arriving', () => {
  it('is read whole, whatever stands around it', () => {
    expect(read([sample]).shown).toBe(told);
    expect(read([sample]).reader.raw).toBe(sample);
  });

  it('is the same wherever the reply is cut in two, and character by character', () => {
    for (let cut = 0; cut <= sample.length; cut += 1) {
      expect(read([sample.slice(0, cut), sample.slice(cut)]).shown, `cut at ${cut}`).toBe(told);
    }
    expect(read(sample.split('')).shown).toBe(told);
  });

  it('is shown before the rest has come', () => {
    const reader = createFieldReader('user_explanation');
    expect(reader.push('{"user_explanation":"First')).toBe('First');
    expect(reader.push(' words')).toBe(' words');
    expect(reader.push('","confidence":')).toBe('');
  });

  it.each([
    ['that is not there', '{"other":"a"}', ''],
    ['that is a number', '{"user_explanation":3,"x":"y"}', ''],
    ['that is a list', '{"user_explanation":["a","b"],"x":"y"}', ''],
    ['that is null', '{"user_explanation":null,"x":"y"}', ''],
    ['whose name is another field’s value', '{"a":"user_explanation","b":"c"}', ''],
    ['that stands there twice: the first counts', '{"user_explanation":"one","user_explanation":"two"}', 'one'],
    ['in an object that is cut off', '{"user_explanation":"half', 'half'],
    ['with half a surrogate pair', '{"user_explanation":"a\\ud83e"}', 'a\ufffd'],
    ['with a lone low surrogate', '{"user_explanation":"a\\udd8ab"}', 'a\ufffdb'],
    ['of a reply that is no JSON', 'I am sorry, I cannot.', ''],
    ['after which another object follows', '{"user_explanation":"one"} {"user_explanation":"two"}', 'one'],
  ])('%s', (_, text, shown) => {
    expect(read([text]).shown).toBe(shown);
    expect(read(text.split('')).shown).toBe(shown);
  });

  it('is what JSON.parse gives, for any object in any chunks', () => {
    const object = fc.record({
      a: fc.jsonValue(),
      user_explanation: fc.string({ unit: 'grapheme' }),
      z: fc.jsonValue(),
    });
    fc.assert(
      fc.property(object, fc.array(fc.nat(40), { minLength: 1 }), fc.boolean(), (value, sizes, isSpaced) => {
        const text = JSON.stringify(value, null, isSpaced ? 2 : 0);
        const chunks: string[] = [];
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const size = 1 + (sizes[turn % sizes.length] ?? 0);
          chunks.push(text.slice(at, at + size));
          at += size;
        }
        expect(read(chunks).shown).toBe(value.user_explanation.toWellFormed());
      }),
    );
  });

  it('stands after any depth of nesting', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`.slice(0, 40_000);
    const nested = `{"x":${'['.repeat(10_000)}${']'.repeat(10_000)},"user_explanation":"after"}`;
    expect(read([nested]).shown).toBe('after');
    expect(read([`{"x":${deep}`]).shown).toBe('');
  });

  it('of a reply that is too long is cut, and said to be', () => {
    const reader = createFieldReader('user_explanation', 100);
    expect(reader.push('{"user_explanation":"short')).toBe('short');
    expect(reader.push('x'.repeat(100))).toBe('');
    expect(reader.isOverlong).toBe(true);
    expect(reader.raw.length).toBeLessThanOrEqual(100);
  });
});
