import { type Cartridge, isCompanion } from '../cartridge/cartridge-text.ts';
import { AppError } from '../core/errors.ts';
import { type FrozenText, promptDirectory, promptFileNames, promptLayers } from '../prompt/snapshot.ts';
import type { PromptFile, PromptLibrary } from './ports/library.ts';
import type { FrozenPrompt, NewTurn, Store } from './ports/store.ts';

const keptInMemory = 2_000;

/** A session's prompt texts, and what has to be kept where this turn is the one that freezes them. */
export type SessionPrompts = { texts: FrozenText[]; freeze: NewTurn['freeze'] };

/**
 * The prompt texts that sessions are frozen to: read from the library at a session's first turn, from the store (by
 * content hash, so that sessions with the same text share it) at every later one.
 */
export class FrozenPrompts {
  readonly #library: PromptLibrary;
  readonly #store: Store;
  readonly #texts = new Map<string, string>();

  constructor(library: PromptLibrary, store: Store) {
    this.#library = library;
    this.#store = store;
  }

  /** The texts for a session's next turn. `provider` names the override file of the first turn's provider. */
  async of(cartridge: Cartridge, frozen: readonly FrozenPrompt[] | null, provider: string): Promise<SessionPrompts> {
    return frozen ? { texts: await this.#read(frozen), freeze: null } : this.#freeze(cartridge, provider);
  }

  #freeze(cartridge: Cartridge, provider: string): SessionPrompts {
    const files = promptFileNames(cartridge.ai_config?.persona_mode ?? 'presenting', provider);
    const directory = promptDirectory(cartridge);
    const persona = this.#library.resolve(directory, files.persona);
    const texts = promptLayers.map((layer): FrozenText => {
      const file = this.#library.resolve(directory, files[layer]);
      // The Trickster's modes are no companion's: theirs stand beside their own persona.
      if (layer === 'persona_mode' && isCompanion(cartridge) && file && folderOf(file) !== folderOf(persona))
        return null;
      return file && { layer, source: file.source, hash: file.hash, text: file.text };
    });
    const prompts = promptLayers.map((layer, index): FrozenPrompt => {
      const text = texts[index];
      return { layer, source: text?.source ?? null, hash: text?.hash ?? null };
    });
    for (const text of texts) if (text) this.#remember(text.hash, text.text);
    return {
      texts,
      freeze: { prompts, texts: texts.filter((text) => text !== null).map(({ hash, text }) => ({ hash, text })) },
    };
  }

  async #read(frozen: readonly FrozenPrompt[]): Promise<FrozenText[]> {
    const missing = frozen.flatMap(({ hash }) => (hash !== null && !this.#texts.has(hash) ? [hash] : []));
    if (missing.length > 0)
      for (const { hash, text } of await this.#store.promptTexts(missing)) this.#remember(hash, text);
    return frozen.map(({ layer, source, hash }) => {
      if (hash === null || source === null) return null;
      const text = this.#texts.get(hash);
      if (text === undefined) throw new AppError('INTERNAL', `prompt text ${hash} is not kept`);
      return { layer, source, hash, text };
    });
  }

  #remember(hash: string, text: string): void {
    if (this.#texts.size >= keptInMemory) this.#texts.clear();
    this.#texts.set(hash, text);
  }
}

function folderOf(file: PromptFile | null): string {
  return file?.source.slice(0, file.source.lastIndexOf('/')) ?? '';
}
