import { build, fill } from '../app/dom.ts';
import { PageElement } from '../app/page-element.ts';
import { createMineClient } from '../client/mine-client.ts';
import { isSignedOut } from '../client/problem.ts';
import type { ErasureReceipt } from '../protocol-types.ts';
import { mineTextsOf } from '../texts/mine-texts.ts';
import { ErasedView } from './erased-view.ts';
import { GuardianView } from './guardian-view.ts';
import { MeView } from './me-view.ts';
import type { MinePage } from './mine-page.ts';

/** The guardians' page and the page about one's own data: finds out who is here, and shows what the path names. */
export class MineApp extends PageElement implements MinePage {
  readonly client = createMineClient();

  override texts() {
    return mineTextsOf(this.store.state.language);
  }

  override expire(): void {
    this.store.update({ me: null });
    const { guardian, mine } = this.texts().mine;
    if (isGuardiansPage())
      return this.showDeadEnd(guardian.signedOutTitle, build('p', { role: 'alert' }, guardian.signedOut));
    this.showDeadEnd(
      mine.signedOutTitle,
      build('p', { role: 'alert' }, mine.signedOut),
      build('a', { class: 'primary button', href: '/#/join' }, mine.join),
    );
  }

  erased(receipt: ErasureReceipt | null): void {
    const wasStudent = this.store.state.me?.role === 'student';
    this.notebook.forgetLearner();
    this.store.update({ me: null });
    fill(this.place, new ErasedView(this, { receipt, wasStudent }));
    this.place.querySelector('h1')?.focus();
  }

  signedOut(): void {
    this.notebook.forgetLearner();
    this.expire();
    this.place.querySelector('h1')?.focus();
  }

  protected override async begin(): Promise<void> {
    const { ownData, mine: texts } = this.texts();
    this.showLoading();
    try {
      const me = await this.client.me();
      if (!me) return this.expire();
      this.store.update({ me });
      if (!isGuardiansPage()) return fill(this.place, new MeView(this));
      if (me.role === 'guardian') return fill(this.place, new GuardianView(this));
      const { otherRoleTitle, otherRole } = texts.guardian;
      const toOwn = build('a', { class: 'button', href: '/me' }, ownData);
      this.showDeadEnd(otherRoleTitle, build('p', {}, otherRole), toOwn);
    } catch (error) {
      if (isSignedOut(error)) return this.expire();
      const { title } = isGuardiansPage() ? texts.guardian : texts.mine;
      this.showUnreachable(title);
    }
  }
}

function isGuardiansPage(): boolean {
  return /^\/guardian\/?$/u.test(location.pathname);
}
