import { LiveConnection } from './live-connection.ts';
import { ConnectionLostError } from './problem.ts';
import type { ClientClock } from './surroundings.ts';
import type { TransportServer } from './transport.ts';

export type LiveLineOptions = TransportServer & {
  /** Begins to open a WebSocket; null where there are none. */
  openSocket: ((url: string) => WebSocket) | null;
};

const openMs = 15_000;
/** So often in a row may a socket not open though the server gives tickets for it. */
const blockedAttempts = 2;

/** The one WebSocket of a client: opened when it is first needed, shared by all turns, let go of when nobody needs it. */
export class LiveLine {
  readonly #options: LiveLineOptions;
  #opening: Promise<LiveConnection> | null = null;
  #open: LiveConnection | null = null;
  #asksForTicket: boolean;
  #blocked = 0;

  constructor(options: LiveLineOptions) {
    this.#options = options;
    // A page cannot send a token with a WebSocket.
    this.#asksForTicket = options.hasToken;
  }

  /** Something on the way lets no WebSocket through: event streams have to do. */
  get isBlocked(): boolean {
    return this.#blocked >= blockedAttempts || this.#options.openSocket === null;
  }

  /** The open connection, or one that is opened now. Throws `ConnectionLostError`, and `ProblemError` where refused. */
  async connection(signal: AbortSignal | undefined): Promise<LiveConnection> {
    signal?.throwIfAborted();
    if (this.#open) return this.#open;
    const opening = (this.#opening ??= this.#connect().finally(() => {
      this.#opening = null;
    }));
    return unlessAborted(opening, signal);
  }

  /** Stops a turn over a connection that is open; false where there is none, or it ends first. */
  async stop(sessionId: string, turnId: string): Promise<boolean> {
    return this.#open ? this.#open.stop(sessionId, turnId) : false;
  }

  /** Lets the socket go as soon as nothing is read over it. */
  close(): void {
    this.#open?.close();
  }

  async #connect(): Promise<LiveConnection> {
    const { baseUrl, ticket, surroundings, openSocket } = this.#options;
    const url = new URL(`${baseUrl}/api/live`, globalThis.location?.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    if (this.#asksForTicket) url.searchParams.set('ticket', await ticket());
    try {
      const socket = openSocket?.(url.href);
      if (!socket) throw new Error('There are no WebSockets here');
      await whenOpen(socket, surroundings.clock);
      const connection = new LiveConnection(socket, surroundings.clock, () => {
        if (this.#open === connection) this.#open = null;
      });
      this.#open = connection;
      this.#blocked = 0;
      return connection;
    } catch (cause) {
      // A refused handshake does not say why. To ask for a ticket does, or else it was not the server that refused.
      if (this.#asksForTicket) this.#blocked += 1;
      this.#asksForTicket = true;
      throw new ConnectionLostError(cause);
    }
  }
}

/** Resolves once the socket is open; rejects where it closes instead, or takes too long. */
function whenOpen(socket: WebSocket, clock: ClientClock): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => {
      timer.cancel();
      socket.removeEventListener('close', onClose);
      done();
    };
    const onClose = ({ code }: CloseEvent) => settle(() => reject(new Error(`The socket was closed with ${code}`)));
    const timer = clock.after(openMs, () => {
      settle(() => reject(new Error('The socket took too long to open')));
      socket.close();
    });
    socket.addEventListener('close', onClose);
    socket.addEventListener('open', () => settle(resolve), { once: true });
  });
}

/** Waits for `work`, which goes on for others where the signal is aborted. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
