import { join } from 'node:path';
import { makeSessions, respond } from './bench-client.ts';
import { call, type Measured, measure, median, rounded } from './load.ts';
import { type Program, startProgram } from './process.ts';
import { startFlags } from './stream-room.ts';

const tokensPerTurn = 200;
const turnsPerRun = 250;
/** Runs before any that counts: after fewer, each of the three still grows faster from run to run. */
const warmRuns = 3;
const resumesPerRun = 1_500;
const here = (file: string) => join(import.meta.dirname, file);

/** Whole turns of a burst of tokens, and resumes of finished ones: medians of `runs`, ratios run by run. */
export async function turnsAndResumes(runs: number) {
  await using upstream = await startProgram(here('../fixtures/openai-upstream.ts'), {
    args: [String(tokensPerTurn)],
    core: 1,
  });
  const onCoreZero = { args: [upstream.url], flags: startFlags, core: 0 };
  await using bare = await startProgram(here('bare-proxy.ts'), onCoreZero);
  await using house = await startProgram(here('server-program.ts'), onCoreZero);
  await using aiSdk = await startProgram(here('ai-sdk-program.ts'), onCoreZero);
  return { whole_turn: await wholeTurns({ bare, house, aiSdk }, runs), resumes: await resumes({ bare, house }, runs) };
}

async function wholeTurns({ bare, house, aiSdk }: Record<'bare' | 'house' | 'aiSdk', Program>, runs: number) {
  const { token, sessions } = await makeSessions(
    house.url,
    house.told['joinCode'] ?? '',
    turnsPerRun * (runs + warmRuns) + 1,
  );
  const message = { message: 'Is the hurry real?' };
  const tasks = (task: () => Promise<string>) => Array.from({ length: turnsPerRun }, () => task);
  const measured: Record<'bare' | 'house' | 'aiSdk', Measured[]> = { bare: [], house: [], aiSdk: [] };
  let next = 0;
  const replies = await Promise.all([
    respond(house.url, token, sessions[next++] ?? ''),
    call({ url: bare.url }),
    call({ url: `${aiSdk.url}/chat`, method: 'POST', body: message }),
  ]);
  if (new Set(replies.map(textOf)).size !== 1) throw new Error('the three did not stream the same text');
  for (let run = 0; run < runs + warmRuns; run += 1) {
    const ours = await measure(
      house.told['cpu'] ?? '',
      tasks(() => respond(house.url, token, sessions[next++] ?? '')),
    );
    const bares = await measure(
      `${bare.url}/cpu`,
      tasks(() => call({ url: bare.url })),
    );
    const theirs = await measure(
      `${aiSdk.url}/cpu`,
      tasks(() => call({ url: `${aiSdk.url}/chat`, method: 'POST', body: message })),
    );
    if (run < warmRuns) continue;
    measured.house.push(ours);
    measured.bare.push(bares);
    measured.aiSdk.push(theirs);
  }
  const row = (values: readonly Measured[]) => ({
    cpu_us_per_token: rounded(median(values.map((value) => value.microseconds / tokensPerTurn))),
    tokens_per_second: rounded(median(values.map((value) => value.perSecond * tokensPerTurn))),
  });
  return {
    house: row(measured.house),
    bare: row(measured.bare),
    ai_sdk: row(measured.aiSdk),
    house_to_bare: ratio(measured.house, measured.bare),
    ai_sdk_to_house: ratio(measured.aiSdk, measured.house),
  };
}

/** All the text that a reply streamed, however it is cut into events. */
function textOf(reply: string): string {
  return [...reply.matchAll(/^data: .*"(?:text|delta)":"([^"]*)"/gmu)].map(([, text]) => text).join('');
}

/** A finished turn followed from its middle on: half its tokens and its end. The bare server writes as many. */
async function resumes({ bare, house }: Record<'bare' | 'house', Program>, runs: number) {
  const count = tokensPerTurn / 2;
  const { token, sessions } = await makeSessions(house.url, house.told['joinCode'] ?? '', 20);
  const finished = await Promise.all(
    sessions.map(async (session) => {
      const text = await respond(house.url, token, session);
      const [, turnId = ''] = /^id: (.+):1$/mu.exec(text) ?? [];
      return { url: `${house.url}/api/sessions/${session}/turns/${turnId}/events`, lastEventId: `${turnId}:${count}` };
    }),
  );
  const measured: Record<'bare' | 'house', Measured[]> = { bare: [], house: [] };
  for (let run = 0; run < runs + warmRuns; run += 1) {
    const ours = await measure(
      house.told['cpu'] ?? '',
      Array.from({ length: resumesPerRun }, (_, index) => async () => {
        const turn = finished[index % finished.length];
        if (turn) await call({ ...turn, token });
      }),
      16,
    );
    const bares = await measure(
      `${bare.url}/cpu`,
      Array.from({ length: resumesPerRun }, () => () => call({ url: `${bare.url}/burst?${count}` })),
      16,
    );
    if (run < warmRuns) continue;
    measured.house.push(ours);
    measured.bare.push(bares);
  }
  const row = (values: readonly Measured[]) => ({
    per_second: rounded(median(values.map((value) => value.perSecond))),
    cpu_us: rounded(median(values.map((value) => value.microseconds))),
  });
  return {
    tokens_each: count,
    house: row(measured.house),
    bare: row(measured.bare),
    cpu_ratio: ratio(measured.house, measured.bare),
  };
}

/** How many times the CPU of the other, the median over the runs. */
function ratio(values: readonly Measured[], others: readonly Measured[]): number {
  return rounded(median(values.map((value, run) => value.microseconds / (others[run]?.microseconds ?? Number.NaN))));
}
