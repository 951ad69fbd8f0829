import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { plantNote } from '../fixtures/parent-note.ts';
import { browserLessonFiles } from './browser-lesson.ts';
import { goOffline, launchBrowser, visit } from './browser.ts';
import { agree, type Family, makeFamily, type Person, signIn } from './family.ts';
import { expectAccessible } from './inspect.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { tabTo } from './student.ts';

const root = join(import.meta.dirname, '..', '..');
const hostile = '<img src=x onerror="globalThis.wasHurt = true"> „Sveiki“ & 🌋';
const label = 'A maestro may write me notes about what was learned';

let browser: Browser;
let server: ServerProcess;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  const env = { CARTRIDGES_DIR: join(root, 'cartridges'), PROMPTS_DIR: join(root, 'prompts') };
  server = parts.use(await startServerProcess({ files: browserLessonFiles, env }));
  browser = parts.use(await launchBrowser());
}, 120_000);

afterAll(() => parts.disposeAsync());

const toggle = (page: Page, child?: string): Locator =>
  (child === undefined ? page.locator('body') : page.getByRole('region', { name: child })).getByRole('switch', {
    name: label,
  });
const notes = (page: Page) => page.locator('.note');
const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** Notes number 1 to `count`, each a day later. */
async function plantNotes({ id, schoolId }: Person, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1)
    await plantNote(
      server,
      { userId: id, schoolId },
      {
        subject: `Pamoka ${number}`,
        durationMinutes: number === 1 ? 0 : number,
        summary: `Santrauka ${number}`,
        concerns: number % 2 === 0 ? ['Trupmenos dar lėtos'] : null,
        generatedAt: Date.UTC(2026, 2, number, 12),
      },
    );
}

/** Puts another student into a guardian's care, as no route does yet. */
async function addChild(guardian: Person, child: Person): Promise<void> {
  const store = await openSqliteStore({ file: join(server.folder, 'data', 'trickster.db') });
  const ids = { guardianId: guardian.id, studentId: child.id };
  const link = { ...ids, guardianName: null, studentName: null, createdAt: 1 };
  await store.companions.keepGuardian(guardian.schoolId, link);
  await store.close();
}

async function agreedFamily(name: string | null, noteCount: number): Promise<Family> {
  const family = await makeFamily(server, name);
  await agree(family.guardian.caller, family.student.id);
  await plantNotes(family.student, noteCount);
  return family;
}

