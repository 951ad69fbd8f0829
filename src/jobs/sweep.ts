import type { Clock, Timer } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';

export type SweepParts = { clock: Clock; logger: Logger };

/** Work done again and again while the process lives; what it does bears being done by several at once. */
export type Sweep = {
  name: string;
  everyMs: number;
  /** Does some of what is due; true where there may be more. */
  work: () => Promise<boolean>;
};

/** Does the work at once and then every so often, until disposed. A failure is logged, and the next round comes. */
export function startSweep({ clock, logger }: SweepParts, { name, everyMs, work }: Sweep): Disposable {
  let timer: Timer | null = null;
  let isOver = false;
  const round = async () => {
    try {
      while (!isOver && (await work()));
    } catch (error) {
      if (!isOver)
        logger.error('sweep_failed', { sweep: name, reason: error instanceof Error ? error.name : 'unknown' });
    }
    if (!isOver) timer = clock.after(everyMs, () => void round());
  };
  void round();
  return {
    [Symbol.dispose]() {
      isOver = true;
      timer?.cancel();
    },
  };
}
