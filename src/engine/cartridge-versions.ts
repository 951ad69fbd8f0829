import { type Cartridge, cartridgeIdOf, isCompanion } from '../cartridge/cartridge-text.ts';
import type { CompanionCartridge } from '../cartridge/companion.ts';
import type { LessonCartridge } from '../cartridge/lesson.ts';
import { parseCartridge } from '../cartridge/parse.ts';
import { AppError } from '../core/errors.ts';
import type { CartridgeLibrary, ServedCartridge } from './ports/library.ts';
import type { Store } from './ports/store.ts';

const keptInMemory = 64;

/**
 * The versions that sessions began with. The served one comes from the library; older ones from the store, where each
 * version is kept, once, when a session first begins with it.
 */
export class CartridgeVersions {
  readonly #library: CartridgeLibrary;
  readonly #store: Store;
  readonly #kept = new Set<string>();
  readonly #older = new Map<string, Cartridge>();

  constructor(library: CartridgeLibrary, store: Store) {
    this.#library = library;
    this.#store = store;
  }

  /** Makes sure that a session that begins with this version can go on with it. */
  async keep(served: ServedCartridge<Cartridge>, now: number): Promise<void> {
    if (this.#kept.has(served.hash)) return;
    await this.#store.keepCartridge({
      hash: served.hash,
      cartridgeId: cartridgeIdOf(served.cartridge),
      text: served.text,
      keptAt: now,
    });
    this.#kept.add(served.hash);
  }

  /** The lesson with that hash. Throws `INTERNAL` where the store has lost it. */
  async get(cartridgeId: string, hash: string): Promise<LessonCartridge> {
    const served = this.#library.get(cartridgeId);
    const cartridge = served?.hash === hash ? served.cartridge : await this.#olderOf(cartridgeId, hash);
    if (isCompanion(cartridge)) throw lost(cartridgeId, hash);
    return cartridge;
  }

  /** The companion with that hash. Throws `INTERNAL` where the store has lost it. */
  async companion(cartridgeId: string, hash: string): Promise<CompanionCartridge> {
    const served = this.#library.companion(cartridgeId);
    const cartridge = served?.hash === hash ? served.cartridge : await this.#olderOf(cartridgeId, hash);
    if (!isCompanion(cartridge)) throw lost(cartridgeId, hash);
    return cartridge;
  }

  async #olderOf(cartridgeId: string, hash: string): Promise<Cartridge> {
    const known = this.#older.get(hash);
    if (known) return known;
    const kept = await this.#store.cartridge(hash);
    const parsed = kept ? parseCartridge({ file: `${cartridgeId}/cartridge.json`, text: kept.text }) : null;
    if (parsed?.kind !== 'parsed') throw lost(cartridgeId, hash);
    if (this.#older.size >= keptInMemory)
      for (const oldest of this.#older.keys()) if (this.#older.delete(oldest)) break;
    this.#older.set(hash, parsed.cartridge);
    return parsed.cartridge;
  }
}

function lost(cartridgeId: string, hash: string): AppError {
  return new AppError('INTERNAL', `cartridge ${cartridgeId} is not kept at version ${hash}`);
}
