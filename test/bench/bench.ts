import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { lessonSchema } from '../../src/cartridge/lesson.ts';
import { assembleLessonCall } from '../../src/prompt/lesson-call.ts';
import { lessonData } from '../fixtures/lesson.ts';
import { makeSessions, respond } from './bench-client.ts';
import { call, type Measured, measure, median, pause, quantile, rounded, runAll } from './load.ts';
import { startProgram } from './process.ts';
import { agesOf } from './stamp.ts';

/** `npm run bench`: prints JSON, medians of several runs, each beside its baseline in the same run. */
const here = (file: string) => join(import.meta.dirname, file);
/** As `npm start` has them. */
const startFlags = ['--max-semi-space-size=32'];
const tokensPerTurn = 200;
const runs = 7;

const results = {
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
  whole_turn: await wholeTurn(),
  write_path: await writePath(),
  paced_streams: await pacedStreams(500),
  assemble_100_exchanges: assemble(),
  start: await start(),
};
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);

/** CPU a token and tokens a second, of a server on a core of its own. */
async function wholeTurn() {
  await using upstream = await startProgram(join(import.meta.dirname, '../fixtures/openai-upstream.ts'), {
    args: [String(tokensPerTurn)],
    core: 1,
  });
  await using bare = await startProgram(here('bare-proxy.ts'), { args: [upstream.url], core: 0 });
  await using house = await startProgram(here('server-program.ts'), {
    args: [upstream.url],
    flags: startFlags,
    core: 0,
  });
  const turns = 250;
  const { token, sessions } = await makeSessions(house.url, house.told['joinCode'] ?? '', turns * (runs + 1));
  const measured: Record<'house' | 'bare', Measured[]> = { house: [], bare: [] };
  for (let run = 0; run <= runs; run += 1) {
    const mine = sessions.slice(run * turns, (run + 1) * turns);
    const ours = await measure(
      house.told['cpu'] ?? '',
      mine.map((id) => () => respond(house.url, token, id)),
    );
    const theirs = await measure(
      `${bare.url}/cpu`,
      mine.map(() => () => call({ url: bare.url })),
    );
    if (run === 0) continue;
    measured.house.push(ours);
    measured.bare.push(theirs);
  }
  return beside(measured, { cpu: 'cpu_us_per_token', rate: 'tokens_per_second', units: tokensPerTurn });
}

/** The write path alone: a burst of 200 tokens a request. */
async function writePath() {
  await using bare = await startProgram(here('bare-proxy.ts'), { args: ['http://127.0.0.1:9'], core: 0 });
  await using house = await startProgram(here('write-path-program.ts'), { core: 0 });
  const measured: Record<'house' | 'bare', Measured[]> = { house: [], bare: [] };
  for (let run = 0; run <= runs; run += 1) {
    const burst = (url: string) => Array.from({ length: 400 }, () => () => call({ url: `${url}/burst` }));
    const ours = await measure(`${house.url}/cpu`, burst(house.url));
    const theirs = await measure(`${bare.url}/cpu`, burst(bare.url));
    if (run === 0) continue;
    measured.house.push(ours);
    measured.bare.push(theirs);
  }
  return beside(measured, { cpu: 'cpu_us_per_token', rate: 'tokens_per_second', units: tokensPerTurn });
}

function beside(
  measured: Record<'house' | 'bare', Measured[]>,
  { cpu, rate, units }: { cpu: string; rate: string; units: number },
) {
  const row = (values: readonly Measured[]) => ({
    [cpu]: rounded(median(values.map((value) => value.microseconds / units))),
    [rate]: rounded(median(values.map((value) => value.perSecond * units))),
  });
  const ratios = measured.house.map(
    (value, run) => value.microseconds / (measured.bare[run]?.microseconds ?? Number.NaN),
  );
  return { house: row(measured.house), bare: row(measured.bare), cpu_ratio: rounded(median(ratios)) };
}

/**
 * How long a token takes from the upstream to the client while `streams` of them are paced at 20 ms; the bare proxy
 * beside it. The streams begin over two seconds, as a room of people does; three seconds of all of them are measured.
 */
