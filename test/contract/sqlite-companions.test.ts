import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { describeCompanions } from './companion-contract.ts';

describeCompanions('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trickster-companions-'));
  const store = await openSqliteStore({ file: join(folder, 'trickster.db') });
  const { companions, queue, search } = store;
  return {
    store,
    companions,
    queue,
    search,
    async close() {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
