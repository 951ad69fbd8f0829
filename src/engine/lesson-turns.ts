import type { LessonCartridge } from '../cartridge/lesson.ts';
import { newId } from '../core/ids.ts';
import type { FrozenText } from '../prompt/snapshot.ts';
import { type InputScreen, quietScreen, screenInput } from '../safety/input-screen.ts';
import { countExchanges } from './class-board.ts';
import type { FrozenPrompts } from './frozen-prompts.ts';
import { lessonCharacter } from './lesson-character.ts';
import { admitDebrief, admitMessage, type Admission, type LessonState } from './machine.ts';
import { type Refusal, refuse } from './outcome.ts';
import type { ModelProvider, ModelTier } from './ports/model.ts';
import type { NewTurn, Owner, TurnRecord } from './ports/store.ts';
import type { Opened, SessionAccess } from './session-access.ts';
import type { TurnJob, TurnParts } from './turn-job.ts';
import { turnRates } from './turn-limits.ts';
import { alertsFor, type PreparedTurn, type TurnStarter, type TurnTicket } from './turn-start.ts';

export type LessonTurnParts = TurnParts & {
  starter: TurnStarter;
  access: SessionAccess;
  prompts: FrozenPrompts;
  models: Readonly<Record<ModelTier, ModelProvider>>;
  /** Speaks for a cartridge with `has_static_fallback` while its model is down. */
  fallback: ModelProvider;
};

/** Makes the turns of lessons ready: dialogue and debrief. */
export class LessonTurns {
  readonly #parts: LessonTurnParts;

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
  turn(learner: Owner, sessionId: string, turnId: string): Promise<TurnRecord | null> {
    return this.#parts.starter.turn(learner, sessionId, turnId);
  }

  /** Ends a turn where it stands; a turn that is over stays as it is. */
  stop(learner: Owner, sessionId: string, turnId: string): Promise<Refusal | { kind: 'stopping' }> {
    return this.#parts.starter.stop(learner, sessionId, turnId);
  }

  #begin(owner: Owner, sessionId: string, asked: AskedTurn): Promise<Refusal | TurnTicket> {
    const { earlier } = asked;
    return this.#parts.starter.begin({
      owner,
      sessionId,
      earlier,
      prepare: () => this.#prepare(owner, sessionId, asked),
    });
  }

  async #prepare(learner: Owner, sessionId: string, asked: AskedTurn): Promise<Refusal | PreparedTurn> {
    const { store, random, clock, settings, access, models, prompts, limits, safety } = this.#parts;
    const opened = await access.open(learner, sessionId);
    if (opened.kind === 'refused') return opened;
    const { session } = opened.loaded;
    const admission: Admission = session.frozen ? refuse('SESSION_FROZEN') : asked.admit(opened.lesson, opened.state);
    if (admission.kind === 'refused') return admission;
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
      alerts: alertsFor(screen, random),
      now,
    };
    const prepared: Prepared = { turn, admission, provider, texts, pastOutcomes, screen, kind };
    return { kind: 'prepared', turn, session, job: (exchangeId) => this.#job(opened, prepared, exchangeId) };
  }

  #job(opened: Opened, prepared: Prepared, exchangeId: string | null): TurnJob {
    const { lesson, state, loaded } = opened;
    const { session } = loaded;
    const { turn, admission, kind, screen, provider } = prepared;
    // Words whose time is over are empty, and nothing to tell a model of.
    const earlier = loaded.exchanges.filter((exchange) => exchange.id !== exchangeId && exchange.content !== '');
    const again = loaded.exchanges.find((exchange) => exchange.id === exchangeId);
    const asked = turn.exchange && {
      id: exchangeId ?? turn.exchange.id,
      role: 'user' as const,
      content: again?.content || turn.exchange.content,
    };
    const history = earlier.map(({ id, role, content }) => ({
      id,
      role: role === 'student' ? ('user' as const) : ('assistant' as const),
      content,
    }));
    const seen = countExchanges(loaded.exchanges);
    const hasFallback = lesson.ai_config?.has_static_fallback === true && provider.name !== this.#parts.fallback.name;
    return {
      turnId: turn.id,
      owner: turn.owner,
      session,
      kind,
      provider,
      fallback: hasFallback ? this.#parts.fallback : null,
      screen,
      character: lessonCharacter({
        kind,
        session,
        lesson,
        state,
        phase: admission.phase,
        context: {
          cartridge: lesson,
          phase: admission.phase,
          language: session.language,
          prompts: prepared.texts,
          path: state.choices.flatMap((choice) => choice.contextLabel ?? []),
          outcome: state.outcome,
          pastOutcomes: prepared.pastOutcomes,
          redactedBoundary: state.redactedBoundary,
          exchangeNumber: admission.exchangeNumber,
          transitionOffered: admission.transitionOffered && screen.crisis.length === 0,
        },
        history: asked ? [...history, asked] : history,
        screen,
        seen: {
          ownerName: loaded.ownerName,
          messages: seen.messages + (asked && !again ? 1 : 0),
          redactions: seen.redactions,
        },
      }),
    };
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
  admission: Admitted;
  provider: ModelProvider;
  texts: readonly FrozenText[];
  pastOutcomes: readonly string[];
  screen: InputScreen;
  kind: 'dialogue' | 'debrief';
};

/** The cartridge's own safe words: `safety.safe_words`, a list or lists by language. */
function safeWordsOf(lesson: LessonCartridge, language: string): string[] {
  const words: unknown = lesson.safety['safe_words'];
  const isByLanguage = typeof words === 'object' && words !== null && !Array.isArray(words);
  const listed: unknown = isByLanguage ? Reflect.get(words, language) : words;
  return Array.isArray(listed) ? listed.filter((word) => typeof word === 'string') : [];
}
