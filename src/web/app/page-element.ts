import { chooseLanguage, type Texts } from '../texts/texts.ts';
import type { AppState, Page } from './app.ts';
import { build, fill } from './dom.ts';
import { ConnectionBanner } from './elements/connection-banner.ts';
import { browserStorage, Notebook } from './notebook.ts';
import { Store } from './store.ts';
import { ViewElement } from './view-element.ts';

const announcementMs = 8000;

/** A page's own element: its language, its voice for those who listen, and the place for what it shows. */
export abstract class PageElement extends ViewElement implements Page {
  readonly notebook = new Notebook(browserStorage());
  readonly store = new Store<AppState>({ me: null, language: this.#ownLanguage(), reconnecting: false });
  protected readonly place = build('div', { class: 'place' });
  readonly #voice = build('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });

  abstract texts(): Texts;
  abstract expire(): void;
  /** Finds out who is here, and shows them what the address names. */
  protected abstract begin(): Promise<void>;

  connectedCallback(): void {
    this.speak(null);
    fill(this, new ConnectionBanner(this), this.place, this.#voice);
    void this.begin();
  }

  speak(language: string | null): void {
    const own = this.#ownLanguage();
    const chosen = language === null ? own : chooseLanguage([language, own]);
    document.documentElement.lang = chosen;
    this.store.update({ language: chosen });
  }

  announce(text: string): void {
    const said = build('p', {}, text);
    this.#voice.append(said);
    // What was said once is not found again by a reader who walks through the page.
    setTimeout(() => said.remove(), announcementMs);
  }

  entitle(...parts: string[]): void {
    document.title = [...parts, this.texts().brand].join(' – ');
  }

  protected showLoading(): void {
    const { loading } = this.texts();
    fill(this.place, build('main', { class: 'dead-end' }, build('p', { 'aria-busy': 'true' }, loading)));
  }

  /** A page with nothing on it but why, and where to go from there. */
  protected showDeadEnd(title: string | null, ...content: HTMLElement[]): void {
    const { brand } = this.texts();
    this.entitle(...(title === null || title === brand ? [] : [title]));
    fill(this.place, build('main', { class: 'dead-end' }, title !== null && build('h1', {}, title), content));
  }

  /** Says that the server cannot be reached, with a button to begin again. */
  protected showUnreachable(title: string | null): void {
    const { connection, retry } = this.texts();
    const on = { click: () => void this.begin() };
    const again = build('button', { type: 'button', class: 'primary', on }, retry);
    this.showDeadEnd(title, build('p', { role: 'alert' }, connection.unreachable), again);
  }

  #ownLanguage(): string {
    const chosen = this.notebook.language;
    return chooseLanguage(chosen === null ? navigator.languages : [chosen]);
  }
}
