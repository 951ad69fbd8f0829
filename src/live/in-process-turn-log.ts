import type { Clock } from '../core/clock.ts';
import type { Subscription, TurnEvent, TurnFollower, TurnLog, TurnWriter } from '../engine/ports/turn-log.ts';

type Reader = { follower: TurnFollower; sent: number };

/** One turn's events and who reads them. `events[i].seq` is `i + 1`, until a redaction empties it. */
type Log = { turnId: string; events: TurnEvent[]; readers: Set<Reader>; ended: boolean; redaction: TurnEvent | null; queued: boolean };

export type TurnLogOptions = { clock: Clock; /** How long an ended log is kept, in milliseconds. */ keepMs: number };

/**
 * The turn log of a single process: plain arrays in memory.
 *
 * What is appended in one tick of the event loop reaches each reader in one delivery, so that a burst of tokens costs
 * one write a reader. Memory is bounded by the live turns and by `keepMs` for those that have ended.
 */
export function createInProcessTurnLog({ clock, keepMs }: TurnLogOptions): TurnLog & { readonly size: number } {
  const logs = new Map<string, Log>();
  let waiting: Log[] = [];

  const flush = () => {
    const due = waiting;
    waiting = [];
    for (const log of due) {
      log.queued = false;
      for (const reader of log.readers) deliver(log, reader);
    }
  };

  const queue = (log: Log) => {
    if (log.queued || log.readers.size === 0) return;
    log.queued = true;
    if (waiting.push(log) === 1) setImmediate(flush);
  };

  const append = (log: Log, name: TurnEvent['name'], data: string) => {
    const event: TurnEvent = { seq: log.events.length + 1, name, data };
    log.events.push(event);
    queue(log);
    return event;
  };

  const open = (turnId: string): TurnWriter => {
    const log: Log = { turnId, events: [], readers: new Set(), ended: false, redaction: null, queued: false };
    logs.set(turnId, log);
    return {
      get lastSeq() {
        return log.redaction?.seq ?? log.events.length;
      },
      token(text) {
        if (!log.ended) append(log, 'token', `{"text":${JSON.stringify(text)}}`);
      },
      end(name, data) {
        if (log.ended) return;
        const event = append(log, name, data);
        log.ended = true;
        for (const reader of log.readers) deliver(log, reader);
        if (name === 'redact') {
          log.redaction = event;
          log.events = [];
        }
        clock.after(keepMs, () => logs.delete(turnId));
      },
    };
  };

  return {
    open,
    get size() {
      return logs.size;
    },
    async follow(turnId, after, follower) {
      const log = logs.get(turnId);
      if (!log) return null;
      const reader: Reader = { follower, sent: Math.max(0, after) };
      const subscription: Subscription = { turnId, [Symbol.dispose]: () => void log.readers.delete(reader) };
      if (log.redaction) {
        // The withdrawn tokens keep no place in the count of someone who comes later: no gap, and not a word of them.
        if (reader.sent < log.redaction.seq) follower.deliver([{ ...log.redaction, seq: reader.sent + 1 }], 0, true);
        else follower.deliver([], 0, true);
        return subscription;
      }
      if (!log.ended) log.readers.add(reader);
      deliver(log, reader);
      return subscription;
    },
    async endedAt(turnId) {
      const log = logs.get(turnId);
      return log?.ended ? (log.redaction?.seq ?? log.events.length) : null;
    },
    async ping() {},
  };
}

/** Gives a reader what it has not had yet; a reader of an ended log is let go. */
function deliver(log: Log, reader: Reader): void {
  const { events } = log;
  const from = Math.min(reader.sent, events.length);
  if (from === events.length && !log.ended) return;
  reader.sent = events.length;
  if (log.ended) log.readers.delete(reader);
  reader.follower.deliver(events, from, log.ended);
}
