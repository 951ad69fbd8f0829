import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import type { ConversationItem } from '../protocol-types.ts';
import type { CompanionPage } from './companion-page.ts';
import { type About, aboutOf, writePlace } from './place.ts';
import { dayAndTime } from '../app/when.ts';

const pageSize = 10;

/** The caller's conversations with a companion, the one touched last first, a page at a time. */
export class PastList extends ViewElement {
  readonly #page: CompanionPage;
  readonly #cartridgeId: string;
  /** What a conversation is about, by name; null where there is nothing to say. */
  readonly #nameOf: (about: About) => string | null;
  #items: ConversationItem[] = [];
  #shownPages = 1;
  #openId: string | null = null;
  #loading = 0;

  constructor(page: CompanionPage, cartridgeId: string, nameOf: (about: About) => string | null) {
    super();
    this.#page = page;
    this.#cartridgeId = cartridgeId;
    this.#nameOf = nameOf;
    this.className = 'side-part';
  }

  /** Looks anew, and marks the conversation that is open. */
  async load(openId: string | null): Promise<void> {
    this.#openId = openId;
    const loading = (this.#loading += 1);
    const { companions } = this.#page.texts();
    try {
      const asked = { cartridgeId: this.#cartridgeId, limit: pageSize };
      const pages = [];
      let total = 0;
      for (let page = 1; page <= this.#shownPages; page += 1) {
        const found = await this.#page.client.conversations({ ...asked, page }, { signal: this.lifetime });
        pages.push(...found.items);
        total = found.pagination.total;
        if (found.items.length < pageSize) break;
      }
      if (loading !== this.#loading) return;
      // A conversation that is touched meanwhile moves up, and may be on two pages.
      this.#items = [...new Map(pages.map((item) => [item.id, item])).values()];
      this.#render(total);
    } catch {
      if (loading === this.#loading && !this.lifetime.aborted && this.#items.length === 0)
        fill(this, this.#heading(), build('p', { class: 'hint' }, companions.past.failed));
    }
  }

  #render(total: number): void {
    const { companions } = this.#page.texts();
    const more = build(
      'button',
      { type: 'button', class: 'secondary', on: { click: () => void this.#showMore() } },
      companions.more,
    );
    fill(
      this,
      this.#heading(),
      this.#items.length === 0 && build('p', { class: 'hint' }, companions.past.none),
      this.#items.length > 0 &&
        build(
          'ul',
          { class: 'past', role: 'list' },
          this.#items.map((item) => build('li', {}, this.#link(item))),
        ),
      this.#items.length < total && more,
    );
  }

  async #showMore(): Promise<void> {
    const before = this.#items.length;
    this.#shownPages += 1;
    await this.load(this.#openId);
    this.querySelectorAll<HTMLElement>('.past a')[before]?.focus();
  }

  #heading(): HTMLElement {
    return build('h2', {}, this.#page.texts().companions.past.title);
  }

  #link(item: ConversationItem): HTMLElement {
    const { companions, language } = this.#page.texts();
    const when = dayAndTime(item.last_message_at ?? item.created_at, language);
    const about = this.#nameOf(aboutOf(item));
    const facts = [about, companions.past.messages(item.message_count), item.active ? companions.past.open : null];
    return build(
      'a',
      {
        href: writePlace({ kind: 'conversation', id: item.id }),
        'aria-current': item.id === this.#openId ? 'true' : undefined,
      },
      build('span', { class: 'past-title' }, item.title ?? when),
      build('span', { class: 'facts' }, facts.filter((fact) => fact !== null).join(' · ')),
    );
  }
}
