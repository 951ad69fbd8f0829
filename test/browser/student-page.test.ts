import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { startOpenAiUpstream } from '../fixtures/openai-upstream.ts';
import { fails, replies, says, type Reply, type Upstream } from '../fixtures/scripted-upstream.ts';
import { browserLesson, browserLessonFiles } from './browser-lesson.ts';
import { goOffline, launchBrowser, phone, visit } from './browser.ts';
import { openCuttableLine } from './cuttable-line.ts';
import { expectAccessible } from './inspect.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import {
  everShown,
  goOn,
  listen,
  messages,
  openLesson,
  openTalk,
  replyIsOver,
  say,
  seen,
  sendButton,
  tabTo,
} from './student.ts';

let browser: Browser;
/** Speaks without a model. */
let offline: ServerProcess;
/** Speaks with a model that says what a test tells it. */
let online: ServerProcess;
let upstream: Upstream & { readonly url: string };

const parts = new AsyncDisposableStack();

beforeAll(async () => {
  upstream = parts.use(await startOpenAiUpstream());
  const env = { OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'test', MODEL_STANDARD: 'openai:test' };
  offline = parts.use(await startServerProcess({ files: browserLessonFiles }));
  online = parts.use(await startServerProcess({ files: browserLessonFiles, env }));
  browser = parts.use(await launchBrowser());
}, 120_000);

afterAll(() => parts.disposeAsync());

beforeEach(() => {
  upstream.respondWhen(() => null);
});

