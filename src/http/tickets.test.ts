import { describe, expect, it } from 'vitest';
import { SimulatedClock } from '../core/clock.ts';
import { systemRandom } from '../core/random.ts';
import { type Caller, ticketMs, Tickets } from './tickets.ts';

function caller(userId: string): Caller {
  const identity = { userId, role: 'student' as const, schoolId: 's', classId: null, displayName: null };
  return { identity, expiresAt: 9 };
}

function make() {
  const clock = new SimulatedClock();
  return { clock, tickets: new Tickets(clock, systemRandom) };
}

describe('a ticket', () => {
  it('is for whom it was made, and once', () => {
    const { tickets } = make();
    const [ona, jonas] = [tickets.issue(caller('ona')), tickets.issue(caller('jonas'))];
    expect(tickets.redeem(jonas.ticket)).toEqual(caller('jonas'));
    expect(tickets.redeem(jonas.ticket)).toBeNull();
    expect(tickets.redeem(ona.ticket)).toEqual(caller('ona'));
    expect(tickets.size).toBe(0);
  });

  it('holds for 30 seconds', () => {
    const { clock, tickets } = make();
    const { ticket, expiresAt } = tickets.issue(caller('ona'));
    const { ticket: late } = tickets.issue(caller('ona'));
    expect(expiresAt).toBe(clock.now() + 30_000);
    clock.advance(29_999);
    expect(tickets.redeem(ticket)).toEqual(caller('ona'));
    clock.advance(1);
    expect(tickets.redeem(late)).toBeNull();
  });

  it('that was never made is nobody’s', () => {
    expect(make().tickets.redeem('')).toBeNull();
  });
});

describe('tickets that nobody uses', () => {
  it('are let go when they have run out', () => {
    const { clock, tickets } = make();
    for (let count = 0; count < 100; count += 1) tickets.issue(caller('ona'));
    clock.advance(ticketMs);
    tickets.issue(caller('ona'));
    expect(tickets.size).toBe(1);
  });

  it('are never more than ten thousand, and the oldest goes first', () => {
    const { tickets } = make();
    const made = Array.from({ length: 10_001 }, () => tickets.issue(caller('ona')).ticket);
    expect(tickets.size).toBe(10_000);
    expect(tickets.redeem(made[0] ?? '')).toBeNull();
    expect(tickets.redeem(made[1] ?? '')).not.toBeNull();
  });
});
