/** A pending timer; disposing it (or calling `cancel`) means it will not fire. */
export interface Timer extends Disposable {
  cancel(): void;
}

/** Time as the house sees it: passed in, so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Calls `fire` once after `milliseconds`. The timer alone does not keep the process alive. */
  after(milliseconds: number, fire: () => void): Timer;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, fire) {
    const handle = setTimeout(fire, milliseconds);
    handle.unref();
    const cancel = () => clearTimeout(handle);
    return { cancel, [Symbol.dispose]: cancel };
  },
};

/** A clock that moves only when told to: `advance` fires what falls due, in order. */
export class SimulatedClock implements Clock {
  #now: number;
  #pending: { due: number; fire: () => void }[] = [];

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, fire: () => void): Timer {
    const entry = { due: this.#now + milliseconds, fire };
    this.#pending.push(entry);
    const cancel = () => {
      this.#pending = this.#pending.filter((other) => other !== entry);
    };
    return { cancel, [Symbol.dispose]: cancel };
  }

  /** Moves time on by `milliseconds`, firing every timer that falls due on the way. */
  advance(milliseconds: number): void {
    const target = this.#now + milliseconds;
    for (;;) {
      const next = this.#pending.filter((entry) => entry.due <= target).sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.#pending = this.#pending.filter((entry) => entry !== next);
      this.#now = Math.max(this.#now, next.due);
      next.fire();
    }
    this.#now = target;
  }
}

/** ISO 8601 in UTC with milliseconds, the only form of time that leaves the server. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
