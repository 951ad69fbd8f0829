import type { IncomingMessage, Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import { serve, type WebSocketServerLike } from '@hono/node-server';
import type { Hono } from 'hono';
import type { WebSocketServer } from 'ws';
import type { AppEnv } from './authentication.ts';
import { livePath } from './live-messages.ts';
import { reachableHost } from './reachable-host.ts';

export type HttpServer = { url: string; port: number; close(): Promise<void> };

/** The kernel asks after a silent peer itself: one that is gone without a word is noticed in about half a minute. */
const serverOptions = { keepAlive: true, keepAliveInitialDelay: 20_000, shouldUpgradeCallback: isForLive };

/** Any other request for an upgrade is answered as if it asked for none, as HTTP has it. */
function isForLive({ url, headers }: IncomingMessage): boolean {
  return url?.split('?', 1)[0] === livePath && headers.upgrade?.toLowerCase() === 'websocket';
}

/** Serves the app on `host:port` (0: any free port) and says where. Rejects where the port cannot be had. */
export async function listen(
  app: Hono<AppEnv>,
  options: { host: string; port: number; webSockets?: WebSocketServer },
): Promise<HttpServer> {
  const { promise, resolve, reject } = Promise.withResolvers<{ port: number }>();
  const { host: hostname, port: wanted, webSockets } = options;
  // The two packages' types differ in what an optional field may be, and in nothing else.
  const websocket = webSockets ? { websocket: { server: webSockets as WebSocketServerLike } } : {};
  const server = serve({ fetch: app.fetch, hostname, port: wanted, serverOptions, ...websocket }, resolve) as Server;
  server.once('error', reject);
  // A body that trickles in holds a connection; a reply that streams may take as long as it likes.
  server.headersTimeout = 15_000;
  server.requestTimeout = 30_000;
  const { port } = await promise;
  server.off('error', reject);
  return {
    url: `http://${reachableHost(options.host, networkInterfaces())}:${port}`,
    port,
    async close() {
      const closed = new Promise<void>((done) => void server.close(() => done()));
      server.closeIdleConnections();
      // What is still open after the streams were ended is a client that does not let go.
      const forced = setTimeout(() => server.closeAllConnections(), 500);
      await closed;
      clearTimeout(forced);
    },
  };
}
