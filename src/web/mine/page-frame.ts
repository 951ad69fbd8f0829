import { build, fill } from '../app/dom.ts';
import { languageSwitch } from '../app/elements/language-switch.ts';
import { tricksterFace } from '../app/trickster-face.ts';
import type { MinePage } from './mine-page.ts';

type FrameTexts = { title: string; intro: string; link: { href: string; text: string } | null };

/** Head, middle and foot of a page. Head and foot can be said anew while the middle stays as it is. */
export class PageFrame {
  readonly head: HTMLElement = build('header', { class: 'hero' });
  readonly main: HTMLElement = build('main', { class: 'mine-main' });
  readonly foot: HTMLElement = build('footer', { class: 'page-foot' });
  readonly #page: MinePage;
  readonly #changed: () => void;

  constructor(page: MinePage, changed: () => void) {
    this.#page = page;
    this.#changed = changed;
  }

  speak({ title, intro, link }: FrameTexts): void {
    const { brand } = this.#page.texts();
    this.#page.entitle(title);
    fill(
      this.head,
      build('p', { class: 'brand' }, tricksterFace(), brand),
      build('h1', { tabindex: -1 }, title),
      build('p', { class: 'lead' }, intro),
    );
    fill(
      this.foot,
      link && build('a', { href: link.href }, link.text),
      languageSwitch(this.#page, () => {
        this.#changed();
        // The button that was pressed has been made anew.
        this.foot.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
      }),
    );
  }
}
