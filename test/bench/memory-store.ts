import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Settings, defaultSettings, estimateTokens } from '../../src/core/settings.ts';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite-store.ts';

/** A store in a folder of its own; both go when it is disposed. */
export type TemporaryStore = AsyncDisposable & { store: SqliteStore };

/** Opens the store as the server does, on a file that was not there before. */
export async function openTemporaryStore(): Promise<TemporaryStore> {
  const folder = await mkdtemp(join(tmpdir(), 'trickster-memory-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const store = await openSqliteStore({ file: join(folder, 'store.db') });
    return {
      store,
      [Symbol.asyncDispose]: async () => {
        await store.close();
        await remove();
      },
    };
  } catch (cause) {
    await remove();
    throw cause;
  }
}

/** Whose memory it is. */
export const owner = { schoolId: 'school', userId: 'ona' };

/** The estimate that budgets are reckoned with. */
export function tokensOf(text: string, language: string, settings: Settings = defaultSettings): number {
  return estimateTokens(text, language, settings);
}
