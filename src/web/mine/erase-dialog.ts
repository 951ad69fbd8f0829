import { build, fill } from '../app/dom.ts';
import { ProblemError, isSignedOut } from '../client/problem.ts';
import { type MinePage, whyNot } from './mine-page.ts';

/** The last question before everything is erased. It cannot be left while that is under way. */
export class EraseDialog {
  readonly element: HTMLDialogElement;
  readonly #page: MinePage;
  readonly #status = build('p', { role: 'status' });
  readonly #problem = build('p', { class: 'field-problem', role: 'alert' });
  #isErasing = false;
  /** An earlier request may have got through without its answer. */
  #isUncertain = false;

  constructor(page: MinePage) {
    this.#page = page;
    this.element = build('dialog', {
      class: 'asking-last',
      'aria-labelledby': 'erase-question',
      'aria-describedby': 'erase-warning',
      on: {
        cancel: (event) => {
          if (this.#isErasing) event.preventDefault();
        },
      },
    });
  }

  open(): void {
    const { erase } = this.#page.texts().mine;
    fill(this.#status);
    fill(this.#problem);
    const no = build(
      'button',
      {
        type: 'button',
        class: 'secondary',
        on: { click: () => this.#isErasing || this.element.close() },
      },
      erase.no,
    );
    const yes = build(
      'button',
      { type: 'button', class: 'danger', on: { click: () => void (this.#isErasing || this.#erase()) } },
      erase.yes,
    );
    fill(
      this.element,
      build('h2', { id: 'erase-question' }, erase.question),
      build('p', { id: 'erase-warning' }, erase.warning),
      this.#status,
      this.#problem,
      build('div', { class: 'buttons' }, no, yes),
    );
    this.element.showModal();
    no.focus();
  }

  async #erase(): Promise<void> {
    const { erase } = this.#page.texts().mine;
    this.#isErasing = true;
    fill(this.#problem);
    fill(this.#status, erase.erasing);
    try {
      const receipt = await this.#page.client.erase();
      this.#page.erased(receipt);
    } catch (error) {
      fill(this.#status);
      if (!isSignedOut(error)) {
        this.#isUncertain ||= !(error instanceof ProblemError);
        return fill(this.#problem, whyNot(erase));
      }
      this.element.close();
      if (this.#isUncertain) this.#page.erased(null);
      else this.#page.expire();
    } finally {
      this.#isErasing = false;
    }
  }
}
