import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stamp } from './stamp.ts';

/**
 * A Chat Completions server that gives every stream a token each 20 ms, the streams spread over the interval. Each
 * token is the time it was sent, so that whoever receives it knows how long it took.
 *
 *     node paced-upstream.ts <tokens a stream>
 */
const tokens = Number(process.argv[2] ?? 150);
const everyMs = 20;
type Stream = { response: ServerResponse; left: number };
const slots: Set<Stream>[] = Array.from({ length: everyMs }, () => new Set());
let next = 0;

const server = createServer((incoming, response) => {
  incoming.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const stream = { response, left: tokens };
  const slot = slots[next++ % everyMs];
  slot?.add(stream);
  response.on('close', () => slot?.delete(stream));
});

const chunk = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const end = `${chunk({}, 'stop')}data: [DONE]\n\n`;

let slot = 0;
let due = performance.now();
setInterval(() => {
  // A late timer catches up, so that the pace holds on a busy machine.
  for (; due <= performance.now(); due += 1) {
    const frame = chunk({ content: stamp() }, null);
    for (const stream of slots[slot] ?? []) {
      stream.left -= 1;
      if (stream.left > 0) stream.response.write(frame);
      else {
        stream.response.end(frame + end);
        slots[slot]?.delete(stream);
      }
    }
    slot = (slot + 1) % everyMs;
  }
}, 1);

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/v1` })}\n`);
});
