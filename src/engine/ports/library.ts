import type { LessonCartridge } from '../../cartridge/lesson.ts';

export type { LessonCartridge };

/** A cartridge as served: its frozen data, the text it came from and that text's SHA-256. */
export type ServedCartridge = {
  readonly hash: string;
  readonly text: string;
  readonly cartridge: LessonCartridge;
  readonly assets: ReadonlySet<string>;
};

/** The cartridges on disk as they are now; the last good version of each. */
export interface CartridgeLibrary {
  get(cartridgeId: string): ServedCartridge | null;
  /** By id, alphabetically; whatever their `status`. */
  all(): readonly ServedCartridge[];
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
