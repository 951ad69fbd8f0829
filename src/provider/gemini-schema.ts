import { type FunctionDeclarationSchema, type Schema, SchemaType } from '@google/generative-ai';
import { z } from 'zod';

/** As much of JSON Schema as a tool's parameters use and Gemini knows; the rest of a schema is dropped. */
const jsonSchema = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  nullable: z.boolean().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
});

type JsonSchema = z.infer<typeof jsonSchema>;

/** A tool's parameters as Gemini takes them; undefined where there are none (it refuses an object with no properties). */
export function reduceParameters(parameters: unknown): FunctionDeclarationSchema | undefined {
  const read = jsonSchema.parse(parameters);
  if (Object.keys(read.properties ?? {}).length === 0) return undefined;
  return {
    type: SchemaType.OBJECT,
    ...reduceObject(read),
    ...(read.description === undefined ? {} : { description: read.description }),
  };
}

function reduceSchema(schema: unknown): Schema {
  const read: JsonSchema = jsonSchema.safeParse(schema).data ?? {};
  const types = [read.type ?? []].flat();
  const alternatives = read.anyOf ?? read.oneOf;
  if (alternatives && types.length === 0) return reduceAlternatives(alternatives, read.description);
  const base = {
    ...(read.description === undefined ? {} : { description: read.description }),
    ...(read.nullable === true || types.includes('null') ? { nullable: true } : {}),
  };
  switch (types.find((type) => type !== 'null')) {
    case 'object':
      return { type: SchemaType.OBJECT, ...reduceObject(read), ...base };
    case 'array':
      return { type: SchemaType.ARRAY, items: reduceSchema(read.items), ...base };
    case 'integer':
      return { type: SchemaType.INTEGER, ...base };
    case 'number':
      return { type: SchemaType.NUMBER, ...base };
    case 'boolean':
      return { type: SchemaType.BOOLEAN, ...base };
    default:
      return reduceText(read, base);
  }
}

function reduceText(read: JsonSchema, base: { description?: string; nullable?: boolean }): Schema {
  const choices = read.const === undefined ? read.enum : [read.const];
  if (!choices) return { type: SchemaType.STRING, ...base };
  const words = choices.filter((choice) => choice !== null).map(String);
  return { type: SchemaType.STRING, format: 'enum', enum: words, ...base };
}

/** Gemini takes one type: the first alternative that is not null stands for all. */
function reduceAlternatives(alternatives: readonly unknown[], description: string | undefined): Schema {
  const isNull = (schema: unknown) => jsonSchema.safeParse(schema).data?.type === 'null';
  const reduced = reduceSchema(alternatives.find((schema) => !isNull(schema)));
  return {
    ...reduced,
    ...(description === undefined ? {} : { description }),
    ...(alternatives.some(isNull) ? { nullable: true } : {}),
  };
}

function reduceObject({ properties = {}, required = [] }: JsonSchema) {
  const reduced = Object.entries(properties).map(([name, schema]) => [name, reduceSchema(schema)] as const);
  return { properties: Object.fromEntries(reduced), required: required.filter((name) => name in properties) };
}
