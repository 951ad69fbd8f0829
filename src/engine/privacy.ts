import { type Clock, isoTime } from '../core/clock.ts';
import { coalesce } from '../core/coalesce.ts';
import { newId } from '../core/ids.ts';
import type { Logger } from '../core/logger.ts';
import { personHash } from '../core/person-hash.ts';
import type { Random } from '../core/random.ts';
import type { Settings } from '../core/settings.ts';
import type { ClassFeed } from './ports/class-feed.ts';
import type { PersonExport, PrivacyStore } from './ports/privacy-store.ts';
import type { Owner } from './ports/store.ts';
import type { TurnLog } from './ports/turn-log.ts';
import type { TurnRunner } from './turn.ts';

export type PrivacyParts = {
  privacy: PrivacyStore;
  runner: Pick<TurnRunner, 'stop'>;
  log: Pick<TurnLog, 'forget'>;
  feed: Pick<ClassFeed, 'forget'>;
  /** What was recorded of model calls: takes out a person's, and says how many lines that were. */
  recordings: { forget(person: string): Promise<number> };
  /** Tokens that were found good, tickets made for them and sockets opened with them: none holds any longer. */
  ways: readonly { forget(owner: Owner): void }[];
  clock: Clock;
  random: Random;
  settings: Pick<Settings, 'erasureSettleMs' | 'lessonTextHours'>;
  logger: Logger;
};

/** What was erased: how many rows of which table, and no word of what they said. */
export type ErasureReceipt = {
  receipt_id: string;
  erased_at: string;
  rows: Record<string, number>;
  total: number;
};

const rowsAtOnce = 500;
/** Somebody else's reading keeps the WAL from being cut off; it is tried again after so long. */
const compactPauses = [0, 20, 50, 100, 250, 500, 1_000];
/** An erasure that has been open for so long is nobody's any more. */
const abandonedMs = 60_000;
const hourMs = 3_600_000;

/** What is held about a person: handed to them, erased for good, and no lesson's words kept for longer than agreed. */
export class Privacy implements Disposable {
  readonly #parts: PrivacyParts;
  readonly #timers = new Set<Disposable>();
  /**
   * Writes the file anew. That takes seconds of a large one, and the store answers nobody meanwhile: a class that leaves
   * together is one rewriting, or two, and not thirty.
   */
  readonly #rewrite = coalesce(() => this.#compact('rewrite'));

  constructor(parts: PrivacyParts) {
    this.#parts = parts;
  }

  /** Everything held about a person, as it goes out. */
  async export({ schoolId, userId }: Owner): Promise<object> {
    const { privacy, clock } = this.#parts;
    const held = await privacy.exportPerson({ schoolId, userId });
    return { exported_at: isoTime(clock.now()), ...viewExport(held) };
  }

  /**
   * Erases a person: from now on their tokens are nobody's, their live turns end, and when this resolves there is
   * nothing of theirs in the database file nor its WAL. What was under way meanwhile, a summary being written or a
   * request half done, may still write; so they are erased once more when all of that must have ended.
   */
  async erase({ schoolId, userId }: Owner): Promise<ErasureReceipt> {
    const { clock, random, logger, settings } = this.#parts;
    const owner = { schoolId, userId };
    const erasedAt = clock.now();
    const rows = await this.#eraseNow(owner, erasedAt, 'first');
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    const receipt = { receipt_id: newId(random), erased_at: isoTime(erasedAt), rows, total };
    logger.info('person_erased', { receipt_id: receipt.receipt_id, rows: total });
    const timer = clock.after(settings.erasureSettleMs, () => {
      this.#timers.delete(timer);
      void this.#eraseAgain(owner, erasedAt);
    });
    this.#timers.add(timer);
    return receipt;
  }

  /** Brings erasures to their end whose process died in the middle; true where there may be more. */
  async finishErasures(): Promise<boolean> {
    const { privacy, clock, logger } = this.#parts;
    const open = await privacy.openErasures(clock.now() - abandonedMs, 10);
    for (const owner of open) {
      const rows = await this.#eraseNow(owner, (await privacy.erasedAt(owner)) ?? clock.now(), 'first');
      logger.info('erasure_finished', { rows: Object.values(rows).reduce((sum, count) => sum + count, 0) });
    }
    return open.length === 10;
  }

