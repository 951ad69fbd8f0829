import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { kindOf, saysJson } from '../fixtures/companion-server.ts';
import { startOpenAiUpstream } from '../fixtures/openai-upstream.ts';
import {
  fails,
  replies,
  says,
  type Reply,
  type Upstream,
  type UpstreamRequest,
} from '../fixtures/scripted-upstream.ts';
import { browserLessonFiles } from './browser-lesson.ts';
import { goOffline, launchBrowser, visit, type Visit } from './browser.ts';
import { expectAccessible } from './inspect.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { messages, say, seen, tabTo } from './student.ts';

const root = join(import.meta.dirname, '..', '..');
const desktop = { width: 1280, height: 900 };

let browser: Browser;
let server: ServerProcess;
let upstream: Upstream & { readonly url: string };
const answers = new Map<string, (request: UpstreamRequest) => Reply>();
const parts = new AsyncDisposableStack();

const env = (url: string) => ({
  CARTRIDGES_DIR: join(root, 'cartridges'),
  PROMPTS_DIR: join(root, 'prompts'),
  OPENAI_BASE_URL: url,
  OPENAI_API_KEY: 'test',
  MODEL_STANDARD: 'openai:test',
  MODEL_COMPLEX: 'openai:test',
  MODEL_FAST: 'openai:fast-model',
});

beforeAll(async () => {
  upstream = parts.use(await startOpenAiUpstream());
  server = parts.use(await startServerProcess({ files: browserLessonFiles, env: env(upstream.url) }));
  browser = parts.use(await launchBrowser());
}, 120_000);

afterAll(() => parts.disposeAsync());

beforeEach(() => {
  answers.clear();
  answers.set('talk', () => says('I hear you.'));
  answers.set('objectives', () =>
    saysJson({
      priority_questions: ['How far is the essay?'],
      check_on: ['The reference from <b>Mr Rasius</b>'],
      updates_to_share: ['Open day on Friday'],
    }),
  );
  upstream.respondWhen((request) => answers.get(kindOf(request))?.(request) ?? null);
});

type Student = { token: string; user_id: string };

