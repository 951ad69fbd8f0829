import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import { day } from '../app/when.ts';
import { isSignedOut, ProblemError } from '../client/problem.ts';
import type { GuardianView } from '../protocol-types.ts';
import type { StudentPage } from './student-page.ts';

/** Who has a student in their care, each to be removed after a second question. */
export class GuardianList extends ViewElement {
  readonly #page: StudentPage;
  readonly #studentId: string;
  readonly #list = build('ul', { class: 'guardian-list', role: 'list' });
  readonly #problem = build('p', { class: 'field-problem', role: 'alert' });
  #guardians: readonly GuardianView[] = [];
  /** Who is asked about. */
  #asked: string | null = null;
  #isRemoving = false;
  #isUnseen = false;

  constructor(page: StudentPage, studentId: string) {
    super();
    this.#page = page;
    this.#studentId = studentId;
  }

  connectedCallback(): void {
    fill(this, this.#list, this.#problem);
    void this.load();
  }

  /** Asks the server who they are now. */
  async load(): Promise<void> {
    try {
      this.#guardians = await this.#page.client.guardians(this.#studentId, { signal: this.lifetime });
      this.#isUnseen = false;
    } catch {
      if (this.lifetime.aborted) return;
      this.#isUnseen = true;
    }
    this.redraw();
  }

  /** Draws it in the language that the page now speaks. */
  redraw(): void {
    fill(
      this.#list,
      this.#guardians.map((guardian) => this.#item(guardian)),
    );
    this.#list.hidden = this.#guardians.length === 0;
    fill(this.#problem, this.#isUnseen ? this.#page.texts().students.guardian.unseen : '');
  }

  #item(guardian: GuardianView): HTMLElement {
    const { students, language } = this.#page.texts();
    const { guardian: texts } = students;
    const name = guardian.display_name ?? texts.nameless;
    const button = (label: string, click: () => void, about?: string) =>
      build('button', { type: 'button', class: 'secondary', 'aria-label': about, on: { click } }, label);
    const ask = (id: string | null) => {
      this.#asked = id;
      this.redraw();
      const item = this.#list.children[this.#guardians.indexOf(guardian)];
      item?.querySelector('button')?.focus();
    };
    if (this.#asked !== guardian.guardian_id)
      return build(
        'li',
        {},
        build(
          'span',
          {},
          build('bdi', {}, name),
          ' ',
          build('span', { class: 'facts' }, texts.since(day(guardian.linked_at, language))),
        ),
        button(texts.remove, () => ask(guardian.guardian_id), texts.removeName(name)),
      );
    return build(
      'li',
      {},
      build('p', {}, texts.question(name)),
      build(
        'div',
        { class: 'buttons' },
        button(texts.no, () => ask(null)),
        button(texts.yes, () => void (this.#isRemoving || this.#remove(guardian))),
      ),
    );
  }

  async #remove({ guardian_id: guardianId }: GuardianView): Promise<void> {
    const { students } = this.#page.texts();
    const { guardian: texts } = students;
    this.#isRemoving = true;
    try {
      await this.#page.client.removeGuardian(this.#studentId, guardianId);
    } catch (error) {
      if (this.lifetime.aborted) return;
      // Removed already, from another tab or by a request whose answer was lost.
      const isGone = error instanceof ProblemError && error.status === 404;
      if (!isGone) return fill(this.#problem, isSignedOut(error) ? students.signedOut : texts.notRemoved);
    } finally {
      this.#isRemoving = false;
    }
    this.#asked = null;
    this.#guardians = this.#guardians.filter((each) => each.guardian_id !== guardianId);
    this.#isUnseen = false;
    this.redraw();
    this.#page.announce(texts.removed);
    (this.#list.querySelector('button') ?? this.parentElement?.querySelector('h2'))?.focus();
  }
}
