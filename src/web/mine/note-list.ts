import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import { isMissing, isSignedOut } from '../client/problem.ts';
import type { ParentNoteView } from '../protocol-types.ts';
import type { MinePage } from './mine-page.ts';
import { noteCard } from './note-card.ts';

const pageSize = 10;

/** The notes about one child, the latest first, a page at a time. */
export class NoteList extends ViewElement {
  readonly #page: MinePage;
  readonly #studentId: string;
  readonly #reload: () => void;
  readonly #heading = build('h3', { tabindex: -1 });
  readonly #hint = build('p', { class: 'hint' });
  readonly #list = build('ul', { class: 'note-list', role: 'list' });
  readonly #end = build('div', { class: 'list-end' });
  readonly #opened = new Set<string>();
  #isAgreed = false;
  #notes: ParentNoteView[] = [];
  #pages = 0;
  #total = 0;
  #standing: 'ready' | 'loading' | 'failed' = 'ready';
  /** Which loading counts: an earlier one that comes in late is thrown away. */
  #loading = 0;

  constructor(page: MinePage, studentId: string, reload: () => void) {
    super();
    this.#page = page;
    this.#studentId = studentId;
    this.#reload = reload;
  }

  connectedCallback(): void {
    fill(this, this.#heading, this.#hint, this.#list, this.#end);
  }

  speak(): void {
    fill(this.#heading, this.#page.texts().mine.notes.title);
    fill(this.#list);
    this.#render();
  }

  /** Looks anew while notes are agreed to, else shows none. */
  async show(isAgreed: boolean): Promise<void> {
    this.#isAgreed = isAgreed;
    this.#notes = [];
    this.#pages = 0;
    this.#total = 0;
    this.#loading += 1;
    fill(this.#list);
    this.#stand('ready');
    if (isAgreed) await this.#loadMore();
  }

  async #loadMore(): Promise<void> {
    const loading = (this.#loading += 1);
    this.#stand('loading');
    try {
      const asked = { studentId: this.#studentId, page: this.#pages + 1, limit: pageSize };
      const { items, pagination } = await this.#page.client.notes(asked, { signal: this.lifetime });
      if (loading !== this.#loading) return;
      // None at all where there were some: what they stood on was taken back meanwhile.
      if (pagination.total === 0 && this.#notes.length > 0) this.#reload();
      // A note that came meanwhile moves the others on, and one may be on two pages.
      this.#notes = [...new Map([...this.#notes, ...items].map((note) => [note.id, note])).values()];
      this.#pages += 1;
      this.#total = pagination.total;
      this.#stand('ready');
    } catch (error) {
      if (this.lifetime.aborted || loading !== this.#loading) return;
      if (isSignedOut(error)) return this.#page.expire();
      this.#stand('failed');
    }
  }

  #stand(standing: 'ready' | 'loading' | 'failed'): void {
    this.#standing = standing;
    this.#render();
  }

  async #loadOlder(): Promise<void> {
    const before = this.#notes.length;
    await this.#loadMore();
    const next = this.querySelectorAll<HTMLElement>('.note > summary')[before];
    (next ?? this.querySelector<HTMLElement>('.older') ?? this.#heading).focus();
  }

  /** Adds the cards that are not there yet: what is being read stays as it is. */
  #render(): void {
    const { notes: texts } = this.#page.texts().mine;
    const hasNotes = this.#notes.length > 0;
    fill(this.#hint, this.#isAgreed ? hasNotes && texts.ai : texts.off);
    const cards = this.#notes.slice(this.#list.childElementCount).map((note) => this.#card(note));
    this.#list.append(...cards.map((card) => build('li', {}, card)));
    this.#list.hidden = !hasNotes;
    const hadFocus = this.#end.contains(document.activeElement);
    fill(this.#end, this.#isAgreed && this.#wayOn());
    if (hadFocus) this.#end.querySelector('button')?.focus();
  }

  #card(note: ParentNoteView): HTMLElement {
    return noteCard(this.#page.texts(), note, {
      isOpen: this.#opened.has(note.id),
      toggled: (isOpen, card) => {
        if (isOpen) this.#opened.add(note.id);
        else this.#opened.delete(note.id);
        if (isOpen) void this.#keepRead(note.id, card);
      },
    });
  }

  /** What stands below the notes: the way on, or why there is nothing. */
  #wayOn(): HTMLElement[] {
    const { loading, retry, mine } = this.#page.texts();
    const { notes: texts } = mine;
    const isBusy = this.#standing === 'loading';
    const click = () => void (isBusy || this.#loadOlder());
    const button = (text: string) =>
      build(
        'button',
        { type: 'button', class: 'secondary older', 'aria-disabled': isBusy ? 'true' : undefined, on: { click } },
        text,
      );
    if (isBusy && this.#pages === 0) return [build('p', { class: 'hint', 'aria-busy': 'true' }, loading)];
    if (isBusy) return [button(loading)];
    if (this.#standing === 'failed')
      return [build('p', { class: 'field-problem', role: 'alert' }, texts.failed), button(retry)];
    if (this.#notes.length === 0) return [build('p', { class: 'hint' }, texts.none)];
    return this.#pages * pageSize < this.#total ? [button(texts.older)] : [];
  }

  /** Has it kept that a note was opened. Where that does not get through it stays new, and the next opening tells again. */
  async #keepRead(id: string, card: HTMLElement): Promise<void> {
    const isNew = this.#notes.some((note) => note.id === id && note.viewed_at === null);
    if (!isNew) return;
    try {
      const read = await this.#page.client.viewNote(id);
      this.#notes = this.#notes.map((note) => (note.id === id ? read : note));
      card.querySelector('.is-new')?.remove();
    } catch (error) {
      if (this.lifetime.aborted) return;
      if (isSignedOut(error)) this.#page.expire();
      else if (isMissing(error)) this.#reload();
    }
  }
}
