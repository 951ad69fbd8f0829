import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as library from '../../src/web/client/client.ts';
import { browserLessonFiles } from './browser-lesson.ts';
import { launchBrowser, visit } from './browser.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { openTalk } from './student.ts';

let browser: Browser;
let server: ServerProcess;
let script: string;

const parts = new AsyncDisposableStack();

beforeAll(async () => {
  server = parts.use(await startServerProcess({ files: browserLessonFiles }));
  browser = parts.use(await launchBrowser());
  const entry = fileURLToPath(new URL('../../src/web/client/client.ts', import.meta.url));
  const options = {
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'trickster',
    target: 'safari15.4',
  } as const;
  const { outputFiles } = await build({ entryPoints: [entry], ...options });
  script = outputFiles[0]?.text ?? '';
}, 120_000);

afterAll(() => parts.disposeAsync());

/** Speaks over a WebSocket in the page, as a page of the school's own would; what came of it, and what was asked for. */
async function speakIn(page: Page, sessionId: string) {
  await page.evaluate(`${script}; globalThis.trickster = trickster;`);
  return page.evaluate(async (id) => {
    const { createClient, webSocket } = Reflect.get(globalThis, 'trickster') as typeof library;
    const urls: string[] = [];
    const client = createClient({
      transport: webSocket((url) => {
        urls.push(url);
        return new WebSocket(url);
      }),
    });
    const seen: library.TurnEvent[] = [];
    for await (const event of client.respond(id, { message: 'Ar tai tiesa? 🦊' })) seen.push(event);
    const turnId = seen[0]?.turn_id ?? '';
    const again: library.TurnEvent[] = [];
    for await (const event of createClient().follow(id, turnId)) again.push(event);
    client.close();
    return { seen, again, urls };
  }, sessionId);
}

test('the client speaks over a WebSocket in a page, let in by the page’s cookie', { timeout: 60_000 }, async () => {
  await using student = await visit(browser);
  const { page, complaints } = student;
  await openTalk(page, server);
  const sessionId = new URL(page.url()).hash.split('/').at(-1) ?? '';
  const { seen, again, urls } = await speakIn(page, sessionId);
  expect(seen.at(-1)?.type).toBe('done');
  expect(seen).toEqual(again);
  expect(urls).toEqual([`${server.url.replace('http', 'ws')}/api/live`]);
  expect(complaints).toEqual([]);
});
