import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium as playwright, type Page } from 'playwright-core';

export const phone = { width: 390, height: 844 };

/** A real browser that comes with the project's packages. */
export async function launchBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox', '--font-render-hinting=none'],
    headless: true,
  });
}

export type Visit = AsyncDisposable & {
  page: Page;
  context: BrowserContext;
  /** What the page complained of: exceptions, and whatever its policy stopped. */
  complaints: readonly string[];
};

/** A student's phone (or whatever `options` make of it), with nothing remembered. */
export async function visit(browser: Browser, options: { locale?: string; touch?: boolean } = {}): Promise<Visit> {
  const { locale = 'en-GB', touch = false } = options;
  const context = await browser.newContext({ viewport: phone, locale, hasTouch: touch, isMobile: touch });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    // A refused request is the server's answer, not the page's mistake.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) complaints.push(text);
  });
  return { page, context, complaints, [Symbol.asyncDispose]: () => context.close() };
}

/** Takes the network from a page. The browser says that it is gone a moment before requests fail: waits for that. */
export async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  const isGone = () =>
    page.evaluate(() =>
      fetch('/healthz', { cache: 'no-store' }).then(
        () => false,
        () => true,
      ),
    );
  while (!(await isGone())) await page.waitForTimeout(20);
}
