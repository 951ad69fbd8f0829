import { fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import { isStaffRole } from '../companions/home-link.ts';
import { CopySection } from './copy-section.ts';
import { EraseSection } from './erase-section.ts';
import type { MinePage, Reader, Spoken } from './mine-page.ts';
import { OwnConsent } from './own-consent.ts';
import { PageFrame } from './page-frame.ts';
import { SignOutSection } from './sign-out-section.ts';

/** What is held about whoever is here: what was agreed about them, a copy to take, and the end of it all. */
export class MeView extends ViewElement {
  readonly #page: MinePage;
  readonly #frame: PageFrame;
  readonly #reader: Reader;
  readonly #parts: (HTMLElement & Spoken)[];

  constructor(page: MinePage) {
    super();
    this.#page = page;
    this.#reader = readerOf(page.store.state.me?.role);
    this.#frame = new PageFrame(page, () => this.#speak());
    this.#parts = [
      ...(this.#reader === 'student' ? [new OwnConsent(page)] : []),
      new CopySection(page, this.#reader),
      new SignOutSection(page, this.#reader),
      new EraseSection(page, this.#reader),
    ];
  }

  connectedCallback(): void {
    fill(this, this.#frame.head, this.#frame.main, this.#frame.foot);
    fill(this.#frame.main, this.#parts);
    this.#speak();
  }

  #speak(): void {
    const { mine, home } = this.#page.texts().mine;
    const href = { student: '/', staff: '/teacher', guardian: '/guardian' }[this.#reader];
    this.#frame.speak({ title: mine.title, intro: mine.intro, link: { href, text: home[this.#reader] } });
    for (const part of this.#parts) part.speak();
  }
}

function readerOf(role: string | undefined): Reader {
  if (isStaffRole(role)) return 'staff';
  return role === 'guardian' ? 'guardian' : 'student';
}
