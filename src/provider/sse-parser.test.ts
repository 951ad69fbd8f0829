import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readChunk } from './chat-chunk.ts';
import { SseParser } from './sse-parser.ts';

type Read = { text: string } | { chunk: unknown } | 'done' | 'malformed';

function parse(pieces: readonly Buffer[]): Read[] {
  const read: Read[] = [];
  const parser = new SseParser({
    text: (text) => read.push({ text }),
    chunk: (chunk) => read.push({ chunk }),
    done: () => read.push('done'),
    malformed: () => read.push('malformed'),
  });
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return read;
}

const whole = (body: string) => parse([Buffer.from(body)]);
const delta = (content: string, more: object = {}) =>
  JSON.stringify({ id: 'c1', choices: [{ index: 0, delta: { content }, finish_reason: null }], ...more });

/** What was said, whichever way it was read. */
const textsOf = (read: readonly Read[]) =>
  read.flatMap((one) => {
    if (typeof one === 'string') return [];
    const text = 'text' in one ? one.text : (readChunk(one.chunk)?.text ?? '');
    return text === '' ? [] : [text];
  });

/** Cuts `bytes` wherever `cuts` say, in the middle of a character too. */
function tear(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((one, other) => one - other);
  return [...places, bytes.length].map((place, index) => bytes.subarray(places[index - 1] ?? 0, place));
}

/** A string of whole code points, as UTF-8 can carry it; pieces of JSON, quotes and escapes among them. */
const content = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('"', '\\', '\n', '\u2028', '","content":"', 'ąčęėįšųūž', '🙂', '\\u0041', '~', '\u0000', '\u007f'),
);

test('what was said comes out the same however the body is written and torn', () => {
  const writing = fc.record({
    contents: fc.array(content, { maxLength: 12 }),
    space: fc.constantFrom('', ' '),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    comment: fc.constantFrom('', ': keep-alive', 'event: message', 'id: 7', ':', 'retry: 10'),
    indent: fc.constantFrom(undefined, 1),
    obfuscation: fc.boolean(),
    cuts: fc.array(fc.nat(4_000), { maxLength: 30 }),
  });
  fc.assert(
    fc.property(writing, ({ contents, space, lineEnd, comment, indent, obfuscation, cuts }) => {
      const lines = contents.map((text, index) => {
        const json = delta(text, obfuscation ? { obfuscation: 'x'.repeat(index % 3) } : {});
        const spaced = indent === undefined ? json : JSON.stringify(JSON.parse(json), null, indent);
        const data = spaced.split('\n').map((line) => `data:${space}${line}${lineEnd}`);
        return `${comment}${lineEnd}${data.join('')}${lineEnd}`;
      });
      const body = Buffer.from(`${lines.join('')}data: [DONE]${lineEnd}${lineEnd}`);
      const read = parse(tear(body, cuts));
      expect(textsOf(read).join('')).toBe(contents.join(''));
      expect(textsOf(read)).toEqual(contents.filter((text) => text !== ''));
      expect(read.at(-1)).toBe('done');
    }),
    { numRuns: 2_000 },
  );
});

test('lines that differ in their text alone are parsed once', () => {
  const read = whole(['a', 'b', 'č', '🙂 d'].map((text) => `data: ${delta(text)}\n\n`).join(''));
  expect(read.slice(1)).toEqual([{ text: 'b' }, { text: 'č' }, { text: '🙂 d' }]);
});

test('a text with an escape in it is parsed', () => {
  const read = whole(['a', 'say "b"', 'c'].map((text) => `data: ${delta(text)}\n\n`).join(''));
  expect(read[1]).toEqual({ chunk: JSON.parse(delta('say "b"')) });
  expect(read[2]).toEqual({ text: 'c' });
});

test('a line whose text stands in another place than the content is never a template', () => {
  const line = (text: string) => `data: {"choices":[{"delta":{"content":"x"},"note":"${text}"}]}\n\n`;
  expect(textsOf(whole(line('x') + line('y') + line('z')))).toEqual(['x', 'x', 'x']);
});

test('of two contents in one object the one that JSON keeps is read', () => {
  const line = (first: string, second: string) =>
    `data: {"choices":[{"delta":{"content":"${first}","content":"${second}"}}]}\n\n`;
  expect(textsOf(whole(line('a', 'a') + line('b', 'c') + line('d', 'a')))).toEqual(['a', 'c', 'a']);
});

test('a chunk with a finish reason, usage or an error is handed on whole', () => {
  for (const chunk of [
    { choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] },
    { choices: [{ delta: { content: 'a' } }], usage: { prompt_tokens: 1, completion_tokens: 1 } },
    { error: { message: 'no', code: 500 } },
  ]) {
    const read = whole(`data: ${delta('x')}\n\ndata: ${JSON.stringify(chunk)}\n\n`);
    expect(read.at(-1)).toEqual({ chunk });
  }
});

test('nothing after [DONE] is read', () => {
  expect(whole(`data: [DONE]\n\ndata: ${delta('late')}\n\n`)).toEqual(['done']);
});

test('a last line without a line end is read', () => {
  expect(whole(`data: ${delta('a')}\n\ndata: [DONE]`).at(-1)).toBe('done');
});

test('a byte order mark before the first line is passed over', () => {
  expect(textsOf(whole(`\uFEFFdata: ${delta('a')}\n\n`))).toEqual(['a']);
});

test('an event that is not JSON is malformed, and so is one that breaks off', () => {
  expect(whole('data: {"choices":[{"del\n\n')).toEqual(['malformed']);
  expect(whole('data: {"choices":')).toEqual(['malformed']);
  expect(whole(`data: {broken\n\ndata: ${delta('late')}\n\n`)).toEqual(['malformed']);
});

test('a line that never ends is given up', () => {
  const read = parse(Array.from({ length: 40 }, () => Buffer.alloc(64 * 1024, 'x')));
  expect(read).toEqual(['malformed']);
});

test('an error named by the field is an error', () => {
  const read = whole('error: {"code":500,"message":"out of memory"}\n\n');
  expect(read).toEqual([{ chunk: { error: { code: 500, message: 'out of memory' } } }]);
});
