import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './authentication.ts';

/**
 * CORS for the origins on the allow list. The headers are set on Node's own response, because event streams are
 * written there: Hono's own middleware sets them on a response object that a stream never uses.
 */
export function allowOrigins(allowed: ReadonlySet<string>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const origin = c.req.header('origin');
    if (origin === undefined || !allowed.has(origin)) return next();
    const { outgoing } = c.env;
    outgoing.setHeader('Access-Control-Allow-Origin', origin);
    outgoing.setHeader('Access-Control-Allow-Credentials', 'true');
    outgoing.setHeader('Access-Control-Expose-Headers', 'X-Turn-Id, Retry-After');
    outgoing.setHeader('Vary', 'Origin');
    if (c.req.method !== 'OPTIONS') return next();
    return c.body(null, 204, {
      'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, Last-Event-ID',
      'Access-Control-Max-Age': '600',
    });
  };
}
