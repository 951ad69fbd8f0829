import type { LessonCartridge } from '../cartridge/lesson.ts';
import { newId } from '../core/ids.ts';
import type { InputScreen } from '../safety/input-screen.ts';
import { screenInput } from '../safety/input-screen.ts';
import type { CartridgeVersions } from './cartridge-versions.ts';
import type { FrozenPrompts } from './frozen-prompts.ts';
import {
  admitDebrief,
  admitMessage,
  type Admission,
  choose,
  initialState,
  investigate,
  investigationOf,
  type LessonState,
  moveTo,
  phaseOf,
} from './machine.ts';
import { type Refusal, refuse } from './outcome.ts';
import type { CartridgeLibrary, ServedCartridge } from './ports/library.ts';
import type { ModelProvider, ModelTier } from './ports/model.ts';
import type {
  BegunTurn,
  ClassRecord,
  LoadedSession,
  NewTurn,
  Owner,
  SessionRecord,
  TurnRecord,
} from './ports/store.ts';
import { readState, sessionChange, writeState } from './session-change.ts';
import { type SessionView, viewInvestigation, viewSession, withAssets } from './session-view.ts';
import { failedTurn } from './settlement.ts';
import type { TurnRunner } from './turn.ts';
import type { TurnJob, TurnParts } from './turn-job.ts';

/** Who calls, as far as lessons care. */
export type Learner = Owner & { role: string; classId: string | null };

export type LessonParts = TurnParts & {
  runner: TurnRunner;
  library: CartridgeLibrary;
  versions: CartridgeVersions;
  prompts: FrozenPrompts;
  models: Readonly<Record<ModelTier, ModelProvider>>;
  /** Speaks for a cartridge with `has_static_fallback` while its model is down. */
  fallback: ModelProvider;
  turnsPerMinute: number;
};

export type TurnTicket = { kind: 'turn'; turn: { id: string; sessionId: string } };

/** A session with its cartridge and state, ready to be acted on. */
type Opened = { kind: 'opened'; loaded: LoadedSession; lesson: LessonCartridge; state: LessonState };

const attempts = 5;
const minuteMs = 60_000;

/**
 * What learners do with lessons: begin one, move through its phases, talk. Every call takes its learner, and finds
 * nothing that is not theirs. Outcomes are values; what is thrown is nobody's fault but the house's.
 */
export class Lessons {
  readonly #parts: LessonParts;

  constructor(parts: LessonParts) {
    this.#parts = parts;
  }

  /** The active cartridges that a learner may begin: all of them, or those of their class. */
  async offered(learner: Learner): Promise<ServedCartridge[]> {
    const { store, library } = this.#parts;
    const ofClass: ClassRecord | null =
      learner.classId === null ? null : await store.classOfStudent(learner.schoolId, learner.classId);
    return library
      .all()
      .filter(
        ({ cartridge }) =>
          cartridge.status === 'active' && (ofClass?.cartridgeIds?.includes(cartridge.task_id) ?? true),
      );
  }

