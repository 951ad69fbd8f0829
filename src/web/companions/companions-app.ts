import type { AppState } from '../app/app.ts';
import { build, fill } from '../app/dom.ts';
import { ConnectionBanner } from '../app/elements/connection-banner.ts';
import { browserStorage, Notebook } from '../app/notebook.ts';
import { Store } from '../app/store.ts';
import { fitKeyboard } from '../app/fit-keyboard.ts';
import { ViewElement } from '../app/view-element.ts';
import { createCompanionClient } from '../client/companion-client.ts';
import { companionTextsOf } from '../texts/companion-texts.ts';
import { chooseLanguage } from '../texts/texts.ts';
import { CompanionList } from './companion-list.ts';
import { type CompanionPage, isSignedOut } from './companion-page.ts';
import { CompanionView } from './companion-view.ts';
import { companionOf } from './place.ts';

const announcementMs = 8000;

/** The companions' pages: finds out who is here, and shows the list or the companion that the address names. */
export class CompanionsApp extends ViewElement implements CompanionPage {
  readonly client = createCompanionClient();
  readonly notebook = new Notebook(browserStorage());
  readonly store = new Store<AppState>({ me: null, language: this.#ownLanguage(), reconnecting: false });
  readonly #place = build('div', { class: 'place' });
  readonly #voice = build('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
  #name = '';

  connectedCallback(): void {
    this.speak(null);
    fill(this, new ConnectionBanner(this), this.#place, this.#voice);
    fitKeyboard(this.lifetime);
    void this.#begin();
  }

  texts() {
    return companionTextsOf(this.store.state.language, this.#name);
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

  expire(): void {
    this.store.update({ me: null });
    const { companions, brand } = this.texts();
    this.entitle();
    this.#dead(
      brand,
      build('p', { role: 'alert' }, companions.signedOut),
      build('a', { class: 'primary button', href: '/#/join' }, companions.join),
    );
  }

  entitle(...parts: string[]): void {
    document.title = [...parts, this.texts().brand].join(' – ');
  }

  async #begin(): Promise<void> {
    const { loading, connection, retry, companions: texts } = this.texts();
    fill(this.#place, build('main', { class: 'dead-end' }, build('p', { 'aria-busy': 'true' }, loading)));
    try {
      const me = await this.client.me();
      if (!me) return this.expire();
      this.store.update({ me });
      const companions = (await this.client.cartridges()).filter(({ kind }) => kind === 'companion');
      const id = companionOf(location.pathname);
      if (id === null) return fill(this.#place, new CompanionList(this, companions));
      const companion = companions.find((each) => each.id === id);
      if (companion) {
        this.#name = companion.title;
        return fill(this.#place, new CompanionView(this, companion));
      }
      const all = build('a', { class: 'primary button', href: '/companions' }, texts.back);
      this.#dead(texts.title, build('p', {}, texts.missing), all);
    } catch (error) {
      if (isSignedOut(error)) return this.expire();
      const again = build(
        'button',
        { type: 'button', class: 'primary', on: { click: () => void this.#begin() } },
        retry,
      );
      this.#dead(texts.title, build('p', { role: 'alert' }, connection.unreachable), again);
    }
  }

  #dead(title: string, ...content: HTMLElement[]): void {
    fill(this.#place, build('main', { class: 'dead-end' }, build('h1', {}, title), content));
  }

  #ownLanguage(): string {
    const chosen = this.notebook.language;
    return chooseLanguage(chosen === null ? navigator.languages : [chosen]);
  }
}
