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

/** What a kind's reader makes of a cartridge: data where there is no error among the complaints. */
export type CartridgeReading = {
  readonly cartridge: LessonCartridge | null;
  readonly complaints: readonly Complaint[];
};
