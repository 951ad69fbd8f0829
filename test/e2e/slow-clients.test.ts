import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { SseEvent } from '../fixtures/caller.ts';
import { type EventReader, openStream, seqsOf, shownText } from '../fixtures/fault-client.ts';
import { type StreamServer, startStreamServer } from '../fixtures/fault-stream-server.ts';
import { startHeldUpstream } from '../fixtures/fault-upstream.ts';
import { startTestServer } from '../fixtures/running-server.ts';

const kilobyte = 1024;
const stalledClients = 300;
/** A stream's own buffer and one piece on top of it: the most that this process may hold for one client. */
const mostPerClient = 160 * kilobyte;

describe('clients that read nothing', () => {
  it('of one turn are cut off, cost a bounded memory, and do not touch a healthy one', async () => {
    await using server = await startStreamServer({ heartbeatMs: 60_000 });
    const writer = server.log.open('turn');
    const stalled = await Promise.all(Array.from({ length: stalledClients }, () => server.follow('turn')));
    const healthy = await server.follow('turn');
    const seen: SseEvent[] = [];
    let most = { total: 0, most: 0 };
    for (let count = 1; server.streams.size > 1 && count <= 400; count += 1) {
      writer.token(`${count} ${'x'.repeat(10 * kilobyte)}`);
      seen.push(...(await healthy.read(1)));
      most = larger(most, server.backlog());
    }
    expect(server.streams.size).toBe(1);
    writer.end('done', '{}');
    seen.push(...(await healthy.rest()));
    expect(seqsOf(seen)).toEqual(seen.map((_, index) => index + 1));
    expect(seen.at(-1)?.event).toBe('done');
    expect(most.most).toBeGreaterThan(0);
    expect(most.most).toBeLessThan(mostPerClient);
    expect(most.total).toBeLessThan(stalledClients * mostPerClient);

    for (const client of stalled.slice(0, 3)) await expectToCatchUp(server, client, seen);
    for (const client of stalled) client.cut();
  });

  it('of many turns leave a healthy client of each its turn', async () => {
    await using server = await startStreamServer({ heartbeatMs: 60_000, clientBacklogBytes: 64 * kilobyte });
    const names = Array.from({ length: 10 }, (_, index) => `turn-${index}`);
    const turns = await Promise.all(
      names.map(async (turnId) => {
        const writer = server.log.open(turnId);
        const stalled = await Promise.all(Array.from({ length: 30 }, () => server.follow(turnId)));
        return { turnId, writer, stalled, healthy: await server.follow(turnId), seen: [] as SseEvent[] };
      }),
    );
    for (let count = 1; server.streams.size > turns.length && count <= 400; count += 1) {
      for (const { writer } of turns) writer.token(`${count} ${'ž'.repeat(5 * kilobyte)}`);
      for (const { healthy, seen } of turns) seen.push(...(await healthy.read(1)));
      expect(server.backlog().most).toBeLessThan(mostPerClient);
    }
    expect(server.streams.size).toBe(turns.length);
    for (const { writer, healthy, seen, stalled } of turns) {
      writer.end('done', '{}');
      seen.push(...(await healthy.rest()));
      expect(seqsOf(seen)).toEqual(seen.map((_, index) => index + 1));
      expect(seen.at(-1)?.event).toBe('done');
      for (const client of stalled) client.cut();
    }
  });

  it('of a long turn that is over hold a little each, and are let go though nothing more is to come', async () => {
    await using server = await startStreamServer({ heartbeatMs: 100 });
    const writer = server.log.open('turn');
    for (let count = 0; count < 20_000; count += 1) writer.token('ą');
    writer.end('done', '{}');
    const stalled = await Promise.all(Array.from({ length: stalledClients }, () => server.follow('turn')));
    expect(server.backlog().total).toBeGreaterThan(0);
    expect(server.backlog().total).toBeLessThan(stalledClients * mostPerClient);
    while (server.streams.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(server.backlog().total).toBe(0);
    for (const client of stalled) client.cut();
  });

  it('and are behind when the reply is withdrawn never get what had not left yet', async () => {
    await using server = await startStreamServer({ heartbeatMs: 60_000, clientBacklogBytes: 100_000 * kilobyte });
    const writer = server.log.open('turn');
    const slow = await server.follow('turn');
    for (let count = 1; server.backlog().most < 64 * kilobyte && count <= 400; count += 1) {
      writer.token(`${count} ${'x'.repeat(10 * kilobyte)}`);
      await nextTick();
    }
    writer.token('the last words');
    await nextTick();
    writer.end('redact', '{"fallback_text":"…"}');
    const before = await slow.rest();
    expect(slow.raw).not.toContain('the last words');
    expect(before.map(({ event }) => event)).not.toContain('redact');
    const after = await (await server.follow('turn', before.length)).rest();
    expect(after.map(({ event }) => event)).toEqual(['redact']);
    expect(seqsOf(after)).toEqual([before.length + 1]);
  });
});

describe('a client that comes late to a long turn', () => {
  it('is caught up in one connection, however little may wait for it', async () => {
    await using server = await startStreamServer({ heartbeatMs: 60_000, clientBacklogBytes: 16 * kilobyte });
    const writer = server.log.open('turn');
    const pieces = Array.from({ length: 20_000 }, (_, index) => `${index} `);
    for (const piece of pieces) writer.token(piece);
    const late = await server.follow('turn');
    const seen = await late.read(pieces.length);
    writer.token('the end');
    writer.end('done', '{}');
    seen.push(...(await late.rest()));
    expect(shownText(seen)).toBe(`${pieces.join('')}the end`);
    expect(seqsOf(seen)).toEqual(seen.map((_, index) => index + 1));
    expect(seen.at(-1)?.event).toBe('done');
  });
});

describe('a student who reads nothing', () => {
  it('holds up neither the turn nor the server, is cut off, and comes back to the whole reply', async () => {
    await using upstream = await startHeldUpstream();
    await using server = await startTestServer({
      env: upstream.env,
      settings: { clientBacklogBytes: 64 * kilobyte, replyCharacters: 100_000_000 },
    });
    const student = await server.join('Ona');
    const { session_id: id } = await student.talk();
    const stream = await openStream(`${server.url}/api/sessions/${id}/respond`, {
      token: student.token,
      body: { message: 'Is it true?' },
    });
    const reply = await upstream.next();
    const line = `${'Only ten places are left, so hurry. '.repeat(3_000)}\n`;
    let said = '';
    for (let count = 1; (await openStreams(server.url)) > 0 && count <= 300; count += 1) {
      said += `${count} ${line}`;
      reply.say(`${count} ${line}`);
    }
    expect(await openStreams(server.url)).toBe(0);
    reply.finish();
    expect(await reply.closed).toBe('answered');
    const before = await stream.rest();
    expect(before.map(({ event }) => event)).not.toContain('done');
    const path = `/api/sessions/${id}/turns/${stream.turnId}/events`;
    const after = await student.follow(path, { 'last-event-id': `${stream.turnId}:${before.length}` });
    const seen = [...before, ...after.events];
    expect(seqsOf(seen)).toEqual(seen.map((_, index) => index + 1));
    expect(seen.filter(({ event }) => event !== 'token').map(({ event }) => event)).toEqual(['done']);
    expect(shownText(seen) === said).toBe(true);
  });
});

function larger(a: { total: number; most: number }, b: { total: number; most: number }) {
  return { total: Math.max(a.total, b.total), most: Math.max(a.most, b.most) };
}

async function openStreams(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^trickster_open_streams (\d+)$/mu.exec(text)?.[1]);
}

/** Reads what a client got before it was cut off, comes back, and expects the turn to be whole. */
async function expectToCatchUp(server: StreamServer, client: EventReader, whole: readonly SseEvent[]): Promise<void> {
  const before = await client.rest();
  expect(before.length).toBeLessThan(whole.length);
  const after = await (await server.follow('turn', before.length)).rest();
  expect([...before, ...after]).toEqual(whole);
}
