import type { Context } from 'hono';
import type { z } from 'zod';
import { defaultSettings } from '../core/settings.ts';
import { fieldErrors, HttpProblem } from './problem.ts';

/**
 * The request's body, read within the size limit, decoded as strict UTF-8, parsed and validated. Leaves with 413, with
 * 400 where it is not JSON at all, or with 422 and the fields at fault.
 */
export async function readBody<Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.infer<Schema>> {
  const text = decode(await readBytes(c.req.raw, Number(c.req.header('content-length') ?? Number.NaN)));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpProblem('INVALID_REQUEST', { status: 400, detail: 'The body is not valid JSON.' });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new HttpProblem('INVALID_REQUEST', { errors: fieldErrors(parsed.error) });
  return parsed.data;
}

async function readBytes(request: Request, declared: number): Promise<Uint8Array> {
  const limit = defaultSettings.bodyBytes;
  if (declared > limit) throw new HttpProblem('PAYLOAD_TOO_LARGE');
  if (declared >= 0) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (request.body as AsyncIterable<Uint8Array> | null) ?? []) {
    size += chunk.length;
    if (size > limit) throw new HttpProblem('PAYLOAD_TOO_LARGE');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new HttpProblem('INVALID_REQUEST', { status: 400, detail: 'The body is not valid UTF-8.' });
  }
}
