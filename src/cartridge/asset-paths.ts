import type { JsonPath } from '../core/json-source.ts';
import type { Complaint } from './finding.ts';
import type { LessonCartridge } from './lesson.ts';
import { type BlockType, isBlockType } from './lesson-block.ts';
import { quote } from './schema-complaints.ts';

/** The keys that hold a file's path, by type of block. */
const fileKeys: Readonly<Partial<Record<BlockType, readonly string[]>>> = {
  image: ['src'],
  audio: ['src'],
  video: ['src'],
  meme: ['image_src'],
  social_post: ['image'],
};

/**
 * Asset paths that lead out of the cartridge's folder (errors), and files that are not there (warnings).
 *
 * A path is one inside the cartridge's `assets` folder, with `/` between folders; `assets/poster.png` and `poster.png`
 * mean the same file. A web address is an error as well: a page that fetched it would tell a stranger's server about
 * every student who opened the lesson. Blocks of unknown types are passed through whole, so a web address may stand in
 * theirs. `present` holds the names of the files that are there; without it nothing is said of absent ones.
 */
export function checkAssets(lesson: LessonCartridge, present: ReadonlySet<string> | undefined): Complaint[] {
  return lesson.presentation_blocks.flatMap((block, index) => {
    const isKnown = isBlockType(block.type);
    const keys = isBlockType(block.type) ? (fileKeys[block.type] ?? []) : ['src', 'image_src', 'image'];
    return keys.flatMap((key): Complaint[] => {
      const source: unknown = Object.entries(block).find(([name]) => name === key)?.[1];
      const path = ['presentation_blocks', index, key];
      if (typeof source !== 'string' || (!isKnown && isAddress(source))) return [];
      return checkFile({ source, path, present: isKnown ? present : undefined });
    });
  });
}

/** Under which names a lesson may speak of a file in its assets folder: `poster.png` and `assets/poster.png`. */
export function assetNames(pathInAssets: string): readonly string[] {
  const name = pathInAssets.normalize('NFC');
  return name.startsWith('assets/') ? [`assets/${name}`] : [name, `assets/${name}`];
}

/** The one spelling of an asset path that `assetNames` has: no leading `./`, accents composed. */
export function assetName(authored: string): string {
  return authored.replace(/^(\.\/)+/u, '').normalize('NFC');
}

type FileReference = { source: string; path: JsonPath; present: ReadonlySet<string> | undefined };

function checkFile({ source, path, present }: FileReference): Complaint[] {
  const wrong = wayOut(source);
  if (wrong !== null) {
    const hint = 'Put the file into the assets folder and write its path in there, like "poster.png".';
    return [{ severity: 'error', path, message: `${quote(source)} ${wrong}.`, hint }];
  }
  if (!present || present.has(assetName(source))) return [];
  const message = `The file ${quote(source)} is not there; its alternative text is shown in its place.`;
  return [{ severity: 'warning', path, message, hint: 'Put the file into the assets folder of the cartridge.' }];
}

function wayOut(source: string): string | null {
  if (source.includes('\\')) return 'has a backslash in it';
  if (isAddress(source)) return 'is a web address, not a file of this cartridge';
  if (/^(\/|[a-z]:)/iu.test(source)) return 'is an absolute path';
  if (source.split('/').includes('..')) return 'leads out of the cartridge';
  return source.includes('\0') ? 'has a zero character in it' : null;
}

/** Whether it begins like `https:`, `data:` or `//`; a single letter is a disk's. */
function isAddress(source: string): boolean {
  return /^([a-z][a-z0-9+.-]+:|\/\/)/iu.test(source);
}
