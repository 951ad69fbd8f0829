import type { CartridgeVersions } from './engine/cartridge-versions.ts';
import { ContextLoader } from './engine/companion-loader.ts';
import { ConversationTurns } from './engine/conversation-turns.ts';
import { Conversations } from './engine/conversations.ts';
import type { FrozenPrompts } from './engine/frozen-prompts.ts';
import { MemoryDesk } from './engine/memory-desk.ts';
import { askForObjectives, preparedCompanions } from './engine/objectives-job.ts';
import type { Owner } from './engine/ports/store.ts';
import type { CartridgeLibrary, PromptLibrary } from './engine/ports/library.ts';
import type { ModelProvider, ModelTier } from './engine/ports/model.ts';
import { confirmIntoProfile } from './engine/profile-answers.ts';
import { ProjectMemory } from './engine/project-memory.ts';
import { RollingMemories } from './engine/rolling-memories.ts';
import { SessionMemories } from './engine/session-memories.ts';
import type { TurnParts } from './engine/turn-job.ts';
import type { TurnRunner } from './engine/turn.ts';
import type { TurnStarter } from './engine/turn-start.ts';
import { companionHandlers } from './jobs/companion-jobs.ts';
import { dailyObjectives } from './jobs/daily-objectives.ts';
import { startJobs } from './jobs/start-jobs.ts';
import { startSweep } from './jobs/sweep.ts';
import { sweepsOf } from './jobs/sweeps.ts';
import type { SqliteStore } from './store/sqlite-store.ts';

export type MemoryWorkParts = Pick<TurnParts, 'safety' | 'settings' | 'clock' | 'random' | 'logger' | 'tokensOf'> & {
  store: SqliteStore;
  cartridges: CartridgeLibrary;
  promptLibrary: PromptLibrary;
  versions: CartridgeVersions;
  models: Readonly<Record<ModelTier, ModelProvider>>;
};

/** The work behind companions' memory: what the server and a worker alone both do. */
export function composeMemoryWork(parts: MemoryWorkParts): {
  rolling: RollingMemories;
  /** Begins to work on the queue, and to sweep. Close what it gives before the store is closed. */
  start: (timeZone: string) => AsyncDisposable;
} {
  const { store, promptLibrary: library, clock, random, logger, settings } = parts;
  const { companions, prepared, queue } = store;
  const taskParts = { ...parts, library, companions };
  const rolling = new RollingMemories(taskParts);
  const sessions = new SessionMemories(taskParts);
  const { cartridges } = parts;
  const handlers = {
    ...companionHandlers({ ...taskParts, prepared, queue, rolling, sessions, jobAttempts: settings.jobAttempts }),
    daily_objectives: dailyObjectives({ prepared, queue, cartridges, clock }),
  };
  const tasks = [{ name: 'objectives', kind: 'daily_objectives', pattern: '0 4 * * *' }];
  return {
    rolling,
    start(timeZone) {
      const started = new AsyncDisposableStack();
      started.use(startJobs({ queue, clock, random, logger, settings, handlers, tasks, timeZone }));
      for (const sweep of sweepsOf({ companions, prepared, clock, logger, settings }))
        started.use(startSweep({ clock, logger }, sweep));
      return started;
    },
  };
}

export type CompanionParts = TurnParts & {
  store: SqliteStore;
  cartridges: CartridgeLibrary;
  versions: CartridgeVersions;
  prompts: FrozenPrompts;
  starter: TurnStarter;
  runner: TurnRunner;
  rolling: RollingMemories;
  models: Readonly<Record<ModelTier, ModelProvider>>;
  fallback: ModelProvider;
};

/** What conversations are held with. */
export function composeCompanions(parts: CompanionParts): {
  conversations: Conversations;
  conversationTurns: ConversationTurns;
  desk: MemoryDesk;
  projects: ProjectMemory;
} {
  const { store, cartridges: library } = parts;
  const { companions, prepared, search, queue } = store;
  const projects = new ProjectMemory({ prepared, clock: parts.clock, random: parts.random });
  const loader = new ContextLoader({ companions, prepared, projects, tokensOf: parts.tokensOf });
  const shared = { ...parts, companions, search, projects, loader };
  const { clock } = parts;
  const onSignificant = (owner: Owner) => {
    const cartridgeIds = preparedCompanions(library).map(({ id }) => id);
    return askForObjectives({ queue, clock }, owner, { cartridgeIds, reason: 'profile' });
  };
  return {
    projects,
    conversations: new Conversations({
      ...shared,
      library,
      confirmed: (owner, answer) => confirmIntoProfile({ prepared, clock, onSignificant }, owner, answer),
    }),
    conversationTurns: new ConversationTurns(shared),
    desk: new MemoryDesk({ ...shared, queue }),
  };
}
