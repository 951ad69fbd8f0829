import { build, fill } from '../app/dom.ts';
import { fitKeyboard } from '../app/fit-keyboard.ts';
import { PageElement } from '../app/page-element.ts';
import { createCompanionClient } from '../client/companion-client.ts';
import { companionTextsOf } from '../texts/companion-texts.ts';
import { CompanionList } from './companion-list.ts';
import type { CompanionPage } from './companion-page.ts';
import { isSignedOut } from '../client/problem.ts';
import { CompanionView } from './companion-view.ts';
import { companionOf } from './place.ts';

/** The companions' pages: finds out who is here, and shows the list or the companion that the address names. */
export class CompanionsApp extends PageElement implements CompanionPage {
  readonly client = createCompanionClient();
  #name = '';

  override connectedCallback(): void {
    super.connectedCallback();
    fitKeyboard(this.lifetime);
  }

  override texts() {
    return companionTextsOf(this.store.state.language, this.#name);
  }

  override expire(): void {
    this.store.update({ me: null });
    const { companions, brand } = this.texts();
    this.showDeadEnd(
      brand,
      build('p', { role: 'alert' }, companions.signedOut),
      build('a', { class: 'primary button', href: '/#/join' }, companions.join),
    );
  }

  protected override async begin(): Promise<void> {
    const { companions: texts } = this.texts();
    this.showLoading();
    try {
      const me = await this.client.me();
      if (!me) return this.expire();
      this.store.update({ me });
      const companions = (await this.client.cartridges()).filter(({ kind }) => kind === 'companion');
      const id = companionOf(location.pathname);
      if (id === null) return fill(this.place, new CompanionList(this, companions));
      const companion = companions.find((each) => each.id === id);
      if (companion) {
        this.#name = companion.title;
        return fill(this.place, new CompanionView(this, companion));
      }
      const all = build('a', { class: 'primary button', href: '/companions' }, texts.back);
      this.showDeadEnd(texts.title, build('p', {}, texts.missing), all);
    } catch (error) {
      if (isSignedOut(error)) return this.expire();
      this.showUnreachable(texts.title);
    }
  }
}
