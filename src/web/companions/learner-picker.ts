import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import type { LearnerView } from '../protocol-types.ts';
import type { CompanionPage } from './companion-page.ts';

export type LearnerPickerCalls = {
  /** Null: the work as a whole. */
  choose(learnerId: string | null): void;
  added(learner: LearnerView): void;
};

const longestName = 120;

/** Whom the conversation is about: one of the learners, a new one, or the work as a whole. */
export class LearnerPicker extends ViewElement {
  readonly #page: CompanionPage;
  readonly #calls: LearnerPickerCalls;
  readonly #select: HTMLSelectElement;
  readonly #adding = build('div', {});
  #learners: LearnerView[];

  constructor(page: CompanionPage, learners: readonly LearnerView[], calls: LearnerPickerCalls) {
    super();
    this.#page = page;
    this.#calls = calls;
    this.#learners = [...learners];
    this.#select = build('select', {
      id: 'learner',
      on: { change: () => calls.choose(this.#select.value === '' ? null : this.#select.value) },
    });
  }

  connectedCallback(): void {
    const { learner } = this.#page.texts().companions;
    fill(
      this,
      build('div', { class: 'field' }, build('label', { for: 'learner' }, learner.label), this.#select),
      this.#adding,
    );
    this.#renderOptions();
    this.#offer();
  }

  /** Shows whom the page is about now. */
  show(learnerId: string | null): void {
    const { learner } = this.#page.texts().companions;
    // A conversation may be about somebody whom another client added.
    if (learnerId !== null && !this.#learners.some(({ id }) => id === learnerId)) {
      this.#learners.push({ id: learnerId, name: learner.unknown });
      this.#renderOptions();
    }
    this.#select.value = learnerId ?? '';
  }

  #renderOptions(): void {
    const { learner } = this.#page.texts().companions;
    const { value } = this.#select;
    const byName = this.#learners.toSorted((one, other) => one.name.localeCompare(other.name));
    fill(
      this.#select,
      build('option', { value: '' }, learner.whole),
      byName.map(({ id, name }) => build('option', { value: id }, name)),
    );
    this.#select.value = value;
  }

  #offer(): void {
    const { learner } = this.#page.texts().companions;
    fill(
      this.#adding,
      build('button', { type: 'button', class: 'quiet', on: { click: () => this.#ask() } }, learner.add),
    );
  }

  #ask(): void {
    const { learner } = this.#page.texts().companions;
    const problem = build('p', { id: 'learner-problem', class: 'field-problem', role: 'alert' });
    const name = build('input', {
      id: 'learner-name',
      autocomplete: 'off',
      maxlength: longestName,
      'aria-describedby': 'learner-problem',
    });
    const submit = build('button', { type: 'submit', class: 'primary' }, learner.save);
    const close = () => {
      this.#offer();
      this.#adding.querySelector('button')?.focus();
    };
    const add = async () => {
      fill(problem);
      const given = name.value.trim();
      submit.disabled = true;
      const failure = given === '' ? learner.missing : await this.#add(given);
      submit.disabled = false;
      if (failure === null) return close();
      fill(problem, failure);
      name.focus();
    };
    const onSubmit = (event: Event) => {
      event.preventDefault();
      void add();
    };
    fill(
      this.#adding,
      build(
        'form',
        { class: 'field', novalidate: true, on: { submit: onSubmit } },
        build('label', { for: 'learner-name' }, learner.name),
        name,
        problem,
        build(
          'div',
          { class: 'buttons' },
          submit,
          build('button', { type: 'button', class: 'secondary', on: { click: close } }, learner.cancel),
        ),
      ),
    );
    name.focus();
  }

  /** What went wrong, in words; null where nothing did. */
  async #add(name: string): Promise<string | null> {
    try {
      const learner = await this.#page.client.addLearner(name);
      this.#learners.push(learner);
      this.#renderOptions();
      this.#calls.added(learner);
      return null;
    } catch {
      return this.#page.texts().companions.learner.failed;
    }
  }
}
