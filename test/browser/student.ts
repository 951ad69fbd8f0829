import type { Locator, Page } from 'playwright-core';
import type { ServerProcess } from './server-process.ts';

/** Joins the class and opens the lesson, as far as its first phase. */
export async function openLesson(page: Page, server: Pick<ServerProcess, 'url' | 'joinCode'>): Promise<void> {
  await page.goto(`${server.url}/?code=${server.joinCode}`);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('heading', { name: 'Start', level: 2 }).waitFor();
}

/** The same, and on to the conversation. */
export async function openTalk(page: Page, server: Pick<ServerProcess, 'url' | 'joinCode'>): Promise<void> {
  await openLesson(page, server);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('heading', { name: 'Talk', level: 2 }).waitFor();
}

/** Writes a message and sends it with Enter. */
export async function say(page: Page, message: string): Promise<void> {
  await page.getByLabel('Your message').fill(message);
  await page.getByLabel('Your message').press('Enter');
}

/** Waits until the reply is over: one can write again, or go on. */
export async function replyIsOver(page: Page): Promise<void> {
  await sendButton(page).or(goOn(page)).waitFor();
}

export function sendButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Send' });
}

export function goOn(page: Page): Locator {
  return page.getByRole('button', { name: 'Go on' });
}

/** A text as it is seen, whatever is announced beside it. */
export function seen(page: Page, text: string): Locator {
  return page.locator('.place').getByText(text);
}

/** What was said in the conversation, message by message, without the notes below. */
export function messages(page: Page, from: 'student' | 'trickster'): Locator {
  return page.locator(`.log > .from-${from} .prose`);
}

/** Keeps what is announced from now on; call the result for the list so far. */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    const voice = document.querySelector('trickster-app > [aria-live]');
    if (!voice) throw new Error('the page has no voice');
    const hear = (changes: MutationRecord[]) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) heard.push(node.textContent ?? '');
    };
    new MutationObserver(hear).observe(voice, { childList: true, subtree: true, characterData: true });
  });
  return () => page.evaluate<string[]>('globalThis.heard');
}

/** Watches the conversation from now on; call the result to learn whether the text was ever in it. */
export async function everShown(page: Page, text: string): Promise<() => Promise<boolean>> {
  await page.evaluate((wanted) => {
    const log = document.querySelector('.log');
    if (!log) throw new Error('there is no conversation');
    const look = () => {
      if (log.textContent?.includes(wanted)) Object.assign(globalThis, { everShown: true });
    };
    new MutationObserver(look).observe(log, { childList: true, subtree: true, characterData: true });
  }, text);
  return () => page.evaluate<boolean>('globalThis.everShown === true');
}

/** Presses Tab until the element with this name has the focus, as someone without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the keyboard does not reach it');
}
