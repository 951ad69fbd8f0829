import { z } from 'zod';

/** What a value's `type` makes of it: its schema, and whether the type is one that the format knows. */
type TypeChoice<Schema> = { readonly schema: Schema; readonly isKnown: boolean };

type OpenType = { readonly known: readonly string[]; choose(value: unknown): TypeChoice<z.core.$ZodType> };

/** Open types by the schema that stands for them. */
export const openTypes = new WeakMap<z.core.$ZodType, OpenType>();

/**
 * The schema of an object whose `type` picks the schema it must fit: `known` by type name, and `other` for every type
 * that is not there, so that a lesson may hold what this version does not know. A mistake in a known type is told in
 * full, with its path.
 */
export function openType<Known extends z.ZodType, Other extends z.ZodType>(
  known: Readonly<Record<string, Known>>,
  other: Other,
) {
  const choose = (value: unknown): TypeChoice<Known | Other> => {
    const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
    const found = typeof type === 'string' && Object.hasOwn(known, type) ? known[type] : undefined;
    return found ? { schema: found, isKnown: true } : { schema: other, isKnown: false };
  };
  const schema = z
    .unknown()
    .transform((value, context): z.output<Known> | z.output<Other> => {
      const result = choose(value).schema.safeParse(value);
      if (result.success) return result.data;
      for (const { path, message, ...issue } of result.error.issues) {
        const params = issue.code === 'custom' && issue.params ? issue.params : {};
        context.addIssue({ code: 'custom', path, message, params });
      }
      return z.NEVER;
    })
    .describe(`an object { … } with a "type", like ${JSON.stringify(Object.keys(known)[0])}`);
  openTypes.set(schema, { known: Object.keys(known), choose });
  return schema;
}
