import { ConnectionLostError, readProblem } from './problem.ts';
import { systemClock, systemConnectivity, type Surroundings } from './surroundings.ts';

export type ServerOptions = Partial<Surroundings> & {
  /** `https://school.example`; empty (the default) in a page that the server itself serves. */
  baseUrl?: string;
  /** A bearer token; without one the browser's cookie is used. */
  token?: string;
};

export type CallOptions = { signal?: AbortSignal | undefined };

export type Sending = CallOptions & { method?: string; body?: unknown; headers?: Record<string, string> };

/** Requests to one server. */
export type ServerCalls = {
  readonly surroundings: Surroundings;
  readonly baseUrl: string;
  readonly hasToken: boolean;
  /** The response, whatever its status. Rejects as `fetch` does. */
  readonly send: (path: string, sending?: Sending) => Promise<Response>;
  /** The response of a success. Throws `ProblemError` and `ConnectionLostError` as the client does. */
  readonly call: (path: string, sending?: Sending) => Promise<Response>;
  /** The JSON of a success; throws as `call`. */
  readonly json: <T>(path: string, sending?: Sending) => Promise<T>;
};

export function createServerCalls(options: ServerOptions): ServerCalls {
  const surroundings: Surroundings = {
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    connectivity: options.connectivity ?? systemConnectivity,
  };
  const baseUrl = (options.baseUrl ?? '').replace(/\/$/u, '');
  const authorization = options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` };

  const send = (path: string, { method, body, headers, signal }: Sending = {}) =>
    surroundings.fetch(`${baseUrl}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...authorization, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
      cache: 'no-store',
    });

  const call = async (path: string, sending: Sending = {}): Promise<Response> => {
    const response = await send(path, sending).catch((cause: unknown) => {
      sending.signal?.throwIfAborted();
      throw new ConnectionLostError(cause);
    });
    if (!response.ok) throw await readProblem(response, surroundings.clock.now());
    return response;
  };

  return {
    surroundings,
    baseUrl,
    hasToken: options.token !== undefined,
    send,
    call,
    // The one place where the server's word is taken for its shape: the client checks nothing that the server has.
    json: async <T>(path: string, sending?: Sending): Promise<T> => (await call(path, sending)).json() as T,
  };
}
