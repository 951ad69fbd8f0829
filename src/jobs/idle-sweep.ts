import type { Clock, Timer } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { CompanionStore } from '../engine/ports/companion-store.ts';

const atOnce = 100;

/**
 * Ends conversations that nobody has touched for their time. When each is due stands in the store, so that a restart
 * forgets none and of several nodes only one ends it.
 */
export function sweepIdleConversations({
  companions,
  clock,
  logger,
  sweepMs,
}: {
  companions: CompanionStore;
  clock: Clock;
  logger: Logger;
  /** How often it looks, in milliseconds. */
  sweepMs: number;
}): Disposable {
  let timer: Timer | null = null;
  let isOver = false;
  const sweep = async () => {
    try {
      let ended: { sessionId: string }[];
      do {
        ended = await companions.endIdleConversations(clock.now(), atOnce);
        for (const { sessionId } of ended) logger.info('conversation_idle', { session_id: sessionId });
      } while (ended.length === atOnce && !isOver);
    } catch (error) {
      if (!isOver) logger.error('sweep_failed', { reason: error instanceof Error ? error.name : 'unknown' });
    }
    if (!isOver) timer = clock.after(sweepMs, () => void sweep());
  };
  void sweep();
  return {
    [Symbol.dispose]() {
      isOver = true;
      timer?.cancel();
    },
  };
}
