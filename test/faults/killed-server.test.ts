import { request } from 'node:http';
import { setImmediate as nextTick } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller, SseEvent } from '../fixtures/caller.ts';
import { type EventReader, openStream, seqsOf, shownText } from '../fixtures/fault-client.ts';
import { type MortalServer, startMortalServer } from '../fixtures/fault-process.ts';
import { type HeldUpstream, startHeldUpstream } from '../fixtures/fault-upstream.ts';

const question = 'Ar tai tiesa?';
const words = ['Only ', 'ten ', 'left. '];

let upstream: HeldUpstream;
let server: MortalServer;
let student: Caller;

beforeAll(async () => {
  upstream = await startHeldUpstream();
  server = await startMortalServer(upstream.env);
  student = await server.join();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

/** A message on its way: what its client knows of the turn when the server dies. */
type Victim = { sessionId: string; stage: string; stream: EventReader | null; seen: SseEvent[] };

async function say(sessionId: string): Promise<EventReader> {
  const body = { message: question, client_message_id: 'm1' };
  return openStream(`${server.url}/api/sessions/${sessionId}/respond`, { token: student.token, body });
}

/** Sends a message and does not wait for anything. */
async function sayBlindly(sessionId: string): Promise<void> {
  const sent = request(`${server.url}/api/sessions/${sessionId}/respond`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${student.token}`, 'content-type': 'application/json' },
  });
  sent.on('error', () => {});
  const body = JSON.stringify({ message: question, client_message_id: 'm1' });
  await new Promise<void>((flushed) => sent.end(body, flushed));
}

const stages: Readonly<Record<string, (sessionId: string) => Promise<Pick<Victim, 'stream' | 'seen'>>>> = {
  'the model was asked': async (sessionId) => {
    const stream = await say(sessionId);
    await upstream.next();
    return { stream, seen: [] };
  },
  'one token was read': (sessionId) => readSome(sessionId, 1),
  'two tokens were read': (sessionId) => readSome(sessionId, 2),
  'every token was read': (sessionId) => readSome(sessionId, 3),
  'the end was read': async (sessionId) => {
    const stream = await say(sessionId);
    const reply = await upstream.next();
    reply.say(...words);
    reply.finish();
    return { stream, seen: await stream.rest() };
  },
  // These come last, for they are overtaken by the kill.
  'the model had just finished': async (sessionId) => {
    const stream = await say(sessionId);
    const reply = await upstream.next();
    reply.say(...words);
    const seen = await stream.read(2);
    reply.finish();
    return { stream, seen };
  },
  'the message had just been sent': async (sessionId) => {
    await sayBlindly(sessionId);
    return { stream: null, seen: [] };
  },
};

async function readSome(sessionId: string, count: number) {
  const stream = await say(sessionId);
  const reply = await upstream.next();
  reply.say(...words.slice(0, count));
  return { stream, seen: await stream.read(count) };
}

/** What anyone who comes back to the turn is told: what it has become, once. */
async function expectOneEnd({ sessionId, stage, stream, seen }: Victim, isDone: boolean): Promise<void> {
  if (!stream) return;
  const path = `/api/sessions/${sessionId}/turns/${stream.turnId}/events`;
  const last = seen.at(-1);
  const back = await student.request('GET', `${path}?after=${seen.length}`);
  expect(back.status, stage).toBe(last?.event === 'done' ? 204 : 200);
  for (const after of [0, seen.length]) {
    const { events } = await student.follow(path, { 'last-event-id': `${stream.turnId}:${after}` });
    if (after > 0 && last?.event === 'done') expect(events).toEqual([]);
    else if (isDone) {
      expect(events.at(-1)).toMatchObject({ id: `${stream.turnId}:${words.length + 1}`, event: 'done' });
      expect(shownText([...seen.slice(0, after), ...events])).toBe(words.join(''));
    } else {
      expect(events).toMatchObject([
        { event: 'error', data: { code: 'INTERRUPTED', retryable: true, partial_text: '' } },
      ]);
      expect(seqsOf(events)).toEqual([after + 1]);
    }
  }
}

describe('a server that is killed', () => {
  it.each([0, 1, 2])('in the middle of everything comes back to it, each message once: round %i', async (round) => {
    const victims: Victim[] = [];
    for (const [stage, reach] of Object.entries(stages)) {
      const { session_id: sessionId } = await student.talk();
      victims.push({ sessionId, stage, ...(await reach(sessionId)) });
    }
    for (let tick = 0; tick < round * 3; tick += 1) await nextTick();
    expect(await server.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });

    await server.start();
    for (const victim of victims) {
      const { sessionId, stage, stream } = victim;
      const before = await student.view(sessionId);
      expect(before.active_turn_id, stage).toBeNull();
      const isDone = before.exchanges.length === 2;
      if (stage === 'the end was read') expect(isDone).toBe(true);
      if (stream) expect(before.exchanges[0], stage).toMatchObject({ role: 'student', content: question });
      await expectOneEnd(victim, isDone);

      const again = await say(sessionId);
      if (isDone) expect(again.turnId, stage).toBe(stream?.turnId);
      else {
        expect(again.turnId, stage).not.toBe(stream?.turnId);
        const reply = await upstream.next();
        reply.say(...words);
        reply.finish();
      }
      const events = await again.rest();
      expect(events.at(-1)?.event, stage).toBe('done');
      expect(shownText(events), stage).toBe(words.join(''));
      const after = await student.view(sessionId);
      expect(
        after.exchanges.map(({ content }) => content),
        stage,
      ).toEqual([question, words.join('')]);
      // A turn that died stays dead, whatever came after it.
      await expectOneEnd(victim, isDone);
      expect((await student.say(sessionId, question, 'm1')).turnId, stage).toBe(again.turnId);
    }
  });
});
