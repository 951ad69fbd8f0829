/** A message on its way: kept until its turn has ended, so that a reload can send the same one again. */
export type PendingMessage = { message: string; clientMessageId: string };

const prefix = 'trickster.';

/** What this browser remembers between visits. Where storage is forbidden or full it forgets, and all else works. */
export class Notebook {
  readonly #storage: Storage | null;

  constructor(storage: Storage | null) {
    this.#storage = storage;
  }

  get language(): string | null {
    return this.#read('language');
  }

  set language(code: string | null) {
    this.#write('language', code);
  }

  /** The session a learner has of a lesson. */
  session(userId: string, cartridgeId: string): string | null {
    return this.#read(`session.${userId}.${cartridgeId}`);
  }

  keepSession(userId: string, cartridgeId: string, sessionId: string | null): void {
    this.#write(`session.${userId}.${cartridgeId}`, sessionId);
  }

  /** Forgets a session that is no more, whichever lesson it was of. */
  forgetSession(sessionId: string): void {
    for (const key of this.#keys()) if (this.#read(key) === sessionId) this.#write(key, null);
    this.keepDraft(sessionId, '');
    this.keepPending(sessionId, null);
  }

  draft(sessionId: string): string {
    return this.#read(`draft.${sessionId}`) ?? '';
  }

  keepDraft(sessionId: string, text: string): void {
    this.#write(`draft.${sessionId}`, text === '' ? null : text);
  }

  pending(sessionId: string): PendingMessage | null {
    try {
      const value: unknown = JSON.parse(this.#read(`pending.${sessionId}`) ?? 'null');
      return isPending(value) ? value : null;
    } catch {
      return null;
    }
  }

  keepPending(sessionId: string, pending: PendingMessage | null): void {
    this.#write(`pending.${sessionId}`, pending && JSON.stringify(pending));
  }

  /** Forgets everything but the language: somebody else sits down here. */
  forgetLearner(): void {
    for (const key of this.#keys()) if (key !== 'language') this.#write(key, null);
  }

  #keys(): string[] {
    return Object.keys(this.#storage ?? {}).flatMap((key) =>
      key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
    );
  }

  #read(key: string): string | null {
    try {
      return this.#storage?.getItem(prefix + key) ?? null;
    } catch {
      return null;
    }
  }

  #write(key: string, value: string | null): void {
    try {
      if (value === null) this.#storage?.removeItem(prefix + key);
      else this.#storage?.setItem(prefix + key, value);
    } catch {
      // A full or forbidden storage costs the memory of this, never the lesson.
    }
  }
}

/** The browser's storage, or null where it is forbidden. */
export function browserStorage(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}

function isPending(value: unknown): value is PendingMessage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'message' in value &&
    typeof value.message === 'string' &&
    'clientMessageId' in value &&
    typeof value.clientMessageId === 'string'
  );
}
