import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import { ProblemError } from '../client/problem.ts';
import { GuardianList } from './guardian-list.ts';
import type { StudentPage } from './student-page.ts';

const longestName = 40;

/** Who a student's guardians are, and links that let one in; each is shown once, and copied from here. */
export class GuardianLinks extends ViewElement {
  readonly #page: StudentPage;
  readonly #of: { classId: string; studentId: string };
  readonly #heading = build('h2', { id: 'guardian-title', tabindex: -1 });
  readonly #hint = build('p', { class: 'hint' });
  readonly #list: GuardianList;
  readonly #way = build('div');
  /** The link just made, and for whom. */
  #made: { link: string; name: string } | null = null;
  #name = '';

  constructor(page: StudentPage, of: { classId: string; studentId: string }) {
    super();
    this.#page = page;
    this.#of = of;
    this.#list = new GuardianList(page, of.studentId);
  }

  connectedCallback(): void {
    fill(
      this,
      build(
        'section',
        { class: 'panel', 'aria-labelledby': 'guardian-title' },
        this.#heading,
        this.#hint,
        this.#list,
        this.#way,
      ),
    );
    this.redraw();
  }

  /** Draws it in the language that the page now speaks. */
  redraw(): void {
    const { guardian } = this.#page.texts().students;
    fill(this.#heading, guardian.title);
    fill(this.#hint, guardian.hint);
    this.#list.redraw();
    this.#drawWay();
  }

  /** Draws the way to a link, or the link just made. */
  #drawWay(): void {
    fill(this.#way, this.#made ? this.#link(this.#made) : this.#form());
  }

  #form(): HTMLElement {
    const { students } = this.#page.texts();
    const { guardian } = students;
    const problem = build('p', { class: 'field-problem', role: 'alert' });
    const name = build('input', {
      id: 'guardian-name',
      autocomplete: 'off',
      maxlength: longestName,
      value: this.#name,
      on: { input: () => (this.#name = name.value) },
    });
    const submit = build('button', { type: 'submit', class: 'secondary' }, guardian.make);
    const make = async () => {
      fill(problem);
      submit.disabled = true;
      try {
        const { classId, studentId } = this.#of;
        const given = name.value.trim();
        const { link } = await this.#page.client.addGuardian(classId, { studentId, name: given });
        this.#made = { link, name: given };
        this.#name = '';
        this.#drawWay();
        void this.#list.load();
        this.#page.announce(guardian.made);
        this.#way.querySelector('input')?.focus();
      } catch (error) {
        if (this.lifetime.aborted) return;
        submit.disabled = false;
        const isSignedOut = error instanceof ProblemError && error.status === 401;
        fill(problem, isSignedOut ? students.signedOut : guardian.failed);
      }
    };
    const onSubmit = (event: Event) => {
      event.preventDefault();
      void make();
    };
    return build(
      'form',
      { class: 'asking', novalidate: true, on: { submit: onSubmit } },
      build('div', { class: 'field' }, build('label', { for: 'guardian-name' }, guardian.name), name),
      problem,
      submit,
    );
  }

  #link({ link, name }: { link: string; name: string }): HTMLElement {
    const { guardian } = this.#page.texts().students;
    const said = build('p', { class: 'hint', role: 'status' });
    const input = build('input', {
      id: 'guardian-link',
      class: 'key',
      readonly: true,
      value: link,
      'aria-describedby': 'guardian-key',
      on: { focus: () => input.select() },
    });
    const copy = async () => {
      try {
        // Where the page did not come over https there is no clipboard to write to.
        await navigator.clipboard.writeText(link);
        fill(said, guardian.copied);
      } catch {
        input.focus();
        input.select();
        fill(said, guardian.copyByHand);
      }
    };
    const another = () => {
      this.#made = null;
      this.#drawWay();
      this.#way.querySelector('input')?.focus();
    };
    return build(
      'div',
      { class: 'asking' },
      build('p', { id: 'guardian-key' }, guardian.keyHint),
      build('div', { class: 'field' }, build('label', { for: 'guardian-link' }, guardian.link(name)), input),
      build(
        'div',
        { class: 'buttons' },
        build('button', { type: 'button', class: 'primary', on: { click: () => void copy() } }, guardian.copy),
        build('button', { type: 'button', class: 'secondary', on: { click: another } }, guardian.another),
      ),
      said,
    );
  }
}
