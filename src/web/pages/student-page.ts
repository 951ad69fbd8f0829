import { html } from 'hono/html';
import type { Assets } from '../assets.ts';
import { textsOf } from '../texts/texts.ts';
import { renderPage } from './page-shell.ts';

/** The student's page: a shell that its script fills. */
export function studentPage(assets: Assets, language: string) {
  const texts = textsOf(language);
  return renderPage({
    language,
    title: texts.brand,
    assets,
    script: assets.scripts.app,
    body: html`<trickster-app></trickster-app><noscript><p class="dead-end">${texts.needsScript}</p></noscript>`,
  });
}