async function joinAs(name: string | null): Promise<Student> {
  const response = await fetch(`${server.url}/api/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: server.joinCode, display_name: name }),
  });
  return (await response.json()) as Student;
}

/** What a student does somewhere else. */
async function ask(
  student: Student,
  method: 'GET' | 'PUT',
  body?: object,
): Promise<{ profile: Record<string, unknown> }> {
  const response = await fetch(`${server.url}/api/profiles/${student.user_id}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${student.token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as { profile: Record<string, unknown> };
}

async function teacherAt(page: Page, student: Student): Promise<void> {
  await page.goto(server.teacherLink);
  await page.goto(`${server.url}/students/${student.user_id}`);
}

const save = (page: Page) => page.getByRole('button', { name: 'Save the profile' });
const isSaved = (page: Page) => page.locator('.profile-status').getByText('The profile was saved.').waitFor();
const mayComplain = (visitor: Visit) => expect(visitor.complaints).toEqual([]);

async function expectAccessibleEverywhere(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await expectAccessible(page);
}

test('a class without students says how they come in; one with many lists them by name, each with a page', {
  timeout: 60_000,
}, async () => {
  await using empty = await startServerProcess({ files: browserLessonFiles });
  await using teacher = await visit(browser);
  const { page } = teacher;
  await page.goto(empty.teacherLink);
  await page.getByText('Nobody has joined yet.').waitFor();
  await expectAccessible(page);

  const hostile = '<img src=x onerror=alert(1)> „Ū“ ‮evil';
  const student = await joinAs(hostile);
  for (const name of ['Čiužas', 'Benas', 'Benas', null]) await joinAs(name);
  for (let count = 0; count < 32; count += 1) await joinAs(`Mokinys Nr. ${count}`);
  await page.goto(server.teacherLink);
  const names = await page.locator('.student-name').allInnerTexts();
  expect(names.length).toBeGreaterThanOrEqual(37);
  expect(names.indexOf('Benas')).toBeLessThan(names.indexOf('Čiužas'));
  expect(names.indexOf('Mokinys Nr. 9')).toBeLessThan(names.indexOf('Mokinys Nr. 10'));
  expect(names.at(-1)).toBe('Without a name');
  const benas = page.locator('.student-list a').filter({ hasText: 'Benas' });
  expect(await benas.locator('.facts').allInnerTexts()).toEqual([
    expect.stringContaining('joined'),
    expect.stringContaining('joined'),
  ]);
  await expectAccessibleEverywhere(page);
  await page.locator('.student-list a').filter({ hasText: '<img src=x' }).click();
  await page.waitForURL(`${server.url}/students/${student.user_id}`);
  await page.getByRole('heading', { level: 1 }).getByText('<img src=x onerror=alert(1)>').waitFor();
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.title()).toContain('<img src=x');
  await expectAccessibleEverywhere(page);
  await page.getByRole('link', { name: 'To your class' }).click();
  await page.getByText('and type this code').waitFor();
  mayComplain(teacher);
});

test('the prep sheet is empty at first, is made when asked for, and says why and when it was made', {
  timeout: 60_000,
}, async () => {
  await using teacher = await visit(browser);
  const { page } = teacher;
  await teacherAt(page, await joinAs('Rūta'));
  await page.locator('.sheet').getByText('Nothing has been prepared yet.').waitFor();
  await page.getByRole('button', { name: 'Prepare now' }).click();
  await page.getByText('A new one is on its way.').waitFor();
  await page.getByText('Here is the new one.').waitFor();
  const sheet = page.locator('.sheet');
  expect(await sheet.getByRole('listitem').allInnerTexts()).toEqual([
    'How far is the essay?',
    'The reference from <b>Mr Rasius</b>',
    'Open day on Friday',
  ]);
  expect(await sheet.locator('.facts').innerText()).toContain('because somebody asked for it');
  await expectAccessibleEverywhere(page);
  answers.set('objectives', () =>
    saysJson({ priority_questions: ['Has the essay been sent?'], check_on: [], updates_to_share: [] }),
  );
  await page.getByRole('button', { name: 'Prepare again' }).click();
  await sheet.getByText('Has the essay been sent?').waitFor();
  expect(await sheet.getByText('How far is the essay?').count()).toBe(0);
  mayComplain(teacher);
});

test('a prep sheet that does not come is said to be late, and can be looked for again', {
  timeout: 60_000,
}, async () => {
  await using teacher = await visit(browser);
  const { page } = teacher;
  answers.set('objectives', () => fails(400));
  await page.clock.install();
  await teacherAt(page, await joinAs('Late'));
  await page.getByRole('button', { name: 'Prepare now' }).click();
  await page.getByText('A new one is on its way.').waitFor();
  const late = page.getByText('It is taking longer than usual.');
  await expect
    .poll(
      async () => {
        await page.clock.runFor(2_000);
        return late.isVisible();
      },
      { timeout: 30_000, interval: 40 },
    )
    .toBe(true);
  await page.getByRole('button', { name: 'Look again' }).click();
  await page.getByText('A new one is on its way.').waitFor();
  await page.route('**/api/objectives/refresh', (route) => route.abort());
  await page.reload();
  await page.getByRole('button', { name: 'Prepare now' }).click();
  await page.getByText('That did not get through.').waitFor();
});

test('a profile is filled in, saved, read again, and its entries are taken out', { timeout: 60_000 }, async () => {
  await using teacher = await visit(browser);
  const { page } = teacher;
  const student = await joinAs('Filled');
  await teacherAt(page, student);
  await page.locator('.profile-status').getByText('Nothing is filled in yet.').waitFor();
  await page.getByLabel('School year').fill('11');
  await page.getByLabel('Average of marks').fill('9,25');
  await page.getByLabel('Out of').fill('10');
  await page.getByRole('button', { name: 'Add a deadline' }).click();
  expect(await page.getByLabel('What is due').evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type('Esė „Kodėl fizika“');
  await page.getByLabel('By when').fill('2027-01-15');
  for (const name of ['KTU', 'Vilniaus universitetas']) {
    await page.getByRole('button', { name: 'Add a school' }).click();
    await page.getByLabel('School', { exact: true }).last().fill(name);
  }
  await page.getByRole('button', { name: 'Add a test' }).click();
  await page.getByLabel('Test or exam').fill('IELTS');
  await page.getByLabel('Result').fill('7.5');
  await page.getByLabel('Taken on').fill('2026-05-10');
  await page.getByRole('button', { name: 'Add an activity' }).click();
  await page.getByLabel('Activity').fill('Choras');
  await page.getByLabel('Hours a week').fill('2');
  // A row that was added and left alone is not sent.
  await page.getByRole('button', { name: 'Add an activity' }).click();
  await page.getByLabel('Interests').fill('fizika\n\n poezija 🎒 ');
  await page.getByLabel('Notes').fill('Bijo kalbėti\nprieš klasę.');
  await page.locator('.profile-status').getByText('There are changes that are not saved.').waitFor();
  await expectAccessibleEverywhere(page);
  await save(page).click();
  await isSaved(page);
  const profile = {
    school_year: '11',
    gpa: { value: 9.25, scale: 10 },
    deadlines: [{ title: 'Esė „Kodėl fizika“', due_on: '2027-01-15' }],
    schools: [{ name: 'KTU' }, { name: 'Vilniaus universitetas' }],
    testing: [{ test: 'IELTS', score: 7.5, taken_on: '2026-05-10' }],
    activities: [{ name: 'Choras', hours_per_week: 2 }],
    interests: ['fizika', 'poezija 🎒'],
    notes: 'Bijo kalbėti\nprieš klasę.',
  };
  expect((await ask(student, 'GET')).profile).toEqual(profile);

  await page.reload();
  await page.getByLabel('School', { exact: true }).first().waitFor();
  expect(await page.getByLabel('Average of marks').inputValue()).toBe('9.25');
  await page.getByRole('button', { name: 'Remove: Schools, 1' }).click();
  expect(await page.getByLabel('School', { exact: true }).inputValue()).toBe('Vilniaus universitetas');
  await page.getByRole('button', { name: 'Undo my changes' }).click();
  expect(await page.getByLabel('School', { exact: true }).count()).toBe(2);
  await page.getByRole('button', { name: 'Remove: Schools, 1' }).click();
  await page.getByLabel('Average of marks').fill('');
  await page.getByLabel('Out of').fill('');
  await save(page).click();
  await isSaved(page);
  const { gpa: _, ...rest } = profile;
  expect((await ask(student, 'GET')).profile).toEqual({ ...rest, schools: [{ name: 'Vilniaus universitetas' }] });
  mayComplain(teacher);
});

test('what cannot be saved is said at its field, in Lithuanian too, and nothing that was typed is lost', {
  timeout: 60_000,
}, async () => {
  await using teacher = await visit(browser, { locale: 'lt-LT', touch: true });
  const { page } = teacher;
  const student = await joinAs('Klaidos');
  await teacherAt(page, student);
  await page.getByLabel('Pažymių vidurkis').fill('dešimt');
  await page.getByRole('button', { name: 'Pridėti terminą' }).click();
  await page.getByRole('button', { name: 'Pridėti terminą' }).click();
  // The first row stays blank: the problem stands in the second.
  await page.getByLabel('Kas turi būti atlikta').nth(1).fill('Esė');
  await page.getByRole('button', { name: 'Pridėti veiklą' }).click();
  await page.getByLabel('Veikla', { exact: true }).fill('Choras');
  await page.getByLabel('Val. per savaitę').fill('169');
  await page.getByLabel('Kiek metų').fill('-1');
  await page.getByLabel('Pomėgiai').fill(`fizika\n${'a'.repeat(121)}`);
  await page.getByRole('button', { name: 'Išsaugoti profilį' }).click();
  await page.getByText('Neišsaugota: reikia dar kartą peržiūrėti 6\u00a0laukus.').waitFor();
  const problemAt = async (label: string, at = 0) => {
    const input = page.getByLabel(label, { exact: true }).nth(at);
    expect(await input.getAttribute('aria-invalid'), label).toBe('true');
    const ids = (await input.getAttribute('aria-describedby'))?.split(' ') ?? [];
    return page.locator(`[id="${ids.at(-1)}"]`).innerText();
  };
  expect(await problemAt('Pažymių vidurkis')).toBe('Reikia įrašyti skaičių.');
  expect(await problemAt('Iš kiek')).toBe('Reikia įrašyti skaičių.');
  expect(await problemAt('Iki kada', 1)).toBe('Reikia nurodyti dieną.');
  expect(await problemAt('Val. per savaitę')).toBe('Skaičius turi būti ne didesnis už 168.');
  expect(await problemAt('Kiek metų')).toBe('Skaičius turi būti ne mažesnis už 0.');
  expect(await problemAt('Pomėgiai')).toBe('Telpa daugiausia 120\u00a0ženklų.');
  expect(await page.getByLabel('Pažymių vidurkis').evaluate((input) => input === document.activeElement)).toBe(true);
  await expectAccessibleEverywhere(page);
  await page.getByLabel('Pažymių vidurkis').fill('9');
  expect(await page.getByLabel('Pažymių vidurkis').getAttribute('aria-invalid')).toBeNull();
  await page.getByLabel('Iš kiek').fill('10');
  await page.getByLabel('Iki kada').nth(1).fill('2027-01-15');
  await page.getByLabel('Val. per savaitę').fill('1,5');
  await page.getByLabel('Kiek metų').fill('');
  await page.getByLabel('Pomėgiai').fill('fizika');
  await page.getByRole('button', { name: 'Išsaugoti profilį' }).click();
  await page.getByText('Profilis išsaugotas.').waitFor();
  expect((await ask(student, 'GET')).profile).toEqual({
    gpa: { value: 9, scale: 10 },
    deadlines: [{ title: 'Esė', due_on: '2027-01-15' }],
    activities: [{ name: 'Choras', hours_per_week: 1.5 }],
    interests: ['fizika'],
  });
  mayComplain(teacher);
});

test('of two who change one profile, the second is told, keeps their words, and chooses', {
  timeout: 60_000,
}, async () => {
  await using teacher = await visit(browser);
  const { page, context } = teacher;
  const student = await joinAs('Contested');
  await teacherAt(page, student);
  await page.getByLabel('Notes').fill('From the first window.');
  const second = await context.newPage();
  await second.goto(`${server.url}/students/${student.user_id}`);
  await second.getByLabel('Notes').fill('From the second window.');
  await second.getByLabel('School year').fill('12');
  await save(second).click();
  await isSaved(second);

  await save(page).click();
  const conflict = page.locator('.conflict');
  await conflict.getByText('Somebody else has saved this profile meanwhile').waitFor();
  await conflict.getByText('They differ in: School year, Notes.').waitFor();
  expect(await page.getByLabel('Notes').inputValue()).toBe('From the first window.');
  expect((await ask(student, 'GET')).profile['notes']).toBe('From the second window.');
  await expectAccessibleEverywhere(page);
  await conflict.getByRole('button', { name: 'Save mine over theirs' }).click();
  await isSaved(page);
  expect((await ask(student, 'GET')).profile).toEqual({ notes: 'From the first window.' });
  expect(await conflict.count()).toBe(0);

  // Now the second window is behind; and while it looks, a third save comes in.
  await second.getByLabel('Notes').fill('Once more.');
  await save(second).click();
  const again = second.locator('.conflict');
  await again.waitFor();
  await ask(student, 'PUT', { profile: { notes: 'From the student.', interests: ['rain'] } });
  await again.getByRole('button', { name: 'Save mine over theirs' }).click();
  await again.getByText('They differ in: School year, Interests, Notes.').waitFor();
  expect((await ask(student, 'GET')).profile['notes']).toBe('From the student.');
  await again.getByRole('button', { name: 'Load theirs, drop mine' }).click();
  expect(await second.getByLabel('Notes').inputValue()).toBe('From the student.');
  expect(await second.getByLabel('Interests').inputValue()).toBe('rain');
  expect(await again.count()).toBe(0);
  mayComplain(teacher);
});

test('a change that is not saved survives a change of language, and is asked about before the page is left', {
  timeout: 60_000,
}, async () => {
  await using teacher = await visit(browser);
  const { page } = teacher;
  await teacherAt(page, await joinAs('Leaving'));
  await page.getByLabel('Notes').fill('Not saved „dar“.');
  await page.getByRole('button', { name: 'Add a school' }).click();
  await page.getByLabel('School', { exact: true }).fill('KTU');
  await page.getByRole('button', { name: 'Lietuvių' }).click();
  await page.getByRole('heading', { name: 'Profilis' }).waitFor();
  expect(await page.getByLabel('Pastabos').inputValue()).toBe('Not saved „dar“.');
  expect(await page.getByLabel('Mokykla', { exact: true }).inputValue()).toBe('KTU');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'English' }).click();
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.getByRole('link', { name: 'To your class' }).click();
  await expect.poll(() => asked).toEqual(['beforeunload']);
  expect(await page.getByLabel('Notes').inputValue()).toBe('Not saved „dar“.');
  await page.route('**/api/profiles/*', (route) => route.abort());
  await save(page).click();
  await page.getByText('It was not saved. What you typed is still here').waitFor();
  await page.unroute('**/api/profiles/*');
  await save(page).click();
  await isSaved(page);
  await page.getByRole('link', { name: 'To your class' }).click();
  await page.getByText('and type this code').waitFor();
  expect(asked).toEqual(['beforeunload']);
});

