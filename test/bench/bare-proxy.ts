import { Agent, createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerControl } from './control.ts';

/**
 * The baseline: a bare `node:http` proxy. For each request it calls the upstream's Chat Completions, takes each delta
 * out and writes it as `event: token`, one write a token. No authentication, no store, no filter, no log.
 *
 *     node bare-proxy.ts <upstream base URL>
 *
 * Without any upstream, `/burst` writes 200 tokens (`/burst?n`: n of them) and `/hold` holds a stream that says nothing
 * until `/release`. `/cpu` and `/memory` are answered as `control.ts` says.
 */
const upstream = new URL(`${process.argv[2] ?? ''}/chat/completions`);
const agent = new Agent({ keepAlive: true, maxSockets: 16_384 });
const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] });
const holding = new Set<ServerResponse>();

const server = createServer((incoming, response) => {
  if (answerControl(incoming.url, response)) return;
  incoming.resume();
  if (incoming.url === '/release') {
    for (const held of holding) held.end();
    holding.clear();
    response.end();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const [path, count] = (incoming.url ?? '').split('?');
  if (path === '/hold') {
    response.write(':\n\n');
    holding.add(response);
    return;
  }
  if (path === '/burst') {
    for (let seq = 1; seq <= Number(count ?? 200); seq += 1)
      response.write(`id: t:${seq}\nevent: token\ndata: {"text":"word "}\n\n`);
    response.end('event: done\ndata: {}\n\n');
    return;
  }
  const call = request(
    upstream,
    { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
    (answer) => {
      let rest = '';
      let seq = 0;
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (!line.startsWith('data: ') || line === 'data: [DONE]') continue;
          const { choices } = JSON.parse(line.slice(6)) as { choices: { delta?: { content?: string } }[] };
          const text = choices[0]?.delta?.content;
          if (!text) continue;
          seq += 1;
          response.write(`id: t:${seq}\nevent: token\ndata: ${JSON.stringify({ text })}\n\n`);
        }
      });
      answer.on('end', () => response.end('event: done\ndata: {}\n\n'));
    },
  );
  response.on('close', () => call.destroy());
  call.on('error', () => response.destroy());
  call.end(body);
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
