import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';

/** What a conversation can be about. */
export type Subject = { id: string; name: string };

export type SubjectTexts = {
  label: string;
  /** For nothing in particular. */
  whole: string;
  add: string;
  name: string;
  save: string;
  cancel: string;
  missing: string;
  failed: string;
};

export type SubjectPickerOptions = {
  texts: () => SubjectTexts;
  /** What one is called that is not among those known here. */
  nameOf: (id: string) => string;
  /** Null: nothing in particular. */
  choose: (id: string | null) => void;
  /** Makes a new one of a name. */
  add: (name: string) => Promise<Subject>;
  added: (subject: Subject) => void;
};

const longestName = 120;

/** What the conversation is about: one of the learners or projects, a new one, or nothing in particular. */
export class SubjectPicker extends ViewElement {
  readonly #options: SubjectPickerOptions;
  readonly #select: HTMLSelectElement;
  readonly #adding = build('div', {});
  #subjects: Subject[];

  constructor(subjects: readonly Subject[], options: SubjectPickerOptions) {
    super();
    this.#options = options;
    this.#subjects = [...subjects];
    this.#select = build('select', {
      id: 'subject',
      on: { change: () => options.choose(this.#select.value === '' ? null : this.#select.value) },
    });
  }

  connectedCallback(): void {
    const texts = this.#options.texts();
    fill(
      this,
      build('div', { class: 'field' }, build('label', { for: 'subject' }, texts.label), this.#select),
      this.#adding,
    );
    this.#renderOptions();
    this.#offer();
  }

  /** Shows what the page is about now. */
  show(id: string | null): void {
    // A conversation may be about what another client added.
    if (id !== null && !this.#subjects.some((subject) => subject.id === id)) {
      this.#subjects.push({ id, name: this.#options.nameOf(id) });
      this.#renderOptions();
    }
    this.#select.value = id ?? '';
  }

  #renderOptions(): void {
    const texts = this.#options.texts();
    const { value } = this.#select;
    const byName = this.#subjects.toSorted((one, other) => one.name.localeCompare(other.name));
    fill(
      this.#select,
      build('option', { value: '' }, texts.whole),
      byName.map(({ id, name }) => build('option', { value: id }, name)),
    );
    this.#select.value = value;
  }

  #offer(): void {
    const texts = this.#options.texts();
    fill(
      this.#adding,
      build('button', { type: 'button', class: 'quiet', on: { click: () => this.#ask() } }, texts.add),
    );
  }

  #ask(): void {
    const texts = this.#options.texts();
    const problem = build('p', { id: 'subject-problem', class: 'field-problem', role: 'alert' });
    const name = build('input', {
      id: 'subject-name',
      autocomplete: 'off',
      maxlength: longestName,
      'aria-describedby': 'subject-problem',
    });
    const submit = build('button', { type: 'submit', class: 'primary' }, texts.save);
    const close = () => {
      this.#offer();
      this.#adding.querySelector('button')?.focus();
    };
    const add = async () => {
      fill(problem);
      const given = name.value.trim();
      submit.disabled = true;
      const failure = given === '' ? texts.missing : await this.#add(given);
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
        build('label', { for: 'subject-name' }, texts.name),
        name,
        problem,
        build(
          'div',
          { class: 'buttons' },
          submit,
          build('button', { type: 'button', class: 'secondary', on: { click: close } }, texts.cancel),
        ),
      ),
    );
    name.focus();
  }

  /** What went wrong, in words; null where nothing did. */
  async #add(name: string): Promise<string | null> {
    try {
      const subject = await this.#options.add(name);
      if (!this.#subjects.some(({ id }) => id === subject.id)) this.#subjects.push(subject);
      this.#renderOptions();
      this.#options.added(subject);
      return null;
    } catch {
      return this.#options.texts().failed;
    }
  }
}
