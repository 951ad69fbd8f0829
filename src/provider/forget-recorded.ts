import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Takes the lines that were recorded for a person out of every recording in `folder`, and says how many there were. A
 * file is put in the place of the one before as a whole, so that nobody reads half of it; one with no such line is left
 * as it is. No folder holds no line.
 */
export async function forgetRecorded(folder: string, person: string): Promise<number> {
  let forgotten = 0;
  for (const name of await namesIn(folder)) {
    const file = join(folder, name);
    const lines = (await readFile(file, 'utf8')).split('\n');
    // A line says first whose it is.
    const kept = lines.filter((line) => !line.startsWith(`{"person":"${person}"`));
    if (kept.length === lines.length) continue;
    const draft = `${file}.${process.pid}.tmp`;
    try {
      await writeFile(draft, kept.join('\n'), { mode: (await stat(file)).mode });
      await rename(draft, file);
    } finally {
      await rm(draft, { force: true });
    }
    forgotten += lines.length - kept.length;
  }
  return forgotten;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
