import type { Indexed } from './companion-store.ts';
import type { Owner } from './store.ts';

/**
 * What characters that come prepared keep: a project's typed memory and workflow, a student's profile and the
 * objectives for them. As with the store, what belongs to someone is found by its school and its owner alone; times are
 * milliseconds since the Unix epoch; each call is one transaction.
 */
export interface PreparedStore {
  /** Keeps an item; one of the same project, type and key gives way to it. */
  putItem(owner: Owner, item: NewMemoryItem): Promise<MemoryItemRecord>;
  /** Items that have not expired, latest first. */
  items(owner: Owner, page: MemoryItemPage): Promise<{ items: MemoryItemRecord[]; total: number }>;
  /** Takes items out, so that their bytes go; says how many. */
  deleteItems(owner: Owner, which: { projectId: string; type?: string; key?: string }): Promise<number>;
  /**
   * The items of a project that a search should look at: those that share the most telling words with the query by
   * BM25, best first; filled up with the latest where fewer match. At most `limit`.
   */
  itemCandidates(owner: Owner, search: ItemSearch): Promise<MemoryItemRecord[]>;
  /** Takes out what has expired, workflows too; at most `limit` rows. */
  expireItems(now: number, limit: number): Promise<number>;

  workflow(owner: Owner, projectId: string, now: number): Promise<WorkflowRecord | null>;
  saveWorkflow(owner: Owner, projectId: string, workflow: WorkflowChange): Promise<void>;

  profile(schoolId: string, userId: string): Promise<ProfileRecord | null>;
  /** `conflict`: it is at another version than `expectedVersion` (0: there is none yet). */
  saveProfile(schoolId: string, userId: string, save: SaveProfile): Promise<'saved' | 'conflict'>;

  objectives(schoolId: string, userId: string, cartridgeId: string): Promise<ObjectivesRecord | null>;
  /** Every companion's objectives for a student. */
  allObjectives(schoolId: string, userId: string): Promise<ObjectivesRecord[]>;
  saveObjectives(schoolId: string, userId: string, objectives: ObjectivesRecord): Promise<void>;
  /** Students with a profile, by id, after one: for the daily work. */
  profiledStudents(
    after: { schoolId: string; userId: string } | null,
    limit: number,
  ): Promise<{ schoolId: string; userId: string }[]>;
  /** Whether the student is in one of the teacher's classes. */
  teaches(teacher: Owner, studentId: string): Promise<boolean>;
}

export type MemoryItemRecord = {
  id: string;
  projectId: string;
  type: string;
  key: string;
  /** As JSON text. */
  value: string;
  /** What the value says in words. */
  text: string;
  createdAt: number;
  expiresAt: number;
};

export type NewMemoryItem = MemoryItemRecord & Indexed;

export type MemoryItemPage = { projectId: string; type?: string; now: number; offset: number; limit: number };

export type ItemSearch = { projectId: string; stems: readonly string[]; now: number; limit: number };

/** `state`: the workflow as JSON text. */
export type WorkflowRecord = { state: string; updatedAt: number; expiresAt: number };

/**
 * A workflow's next state. `replaces`: the `updatedAt` of what it was made from, null where there was none; where something
 * else stands there by now, that stays. Absent: in place of whatever there is.
 */
export type WorkflowChange = WorkflowRecord & { replaces?: number | null };

/** `profile`: as JSON text. */
export type ProfileRecord = {
  profile: string;
  version: number;
  updatedAt: number;
  updatedBy: string;
};

export type SaveProfile = { profile: string; expectedVersion: number; updatedBy: string; now: number };

/** `objectives`: as JSON text. `reason`: what they were made after (`session`, `daily`, `profile`, `asked`). */
export type ObjectivesRecord = { cartridgeId: string; objectives: string; reason: string; generatedAt: number };
