import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { describeStore, type OpenStore } from './store-contract.ts';

const openInFile: OpenStore = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trickster-store-'));
  const file = join(folder, 'trickster.db');
  let current = await openSqliteStore({ file });
  return {
    store: current,
    async reopen() {
      await current.close();
      current = await openSqliteStore({ file });
      return current;
    },
    async close() {
      await current.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

describeStore('SQLite', openInFile);
