import { join } from 'node:path';
import { systemClock } from './core/clock.ts';
import type { ModelProvider, ModelTier } from './engine/ports/model.ts';
import { type Environment, EnvironmentError } from './environment.ts';
import { createProvider } from './provider/create-provider.ts';

/** The folder that the project lives in, where its shipped data is found. */
export const projectRoot = join(import.meta.dirname, '..');

export type ModelOptions = {
  offlineWordDelayMs?: number;
  /** Put around every model: a recorder. */
  wrapModel?: (provider: ModelProvider) => ModelProvider;
};

/** The models by tier, and the character that speaks without one. A model that cannot be had stops the start. */
export function createModels(
  environment: Environment,
  { offlineWordDelayMs, wrapModel = (provider) => provider }: ModelOptions,
) {
  const options = {
    clock: systemClock,
    openai: access(environment.openai),
    gemini: access(environment.gemini),
    recordings: join(projectRoot, 'data', 'recordings'),
    ...(offlineWordDelayMs === undefined ? {} : { offlineWordDelayMs }),
  };
  const made = new Map<string, ModelProvider>();
  const create = (tier: ModelTier): ModelProvider => {
    const spec = environment.models[tier];
    const known = made.get(spec);
    if (known) return known;
    try {
      const provider = wrapModel(createProvider(spec, options));
      made.set(spec, provider);
      return provider;
    } catch (error) {
      throw new EnvironmentError(
        `MODEL_${tier.toUpperCase()}: ${error instanceof Error ? error.message : 'cannot be used'}`,
      );
    }
  };
  // First the one that the others are where nothing else is said: what is wrong with it is told under its own name.
  const standard = create('standard');
  const models = { fast: create('fast'), standard, complex: create('complex') };
  return { models, fallback: createProvider('offline', options) };
}

function access({ apiKey, baseUrl }: { apiKey: string | null; baseUrl: string | null }) {
  return { apiKey: apiKey ?? undefined, baseUrl: baseUrl ?? undefined };
}