test('a link for a guardian is made, copied, and lets that guardian in', { timeout: 60_000 }, async () => {
  await using teacher = await visit(browser);
  const { page, context } = teacher;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await teacherAt(page, await joinAs('Child'));
  await page.getByLabel('Name of the guardian').fill('Ona <i>');
  await page.route('**/guardians', (route) => route.abort());
  await page.getByRole('button', { name: 'Make a link for a guardian' }).click();
  await page.getByText('The link could not be made.').waitFor();
  await page.unroute('**/guardians');
  await page.getByRole('button', { name: 'Make a link for a guardian' }).click();
  const key = page.getByLabel('Link for Ona <i>');
  await key.waitFor();
  await page.getByText('It is a key').waitFor();
  const link = await key.inputValue();
  expect(link).toContain(`${server.url}/guardian?token=`);
  expect(await key.getAttribute('readonly')).not.toBeNull();
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await expectAccessibleEverywhere(page);
  await using guardian = await visit(browser);
  await guardian.page.goto(link);
  expect(new URL(guardian.page.url()).pathname).toBe('/guardian');
  const me = await guardian.page.evaluate(async () => (await fetch('/api/me')).json());
  expect(me).toMatchObject({ role: 'guardian', display_name: 'Ona <i>' });
  await page.getByRole('button', { name: 'Make another link' }).click();
  expect(await page.getByLabel('Name of the guardian').inputValue()).toBe('');
  expect(await key.count()).toBe(0);
});

