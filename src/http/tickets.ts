import type { Clock } from '../core/clock.ts';
import { newId } from '../core/ids.ts';
import type { Random } from '../core/random.ts';
import type { Identity } from './tokens.ts';

/** Who calls, and until when (milliseconds since the Unix epoch) what they showed for it holds. */
export type Caller = { identity: Identity; expiresAt: number };

/** How long a ticket waits to be used. */
export const ticketMs = 30_000;
const mostTickets = 10_000;

/**
 * Single-use tickets for clients that can send neither a header nor the cookie with a WebSocket. Kept in memory: what a
 * restart loses is asked for again. Where there are too many the oldest goes.
 */
export class Tickets {
  readonly #clock: Clock;
  readonly #random: Random;
  /** Oldest first, which is also the order in which they run out. */
  readonly #open = new Map<string, { caller: Caller; until: number }>();

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** How many tickets are kept. */
  get size(): number {
    return this.#open.size;
  }

  /** A ticket for the caller, and until when it can be used. */
  issue(caller: Caller): { ticket: string; expiresAt: number } {
    const now = this.#clock.now();
    for (const [ticket, { until }] of this.#open) {
      if (until > now && this.#open.size < mostTickets) break;
      this.#open.delete(ticket);
    }
    const ticket = newId(this.#random);
    const until = now + ticketMs;
    this.#open.set(ticket, { caller, until });
    return { ticket, expiresAt: until };
  }

  /** Makes a person's tickets nobody's: their tokens hold no longer. */
  forget({ schoolId, userId }: Pick<Identity, 'schoolId' | 'userId'>): void {
    for (const [ticket, { caller }] of this.#open)
      if (caller.identity.schoolId === schoolId && caller.identity.userId === userId) this.#open.delete(ticket);
  }

  /** Whose ticket it is, once; null where it was used, has run out, or never was one. */
  redeem(ticket: string): Caller | null {
    const found = this.#open.get(ticket);
    this.#open.delete(ticket);
    return found && found.until > this.#clock.now() ? found.caller : null;
  }
}
