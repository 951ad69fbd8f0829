import { mkdir, stat } from 'node:fs/promises';
import { type Environment, EnvironmentError } from './environment.ts';

/**
 * Makes the data folder where there is none, and sees that the folders of lessons and prompts are there. Throws
 * `EnvironmentError` with one line that names the variable.
 */
export async function readyFolders({ dataDir, cartridgesDir, promptsDir }: Environment): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new EnvironmentError(`DATA_DIR: ${dataDir} cannot be used as a folder (${code})`);
  }
  for (const [name, folder] of [
    ['CARTRIDGES_DIR', cartridgesDir],
    ['PROMPTS_DIR', promptsDir],
  ] as const) {
    const found = await stat(folder).catch(() => null);
    if (!found?.isDirectory()) throw new EnvironmentError(`${name}: there is no folder ${folder}`);
  }
}
