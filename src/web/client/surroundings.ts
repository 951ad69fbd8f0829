/** What the client takes from the world: passed in, so that tests can hold it still. */
export type Surroundings = {
  fetch: (input: string, init: RequestInit) => Promise<Response>;
  clock: ClientClock;
  /** A number in [0, 1), for jitter. */
  random: () => number;
  connectivity: Connectivity;
};

export interface ClientClock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Calls `fire` once after `milliseconds`, unless cancelled. */
  after(milliseconds: number, fire: () => void): { cancel(): void };
}

/** Whether there is a network at all, as far as this machine knows. */
export interface Connectivity {
  isOnline(): boolean;
  /** Calls `tell` whenever that may have changed; the function it gives ends that. */
  watch(tell: () => void): () => void;
}

export const systemClock: ClientClock = {
  now: () => Date.now(),
  after(milliseconds, fire) {
    const handle = setTimeout(fire, milliseconds);
    return { cancel: () => clearTimeout(handle) };
  },
};

/** The browser's word for it; where there is no browser the network is taken to be there. */
export const systemConnectivity: Connectivity = {
  isOnline: () => globalThis.navigator?.onLine !== false,
  watch(tell) {
    if (typeof globalThis.addEventListener !== 'function') return () => {};
    globalThis.addEventListener('online', tell);
    globalThis.addEventListener('offline', tell);
    return () => {
      globalThis.removeEventListener('online', tell);
      globalThis.removeEventListener('offline', tell);
    };
  },
};

/** A random id that the same message keeps through every attempt to send it. */
export function newMessageId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
