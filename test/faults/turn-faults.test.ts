import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ModelError, type ModelEvent, type ModelProvider } from '../../src/engine/ports/model.ts';
import type { TurnEvent } from '../../src/engine/ports/turn-log.ts';
import { Fault, faultKinds, withFault } from '../fixtures/fault-injection.ts';
import { type Failing, type FaultHouse, type FaultySession, openFaultHouse } from '../fixtures/fault-house.ts';

/** Put round every reply's filter while a test wants it to fail. */
let filterFault: Fault | null = null;

vi.mock(import('../../src/safety/reply-filter.ts'), async (importOriginal) => {
  const real = await importOriginal();
  return {
    ...real,
    createReplyFilter: (...input: Parameters<typeof real.createReplyFilter>) => {
      const filter = real.createReplyFilter(...input);
      return filterFault ? withFault(filter, filterFault) : filter;
    },
  };
});

let house: FaultHouse;

beforeAll(async () => {
  house = await openFaultHouse();
});
afterAll(() => house[Symbol.asyncDispose]());

const question = 'Ar tai tiesa?';
const answer = 'Only ten left. ';
const withdrawn = ['Quixotic', 'yourself'];

/** What a model says, and how a turn ends that nothing goes wrong in. */
const replies = {
  done: ['Only ', 'ten ', 'left. '],
  redact: ['Quixotic zeppelin. ', 'You should kill yourself, really. '],
} as const;

function eventsOf(texts: readonly string[]): ModelEvent[] {
  return [
    ...texts.map((text): ModelEvent => ({ type: 'text', text })),
    { type: 'usage', inputTokens: 10, outputTokens: texts.length },
    { type: 'end', reason: 'stop' },
  ];
}

/** A model that says its part in the first call, and another in all that follow. */
function modelSaying(texts: readonly string[]): ModelProvider {
  let calls = 0;
  return {
    name: 'scripted',
    model: 'scripted',
    async *stream() {
      calls += 1;
      yield* eventsOf(calls === 1 ? texts : replies.done);
    },
  };
}

/** A turn had exactly one terminal event, and whoever comes back, from wherever, is told of the same end. */
async function expectOneEnd(session: FaultySession, turnId: string, events: readonly TurnEvent[]): Promise<void> {
  const end = expectOrder(events, 0);
  for (const after of [0, ...events.slice(0, -1).map(({ seq }) => seq)]) {
    const rest = await session.replay(turnId, after);
    const last = expectOrder(rest, after);
    expect(last?.name).toBe(end?.name);
    const shown = textOf([...events.filter(({ seq }) => seq <= after), ...rest]);
    if (end?.name === 'redact') expect(rest).toEqual([{ ...end, seq: after + 1 }]);
    else if (end?.name === 'done') expect([last?.data, shown]).toEqual([end.data, textOf(events)]);
    else {
      // Where the store was out of reach it is not known what was said; that it may be said again is.
      expect(isRetryable(last)).toBe(isRetryable(end));
      expect(textOf(events).startsWith(shown)).toBe(true);
    }
  }
}

/** Each event is after the one before (what was kept of a turn comes as one token for many), the terminal one last. */
function expectOrder(events: readonly TurnEvent[], after: number): TurnEvent | undefined {
  const seqs = events.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((seq, index) => Math.max(seq, (seqs[index - 1] ?? after) + 1)));
  expect(events.filter(({ name }) => name !== 'token')).toEqual(events.slice(-1));
  expect(events.length).toBeGreaterThan(0);
  return events.at(-1);
}

function isRetryable(end: TurnEvent | undefined): unknown {
  return JSON.parse(end?.data ?? '{}').retryable;
}

/** What the tokens among these join to; a replay's come as the JSON that goes out. */
function textOf(events: readonly TurnEvent[]): string {
  const texts = events.filter(({ name }) => name === 'token').map(({ data }) => data);
  return texts.map((data) => (data.startsWith('{"text":') ? JSON.parse(data).text : data)).join('');
}

/**
 * A student says something while something fails, as often as a client would, and goes on when nothing fails any
 * more. Whatever happened, every turn had one end, and each message stands once, with its answer.
 */
async function live(session: FaultySession, { heal, ending }: { heal: () => void; ending: 'done' | 'redact' }) {
  const during = await session.say(question, 'm1');
  if (during.kind === 'told') {
    await expectOneEnd(session, during.turnId, during.events);
    if (ending === 'redact' && during.events.at(-1)?.name !== 'redact')
      expect(JSON.stringify(during.events)).not.toContain('yourself');
  }
  expect((await session.kept()).turnsRunning).toBe(0);
  heal();
  const after = await session.say(question, 'm1');
  if (after.kind !== 'told') throw new Error(`the message was ${after.kind}`);
  await expectOneEnd(session, after.turnId, after.events);
  const next = await session.say('And now?', 'm2');
  if (next.kind !== 'told') throw new Error(`the next message was ${next.kind}`);
  await expectOneEnd(session, next.turnId, next.events);
  expect(next.events.at(-1)?.name).toBe('done');
  const { exchanges, liveTurnId } = await session.kept();
  expect(liveTurnId).toBeNull();
  return { during, after, exchanges: exchanges.map(({ role, content, redacted }) => ({ role, content, redacted })) };
}

