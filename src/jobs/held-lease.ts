import type { Clock, Timer } from '../core/clock.ts';
import type { Lease, Queue } from '../engine/ports/queue.ts';

export type HeldLeaseParts = {
  queue: Queue;
  clock: Clock;
  lease: Lease;
  leaseMs: number;
  /** When the lease was asked for. */
  since: number;
  /** Called once, where the lease was lost or can no longer be known to be held. */
  onLost: () => void;
};

/**
 * Keeps a lease for as long as the work takes. It counts as lost a little before its end, where the queue has not
 * confirmed it by then: whoever works under it stops before another can begin.
 */
export class HeldLease implements Disposable {
  readonly #parts: HeldLeaseParts;
  #renewal: Timer;
  #end: Timer;
  #isOver = false;

  constructor(parts: HeldLeaseParts) {
    this.#parts = parts;
    this.#renewal = this.#renewLater();
    this.#end = this.#endAt(parts.since);
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#renewal.cancel();
    this.#end.cancel();
  }

  #renewLater(): Timer {
    const { clock, leaseMs } = this.#parts;
    return clock.after(leaseMs / 3, () => {
      this.#renewal = this.#renewLater();
      void this.#renew();
    });
  }

  #endAt(confirmedAt: number): Timer {
    const { clock, leaseMs } = this.#parts;
    return clock.after(confirmedAt + leaseMs * 0.9 - clock.now(), () => this.#lose());
  }

  async #renew(): Promise<void> {
    const { queue, clock, lease, leaseMs } = this.#parts;
    const askedAt = clock.now();
    let isHeld: boolean;
    try {
      isHeld = await queue.renew(lease, askedAt + leaseMs);
    } catch {
      // The next renewal may fare better; else the end comes.
      return;
    }
    if (this.#isOver) return;
    if (!isHeld) return this.#lose();
    this.#end.cancel();
    this.#end = this.#endAt(askedAt);
  }

  #lose(): void {
    if (this.#isOver) return;
    this[Symbol.dispose]();
    this.#parts.onLost();
  }
}
