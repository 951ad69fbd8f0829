import type { Surroundings } from './surroundings.ts';
import type { TurnEvent } from './turn-event.ts';
import type { StreamOptions, TurnPlace } from './turn-stream.ts';

/** The server and how to be let in, as a transport needs to know them. */
export type TransportServer = {
  /** As the client's: empty in a page that the server itself serves. */
  baseUrl: string;
  /** Whether the caller is known by a token; else by the browser's cookie. */
  hasToken: boolean;
  /** Asks for a single-use ticket. Throws as the client's calls do. */
  ticket: () => Promise<string>;
  surroundings: Surroundings;
};

/** Another way than an event stream each for turns to come. */
export type Transport = (server: TransportServer) => TurnTransport;

export interface TurnTransport {
  /** Turns cannot come this way, at least from here: event streams have to do. */
  readonly isBlocked: boolean;
  /** Reads what one connection brings of a turn, as a `TurnSource` does. */
  read(asked: AskedTurn, place: TurnPlace): AsyncIterable<TurnEvent>;
  /** Stops a turn: true once the server has heard it, false where it could not be told this way. */
  stop(sessionId: string, turnId: string): Promise<boolean>;
  /** Keeps no connection that is not needed for a turn that is being read. */
  close(): void;
}

export type AskedTurn = StreamOptions & {
  sessionId: string;
  /** What begins the turn; null for one that is only followed. */
  message: { text: string; clientMessageId: string } | null;
};
