import { z } from 'zod';
import type { JsonPath } from '../core/json-source.ts';
import { openTypes } from './open-type.ts';

/** Any zod schema, as zod's own accessors give it. */
export type Schema = z.core.$ZodType;

/** A key, or a `type`, that the format does not know, with those it does. `path` is one of the text. */
export type Unknown = {
  readonly kind: 'key' | 'type';
  readonly path: JsonPath;
  readonly word: string;
  readonly known: readonly string[];
};

/** A value without its nulls: a null stands for an absence wherever the format knows what should be there. */
export type ShapedValue = {
  readonly value: unknown;
  readonly unknowns: readonly Unknown[];
  /** The path in the text that a path in `value` came from: indexes move where a list held a null. */
  readonly origin: (path: JsonPath) => JsonPath;
};

type Walk = { unknowns: Unknown[]; indexes: WeakMap<object, number[]> };

/** Goes through a value beside the schema it should fit, and notes what the schema has no name for. */
export function shapeValue(schema: Schema, value: unknown): ShapedValue {
  const walk: Walk = { unknowns: [], indexes: new WeakMap() };
  const shaped = prune({ schema, value, path: [] }, walk);
  return {
    value: shaped,
    unknowns: walk.unknowns,
    origin: (path) =>
      path.map((step, depth) => {
        const parent = valueAt(shaped, path.slice(0, depth));
        const indexes = typeof parent === 'object' && parent !== null ? walk.indexes.get(parent) : undefined;
        return typeof step === 'number' ? (indexes?.[step] ?? step) : step;
      }),
  };
}

/** The value at a path; undefined where there is none. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (parent, step) =>
      typeof parent === 'object' && parent !== null && Object.hasOwn(parent, step)
        ? (parent as Record<string | number, unknown>)[step]
        : undefined,
    value,
  );
}

/** The schema that the value at `path` has to fit; null where the format says nothing of it. */
export function schemaAt(schema: Schema, value: unknown, path: JsonPath): Schema | null {
  let present: Schema | null = schema;
  for (const [depth, step] of path.entries()) {
    const open: Schema = resolve(present, valueAt(value, path.slice(0, depth)));
    present = null;
    if (open instanceof z.ZodArray) present = open.element;
    if (open instanceof z.ZodObject) present = fieldOf(open, step);
    if (present === null) return null;
  }
  return present;
}

function prune({ schema, value, path }: { schema: Schema; value: unknown; path: JsonPath }, walk: Walk): unknown {
  const open = openTypes.get(unwrap(schema));
  const type = valueAt(value, ['type']);
  if (open && typeof type === 'string' && !open.choose(value).isKnown) {
    walk.unknowns.push({ kind: 'type', path: [...path, 'type'], word: type, known: open.known });
    return value;
  }
  const fitting = resolve(schema, value);
  if (Array.isArray(value) && fitting instanceof z.ZodArray) return pruneList(value, { fitting, path }, walk);
  if (!isObject(value) || !(fitting instanceof z.ZodObject)) return value;
  const pruned: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const inner = fieldOf(fitting, key);
    const at = [...path, key];
    if (inner === null) {
      pruned[key] = item;
      if (!key.startsWith('$schema')) {
        walk.unknowns.push({ kind: 'key', path: at, word: key, known: Object.keys(fitting.shape) });
      }
    } else if (item !== null) {
      pruned[key] = prune({ schema: inner, value: item, path: at }, walk);
    }
  }
  return pruned;
}

function pruneList(
  items: unknown[],
  { fitting, path }: { fitting: z.ZodArray; path: JsonPath },
  walk: Walk,
): unknown[] {
  const kept = [...items.entries()].filter(([, item]) => item !== null);
  const pruned = kept.map(([index, item]) =>
    prune({ schema: fitting.element, value: item, path: [...path, index] }, walk),
  );
  walk.indexes.set(
    pruned,
    kept.map(([index]) => index),
  );
  return pruned;
}

/** The schema under its defaults and options, chosen by the value where the value decides. */
function resolve(schema: Schema, value: unknown): Schema {
  const inner = unwrap(schema);
  const chosen = openTypes.get(inner)?.choose(value).schema;
  const options: readonly Schema[] = inner instanceof z.ZodUnion ? inner.options : [];
  return chosen ?? options.find((option) => option instanceof z.ZodObject === isObject(value)) ?? inner;
}

function unwrap(schema: Schema): Schema {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap();
  return inner;
}

/** What an author should write where this schema stands: the description it was given. */
export function descriptionOf(schema: Schema): string {
  return (
    z.globalRegistry.get(schema)?.description ?? z.globalRegistry.get(unwrap(schema))?.description ?? 'another value'
  );
}

function fieldOf(object: z.ZodObject, key: string | number): Schema | null {
  return Object.hasOwn(object.shape, key) ? (object.shape[key] ?? null) : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
