import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import { isSignedOut } from '../client/problem.ts';
import { type MinePage, type Reader, whyNot } from './mine-page.ts';

/** The way out of a browser that others use too. It asks once more: a student cannot come back. */
export class SignOutSection extends ViewElement {
  readonly #page: MinePage;
  readonly #reader: Reader;
  readonly #heading = build('h2', { id: 'leave' });
  readonly #means = build('p', { id: 'leave-means' });
  readonly #way = build('div', { class: 'part-way' });
  #isAsked = false;
  #isLeaving = false;

  constructor(page: MinePage, reader: Reader) {
    super();
    this.#page = page;
    this.#reader = reader;
  }

  connectedCallback(): void {
    fill(this, build('section', { class: 'part', 'aria-labelledby': 'leave' }, this.#heading, this.#means, this.#way));
  }

  speak(): void {
    const { leave } = this.#page.texts().mine;
    fill(this.#heading, leave.title);
    fill(this.#means, leave.means[this.#reader]);
    this.#offer();
  }

  /** Draws the buttons: the first, or once that was pressed, the two that answer it. */
  #offer(problem = ''): void {
    const { leave } = this.#page.texts().mine;
    const button = (label: string, click: () => void) =>
      build('button', { type: 'button', class: 'secondary', 'aria-describedby': 'leave-means', on: { click } }, label);
    const ask = (isAsked: boolean) => {
      this.#isAsked = isAsked;
      this.#offer();
      this.#way.querySelector('button')?.focus();
    };
    const buttons = this.#isAsked
      ? [button(leave.no, () => ask(false)), button(leave.yes, () => void (this.#isLeaving || this.#leave()))]
      : [button(leave.ask, () => ask(true))];
    fill(
      this.#way,
      build('div', { class: 'buttons' }, buttons),
      build('p', { class: 'field-problem', role: 'alert' }, problem),
    );
  }

  async #leave(): Promise<void> {
    this.#isLeaving = true;
    try {
      await this.#page.client.signOut();
      this.#page.signedOut();
    } catch (error) {
      if (isSignedOut(error)) return this.#page.signedOut();
      this.#offer(whyNot(this.#page.texts().mine.leave));
    } finally {
      this.#isLeaving = false;
    }
  }
}
