import { describe, expect, it, vi } from 'vitest';
import { anOwner, keepLiveTurn } from '../../test/contract/store-fixtures.ts';
import { eventsOf, type LiveClient } from '../../test/fixtures/live-client.ts';
import { startLiveServer } from '../../test/fixtures/live-server.ts';
import { SimulatedClock } from '../core/clock.ts';

const pingMs = 25_000;

/** Has the server answer something, so that all that the client sent before has come. */
async function exchange(client: LiveClient): Promise<void> {
  client.say('?');
  await client.read(1);
}

const pinged = (client: LiveClient) => new Promise((resolve) => void client.socket.once('ping', resolve));

describe('a socket', () => {
  it('is pinged every 25 seconds, and stays open for as long as its client answers', async () => {
    const clock = new SimulatedClock();
    await using server = await startLiveServer({ clock });
    using client = await server.open(anOwner());
    await exchange(client);
    for (let beat = 0; beat < 5; beat += 1) {
      const ping = pinged(client);
      clock.advance(pingMs);
      await ping;
      await exchange(client);
    }
    expect(server.sockets.size).toBe(1);
  });

  it('whose client does not answer a ping is broken off at the next', async () => {
    const clock = new SimulatedClock();
    await using server = await startLiveServer({ clock });
    using client = await server.open(anOwner(), { autoPong: false });
    await exchange(client);
    const ping = pinged(client);
    clock.advance(pingMs);
    await ping;
    await exchange(client);
    expect(server.sockets.size).toBe(1);
    clock.advance(pingMs);
    expect(await client.closed).toBe(1006);
    await vi.waitFor(() => expect(server.sockets.size).toBe(0));
  });

  it('is closed with 1008 when the token it was opened with has run out, though nothing is said', async () => {
    const clock = new SimulatedClock();
    await using server = await startLiveServer({ clock });
    using client = await server.open(anOwner(), { hours: 0.01 });
    await exchange(client);
    const ping = pinged(client);
    clock.advance(pingMs);
    await ping;
    await exchange(client);
    clock.advance(pingMs);
    expect(await client.closed).toBe(1008);
  });

  it('takes no message after the token has run out', async () => {
    const clock = new SimulatedClock();
    await using server = await startLiveServer({ clock });
    const { session, turn } = await keepLiveTurn(server.store);
    const owner = { schoolId: session.schoolId, userId: session.ownerId };
    using client = await server.open(owner, { hours: 0.001 });
    server.log.open(turn.id).token('said');
    await exchange(client);
    clock.advance(4_000);
    client.say({ type: 'follow', turn_id: turn.id, after: 0 });
    const [message, ...more] = await client.rest();
    expect(message).toMatchObject({ type: 'problem', code: 'UNAUTHENTICATED', turn_id: turn.id });
    expect(more).toEqual([]);
    expect(await client.closed).toBe(1008);
  });
});

describe('at shutdown', () => {
  it('every socket is closed with 1001, and one that does not let go is broken off half a second later', async () => {
    const clock = new SimulatedClock();
    await using server = await startLiveServer({ clock });
    using client = await server.open(anOwner());
    using stalled = await server.open(anOwner());
    await exchange(client);
    await exchange(stalled);
    stalled.socket.pause();
    server.sockets.closeAll();
    expect(await client.closed).toBe(1001);
    await vi.waitFor(() => expect(server.sockets.size).toBe(1));
    clock.advance(500);
    await vi.waitFor(() => expect(server.sockets.size).toBe(0));
  });

  it('one that comes late is closed with 1001 too, and broken off where it does not let go', async () => {
    const clock = new SimulatedClock();
    await using server = await startLiveServer({ clock });
    server.sockets.closeAll();
    clock.advance(500);
    using client = await server.open(anOwner());
    expect(await client.closed).toBe(1001);
    using stalled = await server.open(anOwner());
    stalled.socket.pause();
    expect(server.sockets.size).toBe(1);
    clock.advance(500);
    await vi.waitFor(() => expect(server.sockets.size).toBe(0));
  });
});

describe('a part that fails', () => {
  it('is answered with a problem of no detail, and the next message is handled', async () => {
    let failures = 1;
    await using server = await startLiveServer({
      parts: ({ store }) => ({
        store: {
          turnById: (owner, turnId) => {
            failures -= 1;
            return failures < 0
              ? store.turnById(owner, turnId)
              : Promise.reject(new Error('the disk is full of words'));
          },
        },
      }),
    });
    const { session, turn } = await keepLiveTurn(server.store);
    using client = await server.open({ schoolId: session.schoolId, userId: session.ownerId });
    const writer = server.log.open(turn.id);
    writer.token('Only ');
    client.say({ type: 'follow', turn_id: turn.id }, { type: 'follow', turn_id: turn.id });
    const [problem, ...rest] = await client.read(3);
    expect(problem).toMatchObject({ type: 'problem', code: 'INTERNAL', status: 500, turn_id: turn.id });
    expect(JSON.stringify(problem)).not.toContain('disk');
    expect(rest.map(({ type }) => type)).toEqual(['turn', 'token']);
  });

  it('in the log leaves no turn behind that counts as followed', async () => {
    let failures = 70;
    await using server = await startLiveServer({
      parts: ({ log }) => ({
        log: {
          ...log,
          follow: async (turnId, after, follower) => {
            failures -= 1;
            if (failures >= 0) throw new Error('no connection');
            return log.follow(turnId, after, follower);
          },
        },
      }),
    });
    const { session, turn } = await keepLiveTurn(server.store);
    using client = await server.open({ schoolId: session.schoolId, userId: session.ownerId });
    const writer = server.log.open(turn.id);
    for (let count = 0; count < 71; count += 1) client.say({ type: 'follow', turn_id: turn.id });
    writer.token('Only ');
    const messages = await client.readTo(({ type }) => type === 'token');
    expect(messages.filter(({ code }) => code === 'INTERNAL')).toHaveLength(70);
    expect(eventsOf(messages, turn.id)).toHaveLength(1);
  });
});
