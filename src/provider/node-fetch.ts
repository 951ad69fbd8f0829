import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

/** An error page is read this far. */
const errorBodyBytes = 64 * 1024;

/**
 * A `fetch` over `node:http` for a client that takes one: POSTs of text, over connections that are kept alive.
 *
 * The platform's own `fetch` gives the body as a web stream, which costs a third more CPU for a whole reply. Here a
 * successful response has no body of its own; `bodyOf` gives Node's stream for it, to be read or destroyed.
 */
export function createNodeFetch(): {
  fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** The body of a response with a status of 2xx that this `fetch` gave. */
  bodyOf: (response: Response) => IncomingMessage;
} {
  const httpAgent = new HttpAgent({ keepAlive: true });
  const httpsAgent = new HttpsAgent({ keepAlive: true });
  const bodies = new WeakMap<Response, IncomingMessage>();

  const open = (url: URL, init: RequestInit) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const options = {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(init.signal ? { signal: init.signal } : {}),
      };
      const request =
        url.protocol === 'https:'
          ? requestHttps(url, { ...options, agent: httpsAgent }, resolve)
          : requestHttp(url, { ...options, agent: httpAgent }, resolve);
      request.on('error', reject);
      request.end(typeof init.body === 'string' ? init.body : undefined);
    });

  return {
    async fetch(input, init = {}) {
      const incoming = await open(new URL(input instanceof Request ? input.url : input), init);
      const status = incoming.statusCode ?? 0;
      const headers = new Headers();
      for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
      if (status >= 200 && status < 300) {
        const response = new Response(null, { status, headers });
        bodies.set(response, incoming);
        return response;
      }
      const body = await readText(incoming);
      return new Response(status === 304 ? null : body, { status, headers });
    },
    bodyOf(response) {
      const incoming = bodies.get(response);
      if (!incoming) throw new TypeError('This response has no body to read.');
      return incoming;
    },
  };
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > errorBodyBytes) break;
  }
  return Buffer.concat(chunks).toString();
}
