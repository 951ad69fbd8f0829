import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { Clock } from '../core/clock.ts';
import { roles, type Role } from './protocol.ts';

/** Who is calling, as a token says. */
export type Identity = {
  userId: string;
  role: Role;
  schoolId: string;
  classId: string | null;
  displayName: string | null;
};

export type TokenOptions = {
  clock: Clock;
  /** Signs and checks the server's own tokens (HS256). */
  secret: Uint8Array;
  /** An identity provider whose tokens are taken too. */
  identityProvider: { jwksUrl: URL; issuer: string; audience: string } | null;
  /**
   * Until when tokens of a person are refused who was erased (milliseconds since the Unix epoch); null where they never
   * were. A token that an identity provider issues after that is a new beginning.
   */
  refusedUntil?: (person: Pick<Identity, 'schoolId' | 'userId'>) => Promise<number | null>;
};

const claims = z.object({
  sub: z.string().min(1).max(200),
  role: z.enum(roles),
  school_id: z.string().min(1).max(200),
  class_id: z.string().min(1).max(200).nullish(),
  name: z.string().max(200).nullish().catch(null),
  exp: z.number().optional(),
  iat: z.number().optional(),
});

const cacheSize = 10_000;
const recheckMs = 300_000;
/** Another process may have erased the person whose token this is. */
const erasureRecheckMs = 10_000;
const dayMs = 86_400_000;

type CheckedToken = {
  identity: Identity;
  expiresAt: number;
  issuedAt: number;
  checkedUntil: number;
  /** Until when it need not be asked whether the person was erased. */
  heldUntil: number;
};

/** Signs tokens and says who a token is for. */
export class Tokens {
  readonly #options: TokenOptions;
  readonly #remoteKeys: ReturnType<typeof createRemoteJWKSet> | null;
  /** Checking a signature costs more than the rest of a request, so a token found good stays so for a while. */
  readonly #checked = new Map<string, CheckedToken>();

  constructor(options: TokenOptions) {
    this.#options = options;
    this.#remoteKeys = options.identityProvider ? createRemoteJWKSet(options.identityProvider.jwksUrl) : null;
  }

  /** A signed token that holds for `hours`. */
  async sign(identity: Identity, hours: number): Promise<{ token: string; expiresAt: number }> {
    const now = Math.floor(this.#options.clock.now() / 1_000);
    const expires = now + Math.round(hours * 3_600);
    const { userId, role, schoolId, classId, displayName } = identity;
    const named = displayName === null ? {} : { name: displayName };
    const inClass = classId === null ? {} : { class_id: classId };
    const token = await new SignJWT({ role, school_id: schoolId, ...inClass, ...named })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(userId)
      .setIssuedAt(now)
      .setExpirationTime(expires)
      .sign(this.#options.secret);
    return { token, expiresAt: expires * 1_000 };
  }

  /** Whose token it is; null where it is malformed, expired, not yet valid, or not signed by a key that counts. */
  async identify(token: string): Promise<Identity | null> {
    return (await this.check(token))?.identity ?? null;
  }

  /** As `identify`, and until when the token holds (at most a day from now where it does not say). */
  async check(token: string): Promise<{ identity: Identity; expiresAt: number } | null> {
    const now = this.#options.clock.now();
    const known = this.#checked.get(token);
    if (known && known.checkedUntil > now)
      return known.heldUntil > now || (await this.#holds(known, now)) ? known : null;
    const payload = await this.#verify(token, new Date(now));
    const parsed = claims.safeParse(payload);
    if (!parsed.success) return null;
    const { sub, role, school_id: schoolId, class_id: classId, name, exp, iat } = parsed.data;
    const identity: Identity = { userId: sub, role, schoolId, classId: classId ?? null, displayName: name ?? null };
    if (this.#checked.size >= cacheSize) this.#checked.clear();
    const expiresAt = exp === undefined ? now + dayMs : exp * 1_000;
    const checkedUntil = Math.min(expiresAt, now + recheckMs);
    const checked = { identity, expiresAt, issuedAt: (iat ?? 0) * 1_000, checkedUntil, heldUntil: 0 };
    if (!(await this.#holds(checked, now))) return null;
    this.#checked.set(token, checked);
    return checked;
  }

  /** Takes nobody's word any more that tokens of a person hold: they were erased. */
  forget({ schoolId, userId }: Pick<Identity, 'schoolId' | 'userId'>): void {
    for (const [token, { identity }] of this.#checked)
      if (identity.schoolId === schoolId && identity.userId === userId) this.#checked.delete(token);
  }

  /** Whether the token's person is still there, or came anew after they were erased. */
  async #holds(checked: CheckedToken, now: number): Promise<boolean> {
    const until = (await this.#options.refusedUntil?.(checked.identity)) ?? null;
    if (until !== null && checked.issuedAt <= until) return false;
    checked.heldUntil = now + erasureRecheckMs;
    return true;
  }

  async #verify(token: string, currentDate: Date): Promise<unknown> {
    const { secret, identityProvider } = this.#options;
    try {
      if (decodeProtectedHeader(token).alg === 'HS256')
        return (await jwtVerify(token, secret, { algorithms: ['HS256'], currentDate })).payload;
      if (!this.#remoteKeys || !identityProvider) return null;
      const { issuer, audience } = identityProvider;
      const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
      return (
        await jwtVerify(token, this.#remoteKeys, { issuer, audience, algorithms, currentDate, requiredClaims: ['exp'] })
      ).payload;
    } catch {
      return null;
    }
  }
}
