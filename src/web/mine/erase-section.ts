import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import { EraseDialog } from './erase-dialog.ts';
import type { MinePage, Reader } from './mine-page.ts';

/** Says plainly what goes when everything is erased, and asks once more before it does. */
export class EraseSection extends ViewElement {
  readonly #page: MinePage;
  readonly #reader: Reader;
  readonly #heading = build('h2', { id: 'erase' });
  readonly #goes = build('p');
  readonly #button: HTMLButtonElement;
  readonly #dialog: EraseDialog;

  constructor(page: MinePage, reader: Reader) {
    super();
    this.#page = page;
    this.#reader = reader;
    this.#dialog = new EraseDialog(page);
    this.#button = build('button', {
      type: 'button',
      class: 'danger',
      'aria-haspopup': 'dialog',
      on: { click: () => this.#dialog.open() },
    });
  }

  connectedCallback(): void {
    fill(
      this,
      build(
        'section',
        { class: 'part', 'aria-labelledby': 'erase' },
        this.#heading,
        this.#goes,
        build('div', { class: 'part-way' }, this.#button),
      ),
      this.#dialog.element,
    );
  }

  speak(): void {
    const { erase } = this.#page.texts().mine;
    fill(this.#heading, erase.title);
    fill(this.#goes, erase.goes[this.#reader]);
    fill(this.#button, erase.ask);
  }
}
