import { build, fill } from '../app/dom.ts';
import { languageSwitch } from '../app/elements/language-switch.ts';
import { tricksterFace } from '../app/trickster-face.ts';
import { ViewElement } from '../app/view-element.ts';
import type { CartridgeSummary } from '../protocol-types.ts';
import { companionFace } from './companion-face.ts';
import type { CompanionPage } from './companion-page.ts';
import { homeLink } from './home-link.ts';

/** The companions that are there for whoever is here. */
export class CompanionList extends ViewElement {
  readonly #page: CompanionPage;
  readonly #companions: readonly CartridgeSummary[];

  constructor(page: CompanionPage, companions: readonly CartridgeSummary[]) {
    super();
    this.#page = page;
    this.#companions = companions;
  }

  connectedCallback(): void {
    this.#render();
  }

  #render(): void {
    const { companions: texts, brand } = this.#page.texts();
    this.#page.entitle(texts.title);
    fill(
      this,
      build(
        'header',
        { class: 'hero' },
        build('p', { class: 'brand' }, tricksterFace(), brand),
        build('h1', { tabindex: -1 }, texts.title),
        build('p', { class: 'lead' }, texts.intro),
      ),
      build(
        'main',
        { class: 'lessons-main' },
        this.#companions.length === 0
          ? build('p', { class: 'hint' }, texts.none)
          : build(
              'ul',
              { class: 'cards', role: 'list' },
              this.#companions.map((companion) => build('li', {}, this.#card(companion))),
            ),
      ),
      build(
        'footer',
        { class: 'page-foot' },
        homeLink(this.#page),
        build('a', { href: '/me' }, this.#page.texts().ownData),
        languageSwitch(this.#page, () => this.#render()),
      ),
    );
  }

  #card({ id, title, description, language }: CartridgeSummary): HTMLElement {
    const { companions: texts } = this.#page.texts();
    const heading = `companion-${id}`;
    const href = `/companions/${encodeURIComponent(id)}`;
    return build(
      'article',
      { class: 'card' },
      build(
        'div',
        { class: 'companion-name' },
        companionFace(title),
        build('h2', { id: heading, lang: language }, title),
      ),
      build('p', { class: 'card-text', lang: language }, description),
      build(
        'div',
        { class: 'card-foot' },
        build('a', { class: 'primary button', href, 'aria-describedby': heading }, texts.talk),
      ),
    );
  }
}
