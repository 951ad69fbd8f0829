import type { App } from '../app.ts';
import { build } from '../dom.ts';
import { writeRoute } from '../router.ts';

/** The bar on top of a lesson: the way back, and the lesson's title as the page's heading. */
export function lessonBar(app: App, title: string): HTMLElement {
  const { lesson } = app.texts();
  const back = build('a', { class: 'back', href: writeRoute({ kind: 'lessons' }), 'aria-label': lesson.back });
  back.append(build('span', { class: 'back-arrow', 'aria-hidden': 'true' }));
  return build('header', { class: 'bar lesson-bar' }, back, build('h1', { class: 'bar-title' }, title));
}
