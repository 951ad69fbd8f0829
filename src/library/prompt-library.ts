import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type Clock, systemClock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { PromptFile, PromptLibrary } from '../engine/ports/library.ts';
import { sha256 } from './cartridge-folder.ts';
import { readTextFile } from './text-file.ts';
import { watchFolder } from './watched-folder.ts';

const maxBytes = 256 * 1024;
const maxFiles = 5_000;

export type PromptLibraryOptions = {
  /** The folder of `default/` and `tasks/`. */
  readonly folder: string;
  readonly logger: Logger;
  /** Whether to follow what changes on disk, until disposed. */
  readonly watch: boolean;
  readonly clock?: Clock;
};

/**
 * Opens a folder of prompts: its Markdown files in memory, as they now stand on disk. A text comes without byte order
 * mark, with `\n` at its line ends and composed accents (NFC); one without a visible character counts as absent. While
 * the folder is not there, everything stays as it was. Never throws for what stands in the folder.
 */
export async function openPromptLibrary(options: PromptLibraryOptions): Promise<PromptLibrary & AsyncDisposable> {
  const { folder, logger, watch, clock = systemClock } = options;
  const prompts = new FolderPrompts(folder, logger);
  const refresh = () => prompts.refresh();
  const watched = watch ? await watchFolder({ folder, logger, clock, refresh }) : null;
  await refresh();
  return {
    resolve: (directory, file) => prompts.find(`tasks/${nameOf(directory)}/${file}`) ?? prompts.find(`default/${file}`),
    [Symbol.asyncDispose]: async () => watched?.[Symbol.asyncDispose](),
  };
}

class FolderPrompts {
  readonly #folder: string;
  readonly #logger: Logger;
  /** By path in the folder, without `.md`. Only what was found there is in it, so a path that climbs out finds nothing. */
  #files: ReadonlyMap<string, PromptFile> = new Map();
  #refused = new Set<string>();
  #isAway = false;

  constructor(folder: string, logger: Logger) {
    this.#folder = folder;
    this.#logger = logger;
  }

  find(path: string): PromptFile | null {
    return this.#files.get(path.normalize('NFC')) ?? null;
  }

  async refresh(): Promise<void> {
    const paths = await listMarkdown(this.#folder);
    if (!paths && !this.#isAway) this.#logger.warn('prompts_unread', { folder: this.#folder });
    this.#isAway = !paths;
    if (!paths) return;
    const files = new Map<string, PromptFile>();
    const refused = new Set<string>();
    for (const path of paths) {
      const read = await readTextFile(join(this.#folder, path), { within: this.#folder, maxBytes });
      const source = `prompts/${path.normalize('NFC')}`;
      if (read.kind === 'refused') {
        refused.add(source);
        if (!this.#refused.has(source))
          this.#logger.error('prompt_refused', { source, message: read.message, hint: read.hint });
      }
      const text = read.kind === 'text' ? normalise(read.text) : '';
      if (/\S/u.test(text))
        files.set(source.slice('prompts/'.length, -'.md'.length), { source, text, hash: sha256(text) });
    }
    const isChanged =
      files.size !== this.#files.size || [...files].some(([key, { hash }]) => this.#files.get(key)?.hash !== hash);
    this.#files = files;
    this.#refused = refused;
    if (isChanged) this.#logger.info('prompts_read', { folder: this.#folder, files: files.size });
  }
}

/** A `prompt_directory` as lessons write it: `click-trap`, or `prompts/tasks/click-trap`. */
function nameOf(directory: string): string {
  return directory.replace(/^(prompts\/)?tasks\//u, '').replace(/\/+$/u, '');
}

function normalise(text: string): string {
  return text.replace(/\r\n?/gu, '\n').normalize('NFC');
}

/** Paths of the Markdown files, with `/` between folders; null where the folder cannot be read. */
async function listMarkdown(folder: string): Promise<string[] | null> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && entry.name.endsWith('.md'))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((path) => !/(^|\/)\./u.test(path))
      .toSorted()
      .slice(0, maxFiles);
  } catch {
    return null;
  }
}
