import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** Keys and indexes from the root of a JSON text down to a value: `['phases', 2, 'id']`. */
export type JsonPath = readonly (string | number)[];

/** Where in a text something is. Both count from 1; a column is a UTF-16 code unit. */
export type Position = { readonly line: number; readonly column: number };

/** What is wrong with a JSON text in itself: a sentence that says it, and one that says what would be right. */
export type JsonProblem = {
  readonly path: JsonPath;
  readonly position: Position;
  readonly message: string;
  readonly hint: string;
};

/** A JSON text that was read: its value, and the way back from a path in the value to a place in the text. */
export type JsonSource = {
  readonly value: unknown;
  /** Keys that stand twice in one object (the last one counts), and `__proto__`, which is left out of the value. */
  readonly problems: readonly JsonProblem[];
  /** Where the value (or its key) at `path` begins; for a path that is not in the text, its nearest parent. */
  readonly locate: (path: JsonPath, part?: 'value' | 'key') => Position;
};

export type JsonReading =
  | { readonly kind: 'read'; readonly source: JsonSource }
  | { readonly kind: 'unreadable'; readonly problem: JsonProblem };

type Place = { offset: number; keyOffset: number | null; children: Map<string | number, Place> };
type Reader = { locateOffset(offset: number): Position; problems: JsonProblem[] };

const maxDepth = 100;

/**
 * Reads JSON as RFC 8259 has it: no comments, no trailing commas. A byte order mark is skipped; objects and arrays may
 * be nested 100 deep. Never throws. Of a text that is not JSON only the first problem is told, since what follows it
 * is mostly its echo.
 */
export function readJson(text: string): JsonReading {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const reader: Reader = { locateOffset: positionsOf(body), problems: [] };
  const unreadable = (offset: number, message: string, hint: string): JsonReading => ({
    kind: 'unreadable',
    problem: { path: [], position: reader.locateOffset(offset), message, hint },
  });
  const tooDeep = offsetBelow(body, maxDepth);
  if (tooDeep !== null) {
    return unreadable(tooDeep, `Lists and objects are nested more than ${maxDepth} deep.`, 'Nest them less deeply.');
  }
  const errors: ParseError[] = [];
  const tree = parseTree(body, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  const [first] = errors;
  if (first || !tree) {
    const { offset, message, hint } = describeSyntaxError(body, first);
    return unreadable(offset, message, hint);
  }
  const root: Place = { offset: tree.offset, keyOffset: null, children: new Map() };
  const value = build(tree, root, [], reader);
  return { kind: 'read', source: { value, problems: reader.problems, locate: locator(root, reader) } };
}

/** A path as an author reads it: `phases[2].id`, and `$` for the whole text. */
export function jsonPathText(path: JsonPath): string {
  const text = path
    .map((step) =>
      typeof step === 'number'
        ? `[${step}]`
        : /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(step)
          ? `.${step}`
          : `[${JSON.stringify(step)}]`,
    )
    .join('');
  return text === '' ? '$' : text.replace(/^\./u, '');
}

function locator(root: Place, reader: Reader): JsonSource['locate'] {
  return (path, part = 'value') => {
    let place = root;
    for (const step of path) {
      const next = place.children.get(step);
      if (!next) return reader.locateOffset(place.offset);
      place = next;
    }
    return reader.locateOffset(part === 'key' ? (place.keyOffset ?? place.offset) : place.offset);
  };
}

function build(node: Node, place: Place, path: JsonPath, reader: Reader): unknown {
  const children = node.children ?? [];
  if (node.type === 'array') {
    return children.map((child, index) => build(child, below(place, index, child, null), [...path, index], reader));
  }
  if (node.type !== 'object') return node.value as unknown;
  const object: Record<string, unknown> = {};
  for (const { children: [keyNode, valueNode] = [] } of children) {
    if (!keyNode || !valueNode) continue;
    const key = String(keyNode.value);
    const at = { path: [...path, key], position: reader.locateOffset(keyNode.offset) };
    if (key === '__proto__') {
      reader.problems.push({ ...at, message: 'The key "__proto__" is left out.', hint: 'Give the key another name.' });
      continue;
    }
    if (Object.hasOwn(object, key)) {
      reader.problems.push({
        ...at,
        message: `The key ${quote(key)} stands twice in this object; only the last one counts.`,
        hint: 'Remove one of the two, or rename it.',
      });
    }
    object[key] = build(valueNode, below(place, key, valueNode, keyNode), at.path, reader);
  }
  return object;
}

function below(place: Place, step: string | number, node: Node, keyNode: Node | null): Place {
  const child: Place = { offset: node.offset, keyOffset: keyNode?.offset ?? null, children: new Map() };
  place.children.set(step, child);
  return child;
}

/** Where nesting first goes below `limit`, found without recursion, which so deep a text could exhaust. */
function offsetBelow(text: string, limit: number): number | null {
  const token = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, endOfFile: 17 } as const;
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let kind: number = scanner.scan(); kind !== token.endOfFile; kind = scanner.scan()) {
    if (kind === token.openBrace || kind === token.openBracket) depth += 1;
    if (kind === token.closeBrace || kind === token.closeBracket) depth -= 1;
    if (depth > limit) return scanner.getTokenOffset();
  }
  return null;
}

