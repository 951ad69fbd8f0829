import type { Clock } from '../core/clock.ts';
import { pause } from '../core/pause.ts';
import type { Random } from '../core/random.ts';
import {
  type ModelCall,
  ModelError,
  type ModelEvent,
  type ModelEventIterator,
  type ModelProvider,
} from './ports/model.ts';

/** The part of the settings that this reads; all times in milliseconds. */
type ModelStreamSettings = {
  firstTokenTimeoutMs: number;
  turnTimeoutMs: number;
  /** How often a call is made at most. */
  modelAttempts: number;
  /** The longest wait before the second attempt; it doubles with each. */
  retryBaseMs: number;
};

/** An attempt that brought nothing: its number from 1, and how long until the next, or null where it was the last. */
export type FailedAttempt = { attempt: number; error: ModelError; retryInMs: number | null };

export type ModelStreamOptions = {
  settings: ModelStreamSettings;
  clock: Clock;
  random: Random;
  /** The caller's: aborting it ends everything at once. */
  signal: AbortSignal;
  onAttemptFailed?: (failed: FailedAttempt) => void;
};

/** A reply that has begun. Disposing it closes the connection to the model, if it is still open, and every timer. */
export interface ModelStream extends Disposable {
  /** How many attempts it took. */
  readonly attempts: number;
  readonly first: ModelEvent;
  /** What comes after `first`: the provider's own iterator, so that a token costs nothing more here. */
  readonly rest: ModelEventIterator;
  /** Aborted when nothing more is to come: the caller's own abort, or the whole turn took too long. */
  readonly signal: AbortSignal;
  /**
   * What it means that `rest` threw `thrown`: `MODEL_TIMEOUT` (retryable) where the whole turn took too long, else
   * the provider's failure. After the caller's own abort it means nothing.
   */
  failure(thrown: unknown): ModelError;
}

/** Why a stream's signal is aborted that nobody reads any more. */
const released = 'released';

/** A provider that asks for a longer pause than this is not asked again. */
const longestRetryAfterMs = 15_000;

/**
 * Calls a model and waits for the first event of its reply. An attempt that fails, or that brings nothing within the
 * first token's time, is made again after a pause (exponential, with full jitter, never shorter than the provider's
 * `Retry-After`) as long as attempts and the turn's time are left. After the first event nothing is tried again.
 *
 * Throws a `ModelError`; once `signal` is aborted, the signal's reason.
 */
export async function openModelStream(
  provider: ModelProvider,
  call: ModelCall,
  options: ModelStreamOptions,
): Promise<ModelStream> {
  const { settings, clock, signal } = options;
  signal.throwIfAborted();
  const deadline = clock.now() + settings.turnTimeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await tryOnce(provider, call, { ...options, attempt, deadline });
    if (outcome.kind === 'begun') return outcome.stream;
    signal.throwIfAborted();
    const pauseMs = attempt < settings.modelAttempts ? pauseBefore(outcome.error, attempt, options) : null;
    const retryInMs = pauseMs !== null && clock.now() + pauseMs < deadline ? pauseMs : null;
    options.onAttemptFailed?.({ attempt, error: outcome.error, retryInMs });
    if (retryInMs === null) throw outcome.error;
    await pause(retryInMs, clock, signal);
  }
}

type Attempt = ModelStreamOptions & { attempt: number; deadline: number };
type Outcome = { kind: 'begun'; stream: ModelStream } | { kind: 'failed'; error: ModelError };

async function tryOnce(provider: ModelProvider, call: ModelCall, options: Attempt): Promise<Outcome> {
  const { settings, clock, signal, attempt, deadline } = options;
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  let timedOut: ModelError | null = null;
  const timeOut = (what: string) => () => {
    timedOut ??= new ModelError('MODEL_TIMEOUT', `${provider.name}: ${what}`, { retryable: true });
    controller.abort(timedOut);
  };
  const failure = (thrown: unknown) => timedOut ?? asModelError(provider, thrown);

  signal.addEventListener('abort', abort, { once: true });
  const turnTimer = clock.after(deadline - clock.now(), timeOut('the whole reply took too long'));
  const firstTimer = clock.after(settings.firstTokenTimeoutMs, timeOut('the first token took too long'));
  const release = () => {
    turnTimer.cancel();
    firstTimer.cancel();
    signal.removeEventListener('abort', abort);
    // With a reason: without one the platform makes an error with a stack, each time.
    controller.abort(released);
  };
  try {
    const rest = provider.stream(call, controller.signal)[Symbol.asyncIterator]();
    const { value: first, done } = await orAborted(rest.next(), controller.signal);
    if (done) throw new ModelError('MODEL_UNAVAILABLE', `${provider.name}: the reply was empty`, { retryable: true });
    firstTimer.cancel();
    const stream = { attempts: attempt, first, rest, signal: controller.signal, failure, [Symbol.dispose]: release };
    return { kind: 'begun', stream };
  } catch (thrown) {
    release();
    return { kind: 'failed', error: failure(thrown) };
  }
}

/** `promise`, or the signal's reason as soon as it is aborted, whatever the provider does. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Milliseconds to wait before the next attempt; null where there should be none. */
function pauseBefore(error: ModelError, attempt: number, options: ModelStreamOptions): number | null {
  if (!error.retryable || (error.retryAfterMs ?? 0) > longestRetryAfterMs) return null;
  const { random, settings } = options;
  // Added to the provider's own pause too: a class turned away together must not come back together.
  return (error.retryAfterMs ?? 0) + random.fraction() * settings.retryBaseMs * 2 ** (attempt - 1);
}

function asModelError(provider: ModelProvider, thrown: unknown): ModelError {
  if (thrown instanceof ModelError) return thrown;
  return new ModelError('INTERNAL', `${provider.name}: the adapter broke`, { retryable: false, cause: thrown });
}
