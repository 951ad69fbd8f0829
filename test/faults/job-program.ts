import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../src/core/clock.ts';
import { AppError } from '../../src/core/errors.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { systemRandom } from '../../src/core/random.ts';
import { defaultSettings } from '../../src/core/settings.ts';
import type { JobHandler } from '../../src/jobs/job-handler.ts';
import { JobWorker } from '../../src/jobs/worker.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';

/**
 * A process that works on a queue until it is ended: by SIGTERM as a server would end, by SIGKILL as a crash.
 * `node job-program.ts <database file> <file that every begin and end of a job is written to> <lease in ms>`
 */

const [file = '', ledger = '', lease = ''] = process.argv.slice(2);
const store = await openSqliteStore({ file });

/** On the disk, or at least out of this process, before anything else happens. */
function note(what: string, key: string, attempt: number): void {
  appendFileSync(ledger, `${JSON.stringify({ what, key, attempt, pid: process.pid })}\n`);
}

/** Its effect is kept by its key: however often it is made it is there once. */
const write: JobHandler = async ({ key, attempt, payload }, signal) => {
  note('began', key, attempt);
  await wait(Number(payload['ms']), undefined, { signal });
  await store.keepCartridge({ hash: key, cartridgeId: 'job', text: String(payload['text']), keptAt: 1 });
  await wait(Number(payload['ms']), undefined, { signal });
  note('ended', key, attempt);
  return 'done';
};

const crash: JobHandler = async ({ key, attempt }) => {
  note('began', key, attempt);
  process.kill(process.pid, 'SIGKILL');
  await wait(60_000);
  throw new AppError('INTERNAL', 'outlived its own end');
};

const worker = new JobWorker({
  queue: store.queue,
  clock: systemClock,
  random: systemRandom,
  logger: silentLogger,
  settings: { ...defaultSettings, jobLeaseMs: Number(lease), jobPollMs: 100, jobRetryBaseMs: 20 },
  handlers: { write, crash },
});
worker.start();
process.stdout.write('working\n');
await new Promise<void>((stop) => void process.once('SIGTERM', stop));
await worker[Symbol.asyncDispose]();
await store.close();
