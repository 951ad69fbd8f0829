import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { describePreparedStore } from './prepared-store.ts';

describePreparedStore('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trickster-prepared-'));
  const store = await openSqliteStore({ file: join(folder, 'trickster.db') });
  return {
    store,
    prepared: store.prepared,
    async close() {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
