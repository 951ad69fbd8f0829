import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonPath, jsonPathText, readJson } from './json-source.ts';

function read(text: string) {
  const reading = readJson(text);
  if (reading.kind === 'unreadable') throw new Error(reading.problem.message);
  return reading.source;
}

function problemOf(text: string) {
  const reading = readJson(text);
  if (reading.kind === 'read') throw new Error('was read');
  const { position, message, hint } = reading.problem;
  return { at: `${position.line}:${position.column}`, message, hint };
}

describe('places', () => {
  const text = '{\n  "phases": [\n    { "id": "a" },\n    {\n      "id" : "b",\n      "ąž": [1, 2]\n    }\n  ]\n}\n';
  const { locate } = read(text);

  it('are those of values, and of keys where asked', () => {
    expect(locate(['phases', 1, 'id'])).toEqual({ line: 5, column: 14 });
    expect(locate(['phases', 1, 'id'], 'key')).toEqual({ line: 5, column: 7 });
    expect(locate(['phases', 1, 'ąž', 1])).toEqual({ line: 6, column: 17 });
    expect(locate([])).toEqual({ line: 1, column: 1 });
  });

  it('are those of the nearest parent where the path is not in the text', () => {
    expect(locate(['phases', 1, 'title'])).toEqual({ line: 4, column: 5 });
    expect(locate(['phases', 7, 'title'])).toEqual({ line: 2, column: 13 });
    expect(locate(['nothing', 'at', 'all'], 'key')).toEqual({ line: 1, column: 1 });
  });

  it('count lines ended in any of the three ways, and not a byte order mark', () => {
    const source = read('\uFEFF{\r\n "a": 1,\r "b": 2,\n "c": 3 }');
    expect(['a', 'b', 'c'].map((key) => source.locate([key]))).toEqual([
      { line: 2, column: 7 },
      { line: 3, column: 7 },
      { line: 4, column: 7 },
    ]);
    expect(source.value).toEqual({ a: 1, b: 2, c: 3 });
    expect(read('\uFEFF{}').locate([])).toEqual({ line: 1, column: 1 });
  });
});

