import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { ownOrigin } from './own-origin.ts';
import { HttpProblem } from './problem.ts';
import type { Role } from './protocol.ts';
import type { Identity, Tokens } from './tokens.ts';

export const cookieName = 'trickster';

export type AppEnv = { Bindings: HttpBindings; Variables: { identity: Identity } };

/**
 * Says who calls, from the bearer token or the cookie; without either, 401. A cookie counts only for requests that
 * come from our own pages or an allowed origin, so that another site cannot act in a student's name.
 */
export function authenticate(tokens: Tokens, allowedOrigins: ReadonlySet<string>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const identity = await identify(c, tokens, allowedOrigins);
    if (!identity) throw new HttpProblem('UNAUTHENTICATED');
    c.set('identity', identity);
    await next();
  };
}

/** Who calls, or null. */
export async function identify(
  c: Context<AppEnv>,
  tokens: Tokens,
  allowedOrigins: ReadonlySet<string>,
): Promise<Identity | null> {
  const header = c.req.header('authorization');
  if (header !== undefined) {
    const [scheme, token] = header.split(/\s+/u, 2);
    return scheme?.toLowerCase() === 'bearer' && token ? tokens.identify(token) : null;
  }
  const cookie = getCookie(c, cookieName);
  if (!cookie || !isOwnOrigin(c, allowedOrigins)) return null;
  return tokens.identify(cookie);
}

/** Leaves with 404 where the caller has none of the roles: what is not theirs is not there. */
export function requireRole(c: Context<AppEnv>, ...allowed: readonly Role[]): Identity {
  const identity = c.get('identity');
  if (!allowed.includes(identity.role)) throw new HttpProblem('NOT_FOUND');
  return identity;
}

/** Keeps a token in the pages' cookie. */
export function keepToken(c: Context<AppEnv>, { token, expiresAt }: { token: string; expiresAt: number }): void {
  const secure = ownOrigin(c).startsWith('https:');
  setCookie(c, cookieName, token, { httpOnly: true, sameSite: 'Lax', path: '/', secure, expires: new Date(expiresAt) });
}

/** Takes the token out of the pages' cookie. */
export function dropToken(c: Context<AppEnv>): void {
  deleteCookie(c, cookieName, { path: '/' });
}

/** Whether a request comes from our own pages, an allowed origin, or no page at all. */
export function isOwnOrigin(c: Context<AppEnv>, allowedOrigins: ReadonlySet<string>): boolean {
  const origin = c.req.header('origin');
  if (origin === undefined || allowedOrigins.has(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === c.req.header('host');
}
