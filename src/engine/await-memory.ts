import type { Clock } from '../core/clock.ts';
import type { Settings } from '../core/settings.ts';
import type { CompanionStore, MemoryScope } from './ports/companion-store.ts';
import type { Owner } from './ports/store.ts';

export type AwaitMemoryParts = {
  companions: Pick<CompanionStore, 'isRemembering'>;
  clock: Clock;
  settings: Pick<Settings, 'rememberWaitMs'>;
};

const lookMs = 100;

/**
 * Waits while what was said a moment ago, in a conversation that has just ended, is still being remembered: whoever begins
 * the next one at once would meet a character that has forgotten it. Not for longer than `rememberWaitMs`; what failed
 * and is tried later is not waited for.
 */
export async function awaitMemory(
  { companions, clock, settings }: AwaitMemoryParts,
  owner: Owner,
  scope: MemoryScope,
): Promise<void> {
  const until = clock.now() + settings.rememberWaitMs;
  while (await companions.isRemembering(owner, scope, clock.now())) {
    if (clock.now() + lookMs > until) return;
    await new Promise<void>((resolve) => void clock.after(lookMs, resolve));
  }
}
