import { expect, test } from 'vitest';
import { SseParser, type SseFrame } from './sse.ts';

const stream =
  'retry: 2000\n: ping\n\nid: t:1\nevent: token\ndata: {"text":"Ačiū 🦊"}\n\nid: t:2\nevent: done\ndata: {}\n\n';
const expected: SseFrame[] = [
  { event: 'token', data: '{"text":"Ačiū 🦊"}', id: 't:1' },
  { event: 'done', data: '{}', id: 't:2' },
];

function parse(pieces: Iterable<string>): SseFrame[] {
  const parser = new SseParser();
  return [...pieces].flatMap((piece) => parser.push(piece));
}

test('a stream reads the same wherever it is cut and however its lines end', () => {
  for (const ending of ['\n', '\r\n', '\r']) {
    const text = stream.replaceAll('\n', ending);
    expect(parse([text])).toEqual(expected);
    expect(parse(Array.from(text))).toEqual(expected);
    for (let cut = 1; cut < text.length; cut += 1) {
      expect(parse([text.slice(0, cut), text.slice(cut)])).toEqual(expected);
    }
  }
});

test('comments and events without data are not delivered', () => {
  expect(parse([': one\n\nevent: token\n\n:\n\n'])).toEqual([]);
});

test('several data lines are one text, and only one space after the colon is dropped', () => {
  expect(parse(['data: one\ndata:  two\ndata\n\n'])).toEqual([{ event: 'message', data: 'one\n two\n', id: '' }]);
});

test('an event cut off before its empty line is not delivered', () => {
  expect(parse(['event: done\ndata: {}\n'])).toEqual([]);
});

test('the reconnection time is kept, and nonsense in its place is not', () => {
  const parser = new SseParser();
  parser.push('retry: 1500\nretry: soon\n');
  expect(parser.retryMs).toBe(1500);
});
