// Temporary stand-in by the lead: overwrite this file.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCartridge } from '../cartridge/parse.ts';
import type { Finding } from '../cartridge/finding.ts';
import type { ServedCartridge } from '../engine/ports/library.ts';
export async function openCartridgeLibrary({ folder }: { folder: string; [k: string]: unknown }) {
  const map = new Map<string, ServedCartridge>();
  for (const id of await readdir(folder)) {
    const text = await readFile(join(folder, id, 'cartridge.json'), 'utf8').catch(() => null);
    if (text === null) continue;
    const parsed = parseCartridge({ file: id, text });
    if (parsed.kind === 'parsed') map.set(id, { hash: createHash('sha256').update(text).digest('hex'), text, cartridge: parsed.cartridge, assets: new Set() });
  }
  return { get: (id: string) => map.get(id) ?? null, all: () => [...map.values()], findings: (): Finding[] => [], readAssetPath: () => null, async [Symbol.asyncDispose]() {} };
}
