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
import { openCuttableLine } from './cuttable-line.ts';
import { expectAccessible } from './inspect.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { messages, replyIsOver, say, seen, sendButton, tabTo } from './student.ts';

const root = join(import.meta.dirname, '..', '..');
const shipped = { CARTRIDGES_DIR: join(root, 'cartridges'), PROMPTS_DIR: join(root, 'prompts') };

let browser: Browser;
/** Speaks with a model that says what a test tells it. */
let online: ServerProcess;
/** Speaks without a model. */
let offline: ServerProcess;
let upstream: Upstream & { readonly url: string };
const answers = new Map<string, (request: UpstreamRequest) => Reply>();
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  upstream = parts.use(await startOpenAiUpstream());
  const env = {
    ...shipped,
    OPENAI_BASE_URL: upstream.url,
    OPENAI_API_KEY: 'test',
    MODEL_STANDARD: 'openai:test',
    MODEL_COMPLEX: 'openai:test',
    MODEL_FAST: 'openai:fast-model',
  };
  online = parts.use(await startServerProcess({ files: browserLessonFiles, env }));
  offline = parts.use(await startServerProcess({ files: browserLessonFiles, env: shipped }));
  browser = parts.use(await launchBrowser());
}, 120_000);

afterAll(() => parts.disposeAsync());

beforeEach(() => {
  answers.clear();
  answers.set('talk', () => says('I hear ', 'you.'));
  answers.set('rolling', () => saysJson({ summary: 'Notes were taken.', facts: [] }));
  answers.set('summary', () => saysJson({ summary: 'They worked on fractions.' }));
  answers.set('key_facts', () => saysJson({ decisions: ['Exercise 4 by Friday'], preferences: [], learned: [] }));
  answers.set('topics', () => saysJson({ topics: ['fractions'] }));
  answers.set('learnings', () => saysJson({ learnings: [] }));
  upstream.respondWhen((request) => answers.get(kindOf(request))?.(request) ?? null);
});

async function teacherAt(page: Page, path: string, server = online): Promise<void> {
  await page.goto(server.teacherLink);
  await page.goto(`${server.url}${path}`);
}

type Address = Pick<ServerProcess, 'url' | 'joinCode'>;

async function studentAt(page: Page, path: string, server: Address = online): Promise<void> {
  await page.goto(`${server.url}/?code=${server.joinCode}`);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('link', { name: 'Talk with a companion' }).waitFor();
  await page.goto(`${server.url}${path}`);
}

const conversationStarts = (page: Page) => messages(page, 'trickster').first().waitFor();

/** On a phone the notes stand behind a button. */
async function openNotes(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Notes' }).click();
}

async function addLearner(page: Page, name: string): Promise<void> {
  await openNotes(page);
  await page.getByRole('button', { name: 'Add a learner' }).click();
  await page.getByLabel('Name of the learner').fill(name);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.locator('.bar-about').getByText(`About ${name}`).waitFor();
}

/** The next reply shows these widgets beside its words. */
function showsWidgets(...widgets: readonly object[]): void {
  let round = 0;
  const calls = widgets.map((args, index) => ({
    tool: { id: `w${index}`, name: 'show_widget', arguments: JSON.stringify(args), pieces: 2 },
  }));
  answers.set('talk', () => ((round += 1) === 1 ? replies(calls) : says('Have a look.')));
}

const mayComplain = (visitor: Visit) => expect(visitor.complaints).toEqual([]);

test('a teacher finds the companions from the class page; a student finds others from the lessons', async () => {
  await using teacher = await visit(browser);
  await teacher.page.goto(online.teacherLink);
  await teacher.page.getByRole('link', { name: 'To the companions' }).click();
  await teacher.page.getByRole('heading', { name: 'The Mentor' }).waitFor();
  expect(await teacher.page.getByText('counselor').count()).toBe(0);
  await expectAccessible(teacher.page);
  await teacher.page.getByRole('link', { name: 'To your class' }).waitFor();
  await using student = await visit(browser);
  await studentAt(student.page, '/');
  await student.page.getByRole('link', { name: 'Talk with a companion' }).click();
  await student.page.getByRole('heading', { name: 'Maestro Vaidotas Rašius' }).waitFor();
  expect(await student.page.getByRole('heading', { name: 'The Mentor' }).count()).toBe(0);
  await student.page.goto(`${online.url}/companions/mentor`);
  await student.page.getByText('There is no such companion here').waitFor();
  await expectAccessible(student.page);
  mayComplain(teacher);
});

