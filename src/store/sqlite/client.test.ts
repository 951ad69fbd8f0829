import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jsonLogger } from '../../core/logger.ts';
import { SimulatedClock } from '../../core/clock.ts';
import { DatabaseClient } from './client.ts';
import { batchSize } from './protocol.ts';

/** A client of a thread that runs `source`, and what it logged. */
function clientOf(source: string) {
  const lines: { event: string }[] = [];
  const logger = jsonLogger(new SimulatedClock(), (line) => lines.push(JSON.parse(line) as { event: string }));
  const worker = new Worker(`const { parentPort: port } = require('node:worker_threads'); ${source}`, { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  return { client: new DatabaseClient(worker, logger), worker, lines };
}

const opened = `port.postMessage({ kind: 'opened', fromVersion: 0, version: 1 });`;
const stopped = { name: 'AppError', code: 'INTERNAL', message: 'store: the database thread has stopped' };

describe('a database thread', () => {
  it('that dies takes its calls with it: those that wait and those to come reject', async () => {
    const { client, lines } = clientOf(
      `${opened} port.on('message', () => { throw new TypeError('what a learner wrote'); });`,
    );
    await client.opened;
    const waiting = [client.call('ping'), client.call('interruptLiveTurns', 1)];
    for (const result of await Promise.allSettled(waiting)) {
      expect(result).toMatchObject({ status: 'rejected', reason: stopped });
    }
    await expect(client.call('ping')).rejects.toMatchObject(stopped);
    await client.close();
    expect(lines).toMatchObject([{ level: 'error', event: 'store_stopped', reason: 'TypeError' }]);
    expect(JSON.stringify(lines)).not.toContain('learner');
  });

  it('that is ended from outside is noticed too', async () => {
    const { client, worker } = clientOf(`${opened} port.on('message', () => {});`);
    await client.opened;
    const waiting = expect(client.call('ping')).rejects.toMatchObject(stopped);
    await worker.terminate();
    await waiting;
  });

  it('that ends before it is open is a failed opening', async () => {
    const { client } = clientOf('port.close();');
    await expect(client.opened).rejects.toMatchObject(stopped);
    await expect(client.call('ping')).rejects.toMatchObject(stopped);
  });

  it('gets the calls of one tick in one request, and no request larger than a batch', async () => {
    const { client } = clientOf(`${opened} port.on('message', ({ calls }) =>
      port.postMessage({ kind: 'answers', answers: calls.map(({ id }) => ({ id, value: calls.length })) }));`);
    await client.opened;
    const sizes = async (count: number) =>
      Promise.all(Array.from({ length: count }, () => client.call('interruptLiveTurns', 1)));
    expect(await sizes(3)).toEqual([3, 3, 3]);
    expect(new Set(await sizes(batchSize + 1))).toEqual(new Set([batchSize, 1]));
  });

  it('is not sent what is no data: those calls reject and the process lives', async () => {
    const { client } = clientOf(`${opened} port.on('message', ({ calls }) =>
      port.postMessage({ kind: 'answers', answers: calls.map(({ id }) => ({ id })) }));`);
    await client.opened;
    const owner = { schoolId: 's', userId: 'u', ask: () => 'a function' };
    await expect(client.call('classesOf', owner)).rejects.toMatchObject({
      code: 'INTERNAL',
      message: 'store: a call could not be sent (DataCloneError)',
    });
    await expect(client.call('ping')).resolves.toBeUndefined();
  });
});
