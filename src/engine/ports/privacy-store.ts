import type { Owner } from './store.ts';

/**
 * What is held about a person as a whole: to hand it to them, to be rid of it, and to keep no lesson's words for longer
 * than they are needed. Times are milliseconds since the Unix epoch; each call but `compact` is one transaction.
 */
export interface PrivacyStore {
  /** Everything held about a person. Of a withdrawn reply there is what stands in its place, and nothing else. */
  exportPerson(owner: Owner): Promise<PersonExport>;

  /**
   * Marks a person as being erased, and says what of theirs may be in this process's memory. From then on `erasedAt`
   * tells of them: by a hash, so that the mark says nothing of who they were.
   */
  beginErasure(owner: Owner, now: number): Promise<ErasureScope>;
  /**
   * Removes at most `limit` rows of what is held about a person, also of what others keep about them as a learner;
   * to be called until it is done. Their classes stay, with a teacher `heirId` who has no name.
   */
  erasePerson(owner: Owner, step: { limit: number; heirId: string }): Promise<ErasureStep>;
  /** Erasures begun by `before` and not brought to their end: their process died. */
  openErasures(before: number, limit: number): Promise<Owner[]>;
  /** When a person was last erased; null where they never were. */
  erasedAt(owner: Owner): Promise<number | null>;

  /**
   * Makes what was removed be gone from the disk too; false where somebody else's reading stands in the way just now.
   * `log`: from what is waiting to be written back. `rewrite`: also from the unused ends of pages, where a row that moved
   * may have left a copy that its own removal does not reach; the file is written anew, which takes the longer the
   * larger it is.
   */
  compact(how: 'log' | 'rewrite'): Promise<boolean>;

  /**
   * Empties at most `limit` of the messages and replies of lessons that are older than a time and whose lesson ended, or
   * was left, before it. What they came to stays: status, outcome, counts. Says how many; less than `limit`: none is left.
   */
  expireLessonTexts(before: number, limit: number): Promise<number>;
}

/** Rows by what they are of; their names are the store's columns. */
export type PersonExport = {
  sections: Readonly<Record<string, readonly ExportedRow[]>>;
  /** What facilitators have remembered about this person, without who they are. */
  keptByOthers: Readonly<Record<string, readonly ExportedRow[]>>;
};

export type ExportedRow = Readonly<Record<string, string | number | null>>;

export type ErasureScope = {
  /** Turns whose logs may be in memory, and those that are still being made. */
  turnIds: string[];
  /** Classes whose board may show the person. */
  classIds: string[];
};

/** `removed`: how many rows of which table. */
export type ErasureStep = { removed: Readonly<Record<string, number>>; isDone: boolean };
