import { DailyWork, type DailyTask } from './daily-work.ts';
import { JobWorker, type JobWorkerParts } from './worker.ts';

export type JobParts = JobWorkerParts & {
  /** The IANA time zone of the days. */
  timeZone: string;
  tasks: readonly DailyTask[];
};

/** Begins to work on the queue and to put each day's work into it. Close what it gives before the queue is closed. */
export function startJobs({ timeZone, tasks, ...parts }: JobParts): AsyncDisposable {
  const { queue, clock, logger } = parts;
  const daily = new DailyWork({ queue, clock, logger, timeZone, tasks });
  const worker = new JobWorker(parts);
  const started = new AsyncDisposableStack();
  started.use(worker);
  started.use(daily);
  worker.start();
  daily.start();
  return started;
}
