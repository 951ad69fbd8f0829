import { LiveLine } from './live-line.ts';
import { readLiveTurn } from './live-turn.ts';
import type { Transport } from './transport.ts';

/**
 * All of a client's turns over one WebSocket, for who follows several at once. The debrief is an event stream all the
 * same, and so is everything where no WebSocket gets through.
 *
 * `openSocket` begins to open one: by default the platform's own, of a browser or of Node from version 22 on.
 */
export function webSocket(openSocket: ((url: string) => WebSocket) | null = platformSocket()): Transport {
  return (server) => {
    const line = new LiveLine({ ...server, openSocket });
    return {
      get isBlocked() {
        return line.isBlocked;
      },
      read: (asked, place) => readLiveTurn(line, asked, place),
      stop: (sessionId, turnId) => line.stop(sessionId, turnId),
      close: () => line.close(),
    };
  };
}

function platformSocket(): ((url: string) => WebSocket) | null {
  return typeof globalThis.WebSocket === 'function' ? (url) => new globalThis.WebSocket(url) : null;
}
