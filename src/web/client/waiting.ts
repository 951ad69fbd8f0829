import type { Surroundings } from './surroundings.ts';

/** Exponential backoff with full jitter: anywhere between nothing and `base` doubled at each failure, up to `cap`. */
export function backoffMs(failures: number, random: () => number, base = 500, cap = 15_000): number {
  return Math.round(random() * Math.min(cap, base * 2 ** Math.max(0, failures - 1)));
}

/** Resolves after `milliseconds`, or earlier when the network comes back. Rejects with the signal's reason. */
export function pause(
  milliseconds: number,
  { clock, connectivity }: Surroundings,
  signal: AbortSignal | undefined,
): Promise<void> {
  const wasOffline = !connectivity.isOnline();
  return settleOnce(signal, (resolve) => {
    const timer = clock.after(milliseconds, resolve);
    const unwatch = connectivity.watch(() => {
      if (wasOffline && connectivity.isOnline()) resolve();
    });
    return () => {
      timer.cancel();
      unwatch();
    };
  });
}

/** Resolves once there is a network. Rejects with the signal's reason. */
export async function whenOnline({ connectivity }: Surroundings, signal: AbortSignal | undefined): Promise<void> {
  if (connectivity.isOnline()) return;
  await settleOnce(signal, (resolve) =>
    connectivity.watch(() => {
      if (connectivity.isOnline()) resolve();
    }),
  );
}

/** A promise over callbacks that gives back what it holds (`begin`'s result) however it ends. */
function settleOnce(signal: AbortSignal | undefined, begin: (resolve: () => void) => () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortReason(signal));
    const finish = (settle: () => void) => {
      release();
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = () => finish(() => reject(abortReason(signal)));
    signal?.addEventListener('abort', onAbort);
    const release = begin(() => finish(resolve));
  });
}

function abortReason(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new DOMException('Aborted', 'AbortError');
}
