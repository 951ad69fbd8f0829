import { readdir, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { assetName } from '../cartridge/asset-paths.ts';
import { type Cartridge, isCompanion } from '../cartridge/cartridge-text.ts';
import { type Finding, wholeFile } from '../cartridge/finding.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { CartridgeLibrary, ServedCartridge, ServedCompanion } from '../engine/ports/library.ts';
import { resolveAsset } from './asset-files.ts';
import { type CartridgeFolder, readCartridgeFolder } from './cartridge-folder.ts';
import { checkPrerequisites } from './prerequisites.ts';
import { watchFolder } from './watched-folder.ts';

export type CartridgeLibraryOptions = {
  /** The folder of `<task_id>/cartridge.json`. */
  readonly folder: string;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Whether to follow what changes on disk, until disposed. */
  readonly watch: boolean;
};

/** Called after the library has changed, with the ids of the folders that did. */
export type LibraryListener = (changed: readonly string[]) => void;

export type OpenCartridgeLibrary = CartridgeLibrary &
  AsyncDisposable & {
    /** What there is to say of every cartridge as it now stands on disk. */
    findings(): readonly Finding[];
    onChange(listener: LibraryListener): Disposable;
    /**
     * Where the asset is that a served cartridge calls `asset`: an absolute path with no link in it. Null where there
     * is no such file, and for every path that leads out of the cartridge's `assets` folder.
     */
    readAssetPath(cartridgeId: string, asset: string): Promise<string | null>;
  };

/**
 * Opens a folder of cartridges. A file with errors is told of and leaves the others served; one that had no errors
 * before goes on being served as it was. While the folder itself is not there, everything stays as it was. Never
 * throws for what stands in the folder.
 */
export async function openCartridgeLibrary(options: CartridgeLibraryOptions): Promise<OpenCartridgeLibrary> {
  const library = new FolderLibrary(options.folder, options.logger);
  const refresh = () => library.refresh();
  const watched = options.watch ? await watchFolder({ ...options, refresh }) : null;
  await refresh();
  return {
    get: (cartridgeId) => library.lessons.get(cartridgeId) ?? null,
    all: () => [...library.lessons.values()],
    companion: (cartridgeId) => library.companions.get(cartridgeId) ?? null,
    companions: () => [...library.companions.values()],
    findings: () => library.findings,
    onChange: (listener) => library.listen(listener),
    readAssetPath: (cartridgeId, asset) => library.readAssetPath(cartridgeId, asset),
    [Symbol.asyncDispose]: async () => watched?.[Symbol.asyncDispose](),
  };
}

class FolderLibrary {
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #listeners = new Set<LibraryListener>();
  folders: ReadonlyMap<string, CartridgeFolder> = new Map();
  lessons: ReadonlyMap<string, ServedCartridge> = new Map();
  companions: ReadonlyMap<string, ServedCompanion> = new Map();
  findings: readonly Finding[] = [];

  constructor(folder: string, logger: Logger) {
    this.#folder = folder;
    this.#logger = logger;
  }

  async refresh(): Promise<void> {
    const names = await listFolders(this.#folder);
    if (!names) {
      const hint = 'Make it, or set CARTRIDGES_DIR to the folder of the cartridges.';
      const gone = wholeFile(this.#folder, 'error', 'The folder of the cartridges cannot be read.', hint);
      this.#publish(this.folders, [gone]);
      return;
    }
    const folders = new Map<string, CartridgeFolder>();
    for (const name of names) {
      const at = { folder: this.#folder, name, shown: posix.join(this.#folder, name) };
      folders.set(name, await readCartridgeFolder(at, this.folders.get(name) ?? null));
    }
    this.#publish(folders, []);
  }

  listen(listener: LibraryListener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  async readAssetPath(cartridgeId: string, asset: string): Promise<string | null> {
    const cartridge = this.folders.get(cartridgeId);
    const path = cartridge?.served ? cartridge.assetFiles.get(assetName(asset)) : undefined;
    return path === undefined ? null : resolveAsset(path, join(this.#folder, cartridgeId));
  }

  #publish(folders: ReadonlyMap<string, CartridgeFolder>, ofFolder: readonly Finding[]): void {
    const before = { folders: this.folders, findings: this.findings };
    const ids = new Set([...before.folders.keys(), ...folders.keys()]);
    const changed = [...ids].filter((id) => before.folders.get(id) !== folders.get(id)).toSorted();
    const findings = [
      ...ofFolder,
      ...[...folders.values()].flatMap((each) => each.findings),
      ...checkPrerequisites(folders),
    ];
    if (changed.length === 0 && isSame(findings, before.findings)) return;
    this.folders = folders;
    this.findings = findings;
    this.#serve();
    this.#log(before.findings);
    for (const listener of this.#listeners) {
      try {
        listener(changed);
      } catch (error) {
        this.#logger.error('library_listener_failed', {
          reason: error instanceof Error ? error.message : String(error),
        });
      }
    }
  }

  #serve(): void {
    const lessons = new Map<string, ServedCartridge>();
    const companions = new Map<string, ServedCompanion>();
    for (const [id, { served }] of this.folders) {
      if (!served) continue;
      if (servesCompanion(served)) companions.set(id, served);
      else if (servesLesson(served)) lessons.set(id, served);
    }
    this.lessons = lessons;
    this.companions = companions;
  }

  /** Tells what was not told before; what still holds is not repeated at every save. */
  #log(told: readonly Finding[]): void {
    const known = new Set(told.map((finding) => JSON.stringify(finding)));
    for (const finding of this.findings) {
      if (known.has(JSON.stringify(finding))) continue;
      const { severity, ...fields } = finding;
      if (severity === 'error') this.#logger.error('cartridge_faulty', fields);
      else this.#logger.warn('cartridge_questioned', fields);
    }
    const errors = this.findings.filter(({ severity }) => severity === 'error').length;
    const warnings = this.findings.length - errors;
    this.#logger.info('cartridges_read', {
      folder: this.#folder,
      served: this.lessons.size + this.companions.size,
      errors,
      warnings,
    });
  }
}

function servesCompanion(served: ServedCartridge<Cartridge>): served is ServedCompanion {
  return isCompanion(served.cartridge);
}

function servesLesson(served: ServedCartridge<Cartridge>): served is ServedCartridge {
  return !isCompanion(served.cartridge);
}

function isSame(one: readonly Finding[], other: readonly Finding[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The names of the folders in a folder, in order, hidden ones left out; null where it cannot be read. */
export async function listFolders(folder: string): Promise<string[] | null> {
  try {
    const entries = (await readdir(folder, { withFileTypes: true })).filter((entry) => !entry.name.startsWith('.'));
    const folders = entries.map(async (entry) => {
      if (!entry.isSymbolicLink()) return entry.isDirectory();
      return stat(join(folder, entry.name)).then(
        (target) => target.isDirectory(),
        () => false,
      );
    });
    const isFolder = await Promise.all(folders);
    return entries
      .filter((_, index) => isFolder[index])
      .map((entry) => entry.name)
      .toSorted();
  } catch {
    return null;
  }
}
