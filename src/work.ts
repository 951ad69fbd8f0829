import { join } from 'node:path';
import { composeMemoryWork } from './compose-companions.ts';
import { createModels, projectRoot } from './compose-models.ts';
import { systemClock } from './core/clock.ts';
import type { Logger } from './core/logger.ts';
import { systemRandom } from './core/random.ts';
import { defaultSettings, estimateTokens } from './core/settings.ts';
import { CartridgeVersions } from './engine/cartridge-versions.ts';
import type { Environment } from './environment.ts';
import { openCartridgeLibrary } from './library/cartridge-library.ts';
import { readSafetyFiles, requireSafety } from './library/lexicon-files.ts';
import { openPromptLibrary } from './library/prompt-library.ts';
import { readyFolders } from './ready-folders.ts';
import { compileSafety } from './safety/compile.ts';
import { openSqliteStore } from './store/sqlite-store.ts';

/**
 * Works on the queue without serving anyone: beside a server, to take the work off it, or alone, to finish what is left.
 * So it takes no lock on the folder and leaves live turns to the server that makes them.
 */
export async function startWork({
  environment,
  logger,
}: {
  environment: Environment;
  logger: Logger;
}): Promise<AsyncDisposable> {
  await using closing = new AsyncDisposableStack();
  const settings = defaultSettings;
  const [clock, random] = [systemClock, systemRandom];
  await readyFolders(environment);
  const store = await openSqliteStore({ file: join(environment.dataDir, 'trickster.db'), logger });
  closing.defer(() => store.close());
  const [cartridges, promptLibrary, safetyData] = await Promise.all([
    openCartridgeLibrary({ folder: environment.cartridgesDir, logger, clock, watch: true }),
    openPromptLibrary({ folder: environment.promptsDir, logger, watch: true }),
    readSafetyFiles(join(projectRoot, 'data'), environment.dataDir),
  ]);
  requireSafety(safetyData.files);
  closing.use(cartridges);
  closing.use(promptLibrary);
  const work = composeMemoryWork({
    store,
    cartridges,
    promptLibrary,
    versions: new CartridgeVersions(cartridges, store),
    safety: compileSafety(safetyData.files),
    models: createModels(environment, {}).models,
    settings,
    clock,
    random,
    logger,
    tokensOf: (text, language) => estimateTokens(text, language, settings),
  });
  closing.use(work.start(environment.timeZone));
  return closing.move();
}
