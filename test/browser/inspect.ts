import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { phone } from './browser.ts';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What stands in anyone's way on the page as it is now, in light and in dark: axe's findings by rule and element, and
 * whether a screen of 320 pixels would have to be scrolled sideways.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axeSource);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })');
    const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
    expect(found, colorScheme).toEqual([]);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.setViewportSize(phone);
}
