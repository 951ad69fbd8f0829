import type { Context } from 'hono';
import type { AppEnv } from './authentication.ts';

/** This server's origin as the caller's browser knows it: behind a proxy that speaks TLS, `https`. */
export function ownOrigin(c: Context<AppEnv>): string {
  const { host, protocol } = new URL(c.req.url);
  const outside = c.req.header('x-forwarded-proto')?.split(',', 1)[0]?.trim();
  return `${outside === 'https' ? 'https:' : protocol}//${host}`;
}