test('guardians are listed, and one who was linked by mistake is removed', { timeout: 60_000 }, async () => {
  await using teacher = await visit(browser);
  const { page, context } = teacher;
  await teacherAt(page, await joinAs('Child'));
  const list = page.locator('guardian-list').getByRole('listitem');
  for (const [index, name] of ['Ona <i>', ''].entries()) {
    await page.getByLabel('Name of the guardian').fill(name);
    await page.getByRole('button', { name: 'Make a link for a guardian' }).click();
    await list.nth(index).waitFor();
    await page.getByRole('button', { name: 'Make another link' }).click();
  }
  await page.reload();
  await list.nth(1).waitFor();
  expect((await list.allInnerTexts()).toSorted()).toEqual([
    expect.stringMatching(/^A guardian without a name since .*\s+Remove$/u),
    expect.stringMatching(/^Ona <i> since .*\s+Remove$/u),
  ]);
  await expectAccessibleEverywhere(page);
  await page.getByRole('button', { name: 'Remove Ona <i>' }).click();
  await page.getByText('Remove Ona <i>? They read no more notes').waitFor();
  await page.getByRole('button', { name: 'Keep' }).click();
  await page.getByRole('button', { name: 'Remove Ona <i>' }).press('Enter');
  await expectAccessibleEverywhere(page);
  await goOffline(page);
  await page.getByRole('button', { name: 'Yes, remove' }).click();
  await page.getByRole('alert').getByText('That did not get through. Try again.').waitFor();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Yes, remove' }).click();
  await expect.poll(() => list.count()).toBe(1);
  expect(
    await page.getByRole('button', { name: 'Remove A guardian' }).evaluate((each) => each === document.activeElement),
  ).toBe(true);
  await page.getByRole('button', { name: 'Remove A guardian' }).click();
  await page.getByRole('button', { name: 'Yes, remove' }).click();
  await expect.poll(() => list.count()).toBe(0);
  await page.reload();
  await page.getByRole('button', { name: 'Make a link for a guardian' }).waitFor();
  expect(await list.count()).toBe(0);
  mayComplain(teacher);
});

