import { build, fill } from '../app/dom.ts';
import { prose } from '../app/prose.ts';
import { ViewElement } from '../app/view-element.ts';
import type { MemoryScope } from '../client/companion-client.ts';
import type { MemoryUpdate, RollingMemory } from '../protocol-types.ts';
import type { CompanionPage } from './companion-page.ts';
import { clearForm, editForm } from './memory-forms.ts';
import { factLists, recentTurns } from './memory-parts.ts';
import { MemorySearch } from './memory-search.ts';
import { dayAndTime } from '../app/when.ts';

const lookMs = 1_500;
const looks = 30;

/** What a companion remembers about somebody: to read, to put right, to forget, to search. */
export class MemoryPanel extends ViewElement {
  readonly #page: CompanionPage;
  readonly #cartridgeId: string;
  readonly #nameOf: (learnerId: string) => string;
  readonly #heading = build('h2', { id: 'memory-title', tabindex: -1 });
  readonly #status = build('p', { class: 'memory-status', role: 'status' });
  readonly #content = build('div', { class: 'notes' });
  readonly #search: MemorySearch;
  #learnerId: string | null = null;
  #memory: MemoryUpdate = null;
  /** Somebody is writing in the panel: nothing is drawn anew below their hands. */
  #isBusy = false;
  #watching = 0;

  constructor(page: CompanionPage, cartridgeId: string, nameOf: (learnerId: string) => string) {
    super();
    this.#page = page;
    this.#cartridgeId = cartridgeId;
    this.#nameOf = nameOf;
    this.#search = new MemorySearch(page, () => this.#scope, nameOf);
  }

  connectedCallback(): void {
    fill(
      this,
      build('section', { 'aria-labelledby': 'memory-title' }, this.#heading, this.#status, this.#content),
      this.#search,
    );
  }

  /** Shows what is remembered about a learner, or about none. */
  async show(learnerId: string | null): Promise<void> {
    const { memory } = this.#page.texts().companions;
    if (learnerId !== this.#learnerId) this.#search.clear();
    this.#learnerId = learnerId;
    this.#isBusy = false;
    this.#watching += 1;
    fill(this.#heading, learnerId === null ? memory.title : memory.about(this.#nameOf(learnerId)));
    await this.#load(this.#watching);
    if (this.#memory?.status === 'pending') await this.#watch(this.#memory.updated_at);
  }

  /** Looks until what was just said is in the notes. */
  async expectChange(): Promise<void> {
    await this.#watch(this.#memory?.updated_at ?? null);
  }

  get #scope(): MemoryScope {
    return { cartridgeId: this.#cartridgeId, learnerId: this.#learnerId };
  }

  async #watch(before: string | null): Promise<void> {
    const watching = (this.#watching += 1);
    for (let look = 0; look < looks; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, lookMs));
      if (watching !== this.#watching || this.lifetime.aborted) return;
      if (document.visibilityState === 'hidden') continue;
      await this.#load(watching);
      const now = this.#memory;
      if (now && now.status !== 'pending' && now.updated_at !== before) return;
    }
  }

  async #load(watching: number): Promise<void> {
    try {
      const memory = await this.#page.client.memory(this.#scope, { signal: this.lifetime });
      if (watching !== this.#watching || this.#isBusy) return;
      const isSame = memory?.updated_at === this.#memory?.updated_at && memory?.status === this.#memory?.status;
      if (isSame && memory?.id === this.#memory?.id && this.#content.childElementCount > 0) return;
      this.#memory = memory;
      this.#render();
    } catch {
      if (this.lifetime.aborted || watching !== this.#watching || this.#memory) return;
      const { companions, retry } = this.#page.texts();
      const again = () => void this.show(this.#learnerId);
      fill(
        this.#content,
        build('p', { class: 'hint' }, companions.memory.unreachable),
        build('button', { type: 'button', class: 'secondary', on: { click: again } }, retry),
      );
    }
  }

  #render(): void {
    const texts = this.#page.texts();
    const { memory } = texts.companions;
    const shown = this.#memory;
    this.#sayStatus(shown === null ? '' : memory.status[shown.status], shown?.status);
    if (shown === null) return fill(this.#content, build('p', { class: 'hint' }, memory.none));
    const button = (text: string, click: () => void) =>
      build('button', { type: 'button', class: 'secondary', on: { click } }, text);
    fill(
      this.#content,
      build(
        'p',
        { class: 'facts' },
        [memory.turns(shown.turn_count), memory.changed(dayAndTime(shown.updated_at, texts.language))].join(' · '),
      ),
      build('h3', {}, memory.summary),
      shown.summary === ''
        ? build('p', { class: 'hint' }, memory.noSummary)
        : build('div', { class: 'summary' }, prose(shown.summary)),
      factLists(shown, texts),
      recentTurns(shown, texts),
      build(
        'div',
        { class: 'buttons' },
        button(memory.edit, () => this.#edit(shown)),
        button(memory.clear, () => this.#askToClear()),
      ),
    );
  }

  #edit(shown: RollingMemory): void {
    this.#isBusy = true;
    const form = editForm(this.#page.texts(), shown.summary, {
      save: async (summary) => {
        this.#memory = await this.#page.client.editMemory(this.#scope, summary);
        this.#leave(this.#page.texts().companions.memory.saved);
      },
      cancel: () => this.#leave(null),
    });
    fill(this.#content, form);
    form.querySelector('textarea')?.focus();
  }

  #askToClear(): void {
    this.#isBusy = true;
    const form = clearForm(this.#page.texts(), {
      clear: async () => {
        await this.#page.client.clearMemory(this.#scope);
        this.#memory = null;
        this.#leave(this.#page.texts().companions.memory.cleared);
      },
      cancel: () => this.#leave(null),
    });
    this.#content.querySelector('.buttons')?.replaceWith(form);
    form.querySelector('button')?.focus();
  }

  /** Back to reading, with what was done said in the status line. */
  #leave(done: string | null): void {
    this.#isBusy = false;
    this.#render();
    if (done !== null) this.#sayStatus(done);
    this.#heading.focus();
  }

  #sayStatus(text: string, status?: string): void {
    this.#status.dataset['status'] = status ?? '';
    if (this.#status.textContent !== text) fill(this.#status, text);
  }
}