test('who is not signed in is told how to come in', async () => {
  await using stranger = await visit(browser);
  await stranger.page.goto(`${online.url}/companions/mentor`);
  await stranger.page.getByText('Nobody is signed in here').waitFor();
  await expectAccessible(stranger.page);
  await stranger.page.getByRole('link', { name: 'Join with a code' }).click();
  await stranger.page.getByLabel('Class code').waitFor();
});

test('the mentor remembers a learner after an exchange; the notes are edited, found, cleared and found in the archive', {
  timeout: 90_000,
}, async () => {
  await using teacher = await visit(browser);
  const { page } = teacher;
  answers.set('rolling', () =>
    saysJson({
      summary: 'Emma struggles with fractions; games were advised.',
      facts: [{ kind: 'decision', text: 'Emma gets fraction games twice a week', from: 1, supersedes: null }],
    }),
  );
  await teacherAt(page, '/companions/mentor');
  await conversationStarts(page);
  await page.locator('.bar-about').getByText('The work as a whole').waitFor();
  await openNotes(page);
  await page.getByText('Nothing yet. Notes are made').waitFor();
  await page.getByRole('button', { name: 'Conversation' }).click();
  await addLearner(page, 'Emma');
  await say(page, 'Emma gets stuck on fractions. Games twice a week?');
  await seen(page, 'I hear you.').waitFor();
  await replyIsOver(page);
  await openNotes(page);
  await page.locator('.summary').getByText('Emma struggles with fractions').waitFor();
  await page.getByRole('status').getByText('Up to date').waitFor();
  expect(await page.locator('.fact-list').innerText()).toContain('Emma gets fraction games twice a week');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Edit the summary' }).click();
  expect(await page.getByLabel('Summary in your words').evaluate((box) => box === document.activeElement)).toBe(true);
  await page.getByLabel('Summary in your words').fill('Emma likes volcanoes – „ugnikalniai“ 🌋.');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The summary was saved.').waitFor();
  await page.reload();
  await conversationStarts(page);
  await openNotes(page);
  await page.locator('.summary').getByText('Emma likes volcanoes – „ugnikalniai“ 🌋.').waitFor();

  await page.getByText('Search what was said').click();
  await page.getByLabel('Words to look for').fill('volcano');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByText('1 place found').waitFor();
  expect(await page.locator('.hits mark').allInnerTexts()).toEqual(['volcanoes']);
  expect(await page.locator('.hits .badge').count()).toBe(0);

  await page.getByRole('button', { name: 'Forget all this' }).click();
  await page.getByText('It is put into the archive first').waitFor();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await page.locator('.summary').waitFor();
  await page.getByRole('button', { name: 'Forget all this' }).click();
  await page.getByRole('button', { name: 'Archive and forget' }).click();
  await page.getByText('It was archived and forgotten.').waitFor();
  expect(await page.locator('.summary').count()).toBe(0);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByText('Nothing was found').waitFor();
  await page.getByLabel('Also in the archive').check();
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.locator('.hits .badge').first().waitFor();
  expect(await page.locator('.hits .badge').first().innerText()).toBe('archived');
  await expectAccessible(page);
  mayComplain(teacher);
});

