import type { Violation } from './reply-filter.ts';

/** What a pattern of the reply automaton stands for. */
export type ReplyEntry =
  | { kind: 'forbidden'; id: string; boundary: string; severity: 1 | 2 | 3; exemptible: boolean }
  | { kind: 'marker'; id: string }
  | { kind: 'indicator'; id: string; indicator: string; weight: number };

/** A whole phrase in a reply: where it begins and ends, in code units of the reply. */
export type Match = { entry: ReplyEntry; start: number; end: number };

/** How far a debrief marker may stand from what it exempts, on either side. */
const exemptionReach = 200;

/** How much less each further indicator of a kind counts, and how much pressure grows with each exchange. */
const diminishing = 0.6;
const growthPerExchange = 0.05;
const longestGrowth = 10;

export type JudgePolicy = {
  mode: 'dialogue' | 'debrief';
  intensity: { ceiling: number; exchangeNumber: number } | null;
};

/** The greatest weight an indicator of each kind has. */
export type Heaviest = ReadonlyMap<string, number>;

/**
 * Decides what matches mean for one reply. Told of every match in order, and of how far the text has come; says from
 * where text must wait for a verdict, and what ended the reply.
 */
export class Judge {
  violation: Violation | null = null;
  intensity = 1;
  /** The offset from which nothing may leave until a verdict; Infinity where nothing waits. */
  waitingFrom = Infinity;
  readonly #policy: JudgePolicy;
  readonly #hits = new Map<string, number>();
  readonly #limit: number;
  readonly #growth: number;
  readonly #heaviest: Heaviest;
  #pressure = 0;
  #waiting: Match[] = [];
  #lastMarker = -Infinity;

  constructor(policy: JudgePolicy, heaviest: Heaviest) {
    this.#policy = policy;
    this.#heaviest = heaviest;
    this.#limit = policy.intensity ? policy.intensity.ceiling * 1.5 : Infinity;
    const exchanges = Math.min(Math.max((policy.intensity?.exchangeNumber ?? 1) - 1, 0), longestGrowth);
    this.#growth = 1 + growthPerExchange * exchanges;
  }

  /**
   * Whether indicators must be held back: where the heaviest two more would end the reply. Two, because one may be under
   * way while another becomes whole. Once true it stays so.
   */
  get holdsIndicators(): boolean {
    if (this.#limit >= 5) return false;
    const hits = new Map(this.#hits);
    let pressure = this.#pressure;
    for (let more = 0; more < 2; more++) {
      let worst: { kind: string; weight: number } = { kind: '', weight: 0 };
      for (const [kind, heaviest] of this.#heaviest) {
        const weight = heaviest * diminishing ** (hits.get(kind) ?? 0);
        if (weight > worst.weight) worst = { kind, weight };
      }
      hits.set(worst.kind, (hits.get(worst.kind) ?? 0) + 1);
      pressure += worst.weight;
    }
    return 1 + pressure * this.#growth > this.#limit;
  }

  get pressureExceeded(): boolean {
    return this.#policy.intensity !== null && this.intensity > this.#policy.intensity.ceiling;
  }

  matched(match: Match): void {
    if (this.violation) return;
    switch (match.entry.kind) {
      case 'marker':
        return this.#exempt(match);
      case 'indicator':
        return this.#press(match.entry);
      case 'forbidden':
        if (!this.#exemptible(match.entry)) this.#forbid(match.entry);
        else if (this.#lastMarker < match.start - exemptionReach) {
          this.#waiting.push(match);
          this.waitingFrom = Math.min(this.waitingFrom, match.start);
        }
    }
  }

  /** Ends the reply for a reason found elsewhere. */
  forbid(violation: Violation): void {
    this.violation ??= violation;
  }

  /** The text up to `offset` is known: what waited too long is forbidden. */
  reached(offset: number): void {
    const late = this.#waiting.find((match) => offset > match.end + exemptionReach);
    if (late?.entry.kind === 'forbidden') this.#forbid(late.entry);
  }

  /** The text is over: nothing can exempt what still waits. */
  ended(): void {
    this.reached(Infinity);
  }

  #exemptible(entry: Extract<ReplyEntry, { kind: 'forbidden' }>): boolean {
    return this.#policy.mode === 'debrief' && entry.exemptible;
  }

  #forbid({ boundary, id, severity }: Extract<ReplyEntry, { kind: 'forbidden' }>): void {
    this.forbid({ boundary, entryId: id, severity });
  }

  #exempt(marker: Match): void {
    this.#lastMarker = Math.max(this.#lastMarker, marker.start);
    this.#waiting = this.#waiting.filter(
      (match) => marker.end > match.end + exemptionReach || marker.start < match.start - exemptionReach,
    );
    this.waitingFrom = this.#waiting.reduce((first, match) => Math.min(first, match.start), Infinity);
  }

  #press(indicator: Extract<ReplyEntry, { kind: 'indicator' }>): void {
    if (!this.#policy.intensity) return;
    const hits = this.#hits.get(indicator.indicator) ?? 0;
    this.#hits.set(indicator.indicator, hits + 1);
    this.#pressure += indicator.weight * diminishing ** hits;
    this.intensity = Math.min(5, 1 + this.#pressure * this.#growth);
    if (this.intensity > this.#limit) this.forbid({ boundary: 'intensity', entryId: indicator.id, severity: 2 });
  }
}
