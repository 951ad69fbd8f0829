import { newId, newMark } from '../core/ids.ts';
import { choose, initialState, investigate, investigationOf, type LessonState, moveTo } from './machine.ts';
import { type Refusal, refuse } from './outcome.ts';
import type { ServedCartridge } from './ports/library.ts';
import type { Owner, SessionRecord } from './ports/store.ts';
import { type AccessParts, blockedBy, type Opened, type SessionAccess } from './session-access.ts';
import { writeState } from './session-change.ts';
import { type SessionView, viewInvestigation, withAssets } from './session-view.ts';
import type { TurnParts } from './turn-job.ts';

/** Who calls, as far as lessons care. */
export type Learner = Owner & { role: string; classId: string | null };

export type LessonParts = AccessParts & Pick<TurnParts, 'random'> & { access: SessionAccess };

type Viewed = Refusal | { kind: 'view'; view: SessionView };

/** How often a step is tried again where the session has moved on between loading and saving. */
const attempts = 5;

/**
 * What learners do with lessons apart from talking: begin one, choose, look things up. Every call takes its learner,
 * and finds nothing that is not theirs. Outcomes are values; what is thrown is nobody's fault but the house's.
 */
export class Lessons {
  readonly #parts: LessonParts;

  constructor(parts: LessonParts) {
    this.#parts = parts;
  }

  /** The active cartridges that a learner may begin: all of them, or those of their class. */
  async offered(learner: Learner): Promise<ServedCartridge[]> {
    const { store, library } = this.#parts;
    const { schoolId, classId } = learner;
    const ids = classId === null ? null : (await store.classOfStudent(schoolId, classId))?.cartridgeIds;
    return library
      .all()
      .filter(({ cartridge }) => cartridge.status === 'active' && (ids?.includes(cartridge.task_id) ?? true));
  }

  /** Begins a lesson, in one of its languages. */
  async begin(learner: Learner, request: { cartridgeId: string; language?: string | undefined }): Promise<Viewed> {
    const { store, clock, random, versions, access } = this.#parts;
    const served = (await this.offered(learner)).find(({ cartridge }) => cartridge.task_id === request.cartridgeId);
    if (!served) return refuse('NOT_FOUND');
    const { cartridge, hash } = served;
    const languages = [...new Set([cartridge.language, ...cartridge.available_languages])];
    const language = request.language ?? cartridge.language;
    if (!languages.includes(language)) {
      return refuse('INVALID_REQUEST', {
        errors: [{ path: 'language', message: `must be one of: ${languages.join(', ')}` }],
      });
    }
    const now = clock.now();
    const state = initialState(cartridge, newMark(random));
    const session = newSession(learner, {
      id: newId(random),
      cartridgeId: cartridge.task_id,
      cartridgeHash: hash,
      language,
      state,
      now,
    });
    await versions.keep(served, now);
    await store.createSession(session);
    const loaded = { session, ownerName: null, exchanges: [], liveTurnId: null };
    const opened: Opened = { kind: 'opened', loaded, lesson: cartridge, state };
    // Read back for the learner's name, which the board shows.
    const kept = session.classId === null ? null : await store.loadSession(learner, session.id);
    if (kept) access.publish(kept, state);
    return { kind: 'view', view: access.view(opened) };
  }

  /** The session as it stands. */
  async view(learner: Owner, sessionId: string): Promise<Viewed> {
    const { access } = this.#parts;
    const opened = await access.open(learner, sessionId);
    return opened.kind === 'refused' ? opened : { kind: 'view', view: access.view(opened) };
  }

  /** Takes a choice; from a phase that is gone, the way to the changed lesson's beginning. */
  async choose(
    learner: Owner,
    sessionId: string,
    choice: { index: number } | { targetPhase: string },
  ): Promise<Viewed> {
    const { access } = this.#parts;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const opened = await access.open(learner, sessionId);
      if (opened.kind === 'refused') {
        const isWayOn =
          opened.code === 'CARTRIDGE_CHANGED' && 'targetPhase' in choice && choice.targetPhase === opened.initialPhase;
        if (!isWayOn) return opened;
        if (await access.startOver(learner, sessionId, choice.targetPhase)) return this.view(learner, sessionId);
        continue;
      }
      const blocked = blockedBy(opened);
      if (blocked) return blocked;
      const step = choose(opened.lesson, opened.state, choice);
      if (step.kind === 'refused') return step;
      if (await access.save(learner, opened, step.state)) return this.view(learner, sessionId);
    }
    return refuse('INTERNAL');
  }

  /** Looks something up in an investigation. */
  async investigate(
    learner: Owner,
    sessionId: string,
    query: string,
  ): Promise<Refusal | { kind: 'found'; body: Record<string, unknown> }> {
    const { access } = this.#parts;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const opened = await access.open(learner, sessionId);
      if (opened.kind === 'refused') return opened;
      const blocked = blockedBy(opened);
      if (blocked) return blocked;
      const step = investigate(opened.lesson, opened.state, query);
      if (step.kind === 'refused') return step;
      if (step.state !== opened.state && !(await access.save(learner, opened, step.state))) continue;
      const assets = access.assets(opened.loaded);
      const results = step.results.map((block) => withAssets(opened.lesson, block, assets));
      const progress = viewInvestigation(investigationOf(opened.lesson, step.state));
      return { kind: 'found', body: { query, results, unlocked_queries: step.unlocked, ...progress } };
    }
    return refuse('INTERNAL');
  }

  /** Moves a session to a phase by the teacher's hand, whatever the phase it stands in offers. */
  async advance(learner: Owner, sessionId: string, phaseId: string): Promise<Viewed> {
    const { access } = this.#parts;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const opened = await access.open(learner, sessionId);
      if (opened.kind === 'refused') return opened;
      if (opened.loaded.liveTurnId !== null) return refuse('TURN_IN_PROGRESS', { turnId: opened.loaded.liveTurnId });
      const step = moveTo(opened.lesson, opened.state, phaseId);
      if (step.kind === 'refused') return step;
      if (await access.save(learner, opened, step.state)) return this.view(learner, sessionId);
    }
    return refuse('INTERNAL');
  }
}

type Beginning = {
  id: string;
  cartridgeId: string;
  cartridgeHash: string;
  language: string;
  state: LessonState;
  now: number;
};

function newSession(learner: Learner, { state, now, ...rest }: Beginning): SessionRecord {
  return {
    ...rest,
    schoolId: learner.schoolId,
    ownerId: learner.userId,
    ownerRole: learner.role,
    classId: learner.classId,
    kind: 'lesson',
    status: state.completed ? 'completed' : 'active',
    frozen: false,
    phase: state.phase,
    outcome: state.outcome,
    state: writeState(state),
    prompts: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
    endedAt: state.completed ? now : null,
  };
}