/** Fails the first operation, then the second, and so on until there are no more; says how many there were. */
async function failEvery(
  texts: 'done' | 'redact',
  breakParts: (parts: Failing, fault: Fault) => Partial<Failing>,
): Promise<number[]> {
  const counts: number[] = [];
  for (const kind of faultKinds) {
    for (let at = 1; ; at += 1) {
      const fault = new Fault({ ...kind, at });
      const where = `operation ${at}, ${kind.when} it, ${kind.lasts ? 'and all after it' : 'alone'}`;
      const session = await house.session(modelSaying(replies[texts]), (parts) => breakParts(parts, fault));
      try {
        const { during, after, exchanges } = await live(session, { heal: () => fault.heal(), ending: texts });
        const isRedacted = after.events.at(-1)?.name === 'redact';
        // What was withdrawn may have been lost with the store; then the message has been answered anew.
        if (texts === 'done' || !fault.hasStruck) expect(after.events.at(-1)?.name).toBe(texts);
        if (!fault.hasStruck) expect(during.kind === 'told' && during.events.at(-1)?.name).toBe(texts);
        expect(exchanges).toEqual([
          { role: 'student', content: question, redacted: false },
          { role: 'trickster', content: isRedacted ? expect.any(String) : answer, redacted: isRedacted },
          { role: 'student', content: 'And now?', redacted: false },
          { role: 'trickster', content: answer, redacted: false },
        ]);
        for (const word of withdrawn) expect(JSON.stringify(exchanges)).not.toContain(word);
      } catch (error) {
        throw new Error(`failing ${where}: ${error instanceof Error ? error.message : 'it broke'}`, { cause: error });
      }
      // The last round is one in which nothing fails.
      if (!fault.hasStruck) {
        counts.push(at - 1);
        break;
      }
    }
  }
  return counts;
}

describe.each(['done', 'redact'] as const)(
  'a turn that would end with %s, of which each operation fails in turn',
  (texts) => {
    it('of the store', async () => {
      const counts = await failEvery(texts, ({ store }, fault) => ({ store: withFault(store, fault) }));
      for (const count of counts) expect(count).toBeGreaterThanOrEqual(3);
    });

    it('of the turn log', async () => {
      const counts = await failEvery(texts, ({ log }, fault) => ({
        // A writer that cannot even be let go of could tell nobody anything.
        log: { ...log, open: (turnId) => fault.run(() => withFault(log.open(turnId), fault, 'forget')) },
      }));
      for (const count of counts) expect(count).toBeGreaterThanOrEqual(3);
    });

    it('of the class feed', async () => {
      const counts = await failEvery(texts, ({ feed }, fault) => ({ feed: withFault(feed, fault) }));
      for (const count of counts) expect(count).toBeGreaterThanOrEqual(1);
    });

    it('of the clock', async () => {
      const counts = await failEvery(texts, ({ clock }, fault) => ({ clock: withFault(clock, fault) }));
      for (const count of counts) expect(count).toBeGreaterThanOrEqual(5);
    });

    it('of the ids', async () => {
      const counts = await failEvery(texts, ({ random }, fault) => ({ random: withFault(random, fault) }));
      for (const count of counts) expect(count).toBeGreaterThanOrEqual(3);
    });

    it('of the filter', async () => {
      const counts = await failEvery(texts, (_, fault) => {
        filterFault = fault;
        return {};
      });
      filterFault = null;
      for (const count of counts) expect(count).toBeGreaterThanOrEqual(2);
    });
  },
);

type Breakage = (signal: AbortSignal) => Promise<ModelEvent | null>;

const unavailable = (retryable: boolean) => new ModelError('MODEL_UNAVAILABLE', 'scripted', { retryable });

/** What a model may do in the place of its next event; null ends its stream there. */
const breakages: Readonly<Record<string, Breakage>> = {
  'fails in a way that may pass': () => Promise.reject(unavailable(true)),
  'fails for good': () => Promise.reject(unavailable(false)),
  'throws what no adapter may throw': () => Promise.reject(new TypeError('x is not a function')),
  'ends without an end': async () => null,
  'falls silent until it is aborted': (signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })),
  'falls silent and does not heed the abort': () => new Promise(() => {}),
};

describe.each(Object.entries(breakages))('a model that %s', (_, breakage) => {
  const events = eventsOf(replies.done);

  it.each([0, 1, 2, 3, 4])('after %i events ends its turn once, and the words can be said again', async (breakAt) => {
    let isBroken = true;
    const provider: ModelProvider = {
      name: 'scripted',
      model: 'scripted',
      async *stream(_call, signal) {
        for (const [index, event] of events.entries()) {
          if (isBroken && index === breakAt) {
            const instead = await breakage(signal);
            if (!instead) return;
            yield instead;
          } else yield event;
        }
      },
    };
    const session = await house.session(provider);
    const { during, after, exchanges } = await live(session, {
      heal: () => {
        isBroken = false;
      },
      ending: 'done',
    });
    if (during.kind !== 'told') throw new Error(during.kind);
    const end = during.events.at(-1);
    const { retryable, partial_text: partial } = JSON.parse(end?.data ?? '{}');
    if (end?.name === 'error') expect(partial).toBe(textOf(during.events));
    const isAnswered = end?.name === 'done' || retryable === true;
    expect(after.events.at(-1)?.name).toBe(isAnswered ? 'done' : 'error');
    expect(exchanges.map(({ content }) => content)).toEqual(
      isAnswered ? [question, answer, 'And now?', answer] : [question, 'And now?', answer],
    );
  });
});
