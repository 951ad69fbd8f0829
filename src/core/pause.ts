import type { Clock } from './clock.ts';

/** Waits `milliseconds`, or rejects with the signal's reason as soon as it is aborted. 0 or less does not wait. */
export async function pause(milliseconds: number, clock: Clock, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (milliseconds <= 0) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  using _timer = clock.after(milliseconds, resolve);
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
