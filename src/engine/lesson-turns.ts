import type { LessonCartridge } from '../cartridge/lesson.ts';
import { newId } from '../core/ids.ts';
import type { FrozenText } from '../prompt/snapshot.ts';
import { type InputScreen, screenInput } from '../safety/input-screen.ts';
import { countExchanges, viewBoardAlert } from './class-board.ts';
import type { FrozenPrompts } from './frozen-prompts.ts';
import { admitDebrief, admitMessage, type Admission, type LessonState } from './machine.ts';
import { type Refusal, refuse } from './outcome.ts';
import type { ModelProvider, ModelTier } from './ports/model.ts';
import type { BegunTurn, NewTurn, Owner, SessionRecord, TurnRecord } from './ports/store.ts';
import type { Opened, SessionAccess } from './session-access.ts';
import { failedTurn } from './settlement.ts';
import type { TurnRunner } from './turn.ts';
import type { TurnJob, TurnParts } from './turn-job.ts';
import { turnRates } from './turn-limits.ts';

export type LessonTurnParts = TurnParts & {
  runner: TurnRunner;
  access: SessionAccess;
  prompts: FrozenPrompts;
  models: Readonly<Record<ModelTier, ModelProvider>>;
  /** Speaks for a cartridge with `has_static_fallback` while its model is down. */
  fallback: ModelProvider;
};

/** A turn that is live, or was made before. */
export type TurnTicket = { kind: 'turn'; turn: { id: string; sessionId: string } };

const attempts = 5;

/** What a learner is told who speaks while the server goes down: nothing was kept, and it will soon be back. */
const restarting = { detail: 'The server is restarting. Send it again in a moment.', retryAfterSeconds: 5 };

/** Begins, finds and stops the turns of lessons. */
export class LessonTurns {
  readonly #parts: LessonTurnParts;
  /** Turns that the store may hold already and the runner not yet. */
  readonly #beginning = new Set<string>();

  constructor(parts: LessonTurnParts) {
    this.#parts = parts;
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
    return this.#begin(learner, sessionId, {
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
    return this.#begin(learner, sessionId, {
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
    void this.#parts.runner.stop(turnId);
    return { kind: 'stopping' };
  }

