import { html, raw } from 'hono/html';
import type { Assets } from '../assets.ts';
import { textsOf } from '../texts/texts.ts';
import { renderPage } from './page-shell.ts';

/** A shell with the page's own element, `<name-app>`, which the script of that name fills. */
export function scriptedPage(name: 'companions' | 'mine' | 'students') {
  const element = raw(`<${name}-app></${name}-app>`);
  return (assets: Assets, language: string) => {
    const texts = textsOf(language);
    return renderPage({
      language,
      title: texts.brand,
      assets,
      script: assets.scripts[name],
      body: html`${element}<noscript><p class="dead-end">${texts.needsScript}</p></noscript>`,
    });
  };
}