async function pacedStreams(streams: number) {
  const tokens = 325;
  const [fromMs, untilMs] = [3_000, 6_000];
  await using upstream = await startProgram(here('paced-upstream.ts'), { args: [String(tokens)], core: 1 });
  await using bare = await startProgram(here('bare-proxy.ts'), { args: [upstream.url], core: 0 });
  await using house = await startProgram(here('server-program.ts'), {
    args: [upstream.url],
    flags: startFlags,
    core: 0,
  });
  const rounds = 5;
  const { token, sessions } = await makeSessions(house.url, house.told['joinCode'] ?? '', streams * rounds);
  const measured: Record<'house' | 'bare', { p50: number; p99: number; cpu: number }[]> = { house: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const who of ['bare', 'house'] as const) {
      const ages: number[] = [];
      const started = performance.now();
      const take = (text: string) => {
        const elapsed = performance.now() - started;
        if (elapsed >= fromMs && elapsed < untilMs) ages.push(...agesOf(text));
      };
      const mine = sessions.slice(round * streams, (round + 1) * streams);
      const cpu = spentBetween(who === 'house' ? (house.told['cpu'] ?? '') : `${bare.url}/cpu`, fromMs, untilMs);
      await runAll(
        mine.map((id, index) => async () => {
          await pause((index * 2_000) / streams);
          return who === 'house' ? respond(house.url, token, id, take) : call({ url: bare.url, onText: take });
        }),
        streams,
      );
      measured[who].push({ p50: quantile(ages, 0.5), p99: quantile(ages, 0.99), cpu: (await cpu) / ages.length });
    }
  }
  const row = (who: 'house' | 'bare') => ({
    p50_ms: rounded(median(measured[who].map((each) => each.p50))),
    p99_ms: rounded(median(measured[who].map((each) => each.p99))),
    cpu_us_per_token: rounded(median(measured[who].map((each) => each.cpu))),
  });
  const [house_, bare_] = [row('house'), row('bare')];
  return {
    streams,
    house: house_,
    bare: bare_,
    added_p50_ms: rounded(house_.p50_ms - bare_.p50_ms),
    added_p99_ms: rounded(house_.p99_ms - bare_.p99_ms),
    cpu_ratio: rounded(house_.cpu_us_per_token / bare_.cpu_us_per_token),
  };
}

/** CPU time that a server spends from one moment to another, both in milliseconds from now. */
async function spentBetween(cpuUrl: string, from: number, until: number): Promise<number> {
  await pause(from);
  const before = Number(await call({ url: cpuUrl }));
  await pause(until - from);
  return Number(await call({ url: cpuUrl })) - before;
}

/** Milliseconds to put a call with 100 exchanges together. */
function assemble() {
  const lesson = lessonSchema.parse(lessonData);
  const phase = lesson.phases.find((each) => each.id === 'talk');
  if (!phase) throw new Error('the test lesson has no conversation');
  const text = (layer: string) => ({
    layer,
    source: `prompts/default/${layer}.md`,
    hash: layer,
    text: 'Push back, with wit. '.repeat(60),
  });
  const history = Array.from({ length: 200 }, (_, index) => ({
    id: `e${index}`,
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: 'I do not think that this is true, because the picture is older. '.repeat(4),
  }));
  const input = {
    kind: 'dialogue' as const,
    context: {
      cartridge: lesson,
      phase,
      language: 'lt',
      prompts: ['persona', 'persona_mode', 'behaviour', 'safety', 'provider_override'].map(text),
      path: ['Student signed up at once'],
      outcome: null,
      pastOutcomes: [],
      redactedBoundary: null,
      exchangeNumber: 100,
      transitionOffered: true,
    },
    history,
    mark: 'k-00000000',
    budgetTokens: 100_000,
    tokensOf: (value: string) => Math.ceil(value.length / 3),
  };
  const times = Array.from({ length: 500 }, () => {
    const started = performance.now();
    assembleLessonCall(input);
    return performance.now() - started;
  });
  return { p50_ms: rounded(quantile(times, 0.5)), p99_ms: rounded(quantile(times, 0.99)) };
}

/** From the command to the first good answer of `/readyz`, beside a bare server's first answer. */
async function start() {
  const timed = async (file: string, path: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'trickster-start-'));
    const port = await freePort();
    const started = performance.now();
    const child = spawn(process.execPath, [file], {
      env: { ...process.env, PORT: String(port), DATA_DIR: folder },
      stdio: 'ignore',
    });
    try {
      for (let tries = 0; tries < 2_000; tries += 1) {
        if (
          await call({ url: `http://127.0.0.1:${port}${path}` }).then(
            () => true,
            () => false,
          )
        )
          return performance.now() - started;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      throw new Error('it never answered');
    } finally {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  };
  const house: number[] = [];
  const bare: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    house.push(await timed(join(import.meta.dirname, '../../src/main.ts'), '/readyz'));
    bare.push(await timed(here('bare-server.ts'), '/'));
  }
  return { house_ms: rounded(median(house)), bare_ms: rounded(median(bare)) };
}

/** A port that nobody listens on just now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
