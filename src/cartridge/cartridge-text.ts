import type { CompanionCartridge } from './companion.ts';
import type { Complaint } from './finding.ts';
import type { LessonCartridge } from './lesson.ts';

/** A cartridge's text and what is known of where it came from. */
export type CartridgeText = {
  /** What findings call the file. */
  readonly file: string;
  readonly text: string;
  /** The name of the folder it is in, which its `task_id` has to equal. */
  readonly folder?: string;
  /** The names of the asset files that are there (`assetNames`). Without it nothing is said of absent ones. */
  readonly assets?: ReadonlySet<string>;
};

/** Any cartridge. A lesson's `kind` may be absent; a companion's never is. */
export type Cartridge = LessonCartridge | CompanionCartridge;

/** Whether a cartridge is a companion's. */
export function isCompanion(cartridge: Cartridge): cartridge is CompanionCartridge {
  return cartridge.kind === 'companion';
}

/** What its folder bears and sessions name it by. */
export function cartridgeIdOf(cartridge: Cartridge): string {
  return isCompanion(cartridge) ? cartridge.id : cartridge.task_id;
}

/** What a kind's reader makes of a cartridge: data where there is no error among the complaints. */
export type CartridgeReading = {
  readonly cartridge: Cartridge | null;
  readonly complaints: readonly Complaint[];
};
