import { cpus } from 'node:os';
import { stayOnCore } from './process.ts';
import { compareLatency, findMostStreams } from './stream-latency.ts';
import { memoryPerStream } from './stream-memory.ts';
import { openStreamRoom } from './stream-room.ts';
import { turnsAndResumes } from './stream-turns.ts';

/**
 * `npm run bench:stream`: what a stream costs, as JSON. Medians of several runs, beside a bare `node:http` proxy and the
 * AI SDK in the same run. Servers on one core, the upstream and this program, which is the load, on the other.
 */
stayOnCore(1);
const startedAt = performance.now();
const turns = await turnsAndResumes(5);
const memory = await memoryPerStream();
const paced = await pacedStreams();
process.stdout.write(
  `${JSON.stringify(
    {
      date: new Date().toISOString().slice(0, 10),
      machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
      ...turns,
      memory,
      ...paced,
      seconds: Math.round((performance.now() - startedAt) / 1_000),
    },
    null,
    2,
  )}\n`,
);

async function pacedStreams() {
  await using room = await openStreamRoom(3_000);
  const latency = [];
  for (const streams of [100, 500, 1_000, 2_000]) latency.push(await compareLatency(room, { streams, everyMs: 20 }, 3));
  // A pace at which two cores can hold more streams than at the first.
  for (const streams of [1_000, 2_000]) latency.push(await compareLatency(room, { streams, everyMs: 100 }, 3));
  const search = { everyMs: 100, from: 1_000, atMost: 8_000, budgetMs: 25_000 };
  return {
    latency,
    most_streams: {
      token_every_ms: search.everyMs,
      house: await findMostStreams(room, 'house', search),
      bare: await findMostStreams(room, 'bare', search),
    },
  };
}