test('who may not know of a student is told so; who is not signed in, how to come in; what fails is tried again', {
  timeout: 60_000,
}, async () => {
  await using stranger = await visit(browser);
  const child = await joinAs('Private');
  await stranger.page.goto(`${server.url}/students/${child.user_id}`);
  await stranger.page.getByText('Nobody is signed in here.').waitFor();
  await expectAccessible(stranger.page);
  await stranger.page.goto(`${server.url}/?code=${server.joinCode}`);
  await stranger.page.getByRole('button', { name: 'Join' }).click();
  await stranger.page.getByRole('link', { name: 'Talk with a companion' }).waitFor();
  await stranger.page.goto(`${server.url}/students/${child.user_id}`);
  await stranger.page.getByText('This page is for teachers.').waitFor();
  await using teacher = await visit(browser);
  const { page } = teacher;
  await teacherAt(page, { ...child, user_id: 'nobody%2F' });
  await page.getByText('There is no such student here').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'To your class' }).waitFor();
  await page.route('**/api/students/*', (route) => route.abort());
  await page.goto(`${server.url}/students/${child.user_id}`);
  await page.getByText('The server cannot be reached just now.').waitFor();
  await page.unroute('**/api/students/*');
  await page.route('**/api/profiles/*', (route) => route.abort());
  await page.route('**/api/objectives?*', (route) => route.abort());
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('The profile cannot be shown just now.').waitFor();
  await page.getByText('It cannot be shown just now.').waitFor();
  await expectAccessible(page);
  await page.unroute('**/api/profiles/*');
  await page.unroute('**/api/objectives?*');
  await page.locator('profile-form').getByRole('button', { name: 'Try again' }).click();
  await page.getByLabel('Notes').waitFor();
  await page.locator('prep-sheet').getByRole('button', { name: 'Try again' }).click();
  await page.locator('.sheet').getByText('Nothing has been prepared yet.').waitFor();
  await page.getByLabel('Notes').fill('Typed before the token ran out.');
  await page.context().clearCookies();
  await save(page).click();
  await page.getByText('nobody is signed in any more').waitFor();
  const other = await page.context().newPage();
  await other.goto(server.teacherLink);
  await save(page).click();
  await isSaved(page);
  expect((await ask(child, 'GET')).profile).toEqual({ notes: 'Typed before the token ran out.' });
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Prepare now' }).click();
  await page.locator('.sheet-status').getByText('Nobody is signed in here.').waitFor();
  await page.getByRole('button', { name: 'Make a link for a guardian' }).click();
  await page.locator('guardian-links').getByText('Nobody is signed in here.').waitFor();
  expect(await page.getByLabel('Notes').inputValue()).toBe('Typed before the token ran out.');
  await page.reload();
  await page.getByText('Nobody is signed in here.').waitFor();
});

