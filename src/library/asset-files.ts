import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { assetNames } from '../cartridge/asset-paths.ts';
import { isInside } from './text-file.ts';

const maxFiles = 2_000;

/**
 * The files in a cartridge's `assets` folder: absolute paths by the names a lesson may use for them. Hidden files are
 * left out, and so is what a link would fetch from outside `assets`. Never throws; without an `assets` folder, empty.
 */
export async function listAssets(cartridgeFolder: string): Promise<ReadonlyMap<string, string>> {
  const assets = join(cartridgeFolder, 'assets');
  const files = new Map<string, string>();
  try {
    if (!(await isInside(assets, cartridgeFolder))) return files;
    const entries = await readdir(assets, { recursive: true, withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, maxFiles)) {
      const path = join(entry.parentPath, entry.name);
      const name = relative(assets, path).split(sep).join('/');
      if (entry.isDirectory() || /(^|\/)\./u.test(name)) continue;
      if (!entry.isFile() && (await resolveAsset(path, cartridgeFolder)) === null) continue;
      for (const each of assetNames(name)) files.set(each, path);
    }
  } catch {
    // No assets folder, or one that went away while it was read: its files are not there.
  }
  return files;
}

/** Where an asset really is; null where it is gone, or leads out of the cartridge's `assets` folder. Never throws. */
export async function resolveAsset(path: string, cartridgeFolder: string): Promise<string | null> {
  try {
    const assets = join(cartridgeFolder, 'assets');
    const isOurs = (await isInside(assets, cartridgeFolder)) && (await isInside(path, assets));
    return isOurs && (await stat(path)).isFile() ? await realpath(path) : null;
  } catch {
    return null;
  }
}
