/**
 * Makes of many calls few runs: each call resolves, or rejects, with a run of `work` that began after it, and those made
 * while one runs share the next. Never two at once.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null;
        running = work();
        return running;
      });
    return next;
  };
}