test('each learner has a conversation and notes of their own', { timeout: 60_000 }, async () => {
  await using teacher = await visit(browser);
  const { page } = teacher;
  await teacherAt(page, '/companions/mentor');
  await conversationStarts(page);
  await addLearner(page, 'Max');
  await say(page, 'Max reads well.');
  await seen(page, 'I hear you.').waitFor();
  await openNotes(page);
  await page.locator('.summary').waitFor();
  await page.getByLabel('Who is it about?').selectOption('The work as a whole');
  await page.locator('.bar-about').getByText('The work as a whole').waitFor();
  await expect.poll(() => messages(page, 'student').filter({ hasText: 'Max reads well.' }).count()).toBe(0);
  await openNotes(page);
  await page.getByLabel('Who is it about?').selectOption('Max');
  await page.locator('.bar-about').getByText('About Max').waitFor();
  await messages(page, 'student').getByText('Max reads well.').waitFor();
  await openNotes(page);
  await page.getByLabel('Who is it about?').waitFor();
  await page.getByRole('button', { name: 'Add a learner' }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Type a name.').waitFor();
  await expectAccessible(page);
});

test('a summary that could not be made is said to have failed, and nothing is lost', { timeout: 60_000 }, async () => {
  await using teacher = await visit(browser);
  const { page } = teacher;
  answers.set('rolling', () => fails(400));
  await teacherAt(page, '/companions/mentor');
  await conversationStarts(page);
  await addLearner(page, 'Ona');
  await say(page, 'Ona is shy.');
  await seen(page, 'I hear you.').waitFor();
  await openNotes(page);
  await page.getByText('The notes could not be brought up to date.').waitFor({ timeout: 40_000 });
  await page.getByText('The last messages').click();
  await page.locator('.recent').getByText('Ona is shy.').waitFor();
});

test('a maestro greets, is ended, remembers, and the past conversation can be read', { timeout: 60_000 }, async () => {
  await using student = await visit(browser);
  const { page } = student;
  await studentAt(page, '/companions/maestro-mathematics');
  await seen(page, 'Bring me a problem').waitFor();
  await openNotes(page);
  await page.getByText('What matters of a conversation is kept when it ends.').waitFor();
  await page.getByRole('button', { name: 'Conversation' }).click();
  expect(await page.getByRole('button', { name: 'End the conversation' }).count()).toBe(0);
  await say(page, 'I am stuck with 1/2 + 1/3.');
  await seen(page, 'I hear you.').waitFor();
  await replyIsOver(page);
  await page.getByRole('button', { name: 'End the conversation' }).click();
  await page.getByText('This conversation has ended.').first().waitFor();
  await page.locator('.part-over').getByText('a summary').waitFor();
  await page.locator('.part-over').getByText('topics').waitFor();
  expect(await page.getByLabel('Your message').count()).toBe(0);
  expect(await messages(page, 'student').allInnerTexts()).toEqual(['I am stuck with 1/2 + 1/3.']);
  await expectAccessible(page);
  const startNew = page.getByRole('button', { name: 'Start a new one' });
  expect(await startNew.evaluate((button) => button === document.activeElement)).toBe(true);
  await startNew.click();
  await seen(page, 'Last time we talked about fractions').waitFor();
  await openNotes(page);
  await page.locator('.notes').getByText('Exercise 4 by Friday').waitFor();
  await expectAccessible(page);
  await page.locator('.past a').first().click();
  await messages(page, 'student').getByText('I am stuck with 1/2 + 1/3.').waitFor();
  await page.getByText('This conversation has ended.').first().waitFor();
  mayComplain(student);
});

test('past conversations come a page at a time', { timeout: 60_000 }, async () => {
  await using student = await visit(browser);
  const { page } = student;
  await studentAt(page, '/companions/maestro-history');
  await conversationStarts(page);
  await page.evaluate(async () => {
    for (let count = 0; count < 12; count += 1)
      await fetch('/api/conversations', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ cartridge_id: 'maestro-history', title: `Nr. ${count}` }),
      });
  });
  await page.reload();
  await openNotes(page);
  await page.locator('.past a').nth(9).waitFor();
  expect(await page.locator('.past a').count()).toBe(10);
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.locator('.past a').nth(11).waitFor();
  expect(
    await page
      .locator('.past a')
      .nth(10)
      .evaluate((link) => link === document.activeElement),
  ).toBe(true);
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
});

