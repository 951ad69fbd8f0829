import { type Cartridge, cartridgeIdOf } from '../cartridge/cartridge-text.ts';

/** The prompt files of a cartridge, in the order of their layers. `persona_mode` goes with `persona`. */
export const promptLayers = ['persona', 'persona_mode', 'behaviour', 'safety', 'provider_override'] as const;
export type PromptLayerName = (typeof promptLayers)[number];

/** A layer's text as frozen for a session; null where no file was found. */
export type FrozenText = {
  readonly layer: string;
  readonly source: string;
  readonly hash: string;
  readonly text: string;
} | null;

/** Which file each layer is read from: a file's name without `.md`. */
export function promptFileNames(personaMode: string, provider: string): Record<PromptLayerName, string> {
  return {
    persona: 'persona',
    persona_mode: `persona.${personaMode}`,
    behaviour: 'behaviour',
    safety: 'safety',
    provider_override: provider,
  };
}

/** The folder under `prompts/tasks/` that a cartridge's prompts are in: its `prompt_directory`, or its own id. */
export function promptDirectory(cartridge: Cartridge): string {
  const named = cartridge.ai_config?.prompt_directory
    ?.replace(/^\.?\/?(prompts\/)?(tasks\/)?/u, '')
    .replace(/\/+$/u, '');
  return named ? named : cartridgeIdOf(cartridge);
}
