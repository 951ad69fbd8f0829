import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readChunk } from './chat-chunk.ts';
import { DeltaTemplate } from './delta-template.ts';

/** Pieces from which texts, keys and whole lines are put together: what JSON gives a meaning, and what it does not. */
const pieces = [
  'a',
  'ž',
  '🙂',
  ' ',
  '"',
  '\\',
  '\t',
  '\u0000',
  '\u2028',
  '~',
  '{',
  '}',
  ',',
  '\\"',
  '\\u0041',
  '"content"',
  '"content":"',
  '"},"finish_reason":"stop"',
  '"}}]}',
  '","content":"b',
  '"usage":{"prompt_tokens":1}',
];
const piece = fc.constantFrom(...pieces);
const raw = fc.array(piece, { maxLength: 6 }).map((chosen) => chosen.join(''));

/** Lines in which a raw text stands where a text belongs, or somewhere else. */
const shape = fc.constantFrom(
  (text: string) => `{"choices":[{"index":0,"delta":{"content":"${text}"},"finish_reason":null}]}`,
  (text: string) => `{"choices": [{"delta": {"role": "assistant", "content": "${text}"}}], "usage": null}`,
  (text: string) => `{"choices":[{"delta":{"content":"a","content":"${text}"}}]}`,
  (text: string) => `{"choices":[{"delta":{"content":"${text}","content":"a"}}]}`,
  (text: string) => `{"choices":[{"delta":{"content":"a"},"note":"${text}"}]}`,
  (text: string) => `{"note":{"content":"${text}"},"choices":[{"delta":{"content":"a"}}]}`,
  (text: string) => `{"choices":[{"delta":{"content":"${text}"}}],"obfuscation":"${text}"}`,
);

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

test('whatever a template matches is what parsing the line reads, and nothing else is in it', () => {
  let matches = 0;
  fc.assert(
    fc.property(shape, fc.array(raw, { minLength: 1, maxLength: 4 }), shape, raw, (learned, texts, other, text) => {
      const template = new DeltaTemplate();
      for (const known of texts) {
        const line = `data: ${learned(known)}`;
        const chunk = parse(line.slice(6));
        if (chunk !== undefined) template.learn(line, 6, chunk);
      }
      for (const line of [`data: ${learned(text)}`, `data: ${other(text)}`]) {
        const matched = template.match(line, 0, line.length);
        if (matched === null) continue;
        matches += 1;
        const chunk = readChunk(JSON.parse(line.slice(6)));
        expect(chunk).toEqual({ text: matched, toolCalls: [], finishReason: null, usage: null, error: null });
      }
    }),
    { numRuns: 20_000, seed: 7 },
  );
  expect(matches).toBeGreaterThan(500);
});

test('a server whose lines never repeat is not studied for ever', () => {
  const template = new DeltaTemplate();
  const line = (id: number) => `data: {"id":${id},"choices":[{"delta":{"content":"a"}}]}`;
  for (let id = 1; id <= 3; id += 1) template.learn(line(id), 6, JSON.parse(line(id).slice(6)));
  expect(template.match(line(3), 0, line(3).length)).toBe('a');
  const unstudied = new DeltaTemplate();
  for (let id = 1; id <= 4; id += 1) unstudied.learn(line(id), 6, JSON.parse(line(id).slice(6)));
  expect(unstudied.match(line(4), 0, line(4).length)).toBeNull();
});

test('a template that has served is learned anew when the lines change', () => {
  const template = new DeltaTemplate();
  const line = (second: number, text: string) =>
    `data: {"created":${second},"choices":[{"delta":{"content":"${text}"}}]}`;
  for (let second = 1; second <= 20; second += 1) {
    const first = line(second, 'a');
    expect(template.match(first, 0, first.length)).toBeNull();
    template.learn(first, 6, JSON.parse(first.slice(6)));
    const next = line(second, 'bc');
    expect(template.match(next, 0, next.length)).toBe('bc');
  }
});
