import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import { dayAndTime } from '../app/when.ts';
import type { ErasureReceipt } from '../protocol-types.ts';
import type { MinePage } from './mine-page.ts';
import { PageFrame } from './page-frame.ts';

type Erased = { receipt: ErasureReceipt | null; wasStudent: boolean };

/** What is left when everything is erased: a number to keep, and nobody signed in. */
export class ErasedView extends ViewElement {
  readonly #page: MinePage;
  readonly #erased: Erased;
  readonly #frame: PageFrame;

  constructor(page: MinePage, erased: Erased) {
    super();
    this.#page = page;
    this.#erased = erased;
    this.#frame = new PageFrame(page, () => this.#speak());
  }

  connectedCallback(): void {
    fill(this, this.#frame.head, this.#frame.main, this.#frame.foot);
    this.#speak();
  }

  #speak(): void {
    const { mine, language } = this.#page.texts();
    const { receipt: texts } = mine;
    const { receipt, wasStudent } = this.#erased;
    const link = wasStudent ? { href: '/#/join', text: mine.mine.join } : null;
    this.#frame.speak({ title: texts.title, intro: texts.signedOut, link });
    if (receipt === null) return fill(this.#frame.main, build('p', {}, texts.lost));
    const line = (name: string, value: Node | string) => [build('dt', {}, name), build('dd', {}, value)];
    fill(
      this.#frame.main,
      build('p', {}, texts.erased(receipt.total)),
      build(
        'dl',
        { class: 'receipt' },
        line(texts.at, build('time', { datetime: receipt.erased_at }, dayAndTime(receipt.erased_at, language))),
        line(texts.number, build('code', {}, receipt.receipt_id)),
      ),
      build('p', { class: 'hint' }, texts.keep),
    );
  }
}
