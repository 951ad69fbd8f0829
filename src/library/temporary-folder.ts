import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder of its own for one test, with a way to write into it; gone when disposed. */
export type TemporaryFolder = AsyncDisposable & {
  readonly path: string;
  at(...names: string[]): string;
  /** Writes a file, with the folders it is in. */
  write(name: string, content: string | Uint8Array): Promise<void>;
};

export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'trickster-')));
  return {
    path,
    at: (...names) => join(path, ...names),
    async write(name, content) {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), content);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
