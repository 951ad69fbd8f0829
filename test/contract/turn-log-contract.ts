import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { TurnEvent, TurnFollower, TurnLog } from '../../src/engine/ports/turn-log.ts';

/** Remembers what it was given. */
class Recorder implements TurnFollower {
  readonly events: TurnEvent[] = [];
  ended = 0;

  deliver(texts: readonly string[], from: number, end: TurnEvent | null): void {
    for (let index = from; index < texts.length; index += 1)
      this.events.push({ seq: index + 1, name: 'token', data: texts[index] ?? '' });
    if (end) this.events.push(end);
    if (end) this.ended += 1;
  }

  close(): void {
    this.ended += 1;
  }

  get text(): string {
    return this.events.map((event) => (event.name === 'token' ? event.data : '')).join('');
  }
}

/** What every turn log must do. `settle` waits until what was appended has been delivered. */
export function describeTurnLog(
  name: string,
  open: () => TurnLog,
  settle: () => Promise<void> = () => nextTick(),
): void {
  describe(`turn log: ${name}`, () => {
    it('delivers what was appended, numbered from 1 without a gap, and says once that it ended', async () => {
      const log = open();
      const writer = log.open('t1');
      const reader = new Recorder();
      await log.follow('t1', 0, reader);
      writer.token('a');
      writer.token('b');
      await settle();
      writer.token('"c"\n');
      writer.end('done', '{}');
      await settle();
      expect(reader.events.map(({ seq, name: event }) => [seq, event])).toEqual([
        [1, 'token'],
        [2, 'token'],
        [3, 'token'],
        [4, 'done'],
      ]);
      expect(reader.text).toBe('ab"c"\n');
      expect(reader.ended).toBe(1);
      expect(writer.lastSeq).toBe(4);
      expect(await log.endedAt('t1')).toBe(4);
    });

    it('gives a reader who comes at any event the rest and nothing twice', async () => {
      for (let cut = 0; cut <= 5; cut += 1) {
        for (const moment of ['during', 'after']) {
          const log = open();
          const writer = log.open('t1');
          for (const text of ['a', 'b', 'c']) writer.token(text);
          const reader = new Recorder();
          if (moment === 'during') await log.follow('t1', Math.min(cut, 3), reader);
          writer.token('d');
          writer.end('done', '{}');
          if (moment === 'after') await log.follow('t1', cut, reader);
          await settle();
          const from = moment === 'during' ? Math.min(cut, 3) : cut;
          expect(reader.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5].filter((seq) => seq > from));
          expect(reader.ended).toBe(1);
        }
      }
    });

    it('gives every reader the same events', async () => {
      const log = open();
      const writer = log.open('t1');
      const readers = [new Recorder(), new Recorder(), new Recorder()];
      await Promise.all(readers.map((reader) => log.follow('t1', 0, reader)));
      for (let index = 0; index < 50; index += 1) {
        writer.token(String(index));
        if (index % 7 === 0) await settle();
      }
      writer.end('done', '{}');
      await settle();
      for (const reader of readers) expect(reader.events).toEqual(readers[0]?.events);
    });

    it('says null of a turn that it does not hold', async () => {
      expect(await open().follow('nobody', 0, new Recorder())).toBeNull();
      expect(await open().endedAt('nobody')).toBeNull();
    });

    it('gives a reader that has left nothing more', async () => {
      const log = open();
      const writer = log.open('t1');
      const reader = new Recorder();
      const subscription = await log.follow('t1', 0, reader);
      writer.token('a');
      await settle();
      subscription?.[Symbol.dispose]();
      writer.token('b');
      writer.end('done', '{}');
      await settle();
      expect(reader.text).toBe('a');
      expect(reader.ended).toBe(0);
    });

    it('takes nothing after the terminal event', async () => {
      const log = open();
      const writer = log.open('t1');
      writer.end('done', '{}');
      writer.token('late');
      writer.end('error', '{}');
      const reader = new Recorder();
      await log.follow('t1', 0, reader);
      expect(reader.events.map((event) => event.name)).toEqual(['done']);
    });

    it('lets its readers go and holds nothing of a turn that it is told to forget', async () => {
      const log = open();
      const writer = log.open('t1');
      const reader = new Recorder();
      await log.follow('t1', 0, reader);
      writer.token('a');
      await settle();
      writer.forget();
      await settle();
      expect(reader.events.map(({ name: event }) => event)).toEqual(['token']);
      expect(reader.ended).toBe(1);
      expect(await log.follow('t1', 0, new Recorder())).toBeNull();
    });

    it('lets go of a reader that breaks, and serves the others', async () => {
      const log = open();
      const writer = log.open('t1');
      let letGo = 0;
      const broken: TurnFollower = {
        deliver() {
          throw new Error('broken');
        },
        close: () => void (letGo += 1),
      };
      const reader = new Recorder();
      await log.follow('t1', 0, broken);
      await log.follow('t1', 0, reader);
      writer.token('a');
      await settle();
      writer.end('done', '{}');
      await settle();
      expect(letGo).toBe(1);
      expect(reader.events.map(({ name: event }) => event)).toEqual(['token', 'done']);
    });

    describe('after a redaction', () => {
      const redacted = async (after: number) => {
        const log = open();
        const writer = log.open('t1');
        for (const text of ['secret one', 'secret two', 'secret three']) writer.token(text);
        writer.end('redact', '{"fallback_text":"…"}');
        const reader = new Recorder();
        await log.follow('t1', after, reader);
        await settle();
        return { log, reader };
      };

      it.each([0, 1, 2, 3])(
        'a reader who comes with %i events seen gets the redaction alone, as the next',
        async (after) => {
          const { reader } = await redacted(after);
          expect(reader.events.map(({ seq, name: event }) => [seq, event])).toEqual([[after + 1, 'redact']]);
          expect(reader.ended).toBe(1);
        },
      );

      it('a reader who has seen it gets nothing, and none of the words are held', async () => {
        const { reader, log } = await redacted(4);
        expect(reader.events).toEqual([]);
        expect(reader.ended).toBe(1);
        expect(await log.endedAt('t1')).toBe(4);
      });

      it('a live reader has an unbroken count', async () => {
        const log = open();
        const writer = log.open('t1');
        const reader = new Recorder();
        await log.follow('t1', 0, reader);
        writer.token('a');
        await settle();
        writer.token('b');
        writer.end('redact', '{}');
        await settle();
        expect(reader.events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
      });
    });

    it('forgets a turn, live or over, with whoever reads it', async () => {
      const log = open();
      const writer = log.open('t1');
      const reader = new Recorder();
      await log.follow('t1', 0, reader);
      writer.token('a');
      await log.forget('t1');
      writer.token('b');
      await settle();
      expect(await log.follow('t1', 0, new Recorder())).toBeNull();
      log.open('t2').end('done', '{}');
      await log.forget('t2');
      expect(await log.endedAt('t2')).toBeNull();
      await log.forget('never');
    });
  });
}
