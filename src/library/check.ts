import { stat } from 'node:fs/promises';
import { basename, dirname, join, posix, resolve } from 'node:path';
import { type Finding, wholeFile } from '../cartridge/finding.ts';
import { type CartridgeFolder, readCartridgeFolder } from './cartridge-folder.ts';
import { listFolders } from './cartridge-library.ts';
import { checkPrerequisites } from './prerequisites.ts';

/** What was found, in the order of folder and line, and how many cartridges were looked at. */
export type CartridgeCheck = { readonly findings: readonly Finding[]; readonly cartridges: number };

/**
 * Checks the cartridges of a folder as the library would read them. `path` may also be the folder of one cartridge, or
 * its file. Where there is nothing to check, that is an error among the findings. Never throws.
 */
export async function checkCartridges(path: string): Promise<CartridgeCheck> {
  const kind = await kindOf(path);
  if (kind === 'absent') return nothing(path, 'There is no such file or folder.');
  if (kind === 'file') {
    if (!/^(cartridge|task)\.json$/u.test(basename(path))) return nothing(path, 'This is not a cartridge.json.');
    return checkOne(dirname(path));
  }
  const hasFile = await Promise.all(['cartridge.json', 'task.json'].map((name) => kindOf(join(path, name))));
  if (hasFile.includes('file')) return checkOne(path);
  const names = await listFolders(path);
  if (!names) return nothing(path, 'The folder cannot be read.');
  if (names.length === 0) return nothing(path, 'There is no cartridge in this folder.');
  const folders = new Map<string, CartridgeFolder>();
  for (const name of names) {
    const at = { folder: path, name, shown: posix.join(path, name) };
    folders.set(name, await readCartridgeFolder(at, null));
  }
  const check = report([...folders.values()], checkPrerequisites(folders));
  if (check.cartridges > 0) return check;
  return {
    ...check,
    findings: [...nothing(path, 'There is no cartridge in this folder.').findings, ...check.findings],
  };
}

async function checkOne(path: string): Promise<CartridgeCheck> {
  const whole = resolve(path);
  return report([await readCartridgeFolder({ folder: dirname(whole), name: basename(whole), shown: path }, null)], []);
}

function report(folders: readonly CartridgeFolder[], more: readonly Finding[]): CartridgeCheck {
  const findings = [...folders.flatMap((each) => each.findings), ...more];
  return {
    findings: findings.toSorted((a, b) => order(a.file, b.file) || a.line - b.line || a.column - b.column),
    cartridges: folders.filter(({ isCartridge }) => isCartridge).length,
  };
}

function order(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function nothing(path: string, message: string): CartridgeCheck {
  const hint = 'Name a folder of cartridges (<task_id>/cartridge.json), the folder of one, or its file.';
  return { findings: [wholeFile(path, 'error', message, hint)], cartridges: 0 };
}

async function kindOf(path: string): Promise<'file' | 'folder' | 'absent'> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'absent';
  }
}
