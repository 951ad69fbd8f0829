import type { ServerResponse } from 'node:http';

/**
 * Answers what a benchmark asks of a program it measures; false where `path` is no such question. `/cpu`: the
 * process's CPU time in microseconds. `/memory`: `process.memoryUsage()` in bytes, after collections of garbage where
 * Node was started with `--expose-gc`.
 */
export function answerControl(path: string | undefined, response: ServerResponse): boolean {
  if (path === '/cpu') {
    const { user, system } = process.cpuUsage();
    response.end(String(user + system));
    return true;
  }
  if (path !== '/memory') return false;
  void collectGarbage().then(() => response.end(JSON.stringify(process.memoryUsage())));
  return true;
}

/** Several rounds with turns of the event loop between them: what one round frees may let go of more. */
async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
