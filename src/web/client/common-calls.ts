import type { CartridgeSummary, Me } from '../protocol-types.ts';
import { ConnectionLostError, readProblem } from './problem.ts';
import type { CallOptions, ServerCalls } from './server-calls.ts';

/** Who the caller is; null for nobody. */
export async function fetchMe(server: ServerCalls, options?: CallOptions): Promise<Me | null> {
  const response = await server.send('/api/me', options).catch((cause: unknown) => {
    throw new ConnectionLostError(cause);
  });
  if (response.status === 401) return null;
  if (!response.ok) throw await readProblem(response, server.surroundings.clock.now());
  return response.json() as Promise<Me>;
}

/** The lessons and companions that are there for the caller. */
export async function fetchCartridges(server: ServerCalls, options?: CallOptions): Promise<CartridgeSummary[]> {
  return (await server.json<{ items: CartridgeSummary[] }>('/api/cartridges', options)).items;
}
