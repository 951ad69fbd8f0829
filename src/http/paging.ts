import type { Context } from 'hono';
import { z } from 'zod';
import type { AppEnv } from './authentication.ts';
import { fieldErrors, HttpProblem } from './problem.ts';

const whole = (most: number, usual: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/u, `must be a whole number from 1 to ${most}`)
    .transform(Number)
    .refine((value) => value >= 1 && value <= most, `must be a whole number from 1 to ${most}`)
    .default(usual);

const query = z.object({ page: whole(100_000, 1), limit: whole(100, 20) });

/** The page that a request asks for: `page` (from 1) and `limit` (1 to 100, 20 where absent). */
export function readPage(c: Context<AppEnv>): { page: number; limit: number; offset: number } {
  const parsed = query.safeParse({ page: c.req.query('page') || undefined, limit: c.req.query('limit') || undefined });
  if (!parsed.success) throw new HttpProblem('INVALID_REQUEST', { errors: fieldErrors(parsed.error) });
  const { page, limit } = parsed.data;
  return { page, limit, offset: (page - 1) * limit };
}

/** What a list says of its pages. */
export function viewPage({ page, limit }: { page: number; limit: number }, total: number) {
  return { page, limit, total, pages: Math.ceil(total / limit) };
}
