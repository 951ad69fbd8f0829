import type { CompanionCartridge } from '../cartridge/companion.ts';
import { layersOf } from '../cartridge/companion.ts';
import type { Clock } from '../core/clock.ts';
import type { CartridgeLibrary } from './ports/library.ts';
import type { NewJob, Queue } from './ports/queue.ts';
import type { Owner } from './ports/store.ts';

/** What objectives are made after (seed 000). */
export type ObjectivesReason = 'session' | 'daily' | 'profile' | 'asked';

export type ObjectivesRequest = {
  schoolId: string;
  userId: string;
  cartridgeId: string;
  reason: ObjectivesReason;
  runAt: number;
};

/** The job that makes a companion's objectives for a student; there is one at a time. */
export function objectivesJob({ schoolId, userId, cartridgeId, reason, runAt }: ObjectivesRequest): NewJob {
  // Encoded, so that no id with a colon in it makes the key of someone else's job.
  const about = [schoolId, userId, cartridgeId].map(encodeURIComponent).join(':');
  return {
    key: `objectives:${about}`,
    kind: 'objectives',
    payload: { user_id: userId, cartridge_id: cartridgeId, reason },
    schoolId,
    ownerId: userId,
    runAt,
  };
}

/** The active companions that come prepared, by id. */
export function preparedCompanions(library: CartridgeLibrary): readonly CompanionCartridge[] {
  return library
    .companions()
    .map(({ cartridge }) => cartridge)
    .filter((cartridge) => cartridge.status === 'active')
    .filter((cartridge) => layersOf(cartridge).some(({ layer }) => layer === 'objectives'));
}

/** Asks for a student's objectives to be made by each of the companions; what is asked for already stays asked for once. */
export async function askForObjectives(
  { queue, clock }: { queue: Pick<Queue, 'enqueue'>; clock: Clock },
  { schoolId, userId }: Owner,
  { cartridgeIds, reason }: { cartridgeIds: readonly string[]; reason: ObjectivesReason },
): Promise<void> {
  const runAt = clock.now();
  for (const cartridgeId of cartridgeIds)
    await queue.enqueue(objectivesJob({ schoolId, userId, cartridgeId, reason, runAt }));
}
