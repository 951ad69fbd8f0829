import { Agent, request as httpRequest } from 'node:http';

let agent = newAgent();

function newAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 16_384 });
}

export type Call = {
  url: string;
  method?: string;
  token?: string;
  lastEventId?: string;
  body?: unknown /** Called with each piece as it arrives. */;
  onText?: (text: string) => void;
};

/** One request over a kept connection; resolves with the whole body. Throws on a status of 400 or more. */
export function call({ url, method = 'GET', token, lastEventId, body, onText }: Call): Promise<string> {
  return new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...(payload === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
    };
    const sent = httpRequest(url, { method, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        if (onText) onText(piece);
        else text += piece;
      });
      response.on('end', () =>
        response.statusCode && response.statusCode < 400
          ? resolve(text)
          : reject(new Error(`${method} ${url}: ${response.statusCode} ${text}`)),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(payload);
  });
}

/** Closes every connection: a server may have closed what was idle, so each run opens its own. */
export function renewConnections(): void {
  agent.destroy();
  agent = newAgent();
}

/** Runs `tasks` with at most `width` of them at a time; milliseconds it took. */
export async function runAll(tasks: readonly (() => Promise<unknown>)[], width: number): Promise<number> {
  renewConnections();
  const started = performance.now();
  let next = 0;
  const worker = async () => {
    for (let task = tasks[next++]; task; task = tasks[next++]) await task();
  };
  await Promise.all(Array.from({ length: width }, worker));
  return performance.now() - started;
}

export type Measured = { microseconds: number; perSecond: number };

/** CPU time a task costs the server whose `/cpu` is at `cpuUrl`, and how many tasks it does in a second. */
export async function measure(
  cpuUrl: string,
  tasks: readonly (() => Promise<unknown>)[],
  width = 8,
): Promise<Measured> {
  const before = Number(await call({ url: cpuUrl }));
  const elapsed = await runAll(tasks, width);
  const after = Number(await call({ url: cpuUrl }));
  return { microseconds: (after - before) / tasks.length, perSecond: (tasks.length / elapsed) * 1_000 };
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The value below which `share` (0 to 1) of the values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** `value` with three significant digits, for printing. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
