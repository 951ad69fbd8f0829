import type { Page } from '../app/app.ts';
import type { MineClient } from '../client/mine-client.ts';
import type { ConsentView, ErasureReceipt } from '../protocol-types.ts';
import type { MinePageTexts } from '../texts/mine-texts.ts';

/** What every part of the guardians' page and of the page about one's own data is given. */
export interface MinePage extends Page {
  readonly client: MineClient;
  texts(): MinePageTexts;
  /** Shows that everything is erased and nobody is signed in; null where the receipt was lost on the way. */
  erased(receipt: ErasureReceipt | null): void;
  /** Forgets in this browser whoever was here, and shows that nobody is signed in. */
  signedOut(): void;
}

/** Who the reader is, as far as a page has other words for them. */
export type Reader = 'student' | 'guardian' | 'staff';

/** A part of a page that can be put into another language where it stands. */
export interface Spoken {
  speak(): void;
}

/** The text for a call that did not get through: with no network it is certain that nothing arrived. */
export function whyNot({ offline, failed }: { offline: string; failed: string }): string {
  return navigator.onLine ? failed : offline;
}

/** Who last answered about a consent, as the reader knows them. */
export function whoAnswered({ by, student_id: studentId }: ConsentView, ownId: string): 'you' | 'student' | 'other' {
  if (by === ownId) return 'you';
  return by === studentId ? 'student' : 'other';
}
