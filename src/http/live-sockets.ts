import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../core/clock.ts';
import type { Settings } from '../core/settings.ts';
import type { Owner } from '../engine/ports/store.ts';
import { closeCodes, LiveSocket } from './live-socket.ts';
import type { Caller } from './tickets.ts';

/** Often enough for proxies that close what is silent for half a minute. */
const pingMs = 25_000;
/** How long a client has to answer that it has seen the end. */
const farewellMs = 500;

/** The WebSockets that are open: pings them, and closes them all at shutdown. */
export class LiveSockets {
  /** Does the handshakes; a client that sends more than `bodyBytes` at once is closed with 1009. */
  readonly server: WebSocketServer;
  /** Whose each of them is. */
  readonly #open = new Map<LiveSocket, Owner>();
  readonly #settings: Settings;
  readonly #clock: Clock;
  #isClosing = false;

  constructor(settings: Settings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: settings.bodyBytes });
    this.#beat();
  }

  get size(): number {
    return this.#open.size;
  }

  /** Takes over a socket whose handshake is done; `stream` is what it runs over. */
  open(socket: WebSocket, stream: Socket, { identity, expiresAt }: Caller): LiveSocket {
    const live = new LiveSocket(socket, stream, { backlogBytes: this.#settings.clientBacklogBytes, expiresAt });
    this.#open.set(live, identity);
    socket.once('close', () => this.#open.delete(live));
    if (this.#isClosing) this.#sendAway();
    return live;
  }

  /** Closes a person's sockets with 1008: their tokens hold no longer. */
  forget({ schoolId, userId }: Owner): void {
    for (const [socket, owner] of this.#open)
      if (owner.schoolId === schoolId && owner.userId === userId) socket.close(closeCodes.signedOut);
  }

  /** Closes every socket with 1001, and soon after breaks off those that do not let go. */
  closeAll(): void {
    this.#isClosing = true;
    this.#sendAway();
  }

  #sendAway(): void {
    for (const socket of this.#open.keys()) socket.close(closeCodes.goingDown);
    this.#clock.after(farewellMs, () => {
      for (const socket of this.#open.keys()) socket.cut();
    });
  }

  #beat(): void {
    this.#clock.after(pingMs, () => {
      if (this.#isClosing) return;
      const now = this.#clock.now();
      for (const socket of this.#open.keys()) socket.beat(now);
      this.#beat();
    });
  }
}
