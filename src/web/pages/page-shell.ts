import { html, raw } from 'hono/html';
import type { Assets } from '../assets.ts';

export type Page = {
  language: string;
  title: string;
  assets: Assets;
  /** The path of the script that the page runs; null for none. */
  script: string | null;
  body: ReturnType<typeof html>;
};

/** What every page begins with. No script and no style stands in the page itself, so the policy can forbid them. */
export function renderPage({ language, title, assets, script, body }: Page) {
  return html`<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <title>${title}</title>
    <meta
      name="viewport"
      content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
    />
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="#17221e" media="(prefers-color-scheme: dark)" />
    <link rel="icon" type="image/svg+xml" href="${assets.icon}" />
    <link rel="stylesheet" href="${assets.style}" />
    ${script === null ? raw('') : html`<script type="module" src="${script}"></script>`}
  </head>
  <body>
    ${body}
  </body>
</html>`;
}
