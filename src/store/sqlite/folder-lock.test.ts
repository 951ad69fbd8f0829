import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lockFolder } from './folder-lock.ts';

it('a folder is locked for one at a time, and free again afterwards', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trickster-lock-'));
  const first = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(/^DATA_DIR: another server is running/);
  first[Symbol.dispose]();
  lockFolder(folder)[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});