  async #begin(learner: Owner, sessionId: string, asked: AskedTurn): Promise<Refusal | TurnTicket> {
    const { access, runner } = this.#parts;
    if (runner.isDraining) return refuse('MODEL_UNAVAILABLE', restarting);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const opened = await access.open(learner, sessionId);
      if (opened.kind === 'refused') return opened;
      const { session } = opened.loaded;
      const admission: Admission = session.frozen ? refuse('SESSION_FROZEN') : asked.admit(opened.lesson, opened.state);
      if (admission.kind === 'refused') {
        // A repeat of a message is answered with its turn also where the lesson has moved on since.
        const earlier = await asked.earlier();
        return earlier ? ticket(earlier.id, sessionId) : admission;
      }
      const prepared = await this.#prepare(learner, opened, { admission, asked });
      const begun = await this.#beginOne(opened, { ...prepared, admission });
      if (begun.kind === 'begun') return ticket(prepared.turn.id, sessionId);
      const settled = await this.#notBegun(begun, learner, sessionId);
      if (settled) return settled;
    }
    return refuse('INTERNAL');
  }

  async #beginOne(opened: Opened, prepared: Prepared & { admission: Admitted }): Promise<BegunTurn> {
    const { store, runner } = this.#parts;
    const { turn } = prepared;
    this.#beginning.add(turn.id);
    try {
      const begun = await store.beginTurn(turn);
      if (begun.kind === 'begun') {
        runner.start(this.#job(opened, { ...prepared, exchangeId: begun.exchangeId }));
        this.#alert(opened.loaded.session, turn);
      }
      return begun;
    } finally {
      this.#beginning.delete(turn.id);
    }
  }

  #isBeingMade(turnId: string): boolean {
    return this.#beginning.has(turnId) || this.#parts.runner.isLive(turnId);
  }

  /** What came of a turn that could not begin; null where it should be tried again. */
  async #notBegun(
    begun: Exclude<BegunTurn, { kind: 'begun' }>,
    learner: Owner,
    sessionId: string,
  ): Promise<Refusal | TurnTicket | null> {
    if (begun.kind === 'rate_limited') return refuse('RATE_LIMITED', { retryAfterSeconds: begun.retryAfterSeconds });
    if (begun.kind === 'conflict') return null;
    const turnId = begun.kind === 'same' ? begun.turn.id : begun.turnId;
    const isOver = begun.kind === 'same' && begun.turn.status !== 'streaming';
    if (isOver || this.#isBeingMade(turnId))
      return begun.kind === 'same' ? ticket(turnId, sessionId) : refuse('TURN_IN_PROGRESS', { turnId });
    // Nobody is making that turn any more: the store failed in the middle. Close it, so that the session goes on.
    await this.#parts.store.settleTurn({
      turnId,
      owner: learner,
      status: 'error',
      reply: null,
      change: null,
      settled: failedTurn('INTERRUPTED', true),
      usage: { provider: '', model: '', inputTokens: 0, outputTokens: 0 },
      spends: [],
      trace: JSON.stringify({ turn_id: turnId, decision: { status: 'error', code: 'INTERRUPTED' } }),
      now: this.#parts.clock.now(),
    });
    return null;
  }

  async #prepare(
    learner: Owner,
    opened: Opened,
    { admission, asked }: { admission: Admitted; asked: AskedTurn },
  ): Promise<Prepared> {
    const { store, random, clock, settings, models, prompts, limits, safety } = this.#parts;
    const { session } = opened.loaded;
    const { kind, message, clientMessageId } = asked;
    const { ai_config: ai } = opened.lesson;
    const provider = models[ai?.model_preference ?? 'standard'];
    const requirement = ai?.context_requirements ?? 'session_only';
    const pastLessons = requirement === 'full_history' ? settings.historyLessons : settings.profileLessons;
    const [{ texts, freeze }, pastOutcomes] = await Promise.all([
      prompts.of(opened.lesson, session.prompts, provider.promptsOf ?? provider.name),
      requirement === 'session_only' ? [] : store.recentOutcomes(learner, session.id, pastLessons),
    ]);
    const safeWords = safeWordsOf(opened.lesson, session.language);
    const screen =
      message === null ? quietScreen : screenInput(safety, message, { language: session.language, safeWords });
    const now = clock.now();
    const turn: NewTurn = {
      id: newId(random),
      owner: learner,
      sessionId: session.id,
      expectedVersion: session.version,
      kind,
      clientMessageId,
      exchange:
        message === null ? null : { id: newId(random), role: 'student', content: message, phase: admission.phase.id },
      freeze,
      rates: turnRates(limits, learner, now),
      alerts: worstOfEachKind(screen).map(({ kind: sign, severity }) => ({ id: newId(random), kind: sign, severity })),
      now,
    };
    return { turn, provider, texts, pastOutcomes, screen, learner, kind };
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
    const seen = countExchanges(loaded.exchanges);
    const hasFallback =
      lesson.ai_config?.has_static_fallback === true && begun.provider.name !== this.#parts.fallback.name;
    return {
      turnId: turn.id,
      owner: begun.learner,
      session: loaded.session,
      board: {
        ownerName: loaded.ownerName,
        messages: seen.messages + (asked && !again ? 1 : 0),
        redactions: seen.redactions,
      },
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
      fallback: hasFallback ? this.#parts.fallback : null,
      screen: begun.screen,
    };
  }

  /** Tells the teacher's board and the log of signs of crisis: their kind and severity, never the words. */
  #alert({ id: sessionId, classId }: SessionRecord, { id: turnId, alerts, now }: NewTurn): void {
    const { feed, logger } = this.#parts;
    for (const { kind, severity } of alerts) {
      logger.warn('crisis_alert', { session_id: sessionId, turn_id: turnId, kind, severity });
      if (classId !== null)
        feed.publish(classId, 'alert', viewBoardAlert({ sessionId, turnId, kind, severity, createdAt: now }));
    }
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
  texts: readonly FrozenText[];
  pastOutcomes: readonly string[];
  screen: InputScreen;
  learner: Owner;
  kind: 'dialogue' | 'debrief';
};

const quietScreen: InputScreen = { injections: [], crisis: [], safeWord: false };

function ticket(turnId: string, sessionId: string): TurnTicket {
  return { kind: 'turn', turn: { id: turnId, sessionId } };
}

/** One alert a kind, at the severity of its worst sign. */
function worstOfEachKind(screen: InputScreen): InputScreen['crisis'] {
  const worst = new Map<string, InputScreen['crisis'][number]>();
  for (const sign of screen.crisis)
    if (sign.severity > (worst.get(sign.kind)?.severity ?? 0)) worst.set(sign.kind, sign);
  return [...worst.values()];
}

/** The cartridge's own safe words: `safety.safe_words`, a list or lists by language. */
function safeWordsOf(lesson: LessonCartridge, language: string): string[] {
  const words: unknown = lesson.safety['safe_words'];
  const isByLanguage = typeof words === 'object' && words !== null && !Array.isArray(words);
  const listed: unknown = isByLanguage ? Reflect.get(words, language) : words;
  return Array.isArray(listed) ? listed.filter((word) => typeof word === 'string') : [];
}