describe('what is not JSON', () => {
  it.each([
    ['', '1:1', /empty/u, /one object/u],
    ['  \n ', '1:1', /empty/u, /one object/u],
    ['{\n  "a": 1,\n}', '2:9', /comma is one too many/u, /Remove the comma/u],
    ['[1, 2, ]', '1:6', /comma is one too many/u, /Remove the comma/u],
    ['{\n  "a": 1\n  "b": 2\n}', '3:3', /no comma/u, /comma after the value before/u],
    ['{ "a" 1 }', '1:7', /no colon/u, /colon/u],
    ["{ 'a': 1 }", '1:3', /not JSON/u, /straight double quotes/u],
    ['{ "a": True }', '1:8', /not JSON/u, /straight double quotes/u],
    ['{ “a”: 1 }', '1:3', /not JSON/u, /straight double quotes/u],
    ['{ "a": "x', '1:8', /does not end/u, /double quote/u],
    ['{ "a": "x\ny" }', '1:8', /does not end on its line/u, /\\n/u],
    ['{ "a": "x\ty" }', '1:8', /control character/u, /\\t/u],
    ['{ "a": "\\q" }', '1:8', /backslash/u, /\\\\/u],
    ['{ "a": 1', '1:9', /not closed/u, /\}/u],
    ['[1', '1:3', /not closed/u, /\]/u],
    ['{} {}', '1:4', /after the end/u, /nothing after/u],
    ['// note\n{}', '1:1', /Comments/u, /Remove/u],
    ['{ "a": 1. }', '1:8', /number/u, /digits/u],
    ['{ "a": , }', '1:8', /value is expected/u, /double quotes/u],
    ['{ 1: 2 }', '1:3', /key is expected/u, /"title"/u],
  ])('%j is told at %s', (text, at, message, hint) => {
    const problem = problemOf(text);
    expect(problem).toEqual({ at, message: expect.stringMatching(message), hint: expect.stringMatching(hint) });
  });

  it('is told with the likely cause where a Lithuanian quotation closed the text', () => {
    expect(problemOf('{\n "title": "Knyga „Altorių šešėly" ir kiti",\n "b": 1 }')).toMatchObject({
      at: '2:35',
      hint: expect.stringContaining('„ closes with “'),
    });
  });

  it('is told as such, without harm, where it is nested too deep', () => {
    const depth = 200_000;
    expect(problemOf('['.repeat(depth)).message).toMatch(/nested more than 100/u);
    expect(problemOf(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`).hint).toMatch(/less deeply/u);
    expect(readJson(`${'['.repeat(100)}${']'.repeat(100)}`).kind).toBe('read');
  });
});

describe('keys', () => {
  it('that stand twice are told of where the second stands, and the last one counts', () => {
    const source = read('{\n  "a": 1,\n  "b": { "c": 1, "c": 2 },\n  "a": 3\n}');
    expect(source.value).toEqual({ a: 3, b: { c: 2 } });
    expect(source.problems.map(({ path, position }) => [jsonPathText(path), position.line, position.column])).toEqual([
      ['b.c', 3, 18],
      ['a', 4, 3],
    ]);
    expect(source.locate(['a'])).toEqual({ line: 4, column: 8 });
    expect(source.problems[0]?.message).toContain('"c" stands twice');
  });

  it('named __proto__ are left out and change nothing', () => {
    const source = read('{ "__proto__": { "isAdmin": true }, "constructor": 1, "a": 2 }');
    expect(Object.keys(source.value as object)).toEqual(['constructor', 'a']);
    expect((source.value as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    expect(source.problems[0]?.message).toContain('__proto__');
  });
});

it('writes paths as an author reads them', () => {
  expect(jsonPathText([])).toBe('$');
  expect(jsonPathText(['phases', 2, 'id'])).toBe('phases[2].id');
  expect(jsonPathText([0, 'ąž', 'on success', 'a.b'])).toBe('[0].ąž["on success"]["a.b"]');
});

describe('for any text', () => {
  const plain = fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.stringify(value, null, 1));
  const damaged = fc.tuple(plain, fc.nat(), fc.string({ maxLength: 3 })).map(([text, at, inserted]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + inserted + text.slice(place + 1);
  });

  it('reads what JSON.parse reads, to the same value, and refuses the rest', () => {
    const check = (text: string) => {
      const expected = parsed(text);
      const reading = readJson(text);
      if (text.startsWith('\uFEFF') || text.includes('__proto__')) return;
      expect(reading.kind).toBe(expected ? 'read' : 'unreadable');
      if (expected && reading.kind === 'read') expect(reading.source.value).toEqual(expected.value);
    };
    fc.assert(
      fc.property(
        fc.oneof(plain, damaged, fc.string({ unit: fc.constantFrom(...'{}[]",:1-.e tn\\u0\n'.split('')) })),
        check,
      ),
      {
        numRuns: 2_000,
      },
    );
  });

  it('leads back from every value to where it stands', () => {
    fc.assert(
      fc.property(plain, (text) => {
        const source = read(text);
        const lines = text.split('\n');
        for (const [path, value] of valuesIn(source.value, [])) {
          const { line, column } = source.locate(path);
          const rest = lines
            .slice(line - 1)
            .join('\n')
            .slice(column - 1);
          const start = Array.isArray(value)
            ? '['
            : typeof value === 'object' && value !== null
              ? '{'
              : JSON.stringify(value);
          expect(rest.startsWith(start)).toBe(true);
        }
      }),
    );
  });
});

function parsed(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

function valuesIn(value: unknown, path: JsonPath): [JsonPath, unknown][] {
  const inner = Array.isArray(value)
    ? [...value.entries()]
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : [];
  return [[path, value], ...inner.flatMap(([key, item]) => valuesIn(item, [...path, key]))];
}