test('a student goes through a whole lesson on a phone', { timeout: 120_000 }, async () => {
  await using student = await visit(browser, { locale: 'lt-LT', touch: true });
  const { page } = student;

  await page.goto(offline.url);
  await page.getByRole('heading', { name: 'Prisijunk prie klasės' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('lt');
  await page.getByLabel('Klasės kodas').fill('WRONG');
  await page.getByRole('button', { name: 'Prisijungti' }).click();
  await page.getByText('Klasės su tokiu kodu nėra').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Klasės kodas').fill(offline.joinCode.toLowerCase());
  await page.getByLabel('Kaip į tave kreiptis?').fill('Ona');
  await page.getByRole('button', { name: 'Prisijungti' }).click();

  await page.getByRole('heading', { name: 'A test lesson' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Pradėti' }).click();

  // The lesson is in English, and so is the page while it is open.
  await page.getByRole('heading', { name: 'Start', level: 2 }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  const shown = await page.locator('.material').textContent();
  for (const text of [
    'Only ten places are left.',
    'A phone in a gift box',
    'Hello, you have won.',
    'One, two.',
    'And now the draw.',
    'Still waiting',
    'did you see it?',
    'Only <b>ten</b> places left!',
    '1,240\u00a0likes · 1\u00a0share',
    'From the future',
  ]) {
    expect(shown).toContain(text);
  }
  expect(
    await page.getByRole('img', { name: 'The poster' }).evaluate((image: HTMLImageElement) => image.naturalWidth),
  ).toBe(300);
  expect(await page.locator('audio').getAttribute('src')).toContain('beep.wav');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Look it up' }).click();
  await page.getByRole('heading', { name: 'Search', level: 2 }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Search');
  await page.getByRole('searchbox', { name: 'Search for' }).fill('Ten  places');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByText('An advert').waitFor();
  await page.getByRole('button', { name: 'poster source' }).click();
  await page.getByText('Seen in 2019').waitFor();
  expect(await page.getByRole('button', { name: 'I have seen enough' }).isEnabled()).toBe(false);
  await page.getByRole('button', { name: 'old poster' }).click();
  await seen(page, 'Key findings: 1 of 1').waitFor();
  await page.reload();
  await page.getByText('Seen in 2019').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'I have seen enough' }).click();

  await page.getByRole('heading', { name: 'Talk', level: 2 }).waitFor();
  await page.getByText('There is no AI behind these replies').waitFor();
  await page.getByLabel('Your message').fill('It rushes me.\nWhy?');
  await sendButton(page).click();
  await replyIsOver(page);
  expect(await messages(page, 'student').allInnerTexts()).toEqual(['It rushes me.\nWhy?']);
  await expectAccessible(page);

  await page.getByLabel('Your message').fill('A thought not yet fin');
  const before = await messages(page, 'trickster').allInnerTexts();
  await page.reload();
  await page.getByRole('heading', { name: 'Talk', level: 2 }).waitFor();
  expect(await page.getByLabel('Your message').inputValue()).toBe('A thought not yet fin');
  expect(await messages(page, 'trickster').allInnerTexts()).toEqual(before);

  for (let sent = 1; sent < 4 && !(await goOn(page).isVisible()); sent += 1) {
    await page
      .getByLabel('Your message')
      .fill('The hurry is the trick: it names ten places and never says who profits.');
    await sendButton(page).click();
    await replyIsOver(page);
  }
  await expectAccessible(page);
  await goOn(page).click();

  await page.getByRole('heading', { name: 'To take with you' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Hear how it was done' }).click();
  await page.getByRole('heading', { name: 'Without the mask' }).waitFor();
  const debrief = page.locator('.debrief .prose');
  await page.locator('.debrief .message:not(.is-writing)').waitFor();
  const told = await debrief.innerText();
  expect(told.length).toBeGreaterThan(20);
  await page.reload();
  await page.getByRole('heading', { name: 'Without the mask' }).waitFor();
  expect(await debrief.innerText()).toBe(told);
  await page.getByText('What you two said').click();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Back to the lessons' }).click();
  await page.getByRole('button', { name: 'Tęsti' }).waitFor();
  expect(student.complaints).toEqual([]);
});

test('a lesson can be played with the keyboard alone', { timeout: 60_000 }, async () => {
  await using student = await visit(browser);
  const { page } = student;
  const press = async (role: 'button' | 'link', name: string) => {
    await page.getByRole(role, { name }).waitFor();
    await tabTo(page, page.getByRole(role, { name }));
    await page.keyboard.press('Enter');
  };
  await page.goto(offline.url);
  await tabTo(page, page.getByLabel('Class code'));
  await page.keyboard.type(offline.joinCode);
  await page.keyboard.press('Enter');
  await press('button', 'Start');
  await press('button', 'Look it up');
  await press('button', 'poster source');
  await press('button', 'old poster');
  await press('button', 'I have seen enough');
  await page.getByLabel('Your message').waitFor();
  await tabTo(page, page.getByLabel('Your message'));
  await page.keyboard.type('One line');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('and another');
  await page.keyboard.press('Enter');
  await replyIsOver(page);
  expect(await messages(page, 'student').allInnerTexts()).toEqual(['One line\nand another']);
  // One goes on writing where one was.
  expect(await page.getByLabel('Your message').evaluate((box) => box === document.activeElement)).toBe(true);
  await press('link', 'All lessons');
  await page.getByRole('heading', { name: 'A test lesson' }).waitFor();
});

test('a reply that is stopped stays as far as it came, and one can go on writing', async () => {
  await using student = await visit(browser);
  const { page } = student;
  await openTalk(page, online);
  const asked = upstream.nextRequest();
  upstream.respondWith(replies([{ text: ['Wait, ', 'listen. '] }, { hang: true }]));
  await say(page, 'No.');
  await seen(page, 'Wait, listen.').waitFor();
  await page.getByRole('button', { name: 'Stop the reply' }).click();
  await seen(page, 'You stopped this reply.').waitFor();
  expect(await (await asked).closed).toBe('abandoned');
  upstream.respondWith(says('As you ', 'like.'));
  await say(page, 'Go on.');
  await seen(page, 'As you like.').waitFor();
  await replyIsOver(page);
  await page.reload();
  await seen(page, 'Wait, listen.').waitFor();
  expect(await messages(page, 'student').allInnerTexts()).toEqual(['No.', 'Go on.']);
  expect(student.complaints).toEqual([]);
});

test('a reload in the middle of a reply goes on with it, and keeps the draft', async () => {
  await using student = await visit(browser);
  const { page } = student;
  await openTalk(page, online);
  upstream.respondWith(replies([{ text: ['The first half, '] }, { waitMs: 2000 }, { text: ['and the second.'] }]));
  await say(page, 'Tell me.');
  await seen(page, 'The first half,').waitFor();
  await page.getByLabel('Your message').fill('Meanwhile');
  await page.reload();
  await seen(page, 'The first half, and the second.').waitFor();
  await replyIsOver(page);
  expect(await messages(page, 'student').allInnerTexts()).toEqual(['Tell me.']);
  expect(await messages(page, 'trickster').allInnerTexts()).toEqual(['Why wait?', 'The first half, and the second.']);
  expect(await page.getByLabel('Your message').inputValue()).toBe('Meanwhile');
});

test('a reader who looks further up is left in peace until the next message', async () => {
  await using student = await visit(browser);
  const { page } = student;
  await openTalk(page, online);
  const scrollTop = () => page.locator('.chat-body').evaluate((box) => box.scrollTop);
  const line = 'A line that fills the screen.\n\n';
  upstream.respondWith(
    replies([{ text: [line.repeat(30)] }, { waitMs: 1500 }, { text: [line.repeat(30), 'The end.'] }]),
  );
  await say(page, 'Go ahead.');
  await expect.poll(scrollTop).toBeGreaterThan(500);
  await page.locator('.chat-body').evaluate((box) => box.scrollTo(0, 40));
  await seen(page, 'The end.').waitFor();
  await replyIsOver(page);
  expect(await scrollTop()).toBe(40);
  // The conversation scrolls, the page does not.
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(phone.height);
  upstream.respondWith(says('Here.'));
  await say(page, 'And now?');
  await seen(page, 'Here.').waitFor();
  expect(await scrollTop()).toBeGreaterThan(1000);
});

test('a line cut in the middle of a reply is mended, and the reply is announced once', {
  timeout: 60_000,
}, async () => {
  await using student = await visit(browser);
  const { page } = student;
  using line = await openCuttableLine(online.url);
  await openTalk(page, { url: line.url, joinCode: online.joinCode });
  const heard = await listen(page);
  const words = Array.from({ length: 60 }, (_, index) => `w${index} `);
  upstream.respondWith(replies([{ text: words }], { everyMs: 25 }));
  await say(page, 'Say them all.');
  for (const word of ['w5 ', 'w30 ']) {
    await messages(page, 'trickster').nth(1).getByText(word).waitFor();
    line.cut();
  }
  await replyIsOver(page);
  const whole = words.join('').trim();
  expect(await messages(page, 'trickster').last().innerText()).toBe(whole);
  expect((await heard()).filter((text) => text.includes('w1 '))).toEqual([`The Trickster: ${whole}`]);
  expect(upstream.requests.filter(({ body }) => JSON.stringify(body).includes('Say them all.'))).toHaveLength(1);
});

test('a redaction takes the place of what was shown, for good', async () => {
  await using student = await visit(browser);
  const { page } = student;
  await openTalk(page, online);
  const shown = await everShown(page, 'Everything is fine.');
  upstream.respondWith(
    replies([{ text: ['Everything is fine. '] }, { waitMs: 500 }, { text: ['Then kill your', 'self', ' tonight.'] }]),
  );
  await say(page, 'And if not?');
  await seen(page, 'This reply was taken back').waitFor();
  await replyIsOver(page);
  expect(await shown()).toBe(true);
  const fallback = await messages(page, 'trickster').last().innerText();
  for (const look of ['now', 'after a reload']) {
    const text = await page.locator('trickster-app').innerText();
    expect(text, look).not.toContain('Everything is fine');
    expect(text, look).not.toContain('tonight');
    expect(text, look).toContain(fallback);
    await page.reload();
    await seen(page, 'This reply was taken back').waitFor();
  }
  await expectAccessible(page);
});

test('after an error the same words can be sent again, and stand there once', { timeout: 60_000 }, async () => {
  await using student = await visit(browser);
  const { page } = student;
  await openTalk(page, online);
  let reply: Reply = fails(500);
  upstream.respondWhen(() => reply);
  await say(page, 'Are you there?');
  await seen(page, 'No reply could be made').waitFor();
  await expectAccessible(page);
  // A reload forgets neither the words nor the way to send them again.
  await page.reload();
  reply = says('Here I am.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await seen(page, 'Here I am.').waitFor();
  await replyIsOver(page);
  await page.reload();
  await seen(page, 'Here I am.').waitFor();
  expect(await messages(page, 'student').allInnerTexts()).toEqual(['Are you there?']);
});

test('a message that is too long is counted and not sent', async () => {
  await using student = await visit(browser);
  const { page } = student;
  await openTalk(page, online);
  await page.getByLabel('Your message').fill('x'.repeat(7990));
  await page.getByText('10 characters left').waitFor();
  await say(page, 'x'.repeat(8001));
  await page.getByText('Too long by 1 character.').waitFor();
  expect(await messages(page, 'student').count()).toBe(0);
});

test('a lesson that is opened again after its words are deleted says so, and goes on', {
  timeout: 60_000,
}, async () => {
  await using student = await visit(browser);
  const { page } = student;
  await openTalk(page, online);
  upstream.respondWhen(() => says('Before the night. '));
  await say(page, 'My words of yesterday');
  await replyIsOver(page);
  const store = await openSqliteStore({ file: join(online.folder, 'data', 'trickster.db') });
  const tomorrow = Date.now() + 24 * 3_600_000;
  expect(await store.privacy.expireLessonTexts(tomorrow, 1_000)).toBeGreaterThan(0);
  await store.close();
  await page.reload();
  await page.getByText('What was said here earlier is deleted.').waitFor();
  expect(await page.getByText('My words of yesterday').count()).toBe(0);
  expect(await page.locator('.log > .from-student').count()).toBe(0);
  await expectAccessible(page);
  upstream.respondWhen(() => says('After it. '));
  await say(page, 'Here I am again');
  await replyIsOver(page);
  expect(await messages(page, 'trickster').last().textContent()).toContain('After it.');
});

test('a lesson whose phase was edited away offers to go on from its beginning', { timeout: 60_000 }, async () => {
  await using edited = await startServerProcess({ files: browserLessonFiles });
  await using student = await visit(browser);
  const { page } = student;
  await openLesson(page, edited);
  await page.getByRole('button', { name: 'Look it up' }).click();
  await page.getByRole('heading', { name: 'Search', level: 2 }).waitFor();
  const file = join(edited.folder, 'cartridges/test-lesson/cartridge.json');
  const phases = browserLesson.phases.filter(({ id }) => id !== 'search');
  const text = JSON.stringify({ ...browserLesson, phases }).replaceAll(
    '"target_phase":"search"',
    '"target_phase":"talk"',
  );
  expect(await readFile(file, 'utf8')).not.toBe(text);
  await writeFile(file, text);
  const changed = page.getByRole('heading', { name: 'This lesson was changed' });
  await expect
    .poll(
      () =>
        page
          .reload()
          .then(() => page.waitForLoadState('networkidle'))
          .then(() => changed.isVisible()),
      { timeout: 30_000 },
    )
    .toBe(true);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Go on from the beginning' }).click();
  await page.getByRole('heading', { name: 'Start', level: 2 }).waitFor();
});

test('without a network the page says so, and goes on by itself when it is back', async () => {
  await using student = await visit(browser);
  const { page, context } = student;
  await openTalk(page, online);
  await goOffline(page);
  await page.getByText('No network.').waitFor();
  await expectAccessible(page);
  upstream.respondWith(says('Welcome ', 'back.'));
  await say(page, 'Hello?');
  await context.setOffline(false);
  await seen(page, 'Welcome back.').waitFor();
  await page.getByText('No network.').waitFor({ state: 'detached' });
  expect(await messages(page, 'student').allInnerTexts()).toEqual(['Hello?']);
});

test("the teacher's page shows the join code to the last row", async () => {
  await using teacher = await visit(browser);
  const { page } = teacher;
  await page.goto(offline.teacherLink);
  await page.getByRole('img', { name: Array.from(offline.joinCode).join(' ') }).waitFor();
  await page.getByRole('heading', { name: 'A test lesson' }).waitFor();
  await expectAccessible(page);
  expect(teacher.complaints).toEqual([]);
});
