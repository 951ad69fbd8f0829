import type { LeakedCall } from './reply-filter.ts';
import { signals } from './leak-grammar.ts';

/** Reads what a call written as text said; whatever of it can be read. */
export function readLeakedCall(text: string, toolNames: readonly string[]): LeakedCall {
  const plain = text.replaceAll('\\_', '_');
  const name = toolNames.find((known) => looseName(plain).includes(looseName(known))) ?? toolNames[0] ?? '';
  const values = argumentsIn(plain);
  return {
    name,
    signal:
      stringOf(values, 'signal') ?? quoted(plain, 'signal') ?? signals.find((known) => plain.includes(known)) ?? null,
    responseText: stringOf(values, 'response_text') ?? quoted(plain, 'response_text') ?? null,
  };
}

function looseName(text: string): string {
  return text.toLowerCase().replace(/[_-]/gu, '');
}

/** The arguments, where the call holds them as JSON: in the outer object or one within it. */
function argumentsIn(text: string): Record<string, unknown> {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  if (from < 0 || to < from) return {};
  return flatten(parse(text.slice(from, to + 1)), 0);
}

function flatten(value: unknown, depth: number): Record<string, unknown> {
  const read = typeof value === 'string' && value.trimStart().startsWith('{') ? parse(value) : value;
  if (typeof read !== 'object' || read === null || depth > 4) return {};
  const result: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(read)) Object.assign(result, { [key]: inner }, flatten(inner, depth + 1));
  return result;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function stringOf(values: Record<string, unknown>, key: string): string | null {
  const value = Object.hasOwn(values, key) ? values[key] : null;
  return typeof value === 'string' ? value : null;
}

/** `key="…"`, `key: '…'`, `<parameter=key>…<`: the forms that are no JSON. */
function quoted(text: string, key: string): string | null {
  const double = new RegExp(`${key}["']?\\s*[:=]\\s*"((?:[^"\\\\]|\\\\.)*)"`, 'u').exec(text);
  const single = new RegExp(`${key}["']?\\s*[:=]\\s*'((?:[^'\\\\]|\\\\.|'(?=\\w))*)'`, 'u').exec(text);
  const tagged = new RegExp(`${key}["']?\\s*>\\s*([^<]*?)\\s*<`, 'u').exec(text);
  const bare = new RegExp(`${key}["']?\\s*[:=]\\s*([a-z_]+)`, 'u').exec(text);
  const value = (double ?? single ?? tagged ?? bare)?.[1];
  return value === undefined ? null : value.replace(/\\n/gu, '\n').replace(/\\(["'\\])/gu, '$1');
}
