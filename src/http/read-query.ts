import type { Context } from 'hono';
import type { z } from 'zod';
import { fieldErrors, HttpProblem } from './problem.ts';

/** The query's parameters, validated; one that is empty counts as absent. Leaves with 422 and those at fault. */
export function readQuery<Schema extends z.ZodType>(c: Context, schema: Schema): z.infer<Schema> {
  const given = Object.entries(c.req.query()).filter(([, value]) => value !== '');
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (!parsed.success) throw new HttpProblem('INVALID_REQUEST', { errors: fieldErrors(parsed.error) });
  return parsed.data;
}
