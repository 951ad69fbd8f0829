import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stamp } from './stamp.ts';

/**
 * A Chat Completions server that gives every stream a token each 20 ms, the streams spread over the interval. Each
 * token is the time it was sent, so that whoever receives it knows how long it took.
 *
 *     node paced-upstream.ts <tokens a stream>
 *
 * `/pace/<ms>` changes the interval of what begins from then on, 0 to begin nothing; `/end` ends every stream.
 */
const tokens = Number(process.argv[2] ?? 150);
type Stream = { response: ServerResponse; left: number };
/** The streams of each millisecond of the interval, and those that are told nothing. */
let slots = newSlots(20);
const silent = new Set<Stream>();
let next = 0;

function newSlots(everyMs: number): Set<Stream>[] {
  return Array.from({ length: everyMs }, () => new Set());
}

const server = createServer((incoming, response) => {
  incoming.resume();
  const [, wanted] = /^\/pace\/(\d+)$/u.exec(incoming.url ?? '') ?? [];
  if (wanted !== undefined) {
    slots = newSlots(Number(wanted));
    response.end();
  } else if (incoming.url === '/end') {
    for (const stream of [...slots.flatMap((slot) => [...slot]), ...silent]) stream.response.end(end);
    response.end();
  } else {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    const slot = slots.length === 0 ? silent : slots[next++ % slots.length];
    const stream = { response, left: tokens };
    slot?.add(stream);
    response.on('close', () => slot?.delete(stream));
  }
});

const chunk = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const end = `${chunk({}, 'stop')}data: [DONE]\n\n`;

/** How much of what a late timer missed is made up for, in milliseconds: past that, this process is what is slow. */
const mostLateMs = 100;
let at = 0;
let due = performance.now();
setInterval(() => {
  const startedAt = performance.now();
  // A late timer catches up, so that the pace holds on a busy machine; what comes due meanwhile is left to the next.
  for (due = Math.max(due, startedAt - mostLateMs); due <= startedAt; due += 1) {
    at += 1;
    const slot = slots[at % slots.length];
    const frame = chunk({ content: stamp() }, null);
    for (const stream of slot ?? []) {
      stream.left -= 1;
      if (stream.left > 0) stream.response.write(frame);
      else {
        stream.response.end(frame + end);
        slot?.delete(stream);
      }
    }
  }
}, 1);

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/v1` })}\n`);
});
