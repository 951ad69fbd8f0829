import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import type { MemoryScope } from '../client/companion-client.ts';
import type { MemoryHit, MemorySearchView } from '../protocol-types.ts';
import type { CompanionPage } from './companion-page.ts';
import { day } from '../app/when.ts';

const longestSearch = 500;

/** Searches what is remembered: about the learner who is chosen, or about everybody and everything. */
export class MemorySearch extends ViewElement {
  readonly #page: CompanionPage;
  readonly #scopeOf: () => MemoryScope;
  readonly #nameOf: (learnerId: string) => string;
  readonly #results = build('div', { class: 'notes' });
  readonly #count = build('p', { class: 'facts', role: 'status' });
  readonly #words: HTMLInputElement;
  readonly #archive = build('input', { type: 'checkbox', id: 'search-archive' });
  #searching = 0;

  constructor(page: CompanionPage, scopeOf: () => MemoryScope, nameOf: (learnerId: string) => string) {
    super();
    this.#page = page;
    this.#scopeOf = scopeOf;
    this.#nameOf = nameOf;
    this.#words = build('input', { type: 'search', id: 'search-words', maxlength: longestSearch, autocomplete: 'off' });
  }

  connectedCallback(): void {
    const { search } = this.#page.texts().companions;
    const onSubmit = (event: Event) => {
      event.preventDefault();
      void this.#search();
    };
    fill(
      this,
      build(
        'details',
        {},
        build('summary', {}, search.title),
        build(
          'form',
          { role: 'search', class: 'asking', on: { submit: onSubmit } },
          build('label', { for: 'search-words', class: 'label' }, search.label),
          this.#words,
          build('label', { class: 'tick', for: 'search-archive' }, this.#archive, search.archive),
          build('button', { type: 'submit', class: 'secondary' }, search.submit),
        ),
        this.#count,
        this.#results,
      ),
    );
  }

  /** Forgets what was looked for: it was about somebody else. */
  clear(): void {
    this.#searching += 1;
    this.#words.value = '';
    fill(this.#count);
    fill(this.#results);
  }

  async #search(): Promise<void> {
    const search = this.#words.value.trim();
    if (search === '') return this.#words.focus();
    const searching = (this.#searching += 1);
    const asked = { search, includeArchive: this.#archive.checked };
    const scope = this.#scopeOf();
    const list = build('ul', { class: 'hits', role: 'list' });
    const { companions } = this.#page.texts();
    let page = 0;
    const next = async () => {
      page += 1;
      try {
        const found = await this.#page.client.searchMemory(scope, { ...asked, page }, { signal: this.lifetime });
        if (searching !== this.#searching) return;
        if (page === 1) this.#sayCount(found);
        const items = found.results.map((hit) => this.#hit(hit));
        list.append(...items);
        more.hidden = items.length === 0 || list.childElementCount >= found.count;
        if (page === 1) fill(this.#results, list, more);
        else items[0]?.focus();
      } catch {
        if (searching !== this.#searching || this.lifetime.aborted) return;
        page -= 1;
        fill(this.#count, companions.search.failed);
      }
    };
    const more = build(
      'button',
      { type: 'button', class: 'secondary', on: { click: () => void next() } },
      companions.more,
    );
    await next();
  }

  #sayCount({ count, corrected }: MemorySearchView): void {
    const { search } = this.#page.texts().companions;
    const changed = corrected.map(({ from, to }) => search.corrected(from, to));
    fill(this.#count, [...changed, count === 0 ? search.nothing : search.found(count)].join(' '));
  }

  #hit({ kind, snippet, matches, date, learner_id: learnerId, archived }: MemoryHit): HTMLElement {
    const { companions, language } = this.#page.texts();
    const { search } = companions;
    const about = learnerId === null ? null : this.#nameOf(learnerId);
    const facts = [search.kinds[kind], about, day(date, language)].filter((fact) => fact !== null).join(' · ');
    return build(
      'li',
      { tabindex: -1 },
      build('p', { class: 'facts' }, facts, archived && [' ', build('span', { class: 'badge' }, search.archived)]),
      build('p', {}, marked(snippet, matches)),
    );
  }
}

/** A text with its ranges (from, up to but not including) marked. */
function marked(text: string, ranges: readonly (readonly [number, number])[]): (Node | string)[] {
  const pieces: (Node | string)[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    if (start < at) continue;
    pieces.push(text.slice(at, start), build('mark', {}, text.slice(start, end)));
    at = end;
  }
  return [...pieces, text.slice(at)];
}
