import { Hono } from 'hono';
import { systemClock } from '../../src/core/clock.ts';
import { defaultSettings } from '../../src/core/settings.ts';
import type { AppEnv } from '../../src/http/authentication.ts';
import { EventStreams } from '../../src/http/event-stream.ts';
import { listen } from '../../src/http/server.ts';
import { followTurn } from '../../src/http/turn-follow.ts';
import { createInProcessTurnLog } from '../../src/live/in-process-turn-log.ts';

/** The server's own write path and nothing else: Hono, the turn log, the event stream. `/burst` is 200 tokens at once. */
const log = createInProcessTurnLog({ clock: systemClock, keepMs: 1_000 });
const streams = new EventStreams(defaultSettings, systemClock);
let turns = 0;
const app = new Hono<AppEnv>();
app.get('/burst', async (c) => {
  const turnId = `t${(turns += 1)}`;
  const writer = log.open(turnId);
  const response = await followTurn(c, { log, streams }, { turnId, after: 0, kept: async () => null });
  for (let token = 0; token < 200; token += 1) writer.token('word ');
  writer.end('done', '{}');
  return response;
});
app.get('/cpu', (c) => {
  const { user, system } = process.cpuUsage();
  return c.text(String(user + system));
});
const server = await listen(app, { host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