  /** Empties lessons' words whose time is over; true where there may be more. */
  async expireLessonTexts(): Promise<boolean> {
    const { privacy, clock, settings, logger } = this.#parts;
    if (settings.lessonTextHours <= 0) return false;
    const count = await privacy.expireLessonTexts(clock.now() - settings.lessonTextHours * hourMs, rowsAtOnce);
    if (count === 0) return false;
    logger.info('lesson_texts_expired', { rows: count });
    if (count === rowsAtOnce) return true;
    await this.#compact('log');
    return false;
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) timer[Symbol.dispose]();
    this.#timers.clear();
  }

  async #eraseNow(owner: Owner, erasedAt: number, erasing: 'first' | 'again'): Promise<Record<string, number>> {
    const { privacy, runner, log, feed, ways, random, recordings } = this.#parts;
    const { turnIds, classIds } = await privacy.beginErasure(owner, erasedAt);
    for (const way of ways) way.forget(owner);
    await Promise.all(turnIds.map((turnId) => runner.stop(turnId)));
    const rows: Record<string, number> = {};
    for (const heirId = newId(random); ; ) {
      const { removed, isDone } = await privacy.erasePerson(owner, { limit: rowsAtOnce, heirId });
      for (const [table, count] of Object.entries(removed)) rows[table] = (rows[table] ?? 0) + count;
      if (isDone) break;
    }
    await Promise.all(turnIds.map((turnId) => log.forget(turnId)));
    for (const classId of classIds) feed.forget(classId);
    const recorded = await recordings.forget(personHash(owner));
    if (recorded > 0) rows['recordings'] = recorded;
    if (erasing === 'first' || Object.keys(rows).length > 0) await this.#rewrite();
    return rows;
  }

  async #eraseAgain(owner: Owner, erasedAt: number): Promise<void> {
    try {
      const rows = await this.#eraseNow(owner, erasedAt, 'again');
      const left = Object.values(rows).reduce((sum, count) => sum + count, 0);
      if (left > 0) this.#parts.logger.info('person_erased_again', { rows: left });
    } catch (error) {
      this.#parts.logger.error('erasure_failed', { reason: error instanceof Error ? error.name : 'unknown' });
    }
  }

  async #compact(how: 'log' | 'rewrite'): Promise<void> {
    const { privacy, clock, logger } = this.#parts;
    for (const pause of compactPauses) {
      if (pause > 0) await new Promise<void>((resolve) => void clock.after(pause, resolve));
      if (await privacy.compact(how)) return;
    }
    logger.warn('compaction_put_off', {});
  }
}

type Row = PersonExport['sections'][string][number];

const jsonColumns = new Set([
  'state',
  'trace',
  'terminal_data',
  'cartridge_ids',
  'highlights',
  'concerns',
  'suggestions',
  'profile',
  'objectives',
  'value',
  'payload',
]);
const flagColumns = new Set(['redacted', 'frozen', 'is_granted']);

function viewExport({ sections, keptByOthers }: PersonExport): object {
  const viewAll = (all: PersonExport['sections']) =>
    Object.fromEntries(Object.entries(all).map(([name, rows]) => [name, rows.map(viewRow)]));
  return { ...viewAll(sections), kept_by_others: viewAll(keptByOthers) };
}

/** A row with its times as ISO 8601, its flags as such, and what is kept as JSON text as what it says. */
function viewRow(row: Row): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (typeof value === 'number' && /(^|_)at$/u.test(column)) return [column, isoTime(value)];
      if (typeof value === 'number' && flagColumns.has(column)) return [column, value === 1];
      return [column, typeof value === 'string' && jsonColumns.has(column) ? readJson(value) : value];
    }),
  );
}

/** Without the mark of a session's prompts: whoever knows it can write what looks like one of them. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown) => (key === 'mark' ? undefined : value));
  } catch {
    return text;
  }
}