  /** Begins a lesson, in one of its languages. */
  async begin(
    learner: Learner,
    request: { cartridgeId: string; language?: string | undefined },
  ): Promise<Refusal | { kind: 'view'; view: SessionView }> {
    const { store, clock, random, versions } = this.#parts;
    const served = (await this.offered(learner)).find(({ cartridge }) => cartridge.task_id === request.cartridgeId);
    if (!served) return refuse('NOT_FOUND');
    const { cartridge } = served;
    const languages = [cartridge.language, ...cartridge.available_languages];
    const language = request.language ?? cartridge.language;
    if (!languages.includes(language)) {
      return refuse('INVALID_REQUEST', {
        errors: [{ path: 'language', message: `must be one of: ${[...new Set(languages)].join(', ')}` }],
      });
    }
    const now = clock.now();
    const state = initialState(cartridge, `k-${Buffer.from(random.bytes(4)).toString('hex')}`);
    const session: SessionRecord = {
      id: newId(random),
      schoolId: learner.schoolId,
      ownerId: learner.userId,
      ownerRole: learner.role,
      classId: learner.classId,
      kind: 'lesson',
      cartridgeId: cartridge.task_id,
      cartridgeHash: served.hash,
      language,
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
    await versions.keep(served, now);
    await store.createSession(session);
    return {
      kind: 'view',
      view: this.#view({
        kind: 'opened',
        loaded: { session, ownerName: null, exchanges: [], liveTurnId: null },
        lesson: cartridge,
        state,
      }),
    };
  }

  /** The session as it stands. */
  async view(learner: Owner, sessionId: string): Promise<Refusal | { kind: 'view'; view: SessionView }> {
    const opened = await this.#open(learner, sessionId);
    return opened.kind === 'refused' ? opened : { kind: 'view', view: this.#view(opened) };
  }

  /** Takes a choice; from a phase that is gone, the way to the changed lesson's beginning. */
  async choose(
    learner: Owner,
    sessionId: string,
    choice: { index: number } | { targetPhase: string },
  ): Promise<Refusal | { kind: 'view'; view: SessionView }> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const opened = await this.#open(learner, sessionId);
      if (opened.kind === 'refused') {
        const isWayOn =
          opened.code === 'CARTRIDGE_CHANGED' && 'targetPhase' in choice && choice.targetPhase === opened.initialPhase;
        if (!isWayOn) return opened;
        if (await this.#startOver(learner, sessionId, choice.targetPhase)) return this.view(learner, sessionId);
        continue;
      }
      const blocked = blockedBy(opened);
      if (blocked) return blocked;
      const step = choose(opened.lesson, opened.state, choice);
      if (step.kind === 'refused') return step;
      if (await this.#save(learner, opened, step.state)) return this.view(learner, sessionId);
    }
    return refuse('INTERNAL');
  }

  /** Looks something up in an investigation. */
  async investigate(
    learner: Owner,
    sessionId: string,
    query: string,
  ): Promise<Refusal | { kind: 'found'; body: Record<string, unknown> }> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const opened = await this.#open(learner, sessionId);
      if (opened.kind === 'refused') return opened;
      const blocked = blockedBy(opened);
      if (blocked) return blocked;
      const step = investigate(opened.lesson, opened.state, query);
      if (step.kind === 'refused') return step;
      if (step.state !== opened.state && !(await this.#save(learner, opened, step.state))) continue;
      const assets = this.#assets(opened);
      const results = step.results.map((block) => withAssets(opened.lesson, block, assets));
      const progress = viewInvestigation(investigationOf(opened.lesson, step.state));
      return { kind: 'found', body: { query, results, unlocked_queries: step.unlocked, ...progress } };
    }
    return refuse('INTERNAL');
  }

  /**
   * Keeps a student's message and starts the turn that answers it. The same `clientMessageId` gets the turn it made
   * the first time; one that was interrupted or failed retryably gets a new turn for the same words.
   */
  async respond(
    learner: Owner,
    sessionId: string,
    request: { message: string; clientMessageId: string | null },
  ): Promise<Refusal | TurnTicket> {
    const { clientMessageId, message } = request;
    return this.#beginTurn(learner, sessionId, {
      kind: 'dialogue',
      message,
      clientMessageId,
      admit: admitMessage,
      earlier: async () =>
        clientMessageId === null ? null : this.#parts.store.turnOfMessage(learner, sessionId, clientMessageId),
    });
  }

  /** Starts the debrief, or finds the one that was given. */
  async debrief(learner: Owner, sessionId: string): Promise<Refusal | TurnTicket> {
    return this.#beginTurn(learner, sessionId, {
      kind: 'debrief',
      message: null,
      clientMessageId: null,
      admit: admitDebrief,
      earlier: () => this.#parts.store.latestTurn(learner, sessionId, 'debrief'),
    });
  }

  /** A turn of a session of the learner's. */
  async turn(learner: Owner, sessionId: string, turnId: string): Promise<TurnRecord | null> {
    return this.#parts.store.turn(learner, sessionId, turnId);
  }

  /** Ends a turn where it stands; a turn that is over stays as it is. */
  async stop(learner: Owner, sessionId: string, turnId: string): Promise<Refusal | { kind: 'stopping' }> {
    const turn = await this.#parts.store.turn(learner, sessionId, turnId);
    if (!turn) return refuse('NOT_FOUND');
    this.#parts.runner.stop(turnId);
    return { kind: 'stopping' };
  }

  async #beginTurn(learner: Owner, sessionId: string, asked: AskedTurn): Promise<Refusal | TurnTicket> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const opened = await this.#open(learner, sessionId);
      if (opened.kind === 'refused') return opened;
      const { session } = opened.loaded;
      const admission: Admission = session.frozen ? refuse('SESSION_FROZEN') : asked.admit(opened.lesson, opened.state);
      if (admission.kind === 'refused') {
        // A repeat of a message is answered with its turn also where the lesson has moved on since.
        const earlier = await asked.earlier();
        return earlier ? ticket(earlier.id, sessionId) : admission;
      }
      const prepared = await this.#prepare(learner, opened, { admission, asked });
      const begun = await this.#parts.store.beginTurn(prepared.turn);
      if (begun.kind === 'begun') {
        this.#parts.runner.start(this.#job(opened, { ...prepared, admission, exchangeId: begun.exchangeId }));
        return ticket(prepared.turn.id, sessionId);
      }
      const settled = await this.#notBegun(begun, learner, sessionId);
      if (settled) return settled;
    }
    return refuse('INTERNAL');
  }

  /** What came of a turn that could not begin; null where it should be tried again. */
  async #notBegun(
    begun: Exclude<BegunTurn, { kind: 'begun' }>,
    learner: Owner,
    sessionId: string,
  ): Promise<Refusal | TurnTicket | null> {
    if (begun.kind === 'same') return ticket(begun.turn.id, sessionId);
    if (begun.kind === 'rate_limited') return refuse('RATE_LIMITED', { retryAfterSeconds: begun.retryAfterSeconds });
    if (begun.kind === 'conflict') return null;
    if (this.#parts.runner.isLive(begun.turnId)) return refuse('TURN_IN_PROGRESS', { turnId: begun.turnId });
    // Nobody is making that turn any more: its settling must have failed. Close it, so that the session goes on.
    await this.#parts.store.settleTurn({
      turnId: begun.turnId,
      owner: learner,
      status: 'error',
      reply: null,
      change: null,
      settled: failedTurn('INTERRUPTED', true, ''),
      usage: { provider: '', model: '', inputTokens: 0, outputTokens: 0 },
      trace: JSON.stringify({ turn_id: begun.turnId, decision: { status: 'error', code: 'INTERRUPTED' } }),
      now: this.#parts.clock.now(),
    });
    return null;
  }

  async #prepare(
    learner: Owner,
    opened: Opened,
    { admission, asked }: { admission: Admitted; asked: AskedTurn },
  ): Promise<Prepared> {
    const { store, random, clock, settings, models, prompts, turnsPerMinute, safety } = this.#parts;
    const { session } = opened.loaded;
    const { ai_config: ai } = opened.lesson;
    const provider = models[ai?.model_preference ?? 'standard'];
    const requirement = ai?.context_requirements ?? 'session_only';
    const now = clock.now();
    const [{ texts, freeze }, pastOutcomes] = await Promise.all([
      prompts.of(opened.lesson, session.prompts, provider.promptsOf ?? provider.name),
      requirement === 'session_only'
        ? []
        : store.recentOutcomes(
            learner,
            session.id,
            requirement === 'full_history' ? settings.historyLessons : settings.profileLessons,
          ),
    ]);
    const safeWords = safeWordsOf(opened.lesson, session.language);
    const screen =
      asked.message === null
        ? quietScreen
        : screenInput(safety, asked.message, { language: session.language, safeWords });
    const turn: NewTurn = {
      id: newId(random),
      owner: learner,
      sessionId: session.id,
      expectedVersion: session.version,
      kind: asked.kind,
      clientMessageId: asked.clientMessageId,
      exchange:
        asked.message === null
          ? null
          : { id: newId(random), role: 'student', content: asked.message, phase: admission.phase.id },
      freeze,
      alerts: screen.crisis.map(({ kind, severity }) => ({ id: newId(random), kind, severity })),
      rate: { key: `turns:${learner.schoolId}:${learner.userId}`, limit: turnsPerMinute, windowMs: minuteMs, now },
      now,
    };
    return { turn, provider, texts, pastOutcomes, screen, learner, kind: asked.kind };
  }

  #job(opened: Opened, begun: Prepared & { admission: Admitted; exchangeId: string | null }): TurnJob {
    const { lesson, state, loaded } = opened;
    const { turn, admission, exchangeId } = begun;
    const earlier = loaded.exchanges.filter((exchange) => exchange.id !== exchangeId);
    const again = loaded.exchanges.find((exchange) => exchange.id === exchangeId);
    const asked = turn.exchange && {
      id: exchangeId ?? turn.exchange.id,
      role: 'user' as const,
      content: again?.content ?? turn.exchange.content,
    };
    const history = earlier.map(({ id, role, content }) => ({
      id,
      role: role === 'student' ? ('user' as const) : ('assistant' as const),
      content,
    }));
    return {
      turnId: turn.id,
      owner: begun.learner,
      session: loaded.session,
      kind: begun.kind,
      lesson,
      state,
      phase: admission.phase,
      context: {
        cartridge: lesson,
        phase: admission.phase,
        language: loaded.session.language,
        prompts: begun.texts,
        path: state.choices.flatMap((choice) => choice.contextLabel ?? []),
        outcome: state.outcome,
        pastOutcomes: begun.pastOutcomes,
        redactedBoundary: state.redactedBoundary,
        exchangeNumber: admission.exchangeNumber,
        transitionOffered: admission.transitionOffered && begun.screen.crisis.length === 0,
      },
      history: asked ? [...history, asked] : history,
      provider: begun.provider,
      fallback:
        lesson.ai_config?.has_static_fallback && begun.provider !== this.#parts.fallback ? this.#parts.fallback : null,
      screen: begun.screen,
    };
  }

  /** Loads a session and the cartridge it began with. Refused where the teacher has taken out the phase it stands in. */
  async #open(owner: Owner, sessionId: string): Promise<Refusal | Opened> {
    const loaded = await this.#parts.store.loadSession(owner, sessionId);
    if (loaded?.session.kind !== 'lesson') return refuse('NOT_FOUND');
    const { session } = loaded;
    const state = readState(session);
    const served = this.#parts.library.get(session.cartridgeId);
    if (served && served.hash !== session.cartridgeHash && !state.completed && !phaseOf(served.cartridge, state)) {
      return refuse('CARTRIDGE_CHANGED', { initialPhase: served.cartridge.initial_phase });
    }
    return {
      kind: 'opened',
      loaded,
      lesson: await this.#parts.versions.get(session.cartridgeId, session.cartridgeHash),
      state,
    };
  }

  #view({ loaded, lesson, state }: Opened): SessionView {
    const ai =
      this.#parts.models[lesson.ai_config?.model_preference ?? 'standard'].name === 'offline' ? 'offline' : 'model';
    return viewSession({ loaded, lesson, state, assets: this.#assets({ loaded }), ai });
  }

  #assets({ loaded }: Pick<Opened, 'loaded'>): ReadonlySet<string> {
    return this.#parts.library.get(loaded.session.cartridgeId)?.assets ?? new Set();
  }

  async #save(owner: Owner, { loaded }: Opened, state: LessonState): Promise<boolean> {
    const change = sessionChange(loaded.session, state, this.#parts.clock.now());
    return (await this.#parts.store.saveSession(owner, change)) === 'saved';
  }

  /** Takes a session over to the version that is served now, at its first phase. */
  async #startOver(owner: Owner, sessionId: string, phaseId: string): Promise<boolean> {
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

type Admitted = Extract<Admission, { kind: 'admitted' }>;

type AskedTurn = {
  kind: 'dialogue' | 'debrief';
  message: string | null;
  clientMessageId: string | null;
  admit: (lesson: LessonCartridge, state: LessonState) => Admission;
  /** The turn that the same request made before; null where there is none. */
  earlier: () => Promise<TurnRecord | null>;
};

type Prepared = {
  turn: NewTurn;
  provider: ModelProvider;
  texts: TurnJob['context']['prompts'];
  pastOutcomes: readonly string[];
  screen: InputScreen;
  learner: Owner;
  kind: 'dialogue' | 'debrief';
};

const quietScreen: InputScreen = { injections: [], crisis: [], safeWord: false };

function ticket(turnId: string, sessionId: string): TurnTicket {
  return { kind: 'turn', turn: { id: turnId, sessionId } };
}

function blockedBy({ loaded }: Opened): Refusal | null {
  if (loaded.session.frozen) return refuse('SESSION_FROZEN');
  return loaded.liveTurnId === null ? null : refuse('TURN_IN_PROGRESS', { turnId: loaded.liveTurnId });
}

/** The cartridge's own safe words: `safety.safe_words`, a list or lists by language. */
function safeWordsOf(lesson: LessonCartridge, language: string): string[] {
  const words: unknown = lesson.safety['safe_words'];
  const listed: unknown =
    typeof words === 'object' && words !== null && !Array.isArray(words) ? Reflect.get(words, language) : words;
  return Array.isArray(listed) ? listed.filter((word) => typeof word === 'string') : [];
}
