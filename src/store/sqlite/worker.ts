import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { AppError } from '../../core/errors.ts';
import { batchRunner } from './batch.ts';
import { openDatabase } from './database.ts';
import { codeOf } from './error-code.ts';
import { createOperations } from './operations.ts';
import { batchSize, type Reply, type Request } from './protocol.ts';

/** The database thread: takes every request that is waiting, commits them together, answers them together. */
function serve(): void {
  const port = parentPort;
  if (!port) throw new AppError('INTERNAL', 'the database thread was started as a program');
  const send = (reply: Reply) => port.postMessage(reply);
  let opened: ReturnType<typeof open>;
  try {
    opened = open((workerData as { file: string }).file);
  } catch (error) {
    const message = error instanceof AppError ? error.message : `The database cannot be read (${codeOf(error)}).`;
    send({ kind: 'not_opened', message });
    port.close();
    return;
  }
  const { db, runBatch, fromVersion, version } = opened;
  port.on('message', (first: Request) => {
    const calls = [...first.calls];
    let { isLast } = first;
    while (!isLast && calls.length < batchSize) {
      const next = receiveMessageOnPort(port) as { message: Request } | undefined;
      if (!next) break;
      calls.push(...next.message.calls);
      isLast = next.message.isLast;
    }
    if (calls.length > 0) send({ kind: 'answers', answers: runBatch(calls) });
    if (!isLast) return;
    // Closing the last connection moves the WAL into the database.
    db.close();
    port.close();
  });
  send({ kind: 'opened', fromVersion, version });
}

function open(file: string) {
  const { db, fromVersion, version } = openDatabase(file);
  try {
    return { db, fromVersion, version, runBatch: batchRunner(db, createOperations(db)) };
  } catch (error) {
    db.close();
    throw error;
  }
}

serve();