test('what the counselor shows is confirmed or changed, reaches the profile, and stands there after a reload', {
  timeout: 60_000,
}, async () => {
  await using student = await visit(browser);
  const { page } = student;
  await studentAt(page, '/companions/counselor');
  await conversationStarts(page);
  showsWidgets(
    { kind: 'school_card', title: 'Add this school?', school: { name: 'KTU', deadline: '2027-05-20' } },
    { kind: 'choice', title: 'Which exam?', options: ['Physics', 'History'] },
    { kind: 'checklist', title: 'What is done?', items: ['Essay', 'Reference'] },
    { kind: 'date', title: 'When do we meet?' },
  );
  await say(page, 'Show me.');
  await seen(page, 'Have a look.').waitFor();
  const card = (title: string) => page.locator('widget-card').filter({ hasText: title });
  await card('When do we meet?').waitFor();
  await expectAccessible(page);

  await page.getByLabel('Deadline').fill('2027-05-21');
  await card('Add this school?').getByRole('button', { name: 'Confirm' }).click();
  await card('Add this school?').getByText('Confirmed', { exact: true }).waitFor();
  await card('Which exam?').getByRole('button', { name: 'Confirm' }).click();
  await card('Which exam?').getByText('Choose one first.').waitFor();
  await page.getByLabel('History').check();
  await card('Which exam?').getByRole('button', { name: 'Confirm' }).click();
  await card('Which exam?').getByText('Confirmed', { exact: true }).waitFor();
  await page.getByLabel('Essay').check();
  await card('What is done?').getByRole('button', { name: 'Confirm' }).click();
  await card('What is done?').getByText('Confirmed', { exact: true }).waitFor();
  await card('When do we meet?').getByRole('button', { name: 'Not now' }).click();
  await card('When do we meet?').getByText('Put aside').waitFor();
  answers.set('talk', () => says('Noted.'));
  await say(page, 'And now?');
  await seen(page, 'Noted.').waitFor();
  await replyIsOver(page);

  await page.reload();
  await card('When do we meet?').waitFor();
  expect(await card('Add this school?').innerText()).toContain('Deadline: 21 May 2027');
  expect(await card('Which exam?').innerText()).toContain('History');
  expect(await card('What is done?').locator('.is-done').allTextContents()).toEqual(['done: Essay']);
  // Each stands where it was shown, and not at the end.
  const order = await page.locator('.log > li').evaluateAll((items) => items.map(({ className }) => className));
  expect(order.map((name) => name.replace(/ .*/u, ''))).toEqual([
    'message',
    'message',
    'message',
    'widget-item',
    'widget-item',
    'widget-item',
    'widget-item',
    'message',
    'message',
  ]);
  const schools = await page.evaluate(async () => {
    const me = (await (await fetch('/api/me')).json()) as { user_id: string };
    const answer = await fetch(`/api/profiles/${me.user_id}`);
    return ((await answer.json()) as { profile: { schools: unknown[] } }).profile.schools;
  });
  expect(schools).toEqual([expect.objectContaining({ name: 'KTU', deadline: '2027-05-21' })]);
  await expectAccessible(page);
  mayComplain(student);
});

test('a widget answered in another tab says so, and shows what counts', { timeout: 60_000 }, async () => {
  await using student = await visit(browser);
  const { page, context } = student;
  await studentAt(page, '/companions/counselor');
  await conversationStarts(page);
  showsWidgets({ kind: 'choice', title: 'Which exam?', options: ['Physics', 'History'] });
  await say(page, 'Show me.');
  await page.locator('widget-card').waitFor();
  const other = await context.newPage();
  await other.goto(`${online.url}/companions/counselor`);
  await other.getByLabel('Physics').check();
  await other.getByRole('button', { name: 'Confirm' }).click();
  await other.getByText('Confirmed', { exact: true }).waitFor();
  await page.getByLabel('History').check();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('This was answered in another window.').waitFor();
  expect(await page.locator('widget-card').innerText()).toContain('Physics');
  expect(await page.locator('widget-card').innerText()).not.toContain('History');
});

test('what was said in another tab is there when one comes back, and an end is told', { timeout: 60_000 }, async () => {
  await using student = await visit(browser);
  const { page, context } = student;
  await studentAt(page, '/companions/maestro-mathematics');
  await conversationStarts(page);
  await say(page, 'First.');
  await seen(page, 'I hear you.').waitFor();
  await replyIsOver(page);
  const other = await context.newPage();
  await other.goto(`${online.url}/companions/maestro-mathematics`);
  await messages(other, 'student').getByText('First.').waitFor();
  await other.getByRole('button', { name: 'End the conversation' }).click();
  await other.getByText('This conversation has ended.').first().waitFor();
  await say(page, 'Not lost, I hope.');
  await seen(page, 'This conversation has ended meanwhile.').waitFor();
  await page.getByRole('button', { name: 'Start a new one' }).click();
  await expect.poll(() => page.getByLabel('Your message').inputValue()).toBe('Not lost, I hope.');
});

test('a line cut in the middle of a reply is mended, and the words stand there once', { timeout: 60_000 }, async () => {
  await using student = await visit(browser);
  const { page } = student;
  using line = await openCuttableLine(online.url);
  await studentAt(page, '/companions/maestro-mathematics', { url: line.url, joinCode: online.joinCode });
  await conversationStarts(page);
  const words = Array.from({ length: 60 }, (_, index) => `w${index} `);
  answers.set('talk', () => replies([{ text: words }], { everyMs: 25 }));
  await say(page, 'Say them all.');
  for (const word of ['w5 ', 'w30 ']) {
    await messages(page, 'trickster').nth(1).getByText(word).waitFor();
    line.cut();
  }
  await replyIsOver(page);
  expect(await messages(page, 'trickster').last().innerText()).toBe(words.join('').trim());
  expect(await messages(page, 'student').allInnerTexts()).toEqual(['Say them all.']);
});

