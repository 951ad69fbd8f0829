import { createOpenAI } from '@ai-sdk/openai';
import { serve } from '@hono/node-server';
import { createUIMessageStreamResponse, streamText, toUIMessageStream } from 'ai';
import { Hono } from 'hono';

/**
 * The other way to do it: the AI SDK's `streamText` behind Hono, its deltas streamed as server-sent events. No
 * authentication, no store, no filter, no log.
 *
 *     node ai-sdk-program.ts <upstream base URL>
 */
const openai = createOpenAI({ apiKey: 'sk-bench', baseURL: process.argv[2] ?? '' });
const app = new Hono();
app.post('/chat', async (c) => {
  const { message } = await c.req.json<{ message: string }>();
  const { stream } = streamText({ model: openai.chat('bench'), prompt: message });
  return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream }) });
});
app.get('/cpu', (c) => {
  const { user, system } = process.cpuUsage();
  return c.text(String(user + system));
});
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
