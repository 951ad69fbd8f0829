import { Hono } from 'hono';
import type { Context, Env } from 'hono';
import type { Assets } from '../assets.ts';
import { chooseLanguage } from '../texts/texts.ts';
import { scriptedPage } from './scripted-page.ts';
import { studentPage } from './student-page.ts';
import { teacherPage, type TeacherView } from './teacher-page.ts';

export type PagesOptions<E extends Env> = {
  assets: Assets;
  /** What a caller's class page shows; null where the caller is no teacher. */
  teacherView: (c: Context<E>) => Promise<TeacherView | null>;
};

/** Scripts, styles, pictures and calls from this server alone: nothing inline, nobody else's. */
export const contentSecurityPolicy =
  "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

/** Pages that a script fills. */
const scripted = [
  ['/', studentPage],
  ['/companions', scriptedPage('companions')],
  ['/companions/:id', scriptedPage('companions')],
  ['/guardian', scriptedPage('mine')],
  ['/me', scriptedPage('mine')],
  ['/students/:id', scriptedPage('students')],
] as const;

/** Every page of `scripted`, `/teacher` and `/assets/*`. */
export function createPages<E extends Env>({ assets, teacherView }: PagesOptions<E>): Hono<E> {
  const pages = new Hono<E>();

  for (const [path, page] of scripted) {
    pages.get(path, (c) => {
      protect(c);
      return c.html(page(assets, languageOf(c)));
    });
  }

  pages.get('/teacher', async (c) => {
    const view = await teacherView(c);
    protect(c);
    return c.html(teacherPage(assets, languageOf(c), view), view ? 200 : 401);
  });

  pages.get('/assets/:name', (c) => {
    const asset = assets.files.get(c.req.path);
    if (!asset) return c.notFound();
    c.header('Content-Type', asset.type);
    c.header('Cache-Control', 'public, max-age=31536000, immutable');
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Vary', 'Accept-Encoding');
    if (!/\bgzip\b/u.test(c.req.header('Accept-Encoding') ?? '')) return c.body(asset.body);
    c.header('Content-Encoding', 'gzip');
    return c.body(asset.gzip);
  });

  return pages;
}

function protect(c: Context): void {
  c.header('Content-Security-Policy', contentSecurityPolicy);
  c.header('Cache-Control', 'no-store');
  c.header('Referrer-Policy', 'same-origin');
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('Vary', 'Accept-Language');
}

/** The first language the browser asks for that the pages speak. */
function languageOf(c: Context): string {
  const wanted = (c.req.header('Accept-Language') ?? '').split(',').map((part) => part.split(';')[0]?.trim() ?? '');
  return chooseLanguage(wanted);
}
