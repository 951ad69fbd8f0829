import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import { isSignedOut } from '../client/problem.ts';
import type { ConsentView } from '../protocol-types.ts';
import { ChildSection } from './child-section.ts';
import type { MinePage } from './mine-page.ts';
import { PageFrame } from './page-frame.ts';

/** What a guardian agrees to and reads: a section for each child. */
export class GuardianView extends ViewElement {
  readonly #page: MinePage;
  readonly #frame: PageFrame;
  /** Null until the consents have come. */
  #children: ChildSection[] | null = null;
  #hasFailed = false;

  constructor(page: MinePage) {
    super();
    this.#page = page;
    this.#frame = new PageFrame(page, () => this.#speak());
  }

  connectedCallback(): void {
    fill(this, this.#frame.head, this.#frame.main, this.#frame.foot);
    this.#speak();
    void this.#load();
  }

  #speak(): void {
    const { ownData, mine } = this.#page.texts();
    const { guardian } = mine;
    this.#frame.speak({ title: guardian.title, intro: guardian.intro, link: { href: '/me', text: ownData } });
    if (this.#children === null || this.#children.length === 0) this.#sayWhyEmpty();
    for (const child of this.#children ?? []) child.speak();
  }

  async #load(): Promise<void> {
    this.#hasFailed = false;
    if (this.#children === null) this.#sayWhyEmpty();
    try {
      const consents = await this.#page.client.consents({ signal: this.lifetime });
      if (this.#children === null) this.#begin(consents);
      else this.#tell(consents);
    } catch (error) {
      if (this.lifetime.aborted) return;
      if (isSignedOut(error)) return this.#page.expire();
      this.#hasFailed = true;
      if (this.#children === null) this.#sayWhyEmpty();
    }
  }

  #begin(consents: readonly ConsentView[]): void {
    const asked = consents.filter(({ kind }) => kind === 'parent_notes');
    const nameless = asked.filter(({ student_name: name }) => !name);
    this.#children = asked.map(
      (consent) =>
        new ChildSection(this.#page, consent, {
          // Several without a name are told apart by a number.
          number: nameless.length > 1 ? nameless.indexOf(consent) + 1 : 0,
          changed: (all) => this.#tell(all),
          reload: () => void this.#load(),
        }),
    );
    if (this.#children.length === 0) return this.#sayWhyEmpty();
    fill(this.#frame.main, this.#children);
  }

  #tell(consents: readonly ConsentView[]): void {
    for (const child of this.#children ?? []) child.learn(consents);
  }

  #sayWhyEmpty(): void {
    const { connection, retry, loading, mine } = this.#page.texts();
    if (this.#children) return fill(this.#frame.main, build('p', { class: 'hint' }, mine.guardian.noChildren));
    if (!this.#hasFailed) return fill(this.#frame.main, build('p', { class: 'hint', 'aria-busy': 'true' }, loading));
    const again = build('button', { type: 'button', class: 'primary', on: { click: () => void this.#load() } }, retry);
    fill(
      this.#frame.main,
      build('div', { class: 'notice', role: 'alert' }, build('p', {}, connection.unreachable), again),
    );
  }
}
