import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { aSettlement, aTurn, keepLiveTurn, keepSession, ownerOf } from '../../test/contract/store-fixtures.ts';
import { seqsOf, shownText } from '../../test/fixtures/fault-client.ts';
import { eventsOf, isEnd, type LiveClient, type LiveMessage } from '../../test/fixtures/live-client.ts';
import { type LiveServer, startLiveServer } from '../../test/fixtures/live-server.ts';
import { refuse } from '../engine/outcome.ts';

const kilobyte = 1024;

/** A live turn with its log, and its owner. */
async function begin(server: LiveServer) {
  const { session, turn } = await keepLiveTurn(server.store);
  return { turn, turnId: turn.id, sessionId: session.id, owner: ownerOf(session), writer: server.log.open(turn.id) };
}

/** Follows a turn; resolves when it does. */
async function follow(client: LiveClient, turnId: string, after = 0): Promise<LiveMessage | undefined> {
  client.say({ type: 'follow', turn_id: turnId, after });
  return (await client.read(1))[0];
}

const whole = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('a client that reads nothing', () => {
  it('is closed with 1013 while others have their turn, and has the rest from where it was', async () => {
    await using server = await startLiveServer();
    const { turnId, owner, writer } = await begin(server);
    using healthy = await server.open(owner);
    using stalled = await server.open(owner);
    await follow(healthy, turnId);
    await follow(stalled, turnId);
    stalled.socket.pause();
    const all: LiveMessage[] = [];
    for (let count = 1; count <= 150; count += 1) {
      writer.token(`${count} ${'ž'.repeat(5 * kilobyte)}`);
      all.push(...(await healthy.read(1)));
    }
    writer.end('done', '{}');
    all.push(...(await healthy.readTo((message) => isEnd(message))));
    stalled.socket.resume();
    const before = eventsOf(await stalled.rest(), turnId);
    expect(await stalled.closed).toBe(1013);
    expect(before.length).toBeLessThan(all.length);
    expect(before.map(({ event }) => event)).not.toContain('done');
    using again = await server.open(owner);
    await follow(again, turnId, before.length);
    const after = eventsOf(await again.readTo((message) => isEnd(message)), turnId);
    expect([...before, ...after]).toEqual(eventsOf(all, turnId));
    expect(seqsOf([...before, ...after])).toEqual(whole(151));
  });

  it('and only ever asks is closed with 1013 too', async () => {
    await using server = await startLiveServer({ settings: { clientBacklogBytes: kilobyte } });
    const { owner } = await begin(server);
    using client = await server.open(owner);
    client.socket.pause();
    const nonsense = JSON.stringify({ type: 'respond', client_message_id: 'm'.repeat(200) });
    for (let count = 0; count < 3_000; count += 1) client.say(nonsense);
    // All of it has left, whatever becomes of it.
    while (client.socket.bufferedAmount > 0 && client.socket.readyState === client.socket.OPEN) await nextTick();
    client.socket.resume();
    const answers = await client.rest();
    expect(await client.closed).toBe(1013);
    expect(answers.length).toBeLessThan(3_000);
  });

  it('and is behind when the reply is withdrawn never gets what had not left yet', async () => {
    await using server = await startLiveServer({ settings: { clientBacklogBytes: 100_000 * kilobyte } });
    const { turnId, owner, writer } = await begin(server);
    using slow = await server.open(owner);
    await follow(slow, turnId);
    slow.socket.pause();
    for (let count = 1; count <= 100; count += 1) {
      writer.token(`${count} ${'x'.repeat(10 * kilobyte)}`);
      await nextTick();
    }
    writer.token('the last words');
    await nextTick();
    writer.end('redact', '{"fallback_text":"…","boundary":"violence"}');
    slow.socket.resume();
    const before = await slow.rest();
    expect(await slow.closed).toBe(1006);
    expect(JSON.stringify(before)).not.toContain('the last words');
    expect(before.map(({ type }) => type)).not.toContain('redact');
    using back = await server.open(owner);
    await follow(back, turnId, before.length);
    const [redact] = await back.read(1);
    expect(redact).toMatchObject({ type: 'redact', seq: before.length + 1, data: { fallback_text: '…' } });
  });
});