test('a student sees and changes on the counselor’s page what it reads of them, and no notes that it does not keep', {
  timeout: 60_000,
}, async () => {
  await using student = await visit(browser);
  const { page } = student;
  await page.goto(`${server.url}/?code=${server.joinCode}`);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('link', { name: 'Talk with a companion' }).waitFor();
  await page.goto(`${server.url}/companions/counselor`);
  await messages(page, 'trickster').first().waitFor();
  await page.getByRole('button', { name: 'Notes' }).click();
  expect(await page.locator('memory-panel').count()).toBe(0);
  const panel = page.locator('profile-panel');
  await tabTo(page, panel.locator('summary'));
  await page.keyboard.press('Enter');
  await panel.getByLabel('School year').fill('11');
  await panel.getByRole('button', { name: 'Add a deadline' }).click();
  await panel.getByLabel('What is due').fill('Essay');
  await save(page).click();
  await panel.getByText('Give a day.').waitFor();
  await expectAccessibleEverywhere(page);
  await panel.getByLabel('By when').fill('2027-01-15');
  await save(page).click();
  await isSaved(page);
  const me = await page.evaluate(async () => (await fetch('/api/me')).json());

  // What is confirmed in the conversation stands in the open profile at once.
  let round = 0;
  const args = { kind: 'school_card', title: 'Add this school?', school: { name: 'KTU', deadline: '2027-05-20' } };
  const shown = { tool: { id: 'w', name: 'show_widget', arguments: JSON.stringify(args), pieces: 2 } };
  answers.set('talk', () => ((round += 1) === 1 ? replies([shown]) : says('Have a look.')));
  await page.setViewportSize(desktop);
  await say(page, 'Where could I go?');
  await seen(page, 'Have a look.').waitFor();
  await page.locator('widget-card').getByRole('button', { name: 'Confirm' }).click();
  await expect.poll(() => panel.getByLabel('School', { exact: true }).count()).toBe(1);
  expect(await panel.getByLabel('School', { exact: true }).inputValue()).toBe('KTU');
  await panel.getByLabel('Notes').fill('I like rain.');
  await save(page).click();
  await isSaved(page);

  await using teacher = await visit(browser);
  await teacherAt(teacher.page, { token: '', user_id: me.user_id });
  expect(await teacher.page.getByLabel('Notes').inputValue()).toBe('I like rain.');
  expect(await teacher.page.getByLabel('School', { exact: true }).inputValue()).toBe('KTU');
  expect(await teacher.page.getByLabel('What is due').inputValue()).toBe('Essay');

  await page.goto(`${server.url}/companions/maestro-history`);
  await messages(page, 'trickster').first().waitFor();
  expect(await page.locator('profile-panel').count()).toBe(0);
  mayComplain(student);
});

test('a teacher keeps the notes of the mentor, and sees no profile there', async () => {
  await using teacher = await visit(browser);
  const { page } = teacher;
  await page.goto(server.teacherLink);
  await page.goto(`${server.url}/companions/mentor`);
  await messages(page, 'trickster').first().waitFor();
  expect(await page.locator('memory-panel').count()).toBe(1);
  expect(await page.locator('profile-panel').count()).toBe(0);
});
