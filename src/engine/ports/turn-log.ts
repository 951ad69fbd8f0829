export type TurnEnd = 'redact' | 'done' | 'error';
export type TurnEventName = 'token' | TurnEnd;

/** One event of a turn: `seq` counts from 1 with no gap; `data` is the JSON that goes out, as text. */
export type TurnEvent = { readonly seq: number; readonly name: TurnEventName; readonly data: string };

/** Writes one turn's events. Neither call waits for a reader, and neither throws for one. */
export interface TurnWriter {
  /** How many events there are: the `seq` of the last. */
  readonly lastSeq: number;
  /** Appends a token's event. */
  token(text: string): void;
  /** Appends the one terminal event and closes the log. A redaction also drops every token that was in it. */
  end(name: TurnEnd, data: string): void;
  /** Lets go of the log and its readers at once: who comes now is to be served from what was kept of the turn. */
  forget(): void;
}

/** Who reads a turn. Called on the event loop, once a tick at most, with events in order; must not throw or wait. */
export interface TurnFollower {
  /**
   * `texts[from..]` are the texts of new `token` events, `texts[i]` being event `i + 1`: a token costs no object of its
   * own. `end` is the terminal event, after which nothing more comes; null while the turn goes on.
   */
  deliver(texts: readonly string[], from: number, end: TurnEvent | null): void;
  /** The turn is over, and the follower had its terminal event before. */
  close(): void;
}

/** A reader's hold on a log; disposing it ends the reading, not the turn. */
export interface Subscription extends Disposable {
  readonly turnId: string;
}

/**
 * The events of turns that are live or have just ended.
 *
 * Once a turn is redacted its tokens are gone from the log: who comes later gets the `redact` event alone, numbered as
 * the next after those that reader has seen.
 */
export interface TurnLog {
  /** Begins a turn's log. A turn has one writer ever. */
  open(turnId: string): TurnWriter;
  /**
   * Delivers what came after `after` (a sequence number, 0 for all) and then what comes, until the terminal event.
   * Null where this log does not hold the turn: never opened, or expired.
   */
  follow(turnId: string, after: number, follower: TurnFollower): Promise<Subscription | null>;
  /** The `seq` of a turn's terminal event; null while it is live, and where this log does not hold it. */
  endedAt(turnId: string): Promise<number | null>;
  /** Lets go of a turn's log and its readers, whoever writes it; nothing where this log does not hold it. */
  forget(turnId: string): Promise<void>;
  /** Whether the log answers, for `/readyz`. */
  ping(): Promise<void>;
}
