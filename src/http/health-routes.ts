import { Hono } from 'hono';
import type { Queue } from '../engine/ports/queue.ts';
import type { Store } from '../engine/ports/store.ts';
import type { TurnLog } from '../engine/ports/turn-log.ts';
import type { TurnRunner } from '../engine/turn.ts';
import type { AppEnv } from './authentication.ts';
import type { EventStreams } from './event-stream.ts';
import type { LiveSockets } from './live-sockets.ts';

export type HealthParts = {
  store: Store;
  log: TurnLog;
  queue: Pick<Queue, 'jobCounts'>;
  runner: TurnRunner;
  streams: EventStreams;
  sockets: Pick<LiveSockets, 'size'>;
};

/** `/healthz`: the process lives. `/readyz`: what it stands on answers. `/metrics`: Prometheus text. */
export function healthRoutes({ store, log, queue, runner, streams, sockets }: HealthParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    const checks = await Promise.allSettled([store.ping(), log.ping(), queue.jobCounts()]);
    const [storeAnswers, logAnswers, queueAnswers] = checks.map((check) => check.status === 'fulfilled');
    const isReady = storeAnswers === true && logAnswers === true && queueAnswers === true && !runner.isDraining;
    return c.json(
      { status: isReady ? 'ready' : 'not_ready', store: storeAnswers, log: logAnswers, queue: queueAnswers },
      isReady ? 200 : 503,
    );
  });
  app.get('/metrics', async (c) => {
    const jobs = await queue.jobCounts();
    const memory = process.memoryUsage();
    const cpu = process.cpuUsage();
    const lines = [
      gauge('trickster_live_turns', 'Turns being made.', runner.liveCount),
      gauge('trickster_open_streams', 'Event streams that are open.', streams.size),
      gauge('trickster_open_sockets', 'WebSockets that are open.', sockets.size),
      gauge('trickster_jobs_waiting', 'Jobs that wait for their time or a worker.', jobs.waiting),
      gauge('trickster_jobs_running', 'Jobs being done.', jobs.running),
      gauge('trickster_jobs_failed', 'Jobs that failed for good.', jobs.failed),
      gauge('process_resident_memory_bytes', 'Resident memory.', memory.rss),
      gauge('process_heap_used_bytes', 'JavaScript heap in use.', memory.heapUsed),
      gauge('process_cpu_seconds_total', 'CPU time used.', (cpu.user + cpu.system) / 1e6, 'counter'),
      gauge('process_uptime_seconds', 'Time since the start.', process.uptime()),
    ];
    return c.text(lines.join(''), 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
  return app;
}

function gauge(name: string, help: string, value: number, type = 'gauge'): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`;
}
