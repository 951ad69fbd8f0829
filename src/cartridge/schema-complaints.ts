import { z } from 'zod';
import type { JsonPath } from '../core/json-source.ts';
import type { Complaint } from './finding.ts';
import { didYouMean } from './nearest-word.ts';
import { descriptionOf, type Schema, schemaAt, type ShapedValue, type Unknown, valueAt } from './shape.ts';

/**
 * What zod found wrong, in an author's words. zod's own messages are not used: each sentence is made from the value
 * that stands in the file and from the description of the schema that it does not fit. Paths are those of the text.
 */
export function complainOfIssues(
  issues: readonly z.core.$ZodIssue[],
  schema: Schema,
  { value, origin }: ShapedValue,
): Complaint[] {
  return issues.map((issue) => {
    const at = issue.path.filter((step) => typeof step !== 'symbol');
    const found = valueAt(value, at);
    const expected = schemaAt(schema, value, at);
    const path = origin(at);
    const right = expected ? descriptionOf(expected) : 'another value';
    if (found === undefined) return missing(path, right);
    const wrong = issue.code === 'custom' && typeof issue.params?.['wrong'] === 'string' ? issue.params['wrong'] : null;
    const slip = expected instanceof z.ZodEnum && typeof found === 'string' ? didYouMean(found, wordsOf(expected)) : '';
    return {
      severity: 'error',
      path,
      message: `${nameOf(path)} is ${wrong ?? `${describeValue(found)}, which does not fit`}.`,
      hint: `Write ${right}.${slip === '' ? '' : ` ${slip}`}`,
    };
  });
}

/** A warning for each key and each `type` that the format does not know. */
export function complainOfUnknowns(unknowns: readonly Unknown[]): Complaint[] {
  return unknowns.map(({ kind, path, word, known }) => {
    const slip = didYouMean(word, known);
    if (kind === 'key') {
      const hint = slip === '' ? 'It is kept, and nothing is done with it.' : slip;
      return { severity: 'warning', path, part: 'key', message: `The key ${quote(word)} is not known.`, hint };
    }
    const message = `The type ${quote(word)} is not known; it is passed to the page as it is.`;
    return { severity: 'warning', path, message, hint: slip === '' ? `Known types: ${known.join(', ')}.` : slip };
  });
}

/** How an author would call what is at a path: `"title"`, `item 3 of "tags"`. */
export function nameOf(path: JsonPath): string {
  const last = path.at(-1);
  if (last === undefined) return 'The file';
  if (typeof last === 'string') return quote(last);
  return `Item ${last + 1} of ${nameOf(path.slice(0, -1))}`;
}

/** A text in double quotes, cut where it is long. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text);
}

function missing(path: JsonPath, right: string): Complaint {
  const name = nameOf(path);
  return { severity: 'error', path, message: `${name} is missing.`, hint: `Add ${name}: ${right}.` };
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  switch (typeof value) {
    case 'string':
      return value.trim() === '' ? 'an empty text' : `the text ${quote(value)}`;
    case 'number':
      return `the number ${value}`;
    case 'boolean':
      return `${value}`;
    default:
      return value === null ? 'null' : 'an object';
  }
}

function wordsOf(schema: z.ZodEnum): string[] {
  return schema.options.filter((word) => typeof word === 'string');
}
