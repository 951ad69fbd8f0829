import type { Cartridge } from '../../cartridge/cartridge-text.ts';
import type { CompanionCartridge } from '../../cartridge/companion.ts';
import type { LessonCartridge } from '../../cartridge/lesson.ts';

export type { LessonCartridge };

/** A cartridge as served: its frozen data, the text it came from and that text's SHA-256. */
export type ServedCartridge<Kind extends Cartridge = LessonCartridge> = {
  readonly hash: string;
  readonly text: string;
  readonly cartridge: Kind;
  readonly assets: ReadonlySet<string>;
};

export type ServedCompanion = ServedCartridge<CompanionCartridge>;

/** The cartridges on disk as they are now; the last good version of each. */
export interface CartridgeLibrary {
  /** A lesson. */
  get(cartridgeId: string): ServedCartridge | null;
  /** The lessons by id, alphabetically; whatever their `status`. */
  all(): readonly ServedCartridge[];
  companion(cartridgeId: string): ServedCompanion | null;
  /** The companions by id, alphabetically; whatever their `status`. */
  companions(): readonly ServedCompanion[];
  /** The file of an asset (a path relative to the cartridge's folder), or null where it has none of that name. */
  readAssetPath(cartridgeId: string, path: string): Promise<string | null> | string | null;
}

/** A prompt file found for a layer: its path as an author knows it (`prompts/default/persona.md`) and its text. */
export type PromptFile = { readonly source: string; readonly text: string; readonly hash: string };

/** The prompt files on disk as they are now. */
export interface PromptLibrary {
  /** `prompts/tasks/<directory>/<file>.md`, else `prompts/default/<file>.md`, else null. */
  resolve(directory: string, file: string): PromptFile | null;
}
