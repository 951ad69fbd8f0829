import { createHash } from 'node:crypto';
import { join, posix } from 'node:path';
import { type Finding, hasErrors, wholeFile } from '../cartridge/finding.ts';
import { parseCartridge } from '../cartridge/parse.ts';
import type { Cartridge } from '../cartridge/cartridge-text.ts';
import type { ServedCartridge } from '../engine/ports/library.ts';
import { listAssets } from './asset-files.ts';
import { readTextFile, type TextFile } from './text-file.ts';

const maxBytes = 2 * 1024 * 1024;

/** What was found in one cartridge's folder. */
export type CartridgeFolder = {
  /** Changes with what the cartridge's file says and with the names of the assets, and with nothing else. */
  readonly signature: string;
  /** What findings call the cartridge's file. */
  readonly file: string;
  /** Whether the folder has a cartridge's file at all. */
  readonly isCartridge: boolean;
  /** What is served: the file as it is, or, where that has errors, as it last was without. */
  readonly served: ServedCartridge<Cartridge> | null;
  /** Absolute paths of the assets by the names a lesson may use for them. */
  readonly assetFiles: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
};

/** A cartridge's folder: the folder it is in, its name, and the path that findings call it by. */
export type FolderName = { readonly folder: string; readonly name: string; readonly shown: string };

/**
 * Reads the cartridge in `folder/name`. Given what was read before, it gives back the very same where nothing has
 * changed, and goes on serving the last good version where the file now has errors. Never throws.
 */
export async function readCartridgeFolder(at: FolderName, before: CartridgeFolder | null): Promise<CartridgeFolder> {
  const path = join(at.folder, at.name);
  const read = (fileName: string) => readTextFile(join(path, fileName), { within: path, maxBytes });
  const assetFiles = await listAssets(path);
  const first = await read('cartridge.json');
  const second = await read('task.json');
  const names = [...assetFiles.keys()].toSorted();
  const signature = sha256(JSON.stringify([first, second, names]));
  if (before?.signature === signature) return before;
  const isCartridge = first.kind !== 'absent' || second.kind !== 'absent';
  const fileName = first.kind === 'absent' && isCartridge ? 'task.json' : 'cartridge.json';
  const file = posix.join(at.shown, fileName);
  const content = fileName === 'task.json' ? second : first;
  const assets: ReadonlySet<string> = new Set(names);
  const { served, findings } = serve({ file, name: at.name, content, assets });
  const last = hasErrors(findings) && before?.served ? { ...before.served, assets } : null;
  const isDouble = first.kind !== 'absent' && second.kind !== 'absent';
  return {
    signature,
    file,
    isCartridge,
    served: served ?? last,
    assetFiles,
    findings: isDouble ? [...findings, unreadTwin(posix.join(at.shown, 'task.json'))] : findings,
  };
}

type Content = { file: string; name: string; content: TextFile; assets: ReadonlySet<string> };

function serve({ file, name, content, assets }: Content): Pick<CartridgeFolder, 'served' | 'findings'> {
  if (content.kind === 'absent') {
    const hint = 'Add one, or move the folder elsewhere.';
    return { served: null, findings: [wholeFile(file, 'warning', 'There is no cartridge.json in this folder.', hint)] };
  }
  if (content.kind === 'refused') {
    return { served: null, findings: [wholeFile(file, 'error', content.message, content.hint)] };
  }
  const { text } = content;
  const parsed = parseCartridge({ file, text, folder: name, assets });
  if (parsed.kind === 'rejected') return { served: null, findings: parsed.findings };
  return { served: { hash: sha256(text), text, cartridge: parsed.cartridge, assets }, findings: parsed.findings };
}

function unreadTwin(file: string): Finding {
  const message = 'This file is not read, since cartridge.json is there as well.';
  return wholeFile(file, 'warning', message, 'Remove one of the two.');
}

/** A text's SHA-256 in lower-case hexadecimal. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
