import type { CompanionStore } from './ports/companion-store.ts';
import type { Owner } from './ports/store.ts';

/** What a student's guardians are asked to agree to. */
export const consentKinds = ['parent_notes'] as const;
export type ConsentKind = (typeof consentKinds)[number];

/** Whether a consent stands for a student. None was given where nobody said anything. */
export async function isGranted(
  companions: Pick<CompanionStore, 'consents'>,
  { schoolId, userId }: Owner,
  kind: ConsentKind,
): Promise<boolean> {
  const consents = await companions.consents(schoolId, userId);
  return consents.some((consent) => consent.kind === kind && consent.isGranted);
}
