import { expect, test } from 'vitest';
import { SimulatedClock } from '../core/clock.ts';
import { type FailedAttempt, type ModelStreamOptions, openModelStream } from './model-stream.ts';
import { type ModelCall, ModelError, type ModelEvent, type ModelProvider } from './ports/model.ts';

const call: ModelCall = { system: '', messages: [{ role: 'user', content: 'Labas.' }], tools: [], brief: null };
const settings = { firstTokenTimeoutMs: 1_000, turnTimeoutMs: 10_000, modelAttempts: 3, retryBaseMs: 400 };
const text: ModelEvent = { type: 'text', text: 'Labas.' };
const end: ModelEvent = { type: 'end', reason: 'stop' };
const busy = (retryAfterMs: number | null = null) =>
  new ModelError('MODEL_UNAVAILABLE', 'busy', { retryable: true, retryAfterMs });
const refused = new ModelError('MODEL_REFUSED', 'no', { retryable: false });

/** What one attempt does, in order: says an event, fails, or hangs until it is aborted. */
type Step = ModelEvent | Error | 'hang';

/** A model whose attempts follow the scripts, one each; it hears every abort. */
function scripted(...attempts: readonly Step[][]) {
  const signals: AbortSignal[] = [];
  const provider: ModelProvider = {
    name: 'openai',
    model: 'm-1',
    async *stream(_call, signal) {
      const script = attempts[signals.length] ?? [];
      signals.push(signal);
      for (const step of script) {
        signal.throwIfAborted();
        if (step instanceof Error) throw step;
        if (step === 'hang') await aborted(signal);
        else yield step;
      }
    },
  };
  return { provider, signals };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Everything that is ready happens; time stands still. */
const settle = () => new Promise((tick) => setImmediate(tick));

function setUp(attempts: readonly Step[][], options: Partial<ModelStreamOptions> & { fraction?: number } = {}) {
  const clock = new SimulatedClock();
  const failed: FailedAttempt[] = [];
  const { provider, signals } = scripted(...attempts);
  const controller = new AbortController();
  const opening = openModelStream(provider, call, {
    settings,
    clock,
    random: { fraction: () => options.fraction ?? 0.5, bytes: (length) => new Uint8Array(length) },
    signal: controller.signal,
    onAttemptFailed: (attempt) => failed.push(attempt),
    ...options,
  });
  // Looked at below; a rejection that comes before then is not forgotten.
  opening.catch(() => {});
  return { clock, failed, signals, controller, opening };
}

/** Moves time on in small steps, letting everything happen in between. */
async function advance(clock: SimulatedClock, milliseconds: number, step = 50): Promise<void> {
  await settle();
  for (let passed = 0; passed < milliseconds; passed += step) {
    clock.advance(Math.min(step, milliseconds - passed));
    await settle();
  }
}

test('a reply that begins is handed over as it is', async () => {
  const { opening, failed } = setUp([[text, end]]);
  using stream = await opening;
  expect(stream.attempts).toBe(1);
  expect(stream.first).toEqual(text);
  expect(await stream.rest.next()).toEqual({ done: false, value: end });
  expect(await stream.rest.next()).toEqual({ done: true, value: undefined });
  expect(failed).toEqual([]);
});

test('an attempt that fails before the first event is made again after a pause with jitter', async () => {
  const { opening, clock, failed, signals } = setUp([[busy()], [busy()], [text, end]], { fraction: 0.5 });
  await advance(clock, 199, 1);
  expect(signals).toHaveLength(1);
  await advance(clock, 1);
  expect(signals).toHaveLength(2);
  await advance(clock, 399, 1);
  expect(signals).toHaveLength(2);
  await advance(clock, 1);
  using stream = await opening;
  expect(stream.attempts).toBe(3);
  expect(failed.map(({ attempt, retryInMs }) => [attempt, retryInMs])).toEqual([
    [1, 200],
    [2, 400],
  ]);
});

test('attempts are given up after their number', async () => {
  const { opening, clock, failed, signals } = setUp([[busy()], [busy()], [busy()], [text]]);
  await advance(clock, 5_000);
  await expect(opening).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  expect(signals).toHaveLength(3);
  expect(failed.at(-1)).toMatchObject({ attempt: 3, retryInMs: null });
});

test('a refusal is not tried again', async () => {
  const { opening, signals } = setUp([[refused], [text]]);
  await expect(opening).rejects.toBe(refused);
  expect(signals).toHaveLength(1);
});

test('the pause that the provider asks for is kept, and jitter comes on top', async () => {
  const { opening, clock, signals } = setUp([[busy(3_000)], [text]], { fraction: 0.25 });
  await advance(clock, 3_099, 1);
  expect(signals).toHaveLength(1);
  await advance(clock, 1);
  using stream = await opening;
  expect(stream.attempts).toBe(2);
});

test('a provider that asks for a very long pause, or for one past the turn’s end, is not asked again', async () => {
  const long = setUp([[busy(60_000)], [text]]);
  await expect(long.opening).rejects.toMatchObject({ retryAfterMs: 60_000 });
  const late = setUp([[busy(9_900)], [text]]);
  await expect(late.opening).rejects.toMatchObject({ retryAfterMs: 9_900 });
  expect([long.signals.length, late.signals.length]).toEqual([1, 1]);
});

test('an attempt that brings nothing in the first token’s time is cut off and made again', async () => {
  const { opening, clock, failed, signals } = setUp([['hang'], [text, end]]);
  await advance(clock, 950);
  expect(signals[0]?.aborted).toBe(false);
  await advance(clock, 50);
  expect(signals[0]?.aborted).toBe(true);
  expect(failed[0]?.error).toMatchObject({ code: 'MODEL_TIMEOUT', retryable: true });
  await advance(clock, 500);
  using stream = await opening;
  expect(stream.first).toEqual(text);
});

test('a model that is silent on every attempt times out', async () => {
  const { opening, clock } = setUp([['hang'], ['hang'], ['hang']]);
  await advance(clock, 9_000);
  await expect(opening).rejects.toMatchObject({ code: 'MODEL_TIMEOUT', retryable: true });
});

test('a provider that does not heed its signal is left all the same', async () => {
  const clock = new SimulatedClock();
  const deaf: ModelProvider = {
    name: 'deaf',
    model: 'm',
    stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
  };
  const opening = openModelStream(deaf, call, {
    settings: { ...settings, modelAttempts: 1 },
    clock,
    random: { fraction: () => 0, bytes: (length) => new Uint8Array(length) },
    signal: new AbortController().signal,
  });
  opening.catch(() => {});
  await advance(clock, 1_000);
  await expect(opening).rejects.toMatchObject({ code: 'MODEL_TIMEOUT' });
});

test('the whole turn’s time counts from the first attempt and cuts off a reply that has begun', async () => {
  const { opening, clock, signals } = setUp([[busy(5_000)], [text, 'hang']], { fraction: 0 });
  await advance(clock, 5_000);
  using stream = await opening;
  const next = stream.rest.next();
  next.catch(() => {});
  await advance(clock, 4_950);
  expect(signals[1]?.aborted).toBe(false);
  await advance(clock, 50);
  const thrown = await next.catch((reason: unknown) => reason);
  expect(stream.failure(thrown)).toMatchObject({ code: 'MODEL_TIMEOUT', retryable: true });
});

test('after the first event nothing is tried again and no first token is waited for', async () => {
  const { opening, clock, signals } = setUp([[text, busy()], [text]]);
  using stream = await opening;
  await advance(clock, 2_000);
  expect(signals[0]?.aborted).toBe(false);
  const thrown = await stream.rest.next().catch((reason: unknown) => reason);
  expect(stream.failure(thrown)).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
  expect(signals).toHaveLength(1);
});

test('a tool call begins a reply as a text does', async () => {
  const tool: ModelEvent = { type: 'tool_call', id: 'c', name: 'transition_phase', arguments: '{}' };
  const { opening } = setUp([[tool, end]]);
  using stream = await opening;
  expect(stream.first).toEqual(tool);
});

test('a reply without any event counts as a failed attempt', async () => {
  const { opening, clock } = setUp([[], [text]]);
  await advance(clock, 400);
  using stream = await opening;
  expect(stream.attempts).toBe(2);
});

test('the caller’s abort ends an attempt, a pause and a reply at once', async () => {
  const attempt = setUp([['hang']]);
  await settle();
  attempt.controller.abort(new Error('stopped'));
  await expect(attempt.opening).rejects.toThrow('stopped');
  expect(attempt.signals[0]?.aborted).toBe(true);

  const pausing = setUp([[busy()], [text]]);
  await settle();
  pausing.controller.abort(new Error('stopped'));
  await expect(pausing.opening).rejects.toThrow('stopped');
  expect(pausing.signals).toHaveLength(1);

  const replying = setUp([[text, 'hang']]);
  using stream = await replying.opening;
  const next = stream.rest.next();
  replying.controller.abort(new Error('stopped'));
  await expect(next).rejects.toThrow('stopped');

  await expect(setUp([[text]], { signal: AbortSignal.abort(new Error('stopped')) }).opening).rejects.toThrow('stopped');
});

test('an abort is not reported as a failed attempt', async () => {
  const { opening, controller, failed } = setUp([['hang']]);
  await settle();
  controller.abort(new Error('stopped'));
  await expect(opening).rejects.toThrow('stopped');
  expect(failed).toEqual([]);
});

test('disposing a stream aborts the provider and leaves no timer and no listener', async () => {
  const { opening, clock, signals, controller } = setUp([[text, 'hang']]);
  const stream = await opening;
  stream[Symbol.dispose]();
  expect(signals[0]?.aborted).toBe(true);
  clock.advance(20_000);
  expect(stream.failure(busy())).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  controller.abort(new Error('late'));
  expect(signals[0]?.reason).not.toEqual(new Error('late'));
});

test('what an adapter should never throw is an internal failure that is not tried again', async () => {
  const { opening, signals } = setUp([[new TypeError('x is not a function')], [text]]);
  await expect(opening).rejects.toMatchObject({ code: 'INTERNAL', retryable: false });
  expect(signals).toHaveLength(1);
});
