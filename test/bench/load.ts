import { Agent, request as httpRequest } from 'node:http';

let agent = newAgent();

function newAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 4_096 });
}

export type Call = {
  url: string;
  method?: string;
  token?: string;
  body?: unknown /** Called with each piece as it arrives. */;
  onText?: (text: string) => void;
};

/** One request over a kept connection; resolves with the whole body. Throws on a status of 400 or more. */
export function call({ url, method = 'GET', token, body, onText }: Call): Promise<string> {
  return new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
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

/** Runs `tasks` with at most `width` of them at a time; milliseconds it took. */
export async function runAll(tasks: readonly (() => Promise<unknown>)[], width: number): Promise<number> {
  // A server may have closed what was idle since the last run, so each run opens its own connections.
  agent.destroy();
  agent = newAgent();
  const started = performance.now();
  let next = 0;
  const worker = async () => {
    for (let task = tasks[next++]; task; task = tasks[next++]) await task();
  };
  await Promise.all(Array.from({ length: width }, worker));
  return performance.now() - started;
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