function positionsOf(text: string): (offset: number) => Position {
  const starts = [0, ...Array.from(text.matchAll(/\r\n|\n|\r/gu), (found) => found.index + found[0].length)];
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

type Sentence = readonly [message: string, hint: string];

const syntaxSentences: Readonly<Record<string, Sentence>> = {
  InvalidNumberFormat: ['This is not a number.', 'Write digits, with a point for decimals: 12 or 1.5.'],
  UnexpectedEndOfNumber: ['This number breaks off.', 'Write digits, with a point for decimals: 12 or 1.5.'],
  PropertyNameExpected: ['A key is expected here.', 'A key is a name in double quotes: "title".'],
  ValueExpected: [
    'A value is expected here.',
    'A value is a text in double quotes, a number, true, false, null, a list [ … ] or an object { … }.',
  ],
  ColonExpected: ['There is no colon after this key.', 'Between a key and its value goes a colon: "title": "…".'],
  CommaExpected: ['There is no comma before this.', 'Put a comma after the value before it.'],
  CloseBraceExpected: ['An object is not closed.', 'Put a } where the object ends.'],
  CloseBracketExpected: ['A list is not closed.', 'Put a ] where the list ends.'],
  EndOfFileExpected: ['There is something after the end.', 'Keep one object { … } and nothing after it.'],
  InvalidCommentToken: ['Comments are not allowed in JSON.', 'Remove the comment.'],
  UnexpectedEndOfComment: ['Comments are not allowed in JSON.', 'Remove the comment.'],
  UnexpectedEndOfString: [
    'A text that begins here does not end on its line.',
    'Close it with a double quote; write \\n for a new line inside it.',
  ],
  InvalidUnicode: [
    'This \\u is not followed by four digits.',
    'Write the character itself, or \\u and four digits from 0 to F.',
  ],
  InvalidEscapeCharacter: ['This text has a backslash that means nothing.', 'Write \\\\ for a backslash.'],
  InvalidCharacter: ['There is a control character (a tab, perhaps) in this text.', 'Write \\t for a tab, or a space.'],
  InvalidSymbol: ['This is not JSON.', 'Keys and texts stand in straight double quotes: "…".'],
};

function describeSyntaxError(text: string, error: ParseError | undefined) {
  if (text.trim() === '') return { offset: 0, message: 'The file is empty.', hint: 'Write one object { … }.' };
  const code = error ? printParseErrorCode(error.error) : 'InvalidSymbol';
  const offset = error?.offset ?? 0;
  const before = text.slice(0, offset).trimEnd();
  if (before.endsWith(',') && /^[}\]]/u.test(text.slice(offset))) {
    return {
      offset: before.length - 1,
      message: 'This comma is one too many.',
      hint: 'Remove the comma before the end.',
    };
  }
  const [message, hint] =
    syntaxSentences[code] ?? (['This is not JSON.', 'Check the quotes, commas and brackets.'] as const);
  const line = text.slice(Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1, offset);
  const lithuanian = /„[^“”"]*"/u.test(line)
    ? ' A quotation that opens with „ closes with “; a plain " there ends the whole text.'
    : '';
  return { offset, message, hint: `${hint}${lithuanian}` };
}

function quote(key: string): string {
  return JSON.stringify(key);
}
