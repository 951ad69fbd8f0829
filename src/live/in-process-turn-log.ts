import type { Clock } from '../core/clock.ts';
import type { Subscription, TurnEvent, TurnFollower, TurnLog, TurnWriter } from '../engine/ports/turn-log.ts';

/** `sent`: how many tokens the follower has. */
type Reader = { follower: TurnFollower; sent: number };

/** One turn: the texts of its tokens, or of one that has ended what they are packed into; its end, and who reads it. */
type Log = { texts: string[]; packed: Packed | null; end: TurnEvent | null; readers: Set<Reader>; isQueued: boolean };

/** A turn's text in one piece, and how long each token is: two objects for the collector of garbage, not hundreds. */
type Packed = { text: string; lengths: Uint32Array };

export type TurnLogOptions = { clock: Clock /** How long an ended log is kept, in milliseconds. */; keepMs: number };

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
      log.isQueued = false;
      for (const reader of log.readers) deliver(log, reader);
    }
  };

  const release = (turnId: string, log: Log) => {
    logs.delete(turnId);
    for (const { follower } of log.readers) follower.close();
    log.readers.clear();
  };

  const open = (turnId: string): TurnWriter => {
    const log: Log = { texts: [], packed: null, end: null, readers: new Set(), isQueued: false };
    logs.set(turnId, log);
    return {
      get lastSeq() {
        return log.end?.seq ?? log.texts.length;
      },
      token(text) {
        if (log.end) return;
        log.texts.push(text);
        if (log.isQueued || log.readers.size === 0) return;
        log.isQueued = true;
        if (waiting.push(log) === 1) setImmediate(flush);
      },
      end(name, data) {
        if (log.end) return;
        log.end = { seq: log.texts.length + 1, name, data };
        for (const reader of log.readers) deliver(log, reader);
        log.readers.clear();
        if (name !== 'redact') log.packed = pack(log.texts);
        log.texts = [];
        clock.after(keepMs, () => logs.delete(turnId));
      },
      forget: () => release(turnId, log),
    };
  };

  const follow = async (turnId: string, after: number, follower: TurnFollower): Promise<Subscription | null> => {
    const log = logs.get(turnId);
    if (!log) return null;
    const { end, readers } = log;
    const reader: Reader = { follower, sent: after };
    const subscription: Subscription = { turnId, [Symbol.dispose]: () => void readers.delete(reader) };
    if (!end) {
      readers.add(reader);
      if (log.texts.length > after) deliver(log, reader);
    } else if (after >= end.seq) follower.close();
    // The withdrawn tokens keep no place in the count of someone who comes later: no gap, and not a word of them.
    else if (end.name === 'redact') follower.deliver([], 0, { ...end, seq: after + 1 });
    else follower.deliver(unpack(log.packed), after, end);
    return subscription;
  };

  return {
    open,
    follow,
    get size() {
      return logs.size;
    },
    endedAt: async (turnId) => logs.get(turnId)?.end?.seq ?? null,
    async forget(turnId) {
      const log = logs.get(turnId);
      if (!log) return;
      release(turnId, log);
      log.texts = [];
      log.packed = null;
    },
    async ping() {},
  };
}

function pack(texts: readonly string[]): Packed {
  const lengths = new Uint32Array(texts.length);
  for (let index = 0; index < texts.length; index += 1) lengths[index] = texts[index]?.length ?? 0;
  return { text: texts.join(''), lengths };
}

function unpack(packed: Packed | null): string[] {
  const texts: string[] = [];
  let start = 0;
  for (const length of packed?.lengths ?? []) texts.push((packed?.text ?? '').slice(start, (start += length)));
  return texts;
}

/** Gives a reader what it has not had yet. One that breaks is let go, and takes nothing from the others. */
function deliver({ texts, end, readers }: Log, reader: Reader): void {
  const from = Math.min(reader.sent, texts.length);
  reader.sent = texts.length;
  if (from === texts.length && !end) return;
  try {
    reader.follower.deliver(texts, from, end);
  } catch {
    readers.delete(reader);
    reader.follower.close();
  }
}
