import type { LessonCartridge } from '../../cartridge/lesson.ts';

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
}

/** A prompt file found for a layer: its path as an author knows it (`prompts/default/persona.md`) and its text. */
export type PromptFile = { readonly source: string; readonly text: string; readonly hash: string };

/** The prompt files on disk as they are now. */
export interface PromptLibrary {
  /** `prompts/tasks/<directory>/<file>.md`, else `prompts/default/<file>.md` (not for provider overrides), else null. */
  resolve(directory: string, file: string): PromptFile | null;
  /** `prompts/tasks/<directory>/<file>.md` alone. */
  resolveTask(directory: string, file: string): PromptFile | null;
}
