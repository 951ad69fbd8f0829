import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import { errorTable } from '../core/errors.ts';
import type { AppEnv } from './authentication.ts';
import { openApiDocument, routeDescriptions } from './openapi.ts';
import type { RouteDescription } from './route-description.ts';

/** `/openapi.json`, and `/docs`: the same contract for people. */
export function docsRoutes(): Hono<AppEnv> {
  const document = openApiDocument();
  const app = new Hono<AppEnv>();
  app.get('/openapi.json', (c) => c.json(document));
  app.get('/docs', (c) => {
    c.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
    return c.html(page());
  });
  return app;
}

function page() {
  const tags = [...new Set(routeDescriptions.map((route) => route.tag))];
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Trickster: the protocol</title>
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        <main>
          <h1>The protocol</h1>
          <p>
            Sign in with <code>Authorization: Bearer</code> or the cookie <code>trickster</code>. JSON in UTF-8, times in ISO 8601
            UTC. For machines: <a href="/openapi.json">openapi.json</a>.
          </p>
          ${tags.map((tag) => html`<h2>${tag}</h2> ${routeDescriptions.filter((route) => route.tag === tag).map(section)}`)}
          <h2>Events</h2>
          <p>
            Each carries <code>id: &lt;turn_id&gt;:&lt;seq&gt;</code>, counting from 1. Exactly one of <code>done</code>,
            <code>redact</code> and <code>error</code> ends a turn.
          </p>
          <h2>Errors</h2>
          <p><code>application/problem+json</code> with one of these codes:</p>
          <table>
            <thead>
              <tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">What it says</th></tr>
            </thead>
            <tbody>
              ${Object.entries(errorTable).map(
                ([code, { status, title, detail }]) =>
                  html`<tr><td><code>${code}</code></td><td>${status}</td><td>${title}. ${detail}</td></tr>`,
              )}
            </tbody>
          </table>
        </main>
      </body>
    </html>`;
}

function section(route: RouteDescription) {
  const body = route.body ? JSON.stringify(openApiBody(route), null, 2) : null;
  return html`<section>
    <h3><code>${route.method.toUpperCase()} ${route.path}</code></h3>
    <p>${route.summary}. ${route.isOpen ? 'Open to anyone.' : ''}</p>
    ${body ? html`<details><summary>Body</summary><pre>${body}</pre></details>` : ''}
    <ul>
      ${Object.entries(route.responses).map(([status, response]) => html`<li><code>${status}</code> ${response.description}</li>`)}
    </ul>
  </section>`;
}

function openApiBody(route: RouteDescription): unknown {
  const paths = openApiDocument()['paths'] as Record<string, Record<string, { requestBody?: unknown }>>;
  return paths[route.path]?.[route.method]?.requestBody;
}

const style = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  main { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
  section { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
  h3 { margin-bottom: 0; } code, pre { font-size: 0.9em; overflow-wrap: anywhere; } pre { white-space: pre-wrap; }
  table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem 0.3rem 0; }
`;