describe('a guardian', () => {
  test('comes in by the link, reads what it is about, agrees by keyboard, and takes it back', async () => {
    const { link, guardian } = await makeFamily(server, 'Ąžuolas');
    await using visitor = await visit(browser);
    const { page } = visitor;
    await page.goto(link);
    await page.getByRole('heading', { name: 'Ąžuolas', level: 2 }).waitFor();
    expect(page.url()).toBe(`${server.url}/guardian`);
    await page.getByText('There are none while nobody has agreed.').waitFor();
    await page.getByText('Nobody has agreed yet').waitFor();
    expect(await page.getByText('Without this agreement nothing is written.').isVisible()).toBe(true);
    expect(await toggle(page).isChecked()).toBe(false);
    await expectAccessible(page);

    await tabTo(page, toggle(page));
    await page.keyboard.press('Space');
    await page.getByRole('status').getByText('Saved. Notes may be written from now on.').waitFor();
    await page.getByText('There are no notes yet.').waitFor();
    await page.getByText(/^You agreed on /u).waitFor();
    expect(await isFocused(toggle(page))).toBe(true);
    await expectAccessible(page);
    const { body } = await guardian.caller.json<{ items: { granted: boolean }[] }>('GET', '/api/me/consents');
    expect(body.items.map(({ granted }) => granted)).toEqual([true]);

    await page.reload();
    await toggle(page).waitFor();
    expect(await toggle(page).isChecked()).toBe(true);
    expect(await page.getByText('Without this agreement nothing is written.').isVisible()).toBe(false);
    await toggle(page).click();
    await page.getByText('Saved. No more notes are written.').waitFor();
    await page.getByText('There are none while nobody has agreed.').waitFor();
    await page.reload();
    await page.getByText(/^You took this back on /u).waitFor();
    expect(await toggle(page).isChecked()).toBe(false);
    expect(visitor.complaints).toEqual([]);
  });

  test('reads notes a page at a time; what was opened is no longer new', { timeout: 60_000 }, async () => {
    const { link } = await agreedFamily('Ieva', 23);
    await using visitor = await visit(browser);
    const { page } = visitor;
    await page.goto(link);
    await notes(page).nth(9).waitFor();
    expect(await notes(page).count()).toBe(10);
    expect(await notes(page).first().locator('summary').innerText()).toMatch(
      /^Pamoka 23\s+New\s+23 Mar 2026 · 23\sminutes$/u,
    );
    expect(await page.locator('.is-new').count()).toBe(10);
    const [read] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/viewed')),
      notes(page).nth(1).locator('summary').press('Enter'),
    ]);
    expect(read.status()).toBe(200);
    const opened = notes(page).nth(1);
    await opened.getByText('Santrauka 22').waitFor();
    expect(await opened.locator('h5').allInnerTexts()).toEqual([
      'What went well',
      'What was hard',
      'What could help at home',
    ]);
    await expect.poll(() => opened.locator('.is-new').count()).toBe(0);
    await expectAccessible(page);

    const older = page.getByRole('button', { name: 'Older notes' });
    await older.click();
    await notes(page).nth(19).waitFor();
    await expect.poll(() => isFocused(notes(page).nth(10).locator('summary'))).toBe(true);
    expect(await opened.getByText('Santrauka 22').isVisible()).toBe(true);
    await older.click();
    await notes(page).nth(22).waitFor();
    expect(await older.count()).toBe(0);
    expect(await notes(page).last().locator('summary').innerText()).toContain('under a minute');
    await notes(page).last().locator('summary').click();
    expect(await notes(page).last().locator('h5').allInnerTexts()).toEqual([
      'What went well',
      'What could help at home',
    ]);
    await page.reload();
    await notes(page).nth(9).waitFor();
    expect(await page.locator('.is-new').count()).toBe(9);
    expect(await notes(page).nth(1).locator('.is-new').count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
  });

  test('has room for all of it on a big screen too', async () => {
    const { link } = await agreedFamily('Austėja', 1);
    await using visitor = await visit(browser);
    const { page } = visitor;
    for (const path of [link, `${server.url}/me`]) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(path);
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      const width = await page.locator('main').evaluate((main) => main.clientWidth);
      expect(width).toBeGreaterThan(600);
      expect(width).toBeLessThan(760);
      await expectAccessible(page);
    }
  });

  test('sees whatever a note says as text', async () => {
    const { link, student, guardian } = await makeFamily(server, '<b>Jonas</b>');
    await agree(guardian.caller, student.id);
    const long = 'Nebeprisikiškiakopūsteliaujantiesiems'.repeat(4);
    await plantNote(
      server,
      { userId: student.id, schoolId: student.schoolId },
      { subject: hostile, summary: hostile, highlights: [hostile, long], concerns: [hostile], suggestions: [hostile] },
    );
    await using visitor = await visit(browser);
    const { page } = visitor;
    await page.goto(link);
    await page.getByRole('heading', { name: '<b>Jonas</b>', level: 2 }).waitFor();
    await notes(page).locator('summary').click();
    expect(await notes(page).locator('.note-summary').innerText()).toBe(hostile);
    expect(await notes(page).locator('li').allInnerTexts()).toEqual([hostile, long, hostile, hostile]);
    expect(await page.locator('.place img').count()).toBe(0);
    expect(await page.evaluate('globalThis.wasHurt')).toBeUndefined();
    await expectAccessible(page);
    expect(visitor.complaints).toEqual([]);
  });

  test('answers for each child alone; children without a name are told apart', { timeout: 60_000 }, async () => {
    const { link, guardian, student } = await makeFamily(server, 'Ona');
    const [first, second] = [await makeFamily(server, null), await makeFamily(server, null)];
    for (const { student: child } of [first, second]) await addChild(guardian, child);
    await plantNotes(student, 1);
    await using visitor = await visit(browser);
    const { page } = visitor;
    await page.goto(link);
    await page.getByRole('heading', { level: 2 }).nth(2).waitFor();
    expect((await page.getByRole('heading', { level: 2 }).allInnerTexts()).toSorted()).toEqual([
      'Child 1',
      'Child 2',
      'Ona',
    ]);
    await toggle(page, 'Ona').click();
    await page.getByRole('region', { name: 'Ona' }).getByText('Pamoka 1').waitFor();
    expect(await toggle(page, 'Ona').isChecked()).toBe(true);
    expect(await toggle(page, 'Child 1').isChecked()).toBe(false);
    expect(await toggle(page, 'Child 2').isChecked()).toBe(false);
    await page.getByRole('region', { name: 'Child 2' }).getByText('There are none').waitFor();
    await expectAccessible(page);
    const { body } = await guardian.caller.json<{ items: { student_id: string; granted: boolean }[] }>(
      'GET',
      '/api/me/consents',
    );
    expect(body.items.filter(({ granted }) => granted).map((item) => item.student_id)).toEqual([student.id]);
  });

  test('is told when an answer did not get through, sees it undone, and can try again', async () => {
    const { link, guardian } = await makeFamily(server, 'Ugnė');
    await using visitor = await visit(browser);
    const { page, context } = visitor;
    await page.goto(link);
    await toggle(page).waitFor();
    await goOffline(page);
    await toggle(page).click();
    await page.getByRole('alert').getByText('Not saved: there is no network just now.').waitFor();
    expect(await toggle(page).isChecked()).toBe(false);
    await page.getByRole('status').getByText('There is no network just now.').waitFor();
    await expectAccessible(page);
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Saved. Notes may be written from now on.').waitFor();
    expect(await toggle(page).isChecked()).toBe(true);
    expect(await isFocused(toggle(page))).toBe(true);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    const { body } = await guardian.caller.json<{ items: object[] }>('GET', '/api/me/consents');
    expect(body.items).toMatchObject([{ granted: true }]);
  });

  test('keeps what is on the page when more notes cannot be had, and gets them later', async () => {
    const { link } = await agreedFamily('Matas', 12);
    await using visitor = await visit(browser);
    const { page, context } = visitor;
    await page.goto(link);
    await notes(page).nth(9).waitFor();
    await goOffline(page);
    await page.getByRole('button', { name: 'Older notes' }).click();
    await page.getByText('The notes cannot be shown just now.').waitFor();
    expect(await notes(page).count()).toBe(10);
    // What could not be kept as read stays new.
    await notes(page).first().locator('summary').click();
    await notes(page).first().getByText('Santrauka 12').waitFor();
    expect(await notes(page).first().locator('.is-new').count()).toBe(1);
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await notes(page).nth(11).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  test('sees that a child took it back, wherever that came to light', async () => {
    const { link, student } = await agreedFamily('Rūta', 1);
    await using visitor = await visit(browser);
    const { page } = visitor;
    await page.goto(link);
    await notes(page).first().waitFor();
    await agree(student.caller, student.id, false);
    await notes(page).locator('summary').click();
    await page.getByText(/^Your child took this back on .*talk it over/u).waitFor();
    expect(await toggle(page).isChecked()).toBe(false);
    expect(await notes(page).count()).toBe(0);
  });

  test('whose page cannot begin may try again; with a link that has run out they hear what to ask for', async () => {
    const { link, guardian } = await makeFamily(server, 'Lukas');
    await using visitor = await visit(browser);
    const { page } = visitor;
    let failures = 0;
    await page.route('**/api/me/consents', (route) => {
      failures += 1;
      return failures === 1 ? route.fulfill({ status: 503, body: '' }) : route.continue();
    });
    await page.goto(link);
    await page.getByRole('alert').getByText('The server cannot be reached just now.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await toggle(page).waitFor();
    await guardian.caller.json('DELETE', '/api/me');
    await toggle(page).click();
    await page.getByText('the school can give you a new one').waitFor();
    await expectAccessible(page);
    await page.context().clearCookies();
    await page.goto(`${server.url}/guardian?token=worn.out.token`);
    await page.getByRole('heading', { name: 'Please ask for a new link' }).waitFor();
  });

  test('reads Lithuanian, and what is open stays open when the language is changed', async () => {
    const { link } = await agreedFamily(null, 2);
    await using visitor = await visit(browser, { locale: 'lt-LT' });
    const { page } = visitor;
    await page.goto(link);
    await page.getByRole('heading', { name: 'Laiškeliai namams', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Jūsų vaikas', level: 2 }).waitFor();
    await page.getByRole('switch', { name: 'Sutinku gauti maestro laiškelius' }).waitFor();
    expect(await notes(page).first().locator('summary').innerText()).toMatch(
      /^Pamoka 2\s+Naujas\s+2026-03-02 · 2\sminutės$/u,
    );
    await notes(page).first().locator('summary').click();
    await page.getByRole('heading', { name: 'Kas galėtų padėti namuose' }).waitFor();
    await expectAccessible(page);
    const english = page.getByRole('button', { name: 'English' });
    await english.click();
    await page.getByRole('heading', { name: 'What could help at home' }).waitFor();
    expect(await notes(page).first().getByText('Santrauka 2').isVisible()).toBe(true);
    expect(await isFocused(english)).toBe(true);
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
    await page.getByRole('link', { name: 'What is held about you' }).click();
    await page.getByRole('button', { name: 'Download everything' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Notes for home', level: 2 }).count()).toBe(0);
    await page.getByRole('link', { name: 'To the notes' }).click();
    await toggle(page).waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});

describe('what is held', () => {
  test('is found from the lessons and from the companions; somebody else’s page sends one on', async () => {
    const { student } = await makeFamily(server, 'Kotryna');
    await using visitor = await visit(browser);
    const { page } = visitor;
    await signIn(page, server, student);
    for (const [path, link] of [
      ['/', 'This is not me'],
      ['/companions', 'To the lessons'],
    ] as const) {
      await page.goto(`${server.url}${path}`);
      await page.getByRole('link', { name: link }).waitFor();
      await expectAccessible(page);
      await page.getByRole('link', { name: 'What is held about you' }).click();
      await page.getByRole('heading', { name: 'Erase everything' }).waitFor();
    }
    await page.goto(`${server.url}/guardian`);
    await page.getByRole('heading', { name: 'This page is for parents and guardians' }).waitFor();
    await expectAccessible(page);
    await page.context().clearCookies();
    await page.goto(`${server.url}/me`);
    await page.getByRole('heading', { name: 'Nobody is signed in here' }).waitFor();
    await expectAccessible(page);
    await page.goto(server.teacherLink);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'What is held about you' }).click();
    await page.getByText('your classes, your conversations').waitFor();
    await page.getByRole('link', { name: 'To your class' }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  test('a student takes an agreement back, and hears who alone can give it again', async () => {
    const { student, guardian } = await agreedFamily('Simas', 1);
    await using visitor = await visit(browser);
    const { page, context } = visitor;
    await signIn(page, server, student);
    await page.goto(`${server.url}/me`);
    await page.getByText('To agree again is up to those who care for you.').waitFor();
    await expectAccessible(page);
    const takeBack = page.getByRole('button', { name: 'Take it back' });
    await goOffline(page);
    await takeBack.click();
    await page.getByRole('alert').getByText('there is no network just now. Nothing has changed.').waitFor();
    await context.setOffline(false);
    await takeBack.click();
    await page.getByRole('status').getByText('It is taken back. No notes are written.').waitFor();
    await page.getByText('only they can agree again').waitFor();
    expect(await takeBack.count()).toBe(0);
    expect(await page.getByRole('switch').count()).toBe(0);
    await expectAccessible(page);
    const { body } = await guardian.caller.json<{ items: object[] }>('GET', '/api/me/consents');
    expect(body.items).toMatchObject([{ granted: false, by: student.id }]);
  });

  test('is downloaded as a file; who asks too often is told when to ask again', async () => {
    const { student } = await agreedFamily('Žemyna', 1);
    await using visitor = await visit(browser);
    const { page, context } = visitor;
    await signIn(page, server, student);
    await page.goto(`${server.url}/me`);
    const button = page.getByRole('button', { name: 'Download everything' });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(download.suggestedFilename()).toBe('trickster-export.json');
    const held = JSON.parse(await readFile(await download.path(), 'utf8')) as Record<string, object[]>;
    expect(held['users']).toMatchObject([{ id: student.id, display_name: 'Žemyna' }]);
    expect(held['parent_notes']).toMatchObject([{ summary: 'Santrauka 1' }]);
    await page.getByRole('status').getByText('“trickster-export.json”').waitFor();
    await goOffline(page);
    await button.click();
    await page.getByRole('alert').getByText('There is no network just now.').waitFor();
    await context.setOffline(false);
    for (let count = 0; count < 6; count += 1) await student.caller.request('GET', '/api/me/export');
    await button.click();
    await page
      .getByRole('alert')
      .getByText(/^That was asked for often just now\. Try again in \d+\sseconds?\.$/u)
      .waitFor();
    await expectAccessible(page);
    expect(visitor.complaints).toEqual([]);
  });

  test('is out of sight once the student has signed out of the browser, after a second question', async () => {
    const { student } = await makeFamily(server, 'Gabija');
    await using visitor = await visit(browser);
    const { page, context } = visitor;
    await signIn(page, server, student);
    await page.goto(`${server.url}/me`);
    await page.evaluate(() => localStorage.setItem('trickster.draft.s1', 'half a sentence'));
    await page.getByRole('button', { name: 'Sign out…' }).click();
    const stay = page.getByRole('button', { name: 'Stay' });
    expect(await isFocused(stay)).toBe(true);
    await stay.click();
    expect(await isFocused(page.getByRole('button', { name: 'Sign out…' }))).toBe(true);
    await page.getByRole('button', { name: 'Sign out…' }).click();
    await goOffline(page);
    await page.getByRole('button', { name: 'Yes, sign out' }).click();
    await page.getByRole('alert').getByText('you are still signed in').waitFor();
    await expectAccessible(page);
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Yes, sign out' }).click();
    await page.getByRole('heading', { name: 'Nobody is signed in here' }).waitFor();
    await expectAccessible(page);
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate(() => localStorage.getItem('trickster.draft.s1'))).toBeNull();
    await page.goto(server.url);
    await page.getByLabel('Class code').waitFor();
    // Nothing was erased: the token holds for whoever has it elsewhere.
    expect((await student.caller.request('GET', '/api/me')).status).toBe(200);
  });

  test('is erased after a second question, with a receipt, and nobody is signed in any more', async () => {
    const { student, guardian } = await agreedFamily('Tadas', 2);
    await using visitor = await visit(browser);
    const { page } = visitor;
    await signIn(page, server, student);
    await page.goto(`${server.url}/me`);
    await page.evaluate(() => localStorage.setItem('trickster.draft.s1', 'half a sentence'));
    const ask = page.getByRole('button', { name: 'Erase everything…' });
    await page.getByText('all of it goes, for good').waitFor();
    await tabTo(page, ask);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Erase everything for good?' });
    await dialog.waitFor();
    expect(await isFocused(dialog.getByRole('button', { name: 'Keep everything' }))).toBe(true);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await isFocused(ask)).toBe(true);
    expect((await student.caller.request('GET', '/api/me')).status).toBe(200);

    await ask.click();
    await dialog.getByRole('button', { name: 'Keep everything' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await ask.click();
    const [response] = await Promise.all([
      page.waitForResponse((each) => each.request().method() === 'DELETE'),
      dialog.getByRole('button', { name: 'Yes, erase it all' }).click(),
    ]);
    const receipt = (await response.json()) as { receipt_id: string; total: number };
    await page.getByRole('heading', { name: 'Everything is erased', level: 1 }).waitFor();
    expect(await isFocused(page.getByRole('heading', { level: 1 }))).toBe(true);
    await page.getByText(receipt.receipt_id, { exact: true }).waitFor();
    expect(receipt.total).toBeGreaterThan(4);
    await page.getByText(`${receipt.total}\u00a0entries erased.`).waitFor();
    await page.getByText('You are signed out now.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Lietuvių' }).click();
    await page.getByText('Patvirtinimo numeris').waitFor();
    await page.getByText(receipt.receipt_id, { exact: true }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('trickster.draft.s1'))).toBeNull();
    expect((await page.context().cookies()).filter(({ name }) => name === 'trickster')).toEqual([]);
    expect((await student.caller.request('GET', '/api/me')).status).toBe(401);
    const { body } = await guardian.caller.json<{ items: object[] }>('GET', '/api/me/consents');
    expect(body.items).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: 'Čia niekas neprisijungęs' }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  test('is known to be erased even where the answer was lost on the way', async () => {
    const { guardian } = await makeFamily(server, 'Vėjas');
    await using visitor = await visit(browser);
    const { page } = visitor;
    await signIn(page, server, guardian);
    await page.goto(`${server.url}/me`);
    let losses = 0;
    await page.route('**/api/me', async (route) => {
      if (route.request().method() !== 'DELETE' || losses > 0) return route.continue();
      losses += 1;
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Erase everything…' }).click();
    await page.getByRole('button', { name: 'Yes, erase it all' }).click();
    await page.getByRole('alert').getByText('it is not certain that everything is erased').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Yes, erase it all' }).click();
    await page.getByRole('heading', { name: 'Everything is erased' }).waitFor();
    await page.getByText('Your first request got through').waitFor();
    await expectAccessible(page);
    expect((await guardian.caller.request('GET', '/api/me')).status).toBe(401);
  });

  test('a guardian who is no more linked to a child is told whom to ask', async () => {
    const { student, link } = await makeFamily(server, 'Gabija');
    await student.caller.request('DELETE', '/api/me');
    await using visitor = await visit(browser);
    const { page } = visitor;
    await page.goto(link);
    await page.getByText('No child is linked to you here. Please ask the school.').waitFor();
    await expectAccessible(page);
  });
});
