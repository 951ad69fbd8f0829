import { lstat, realpath } from 'node:fs/promises';
import { type FSWatcher, watch } from 'chokidar';
import type { Clock, Timer } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';

/** A save is often several changes in a row: they are taken together. */
const settleMs = 80;
/** However busy the folder is, it is looked at again after this long. */
const longestSettleMs = 1_000;
/** What no event tells (a network folder, a link inside the folder) is found by looking. */
const recheckMs = 30_000;

export type WatchedFolder = {
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Reads the folder again. Never called twice at once. */
  readonly refresh: () => Promise<void>;
};

/**
 * Calls `refresh` whenever something in a folder may have changed, until it is disposed. The folder may be absent, be
 * removed, be replaced, or be a link that is turned elsewhere. Resolves once changes are seen.
 */
export async function watchFolder({ folder, clock, logger, refresh }: WatchedFolder): Promise<AsyncDisposable> {
  const watcher = watch(folder, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: /(^|\/)(\.git|node_modules)$/u,
  });
  const target = new LinkTarget(folder, watcher);
  let settling: { timer: Timer; since: number } | null = null;
  let recheck: Timer | null = null;
  let running: Promise<void> | null = null;
  let isStale = false;
  let isClosed = false;

  const run = async () => {
    try {
      do {
        isStale = false;
        await target.follow();
        await refresh();
      } while (isStale);
    } catch (error) {
      logger.error('folder_unread', { folder, reason: reasonOf(error) });
    } finally {
      running = null;
    }
  };
  const look = () => {
    settling = null;
    isStale = true;
    if (!isClosed) running ??= run();
  };
  const settle = () => {
    if (isClosed) return;
    const now = clock.now();
    const since = settling?.since ?? now;
    settling?.timer.cancel();
    settling = { since, timer: clock.after(Math.max(0, Math.min(settleMs, since + longestSettleMs - now)), look) };
  };
  const lookAgain = () => {
    look();
    if (!isClosed) recheck = clock.after(recheckMs, lookAgain);
  };

  const { promise: isReady, resolve: ready } = Promise.withResolvers<void>();
  watcher.on('all', settle);
  watcher.on('ready', ready);
  watcher.on('error', (error) => {
    logger.warn('folder_unwatched', { folder, reason: reasonOf(error) });
    ready();
  });
  await target.follow();
  await isReady;
  recheck = clock.after(recheckMs, lookAgain);

  return {
    async [Symbol.asyncDispose]() {
      isClosed = true;
      settling?.timer.cancel();
      recheck?.cancel();
      await watcher.close();
      await running;
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Where the folder leads, if it is a link: watched as well, and left when the link is turned. */
class LinkTarget {
  readonly #folder: string;
  readonly #watcher: FSWatcher;
  #target: string | null = null;

  constructor(folder: string, watcher: FSWatcher) {
    this.#folder = folder;
    this.#watcher = watcher;
  }

  async follow(): Promise<void> {
    const target = await linkTarget(this.#folder);
    if (target === this.#target || this.#watcher.closed) return;
    if (this.#target !== null) this.#watcher.unwatch(this.#target);
    if (target !== null) this.#watcher.add(target);
    this.#target = target;
  }
}

async function linkTarget(folder: string): Promise<string | null> {
  try {
    return (await lstat(folder)).isSymbolicLink() ? await realpath(folder) : null;
  } catch {
    return null;
  }
}
