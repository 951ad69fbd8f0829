import { join } from 'node:path';
import { makeSessions, respond } from './bench-client.ts';
import { call, pause, renewConnections } from './load.ts';
import { startProgram } from './process.ts';

/** Flags for every server that is compared: as `npm start` has them. */
export const startFlags = ['--max-semi-space-size=32'];

export type Side = 'house' | 'bare';
export const sides: readonly Side[] = ['bare', 'house'];

/** The server and the bare proxy on one core, and one paced upstream for both on the other. */
export type StreamRoom = AsyncDisposable & {
  /** CPU time a side has used, in microseconds. */
  cpu(side: Side): Promise<number>;
  /** What a side holds in memory after a collection of garbage, in bytes. */
  memory(side: Side): Promise<{ heap: number; rss: number }>;
  /** Opens `count` streams of a side over `rampMs`; the upstream gives each of them a token every `everyMs`. */
  open(side: Side, options: OpenOptions): Promise<OpenStreams>;
  /** Opens `count` streams of a side that nothing is said on: of the house, all follow one turn that is silent. */
  openIdle(side: Side, count: number): Promise<OpenStreams>;
};

export type OpenOptions = { count: number; everyMs: number; rampMs: number; onText?: (text: string) => void };

/** Streams that are open. `end` ends them all and tells how many broke off. */
export type OpenStreams = { end(): Promise<number> };

/** Longer than anything is measured: streams are ended, they do not run out. */
const endlessTokens = 100_000;
/** How long streams may take to end. */
const endMs = 60_000;
const here = (file: string) => join(import.meta.dirname, file);

/** Starts the three programs, and makes the sessions that the streams then take in turn. */
export async function openStreamRoom(sessionCount: number, flags = startFlags): Promise<StreamRoom> {
  await using starting = new AsyncDisposableStack();
  const upstream = starting.use(await startProgram(here('paced-upstream.ts'), { args: [`${endlessTokens}`], core: 1 }));
  const bare = starting.use(await startProgram(here('bare-proxy.ts'), { args: [upstream.url], flags, core: 0 }));
  const house = starting.use(await startProgram(here('server-program.ts'), { args: [upstream.url], flags, core: 0 }));
  const { token, sessions } = await makeSessions(house.url, house.told['joinCode'] ?? '', sessionCount);
  const started = starting.move();
  let next = 0;
  const nextSession = () => sessions[next++ % sessions.length] ?? '';
  const ask = (side: Side, path: string) =>
    call({ url: side === 'house' ? new URL(path, house.told['cpu']).href : bare.url + path });
  const tell = (path: string) => call({ url: new URL(path, upstream.url).href });
  const nothing = () => {};

  return {
    cpu: async (side) => Number(await ask(side, '/cpu')),

    async memory(side) {
      const used = JSON.parse(await ask(side, '/memory')) as NodeJS.MemoryUsage;
      return { heap: used.heapUsed + used.external, rss: used.rss };
    },

    async open(side, { count, everyMs, rampMs, onText = nothing }) {
      renewConnections();
      await tell(`/pace/${everyMs}`);
      const streams: Promise<string>[] = [];
      const startedAt = performance.now();
      for (let index = 0; index < count; index += 1) {
        const dueIn = startedAt + (index * rampMs) / count - performance.now();
        if (dueIn > 1) await pause(dueIn);
        const stream =
          side === 'house' ? respond(house.url, token, nextSession(), onText) : call({ url: bare.url, onText });
        // One that breaks off while others are still being opened is counted at the end.
        stream.catch(nothing);
        streams.push(stream);
      }
      return held(streams, () => tell('/end'));
    },

    async openIdle(side, count) {
      renewConnections();
      const hold = (url: string) =>
        Array.from({ length: count }, () => call({ url, onText: nothing, ...(side === 'house' ? { token } : {}) }));
      if (side === 'bare') return held(hold(`${bare.url}/hold`), () => ask('bare', '/release'));
      await tell('/pace/0');
      const session = `${house.url}/api/sessions/${nextSession()}`;
      const silent = call({
        url: `${session}/respond`,
        method: 'POST',
        token,
        body: { message: 'Is the hurry real?' },
        onText: nothing,
      });
      await pause(200);
      const { active_turn_id: turnId } = JSON.parse(await call({ url: session, token })) as {
        active_turn_id: string | null;
      };
      return held([silent, ...hold(`${session}/turns/${turnId}/events`)], () => tell('/end'));
    },

    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** Streams that `end` ends; told again while some are open, as one may only just have reached the upstream. */
function held(streams: readonly Promise<string>[], end: () => Promise<unknown>): OpenStreams {
  let isOver = false;
  const settled = Promise.allSettled(streams).finally(() => {
    isOver = true;
  });
  return {
    async end() {
      const deadline = performance.now() + endMs;
      for (await end(); !isOver && performance.now() < deadline; await pause(50)) await end();
      if (!isOver) throw new Error('the streams did not end');
      return (await settled).filter(({ status }) => status === 'rejected').length;
    },
  };
}
