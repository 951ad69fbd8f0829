import type { AppState } from '../app/app.ts';
import { build, fill } from '../app/dom.ts';
import { ConnectionBanner } from '../app/elements/connection-banner.ts';
import { browserStorage, Notebook } from '../app/notebook.ts';
import { Store } from '../app/store.ts';
import { ViewElement } from '../app/view-element.ts';
import { createMineClient } from '../client/mine-client.ts';
import { isSignedOut } from '../companions/companion-page.ts';
import type { ErasureReceipt } from '../protocol-types.ts';
import { mineTextsOf } from '../texts/mine-texts.ts';
import { chooseLanguage } from '../texts/texts.ts';
import { ErasedView } from './erased-view.ts';
import { GuardianView } from './guardian-view.ts';
import { MeView } from './me-view.ts';
import type { MinePage } from './mine-page.ts';

const announcementMs = 8000;

/** The guardians' page and the page about one's own data: finds out who is here, and shows what the path names. */
export class MineApp extends ViewElement implements MinePage {
  readonly client = createMineClient();
  readonly notebook = new Notebook(browserStorage());
  readonly store = new Store<AppState>({ me: null, language: this.#ownLanguage(), reconnecting: false });
  readonly #place = build('div', { class: 'place' });
  readonly #voice = build('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });

  connectedCallback(): void {
    this.speak(null);
    fill(this, new ConnectionBanner(this), this.#place, this.#voice);
    void this.#begin();
  }

  texts() {
    return mineTextsOf(this.store.state.language);
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
    const { guardian, mine } = this.texts().mine;
    if (isGuardiansPage())
      return this.#dead(guardian.signedOutTitle, build('p', { role: 'alert' }, guardian.signedOut));
    this.#dead(
      mine.signedOutTitle,
      build('p', { role: 'alert' }, mine.signedOut),
      build('a', { class: 'primary button', href: '/#/join' }, mine.join),
    );
  }

  entitle(...parts: string[]): void {
    document.title = [...parts, this.texts().brand].join(' – ');
  }

  erased(receipt: ErasureReceipt | null): void {
    const wasStudent = this.store.state.me?.role === 'student';
    this.notebook.forgetLearner();
    this.store.update({ me: null });
    fill(this.#place, new ErasedView(this, { receipt, wasStudent }));
    this.#place.querySelector('h1')?.focus();
  }

  async #begin(): Promise<void> {
    const { loading, connection, retry, ownData, mine: texts } = this.texts();
    fill(this.#place, build('main', { class: 'dead-end' }, build('p', { 'aria-busy': 'true' }, loading)));
    try {
      const me = await this.client.me();
      if (!me) return this.expire();
      this.store.update({ me });
      if (!isGuardiansPage()) return fill(this.#place, new MeView(this));
      if (me.role === 'guardian') return fill(this.#place, new GuardianView(this));
      const { otherRoleTitle, otherRole } = texts.guardian;
      const toOwn = build('a', { class: 'button', href: '/me' }, ownData);
      this.#dead(otherRoleTitle, build('p', {}, otherRole), toOwn);
    } catch (error) {
      if (isSignedOut(error)) return this.expire();
      const again = build(
        'button',
        { type: 'button', class: 'primary', on: { click: () => void this.#begin() } },
        retry,
      );
      const { title } = isGuardiansPage() ? texts.guardian : texts.mine;
      this.#dead(title, build('p', { role: 'alert' }, connection.unreachable), again);
    }
  }

  #dead(title: string, ...content: HTMLElement[]): void {
    this.entitle(title);
    fill(this.#place, build('main', { class: 'dead-end' }, build('h1', {}, title), content));
  }

  #ownLanguage(): string {
    const chosen = this.notebook.language;
    return chooseLanguage(chosen === null ? navigator.languages : [chosen]);
  }
}

function isGuardiansPage(): boolean {
  return /^\/guardian\/?$/u.test(location.pathname);
}
