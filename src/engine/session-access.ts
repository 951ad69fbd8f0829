import type { LessonCartridge } from '../cartridge/lesson.ts';
import { countExchanges, publishSession } from './class-board.ts';
import type { CartridgeVersions } from './cartridge-versions.ts';
import { type LessonState, moveTo, phaseOf } from './machine.ts';
import { type Refusal, refuse } from './outcome.ts';
import type { CartridgeLibrary } from './ports/library.ts';
import type { ModelProvider, ModelTier } from './ports/model.ts';
import type { LoadedSession, Owner } from './ports/store.ts';
import { readState, sessionChange } from './session-change.ts';
import { type SessionView, viewSession } from './session-view.ts';
import type { TurnParts } from './turn-job.ts';

/** A session with its cartridge and state, ready to be acted on. */
export type Opened = { kind: 'opened'; loaded: LoadedSession; lesson: LessonCartridge; state: LessonState };

export type AccessParts = Pick<TurnParts, 'store' | 'clock' | 'feed'> & {
  library: CartridgeLibrary;
  versions: CartridgeVersions;
  models: Readonly<Record<ModelTier, ModelProvider>>;
};

/** Loads sessions with the cartridge they began with, shows them, and saves what becomes of them. */
export class SessionAccess {
  readonly #parts: AccessParts;

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  /** Refused where it is not the owner's, and where the teacher has taken out the phase it stands in. */
  async open(owner: Owner, sessionId: string): Promise<Refusal | Opened> {
    const { store, library, versions } = this.#parts;
    const loaded = await store.loadSession(owner, sessionId);
    if (loaded?.session.kind !== 'lesson') return refuse('NOT_FOUND');
    const { session } = loaded;
    const state = readState(session);
    const served = library.get(session.cartridgeId);
    if (served && served.hash !== session.cartridgeHash && !state.completed && !phaseOf(served.cartridge, state)) {
      return refuse('CARTRIDGE_CHANGED', { initialPhase: served.cartridge.initial_phase });
    }
    return { kind: 'opened', loaded, lesson: await versions.get(session.cartridgeId, session.cartridgeHash), state };
  }

  /** The session as its page is made from it. */
  view({ loaded, lesson, state }: Opened): SessionView {
    const model = this.#parts.models[lesson.ai_config?.model_preference ?? 'standard'];
    const ai = model.name === 'offline' ? 'offline' : 'model';
    return viewSession({ loaded, lesson, state, assets: this.assets(loaded), ai });
  }

  /** The asset files that are there for a session's cartridge. */
  assets({ session }: LoadedSession): ReadonlySet<string> {
    return this.#parts.library.get(session.cartridgeId)?.assets ?? new Set();
  }

  /** Saves the next state; false where the session has moved on meanwhile. */
  async save(owner: Owner, { loaded }: Opened, state: LessonState): Promise<boolean> {
    const { store, clock } = this.#parts;
    if ((await store.saveSession(owner, sessionChange(loaded.session, state, clock.now()))) !== 'saved') return false;
    this.publish(loaded, state);
    return true;
  }

  /** Shows the class's teacher how a session stands. */
  publish({ session, ownerName, exchanges }: LoadedSession, state: LessonState): void {
    const { feed, clock } = this.#parts;
    publishSession(feed, { session, ownerName, state, ...countExchanges(exchanges), now: clock.now() });
  }

  /** Takes a session over to the version that is served now, at `phaseId`; false where it has moved on meanwhile. */
  async startOver(owner: Owner, sessionId: string, phaseId: string): Promise<boolean> {
    const { store, library, versions, clock } = this.#parts;
    const loaded = await store.loadSession(owner, sessionId);
    const served = loaded && library.get(loaded.session.cartridgeId);
    if (!loaded || !served || loaded.liveTurnId !== null) return false;
    const step = moveTo(served.cartridge, readState(loaded.session), phaseId);
    if (step.kind === 'refused') return false;
    await versions.keep(served, clock.now());
    const change = { ...sessionChange(loaded.session, step.state, clock.now()), cartridgeHash: served.hash };
    return (await store.saveSession(owner, change)) === 'saved';
  }
}

/** Why nothing can be done in a session just now; null where it can. */
export function blockedBy({ loaded }: Opened): Refusal | null {
  if (loaded.session.frozen) return refuse('SESSION_FROZEN');
  return loaded.liveTurnId === null ? null : refuse('TURN_IN_PROGRESS', { turnId: loaded.liveTurnId });
}
