import type { Context } from 'hono';
import { type AppEnv, keepToken } from './authentication.ts';
import type { Role } from './protocol.ts';
import type { Tokens } from './tokens.ts';

/** The teacher's link: keeps its token in the cookie and takes it out of the address. Null where there is none to take. */
export function followTeacherLink(c: Context<AppEnv>, tokens: Tokens): Promise<Response | null> {
  return followLink(c, tokens, { page: '/teacher', roles: ['teacher', 'facilitator', 'admin'] });
}

/** The same for the link that a teacher hands to a guardian. */
export function followGuardianLink(c: Context<AppEnv>, tokens: Tokens): Promise<Response | null> {
  return followLink(c, tokens, { page: '/guardian', roles: ['guardian'] });
}

/** A token of another role is not kept: with their own, anyone could make somebody who follows a link into themself. */
async function followLink(
  c: Context<AppEnv>,
  tokens: Tokens,
  { page, roles }: { page: string; roles: readonly Role[] },
): Promise<Response | null> {
  const token = c.req.query('token');
  if (token === undefined) return null;
  const checked = await tokens.check(token);
  if (checked && roles.includes(checked.identity.role)) keepToken(c, { token, expiresAt: checked.expiresAt });
  c.header('Referrer-Policy', 'no-referrer');
  return c.redirect(page, 303);
}