describe('a client that comes late', () => {
  it('to long turns is caught up with all of them on one socket, however little may wait for it', async () => {
    await using server = await startLiveServer({ settings: { clientBacklogBytes: 16 * kilobyte } });
    const first = await begin(server);
    const pieces = Array.from({ length: 10_000 }, (_, index) => `${index} `);
    const session = await keepSession(server.store, {
      schoolId: first.owner.schoolId,
      ownerId: first.owner.userId,
    });
    const turn = aTurn(session);
    await server.store.beginTurn(turn);
    const second = { turnId: turn.id, writer: server.log.open(turn.id) };
    for (const { writer } of [first, second]) for (const piece of pieces) writer.token(piece);
    using client = await server.open(first.owner);
    client.say(...[first, second].map(({ turnId }) => ({ type: 'follow', turn_id: turnId })));
    const seen = await client.read(2 * pieces.length + 2);
    for (const { writer } of [first, second]) {
      writer.token('the end');
      writer.end('done', '{}');
    }
    seen.push(...(await client.read(4)));
    for (const { turnId } of [first, second]) {
      const events = eventsOf(seen, turnId);
      expect(seqsOf(events)).toEqual(whole(pieces.length + 2));
      expect(shownText(events)).toBe(`${pieces.join('')}the end`);
      expect(events.at(-1)?.event).toBe('done');
    }
  });

  it('and has the end already is told so, by the log and by what was kept', async () => {
    await using server = await startLiveServer();
    const { turn, turnId, sessionId, owner, writer } = await begin(server);
    writer.token('Visi ');
    writer.token('jau pasidalino.');
    using client = await server.open(owner);
    const answer = { type: 'turn', turn_id: turnId, session_id: sessionId };
    expect(await follow(client, turnId, 2)).toEqual({ ...answer, ended: false });
    await server.store.settleTurn(aSettlement(turn));
    writer.end('done', '{"exchanges_count":1}');
    expect((await client.read(1)).map(({ type }) => type)).toEqual(['done']);
    expect(await follow(client, turnId, 3)).toEqual({ ...answer, ended: true });
    writer.forget();
    expect(await follow(client, turnId, 3)).toEqual({ ...answer, ended: true });
    expect(await follow(client, turnId, 1)).toEqual({ ...answer, ended: false });
    expect(eventsOf(await client.read(2), turnId).map(({ id, data }) => [id, data])).toEqual([
      [`${turnId}:2`, { text: 'jau pasidalino.' }],
      [`${turnId}:3`, { exchanges_count: 1 }],
    ]);
  });
});

describe('a turn that is followed', () => {
  it('and let go by its log is ended by what was kept of it', async () => {
    await using server = await startLiveServer();
    const { turn, turnId, owner, writer } = await begin(server);
    using client = await server.open(owner);
    await follow(client, turnId);
    writer.token('Visi ');
    await client.read(1);
    await server.store.settleTurn(aSettlement(turn));
    writer.forget();
    const rest = eventsOf(await client.read(2), turnId);
    expect(rest.map(({ id, event }) => [id, event])).toEqual([
      [`${turnId}:2`, 'token'],
      [`${turnId}:3`, 'done'],
    ]);
    expect(rest[0]?.data).toEqual({ text: 'jau pasidalino.' });
  });

  it('and erased meanwhile is said to be gone, so that nobody waits for its end', async () => {
    const refused = async () => refuse('NOT_FOUND');
    await using server = await startLiveServer({
      parts: () => ({ turns: { respond: refused, stop: refused, turn: async () => null } }),
    });
    const { turnId, owner, writer } = await begin(server);
    using client = await server.open(owner);
    await follow(client, turnId);
    writer.forget();
    expect((await client.read(1))[0]).toMatchObject({ type: 'problem', code: 'NOT_FOUND', turn_id: turnId });
  });

  it('again on the same socket begins where it is asked to, and its events come once', async () => {
    await using server = await startLiveServer();
    const { turnId, owner, writer } = await begin(server);
    using client = await server.open(owner);
    writer.token('Only ');
    writer.token('ten ');
    await follow(client, turnId);
    expect(await client.read(2)).toHaveLength(2);
    await follow(client, turnId, 1);
    writer.token('left.');
    writer.end('done', '{}');
    client.say('?');
    const seen = await client.readTo(({ type }) => type === 'problem');
    expect(seqsOf(eventsOf(seen, turnId))).toEqual([2, 3, 4]);
  });

  it('is one of at most 64 on a socket, and leaves its place when it ends', async () => {
    await using server = await startLiveServer();
    const { owner } = await begin(server);
    const turns = [];
    for (let count = 0; count < 65; count += 1) {
      const session = await keepSession(server.store, { schoolId: owner.schoolId, ownerId: owner.userId });
      const turn = aTurn(session);
      await server.store.beginTurn(turn);
      turns.push({ turnId: turn.id, writer: server.log.open(turn.id) });
    }
    using client = await server.open(owner);
    const answers: LiveMessage[] = [];
    for (const { turnId } of turns) answers.push(...[await follow(client, turnId)].filter((one) => one !== undefined));
    expect(answers.slice(0, 64).map(({ type }) => type)).toEqual(Array.from({ length: 64 }, () => 'turn'));
    expect(answers[64]).toMatchObject({ type: 'problem', code: 'RATE_LIMITED', turn_id: turns[64]?.turnId });
    turns[0]?.writer.end('done', '{}');
    await client.read(1);
    expect(await follow(client, turns[64]?.turnId ?? '')).toMatchObject({ type: 'turn' });
  });
});
