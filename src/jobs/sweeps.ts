import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Settings } from '../core/settings.ts';
import type { CompanionStore } from '../engine/ports/companion-store.ts';
import type { PreparedStore } from '../engine/ports/prepared-store.ts';
import type { Privacy } from '../engine/privacy.ts';
import type { Sweep } from './sweep.ts';

export type SweepWorkParts = {
  companions: CompanionStore;
  prepared: PreparedStore;
  clock: Clock;
  logger: Logger;
  settings: Settings;
};

const atOnce = 100;
const retentionEveryMs = 10 * 60_000;
const erasuresEveryMs = 60_000;

/** What is looked after all the time: conversations that nobody touches, and what is not to be kept any longer. */
export function sweepsOf({ companions, prepared, clock, logger, settings }: SweepWorkParts): Sweep[] {
  return [
    {
      // When each is due stands in the store: a restart forgets none, and of several nodes only one ends it.
      name: 'idle_conversations',
      everyMs: settings.idleSweepMs,
      async work() {
        const ended = await companions.endIdleConversations(clock.now(), atOnce);
        for (const { sessionId } of ended) logger.info('conversation_idle', { session_id: sessionId });
        return ended.length === atOnce;
      },
    },
    {
      name: 'memory_items',
      everyMs: retentionEveryMs,
      work: async () => (await prepared.expireItems(clock.now(), atOnce)) === atOnce,
    },
  ];
}

/** What the server alone looks after, for it is the one that can end the turns of somebody who is erased. */
export function privacySweeps(privacy: Pick<Privacy, 'expireLessonTexts' | 'finishErasures'>): Sweep[] {
  return [
    { name: 'lesson_texts', everyMs: retentionEveryMs, work: () => privacy.expireLessonTexts() },
    { name: 'erasures', everyMs: erasuresEveryMs, work: () => privacy.finishErasures() },
  ];
}
