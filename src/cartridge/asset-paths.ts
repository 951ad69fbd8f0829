import type { JsonPath } from '../core/json-source.ts';
import type { Complaint } from './finding.ts';
import { isBlock, type LessonBlock, type LessonCartridge } from './lesson.ts';
import { quote } from './schema-complaints.ts';

type Reference = { readonly source: string; readonly path: JsonPath; readonly isKnownBlock: boolean };

/**
 * Asset paths that lead out of the cartridge's folder (errors), and files that are not there (warnings).
 *
 * A path is one inside the cartridge's `assets` folder, with `/` between folders; `assets/poster.png` and `poster.png`
 * mean the same file. A web address is an error as well: a page that fetched it would tell a stranger's server about
 * every student who opened the lesson. Blocks of unknown types are passed through whole, so a web address may stand in
 * theirs. `present` holds the paths that are there (`assetNames`); without it nothing is said of absent files.
 */
export function checkAssets(lesson: LessonCartridge, present: ReadonlySet<string> | undefined): Complaint[] {
  return lesson.presentation_blocks.flatMap((block, index) =>
    referencesOf(block, ['presentation_blocks', index]).flatMap((reference): Complaint[] => {
      const { source, path, isKnownBlock } = reference;
      const isUrl = /^([a-z][a-z0-9+.-]*:|\/\/)/iu.test(source);
      if (isUrl && !isKnownBlock) return [];
      const wrong = isUrl ? 'is a web address, not a file of this cartridge' : wayOut(source);
      if (wrong !== null) {
        const hint = 'Put the file into the assets folder and write its path in there, like "poster.png".';
        return [{ severity: 'error', path, message: `${quote(source)} ${wrong}.`, hint }];
      }
      if (!isKnownBlock || !present || present.has(source.replace(/^\.\//u, '').normalize('NFC'))) return [];
      const message = `The file ${quote(source)} is not there; its alternative text is shown in its place.`;
      return [{ severity: 'warning', path, message, hint: 'Put the file into the assets folder of the cartridge.' }];
    }),
  );
}

/** Under which names a lesson may speak of a file in its assets folder: `poster.png` and `assets/poster.png`. */
export function assetNames(pathInAssets: string): readonly string[] {
  const name = pathInAssets.normalize('NFC');
  return name.startsWith('assets/') ? [`assets/${name}`] : [name, `assets/${name}`];
}

function wayOut(source: string): string | null {
  if (source.includes('\\')) return 'has a backslash in it';
  if (source.startsWith('/')) return 'is an absolute path';
  if (source.split('/').includes('..')) return 'leads out of the cartridge';
  // eslint-disable-next-line no-control-regex
  return source.includes('\0') ? 'has a zero character in it' : null;
}

function referencesOf(block: LessonBlock, at: JsonPath): Reference[] {
  const isMedia = isBlock(block, 'image') || isBlock(block, 'audio') || isBlock(block, 'video');
  if (isMedia) return [{ source: block.src, path: [...at, 'src'], isKnownBlock: true }];
  if (isBlock(block, 'meme')) return [{ source: block.image_src, path: [...at, 'image_src'], isKnownBlock: true }];
  if (isBlock(block, 'social_post')) {
    return block.image === undefined ? [] : [{ source: block.image, path: [...at, 'image'], isKnownBlock: true }];
  }
  const fields: Readonly<Record<string, unknown>> = block;
  return ['src', 'image_src', 'image'].flatMap((key) => {
    const source = fields[key];
    return typeof source === 'string' && !isTextual(block) ? [{ source, path: [...at, key], isKnownBlock: false }] : [];
  });
}

function isTextual(block: LessonBlock): boolean {
  return (
    isBlock(block, 'text') ||
    isBlock(block, 'chat_message') ||
    isBlock(block, 'search_result') ||
    isBlock(block, 'video_transcript')
  );
}