test('a reload in the middle of a reply goes on with it; a stopped reply stays as far as it came', {
  timeout: 60_000,
}, async () => {
  await using student = await visit(browser);
  const { page } = student;
  await studentAt(page, '/companions/maestro-mathematics');
  await conversationStarts(page);
  answers.set('talk', () => replies([{ text: ['The first half, '] }, { waitMs: 1500 }, { text: ['and the second.'] }]));
  await say(page, 'Tell me.');
  await seen(page, 'The first half,').waitFor();
  await page.getByLabel('Your message').fill('Meanwhile');
  await page.reload();
  await seen(page, 'The first half, and the second.').waitFor();
  await replyIsOver(page);
  expect(await page.getByLabel('Your message').inputValue()).toBe('Meanwhile');
  answers.set('talk', () => replies([{ text: ['Wait, '] }, { hang: true }]));
  await say(page, 'No.');
  await seen(page, 'Wait,').waitFor();
  await page.getByRole('button', { name: 'Stop the reply' }).click();
  await seen(page, 'This reply was stopped.').waitFor();
});

test('after an error the same words can be sent again; a redaction takes the place of what was shown', {
  timeout: 60_000,
}, async () => {
  await using student = await visit(browser);
  const { page } = student;
  await studentAt(page, '/companions/maestro-mathematics');
  await conversationStarts(page);
  answers.set('talk', () => fails(500));
  await say(page, 'Are you there?');
  await seen(page, 'No reply could be made').waitFor();
  await expectAccessible(page);
  answers.set('talk', () => says('Here I am.'));
  await page.getByRole('button', { name: 'Try again' }).click();
  await seen(page, 'Here I am.').waitFor();
  expect(await messages(page, 'student').allInnerTexts()).toEqual(['Are you there?']);
  answers.set('talk', () => says('Then kill your', 'self', ' tonight.'));
  await say(page, 'And if not?');
  await seen(page, 'This reply was taken back').waitFor();
  await replyIsOver(page);
  await page.reload();
  await seen(page, 'This reply was taken back').waitFor();
  expect(await page.locator('companions-app').innerText()).not.toContain('tonight');
});

test('the project manager tells in plain words; the exact instruction opens below, also after a reload', {
  timeout: 60_000,
}, async () => {
  await using teacher = await visit(browser);
  const { page } = teacher;
  answers.set('talk', () =>
    saysJson({
      user_explanation: 'The login asks the database twice.',
      technical_instruction: 'Add an index on <b>users(email)</b>.',
      confidence: 0.82,
      metadata: { memory_keys: [], dependencies: [], context_items: 0, processing_time: 1 },
    }),
  );
  await teacherAt(page, '/companions/project-manager');
  await conversationStarts(page);
  await say(page, 'Login is slow.');
  await seen(page, 'The login asks the database twice.').waitFor();
  for (const look of ['now', 'after a reload']) {
    await seen(page, 'How sure: 82%').waitFor();
    expect(await seen(page, 'users(email)').isVisible(), look).toBe(false);
    await page.getByText('the exact instruction').click();
    await seen(page, 'Add an index on <b>users(email)</b>.').waitFor();
    await expectAccessible(page);
    await page.reload();
  }
  mayComplain(teacher);
});

