import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { Clock } from '../core/clock.ts';
import type { CompanionStore } from '../engine/ports/companion-store.ts';
import { type AppEnv, cookieName, keepToken } from './authentication.ts';
import type { Identity, Tokens } from './tokens.ts';

export type GuardianLinkParts = {
  tokens: Tokens;
  companions: Pick<CompanionStore, 'childrenOf' | 'keepGuardian'>;
  clock: Clock;
};

/** The teacher's link: keeps its token in the cookie and takes it out of the address. Null where there is none to take. */
export async function followTeacherLink(c: Context<AppEnv>, tokens: Tokens): Promise<Response | null> {
  const token = c.req.query('token');
  if (token === undefined) return null;
  const checked = await tokens.check(token);
  if (checked) keepToken(c, { token, expiresAt: checked.expiresAt });
  return leave(c, '/teacher');
}

/**
 * The same for the link that a teacher hands to a guardian. Who is here as a guardian of this school already stays who
 * they are, and has the link's children in their care from now on: with two children there are two links.
 */
export async function followGuardianLink(c: Context<AppEnv>, parts: GuardianLinkParts): Promise<Response | null> {
  const token = c.req.query('token');
  if (token === undefined) return null;
  const { tokens, clock } = parts;
  const checked = await tokens.check(token);
  if (!checked) return leave(c, '/guardian');
  const { identity, expiresAt } = checked;
  const present = await tokens.identify(getCookie(c, cookieName) ?? '');
  const isOther = present?.role === 'guardian' && present.schoolId === identity.schoolId;
  if (!isOther || identity.role !== 'guardian' || present.userId === identity.userId) {
    keepToken(c, { token, expiresAt });
    return leave(c, '/guardian');
  }
  await takeOver(parts, { from: identity, to: present });
  const hours = Math.max(1, Math.floor((expiresAt - clock.now()) / 3_600_000));
  keepToken(c, await tokens.sign(present, hours));
  return leave(c, '/guardian');
}

async function takeOver({ companions, clock }: GuardianLinkParts, { from, to }: { from: Identity; to: Identity }) {
  const { schoolId, userId: guardianId } = to;
  const children = await companions.childrenOf({ schoolId, userId: from.userId });
  for (const { studentId, studentName } of children)
    await companions.keepGuardian(schoolId, { guardianId, studentId, studentName, createdAt: clock.now() });
}

function leave(c: Context<AppEnv>, page: string): Response {
  c.header('Referrer-Policy', 'no-referrer');
  return c.redirect(page, 303);
}
