import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { describeQueue } from './queue-contract.ts';

describeQueue('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trickster-queue-'));
  const file = join(folder, 'trickster.db');
  let current = await openSqliteStore({ file });
  return {
    queue: current.queue,
    async reopen() {
      await current.close();
      current = await openSqliteStore({ file });
      return current.queue;
    },
    async close() {
      await current.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
