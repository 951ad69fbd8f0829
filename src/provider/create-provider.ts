import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import type { ModelProvider } from '../engine/ports/model.ts';
import { createGeminiProvider } from './gemini.ts';
import { createOfflineProvider } from './offline.ts';
import { createOpenAiProvider } from './openai.ts';
import { createRecordedProvider } from './recorded.ts';

/** Where a provider is and how it is entered; `apiKey` and `baseUrl` as the environment has them. */
type Access = { apiKey?: string | undefined; baseUrl?: string | undefined };

export type ProviderOptions = {
  clock: Clock;
  openai: Access;
  gemini: Access;
  /** The folder of the recordings: `recorded:<name>` replays `<name>.jsonl` in it. */
  recordings: string;
  /** Whether a recording is replayed with the pauses it was made with. */
  recordedPace?: 'recorded' | 'at_once';
  offlineWordDelayMs?: number;
};

/**
 * The provider that `spec` (`<provider>:<model>`; the provider alone for `offline`) names. A model's name may have
 * colons of its own (`openai:llama3.1:8b`).
 *
 * Throws an Error whose message is one sentence for whoever wrote the spec.
 */
export function createProvider(spec: string, options: ProviderOptions): ModelProvider {
  const [, provider = '', model = ''] = /^([^:]*):?(.*)$/su.exec(spec.trim()) ?? [];
  const { clock } = options;
  if (model === '' && ['openai', 'gemini', 'recorded'].includes(provider)) {
    throw new Error(`"${spec}" names no model: write it as "${provider}:<model>".`);
  }
  switch (provider) {
    case 'openai':
      requireAccess(spec, options.openai, 'OPENAI');
      return createOpenAiProvider({ model, clock, ...options.openai });
    case 'gemini':
      requireAccess(spec, options.gemini, 'GEMINI');
      return createGeminiProvider({ model, ...options.gemini });
    case 'recorded': {
      if (!/^[\w-][\w.-]*$/.test(model)) throw new Error(`"${spec}" does not name a recording.`);
      const file = join(options.recordings, `${model}.jsonl`);
      return createRecordedProvider({ model, file, clock, pace: options.recordedPace ?? 'recorded' });
    }
    case 'offline':
      return createOfflineProvider({
        clock,
        ...(model === '' ? {} : { model }),
        ...(options.offlineWordDelayMs === undefined ? {} : { wordDelayMs: options.offlineWordDelayMs }),
      });
    default:
      throw new Error(
        `"${spec}" is not a model: write "openai:<model>", "gemini:<model>", "recorded:<name>" or "offline".`,
      );
  }
}

function requireAccess(spec: string, { apiKey, baseUrl }: Access, prefix: string): void {
  if (apiKey === undefined && baseUrl === undefined) {
    throw new Error(`"${spec}" needs ${prefix}_API_KEY, or ${prefix}_BASE_URL for a server that asks for no key.`);
  }
}
