import { beforeAll, expect, test } from 'vitest';
import { type Assets, buildAssets } from '../assets.ts';
import { createPages } from './pages.ts';
import type { TeacherView } from './teacher-page.ts';

const teacherView: TeacherView = {
  class: { title: '8b <script>alert(1)</script>', join_code: 'K7MQ2P' },
  join_url: 'http://192.168.1.20:3000/',
  lessons: [
    {
      title: 'Antraštė – spąstai',
      description: 'Apie antraštes.',
      language: 'lt',
      time_minutes: 21,
      task_type: 'hybrid',
      technique: 'headline_manipulation',
    },
  ],
  students: [
    { user_id: 'b/2', display_name: 'Žygimantas <b>x</b>', joined_at: '2026-09-02T08:00:00.000Z' },
    { user_id: 'c', display_name: null, joined_at: '2026-09-01T10:00:00.000Z' },
    { user_id: 'a', display_name: 'Čiužas', joined_at: '2026-09-01T08:00:00.000Z' },
  ],
  student_count: 3,
  findings: [{ severity: 'error', cartridge_id: 'broken', place: 'cartridge.json:3:1', text: 'title is missing' }],
  companions: 1,
  ai: 'offline',
  time_zone: 'Europe/Vilnius',
};

let assets: Assets;
beforeAll(async () => {
  assets = await buildAssets();
});

const pagesFor = (view: TeacherView | null) => createPages({ assets, teacherView: async () => view });

test('a page holds no script and no style of its own, and its policy allows none', async () => {
  for (const path of ['/', '/companions', '/companions/mentor', '/teacher']) {
    const response = await pagesFor(teacherView).request(path);
    const page = await response.text();
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'self'");
    expect(page).not.toMatch(/<style|style=|<script(?! type="module" src="\/assets\/)| on[a-z]+=/u);
    expect(page).toContain(`href="${assets.style}"`);
  }
});

test("the page speaks the first of the browser's languages that it knows", async () => {
  const page = async (accept: string) =>
    (await pagesFor(null).request('/', { headers: { 'Accept-Language': accept } })).text();
  expect(await page('de;q=0.9, lt-LT;q=0.8, en;q=0.7')).toContain('<html lang="lt">');
  expect(await page('fr')).toContain('<html lang="en">');
});

test("the teacher's page shows the class, the code, the address and what is wrong with the lessons", async () => {
  const response = await pagesFor(teacherView).request('/teacher', { headers: { 'Accept-Language': 'lt' } });
  const page = await response.text();
  expect(response.status).toBe(200);
  expect(page).toContain('aria-label="K 7 M Q 2 P"');
  expect(page).toContain('192.168.1.20:3000<');
  expect(page).toContain('21\u00a0minutė<');
  expect(page).toContain('cartridge.json:3:1');
  expect(page).toContain('8b &lt;script&gt;alert(1)&lt;/script&gt;');
});

test("the teacher's page lists the students by name, as text, each with a way to their page", async () => {
  const page = async (view: Partial<TeacherView>) => {
    const headers = { 'Accept-Language': 'lt' };
    return (await pagesFor({ ...teacherView, ...view }).request('/teacher', { headers })).text();
  };
  const full = await page({});
  expect(full).toContain('3\u00a0mokiniai<');
  expect([...full.matchAll(/class="student-name">([^<]*)</gu)].map(([, name]) => name)).toEqual([
    'Čiužas',
    'Žygimantas &lt;b&gt;x&lt;/b&gt;',
    'Be vardo',
  ]);
  expect(full).toContain('href="/students/b%2F2"');
  expect(full).not.toContain('netelpa');
  expect(await page({ student_count: 24 })).toContain('(21\u00a0mokinys)');
  const empty = await page({ students: [], student_count: 0 });
  expect(empty).toContain('Dar niekas neprisijungė');
  expect(empty).not.toContain('student-list');
});

test("the teacher's page leads to the companions where there are any", async () => {
  const page = async (companions: number) =>
    (await pagesFor({ ...teacherView, companions }).request('/teacher')).text();
  expect(await page(1)).toContain('href="/companions"');
  expect(await page(0)).not.toContain('href="/companions"');
});

test("whoever is no teacher is told to open the teacher's link and sees nothing of the class", async () => {
  const response = await pagesFor(null).request('/teacher');
  expect(response.status).toBe(401);
  expect(await response.text()).not.toContain('K7MQ2P');
});

test('assets are small, kept for ever, and sent compressed to whoever takes it so', async () => {
  const pages = pagesFor(null);
  const plain = await pages.request(assets.scripts.app);
  expect(plain.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  expect(plain.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
  expect((await plain.arrayBuffer()).byteLength).toBeLessThan(60_000);
  const packed = await pages.request(assets.scripts.app, { headers: { 'Accept-Encoding': 'gzip, br' } });
  expect(packed.headers.get('Content-Encoding')).toBe('gzip');
  expect((await packed.arrayBuffer()).byteLength).toBeLessThan(25_000);
  const companions = await pages.request(assets.scripts.companions);
  expect((await companions.arrayBuffer()).byteLength).toBeLessThan(95_000);
  expect((await pages.request('/assets/main-OLD.js')).status).toBe(404);
});

test('every file that the style names is there', async () => {
  const style = await (await pagesFor(null).request(assets.style)).text();
  const named = [...style.matchAll(/url\(["']?([^)"']+)/gu)].map((match) => match[1] ?? '');
  expect(named.length).toBeGreaterThan(0);
  for (const path of named) expect((await pagesFor(null).request(path)).status).toBe(200);
});