test('each project has its own conversation, found again by its name', { timeout: 60_000 }, async () => {
  await using teacher = await visit(browser);
  const { page } = teacher;
  const answer = (text: string) => {
    const metadata = { memory_keys: [], dependencies: [], context_items: 0, processing_time: 1 };
    answers.set('talk', () =>
      saysJson({ user_explanation: text, technical_instruction: 'Look.', confidence: 0.5, metadata }),
    );
  };
  const begin = async (name: string, message: string) => {
    await openNotes(page);
    await page.getByRole('button', { name: 'A new project' }).click();
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.getByText('Type a name.').waitFor();
    await page.getByLabel('Name of the project').fill(name);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.locator('.bar-about').getByText(`Project: ${name}`).waitFor();
    answer(`About ${name}.`);
    await say(page, message);
    await seen(page, `About ${name}.`).waitFor();
    await replyIsOver(page);
  };
  await teacherAt(page, '/companions/project-manager');
  await conversationStarts(page);
  await page.locator('.bar-about').getByText('No project by name').waitFor();
  await begin('Mokyklos svetainė <b>', 'The menu is broken.');
  await begin('Garden', 'It is dry.');
  await expect.poll(() => messages(page, 'student').allInnerTexts()).toEqual(['It is dry.']);
  await page.reload();
  await seen(page, 'About Garden.').waitFor();
  await openNotes(page);
  await page.locator('.past').getByText('Garden · 1 message').waitFor();
  await page.getByLabel('Which project?').selectOption('Mokyklos svetainė <b>');
  await seen(page, 'About Mokyklos svetainė <b>.').waitFor();
  expect(await messages(page, 'student').allInnerTexts()).toEqual(['The menu is broken.']);
  await expectAccessible(page);
  const asked = await page.evaluate(async () =>
    (await fetch('/api/conversations?cartridge_id=project-manager')).json(),
  );
  expect(asked).toMatchObject({
    items: expect.arrayContaining([
      expect.objectContaining({ project_id: 'Garden' }),
      expect.objectContaining({ project_id: 'Mokyklos svetainė <b>' }),
    ]),
  });
  await openNotes(page);
  await page.getByLabel('Which project?').selectOption('No project by name');
  await page.locator('.bar-about').getByText('No project by name').waitFor();
  mayComplain(teacher);
});

test('without a network the page says so and keeps the words; with it, it goes on', { timeout: 60_000 }, async () => {
  await using student = await visit(browser);
  const { page, context } = student;
  await studentAt(page, '/companions/maestro-mathematics');
  await conversationStarts(page);
  await goOffline(page);
  await page.getByText('No network.').waitFor();
  await say(page, 'Hello?');
  await seen(page, 'The conversation could not be begun.').waitFor();
  expect(await page.getByLabel('Your message').inputValue()).toBe('Hello?');
  await expectAccessible(page);
  await context.setOffline(false);
  await sendButton(page).click();
  await seen(page, 'I hear you.').waitFor();
  await replyIsOver(page);
  await goOffline(page);
  await say(page, 'And again?');
  await context.setOffline(false);
  await messages(page, 'trickster').nth(2).getByText('I hear you.').waitFor();
});

test('without a model the companion says so, in Lithuanian too, and a long message is carried whole', {
  timeout: 60_000,
}, async () => {
  await using student = await visit(browser, { locale: 'lt-LT', touch: true });
  const { page } = student;
  await page.goto(`${offline.url}/?code=${offline.joinCode}`);
  await page.getByRole('button', { name: 'Prisijungti' }).click();
  await page.getByRole('link', { name: 'Pasikalbėti su pašnekovu' }).click();
  await page.getByRole('heading', { name: 'Pašnekovai' }).waitFor();
  await expectAccessible(page);
  await page.goto(`${offline.url}/companions/maestro-history`);
  await conversationStarts(page);
  const long = `مرحبا 🦊 ${'labas'.repeat(400)}`;
  await page.getByLabel('Žinutė').fill(long);
  await page.getByRole('button', { name: 'Siųsti' }).click();
  await messages(page, 'trickster').nth(1).waitFor();
  await page.getByRole('button', { name: 'Siųsti' }).waitFor();
  expect(await messages(page, 'student').first().innerText()).toBe(long);
  await page.getByText('Šiuo metu pokalbyje nėra dirbtinio intelekto').waitFor();
  await expectAccessible(page);
  mayComplain(student);
});

test('a conversation can be held with the keyboard alone', { timeout: 60_000 }, async () => {
  await using student = await visit(browser);
  const { page } = student;
  await studentAt(page, '/companions/counselor');
  await conversationStarts(page);
  showsWidgets({ kind: 'choice', title: 'Which exam?', options: ['Physics', 'History'] });
  await tabTo(page, page.getByLabel('Your message'));
  await page.keyboard.type('Show me.');
  await page.keyboard.press('Enter');
  await page.locator('widget-card').waitFor();
  await replyIsOver(page);
  await tabTo(page, page.getByLabel('Physics'));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText('Confirmed', { exact: true }).waitFor();
  expect(await page.locator('widget-card').innerText()).toContain('History');
  await tabTo(page, page.getByRole('button', { name: 'Notes' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Past conversations' }).waitFor();
});
