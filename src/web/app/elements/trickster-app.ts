import { createClient } from '../../client/client.ts';
import type { Me } from '../../protocol-types.ts';
import { chooseLanguage, textsOf } from '../../texts/texts.ts';
import type { App, AppState } from '../app.ts';
import { build, fill } from '../dom.ts';
import { fitKeyboard } from '../fit-keyboard.ts';
import { browserStorage, Notebook } from '../notebook.ts';
import { readRoute, type Route, writeRoute } from '../router.ts';
import { Store } from '../store.ts';
import { ViewElement } from '../view-element.ts';
import { ConnectionBanner } from './connection-banner.ts';
import { JoinForm } from './join-form.ts';
import { LessonList } from './lesson-list.ts';
import { LessonView } from './lesson-view.ts';

const announcementMs = 8000;

/** The student's page: finds out who is here, and shows what the address names. */
export class TricksterApp extends ViewElement implements App {
  readonly client = createClient();
  readonly notebook = new Notebook(browserStorage());
  readonly store = new Store<AppState>({ me: null, language: this.#ownLanguage(), reconnecting: false });
  readonly #place = build('div', { class: 'place' });
  readonly #voice = build('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
  #expired = false;

  connectedCallback(): void {
    this.speak(null);
    fill(this, new ConnectionBanner(this), this.#place, this.#voice);
    globalThis.addEventListener('hashchange', () => this.#render(), { signal: this.lifetime });
    fitKeyboard(this.lifetime);
    void this.#begin();
  }

  texts() {
    return textsOf(this.store.state.language);
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

  go(route: Route): void {
    if (location.hash === writeRoute(route)) this.#render();
    else location.hash = writeRoute(route);
  }

  expire(): void {
    this.#expired = true;
    this.store.update({ me: null });
    this.#render();
  }

  entitle(...parts: string[]): void {
    document.title = [...parts, this.texts().brand].join(' – ');
  }

  async #begin(): Promise<void> {
    try {
      this.store.update({ me: await this.client.me() });
      this.#render();
    } catch {
      const { connection, retry } = this.texts();
      const again = build(
        'button',
        { type: 'button', class: 'primary', on: { click: () => void this.#begin() } },
        retry,
      );
      fill(
        this.#place,
        build('main', { class: 'dead-end' }, build('p', { role: 'alert' }, connection.unreachable), again),
      );
    }
  }

  #render(): void {
    const route = readRoute(location.hash);
    const moved = this.#place.childElementCount > 0;
    this.store.update({ reconnecting: false });
    this.speak(null);
    fill(this.#place, this.#viewOf(route));
    if (moved) this.#place.querySelector('h1')?.focus();
  }

  #viewOf(route: Route): HTMLElement {
    const { me } = this.store.state;
    if (!me || route.kind === 'join') return new JoinForm(this, this.#expired, (joined) => this.#joined(joined));
    return route.kind === 'lesson' ? new LessonView(this, route.sessionId) : new LessonList(this);
  }

  #joined(me: Me): void {
    if (this.store.state.me?.user_id !== me.user_id) this.notebook.forgetLearner();
    this.#expired = false;
    this.store.update({ me });
    this.go({ kind: 'lessons' });
  }

  #ownLanguage(): string {
    const chosen = this.notebook.language;
    return chooseLanguage(chosen === null ? navigator.languages : [chosen]);
  }
}
