import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import type { WidgetAnswer } from '../client/companion-client.ts';
import { ProblemError } from '../client/problem.ts';
import type { WidgetView } from '../protocol-types.ts';
import type { CompanionPage } from './companion-page.ts';
import { widgetFields, widgetValue } from './widget-fields.ts';

export type WidgetCalls = {
  answer(answer: WidgetAnswer): Promise<WidgetView>;
  /** The widget as the server has it now; null where it has it no more. */
  look(): Promise<WidgetView | null>;
};

/** Something in the conversation to confirm, to change or to put aside; once answered, what was answered. */
export class WidgetCard extends ViewElement {
  readonly #page: CompanionPage;
  readonly #calls: WidgetCalls;
  readonly #problem = build('p', { class: 'field-problem', role: 'alert' });
  readonly #isOpen: boolean;
  #widget: WidgetView;

  /** `isOpen`: whether it can still be answered. */
  constructor(page: CompanionPage, widget: WidgetView, { isOpen, ...calls }: WidgetCalls & { isOpen: boolean }) {
    super();
    this.#page = page;
    this.#widget = widget;
    this.#isOpen = isOpen;
    this.#calls = calls;
  }

  connectedCallback(): void {
    this.#render();
  }

  #render(): void {
    this.dataset['status'] = this.#widget.status;
    if (this.#widget.status === 'pending' && this.#isOpen) this.#renderFields();
    else this.#renderAnswered();
  }

  #renderFields(): void {
    const texts = this.#page.texts();
    const { widget } = texts.companions;
    const fields = widgetFields(this.#widget, texts);
    const confirm = () => {
      const read = fields.read();
      if (read.kind === 'value') return void this.#answer({ status: 'confirmed', value: read.value });
      fill(this.#problem, read.text);
      this.querySelector('input')?.focus();
    };
    const onSubmit = (event: Event) => {
      event.preventDefault();
      confirm();
    };
    const dismiss = () => void this.#answer({ status: 'dismissed' });
    fill(
      this,
      build(
        'form',
        { class: 'widget', novalidate: true, on: { submit: onSubmit } },
        build(
          'fieldset',
          {},
          build('legend', {}, this.#widget.title),
          fields.element,
          this.#problem,
          build(
            'div',
            { class: 'buttons' },
            build('button', { type: 'submit', class: 'primary' }, widget.confirm),
            build('button', { type: 'button', class: 'secondary', on: { click: dismiss } }, widget.dismiss),
          ),
        ),
      ),
    );
  }

  #renderAnswered(): void {
    const texts = this.#page.texts();
    const { widget } = texts.companions;
    const { status, title } = this.#widget;
    const word = { pending: widget.unanswered, confirmed: widget.confirmed, dismissed: widget.dismissed }[status];
    fill(
      this,
      build(
        'div',
        { class: 'widget answered', tabindex: -1 },
        build('p', { class: 'widget-status' }, word),
        build('p', { class: 'label' }, title),
        status === 'confirmed' && widgetValue(this.#widget, texts),
        this.#problem,
      ),
    );
  }

  async #answer(answer: WidgetAnswer): Promise<void> {
    const { companions, chat } = this.#page.texts();
    const fields = this.querySelector('fieldset');
    fill(this.#problem);
    if (fields) fields.disabled = true;
    try {
      this.#widget = await this.#calls.answer(answer);
      this.#render();
      this.querySelector<HTMLElement>('.answered')?.focus();
      if (answer.status === 'confirmed') {
        const told = companions.widget.told(chat.trickster);
        this.querySelector('.answered')?.append(build('p', { class: 'hint' }, told));
        this.#page.announce(`${companions.widget.confirmed}. ${told}`);
      } else this.#page.announce(companions.widget.dismissed);
    } catch (error) {
      if (this.lifetime.aborted) return;
      if (fields) fields.disabled = false;
      await this.#fail(error);
    }
  }

  async #fail(error: unknown): Promise<void> {
    const { widget } = this.#page.texts().companions;
    const code = error instanceof ProblemError ? error.code : '';
    if (code === 'CHANGED_MEANWHILE') {
      const now = await this.#calls.look().catch(() => null);
      if (now) {
        this.#widget = now;
        this.#render();
      }
      fill(this.#problem, widget.elsewhere);
    } else if (code === 'TURN_IN_PROGRESS') fill(this.#problem, widget.busy);
    else if (code === 'INVALID_REQUEST') fill(this.#problem, widget.wrong);
    else if (code === 'UNAUTHENTICATED') this.#page.expire();
    else fill(this.#problem, widget.failed);
  }
}
