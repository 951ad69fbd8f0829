import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import { isSignedOut } from '../client/problem.ts';
import { day } from '../app/when.ts';
import type { ConsentView } from '../protocol-types.ts';
import { type MinePage, whoAnswered, whyNot } from './mine-page.ts';

/** What was agreed about a student, for the student to see and to take back; to agree is for those who care for them. */
export class OwnConsent extends ViewElement {
  readonly #page: MinePage;
  readonly #heading = build('h2', { id: 'own-consent', tabindex: -1 });
  readonly #content = build('div', { class: 'part-body' });
  readonly #status = build('p', { class: 'saved', role: 'status' });
  #standing: 'loading' | 'ready' | 'failed' = 'loading';
  #consent: ConsentView | null = null;
  #wasTakenBack = false;

  constructor(page: MinePage) {
    super();
    this.#page = page;
  }

  connectedCallback(): void {
    fill(
      this,
      build('section', { class: 'part', 'aria-labelledby': 'own-consent' }, this.#heading, this.#content, this.#status),
    );
    void this.#load();
  }

  speak(): void {
    const { own } = this.#page.texts().mine;
    fill(this.#heading, own.title);
    fill(this.#status, this.#wasTakenBack ? own.done : '');
    fill(this.#content, this.#body());
  }

  async #load(): Promise<void> {
    this.#standing = 'loading';
    this.speak();
    try {
      this.#take(await this.#page.client.consents({ signal: this.lifetime }));
    } catch (error) {
      if (this.lifetime.aborted) return;
      if (isSignedOut(error)) return this.#page.expire();
      this.#standing = 'failed';
    }
    this.speak();
  }

  #take(consents: readonly ConsentView[]): void {
    this.#consent = consents.find(({ kind }) => kind === 'parent_notes') ?? null;
    this.#standing = 'ready';
  }

  #body(): (HTMLElement | null)[] {
    const { loading, retry, language, mine } = this.#page.texts();
    const { own } = mine;
    const consent = this.#consent;
    if (this.#standing === 'loading') return [build('p', { class: 'hint', 'aria-busy': 'true' }, loading)];
    if (this.#standing === 'failed')
      return [
        build('p', { role: 'alert' }, own.unreachable),
        build('button', { type: 'button', class: 'secondary', on: { click: () => void this.#load() } }, retry),
      ];
    if (!consent || consent.changed_at === null) return [build('p', {}, own.nobody)];
    const date = day(consent.changed_at, language);
    if (consent.granted)
      return [build('p', {}, own.granted(date)), build('p', { class: 'hint' }, own.hint), this.#way(consent)];
    const who = whoAnswered(consent, this.#page.store.state.me?.user_id ?? '');
    return [build('p', {}, who === 'you' ? own.withdrawn.you(date) : own.withdrawn.other(date))];
  }

  /** The button that takes it back, and what became of that. */
  #way({ student_id: studentId, kind }: ConsentView): HTMLElement {
    const { own } = this.#page.texts().mine;
    const problem = build('p', { class: 'field-problem', role: 'alert' });
    const withdraw = async () => {
      fill(problem);
      button.disabled = true;
      try {
        this.#take(await this.#page.client.answerConsent({ studentId, kind, granted: false }));
        this.#wasTakenBack = true;
        this.speak();
        this.#heading.focus();
      } catch (error) {
        if (this.lifetime.aborted) return;
        if (isSignedOut(error)) return this.#page.expire();
        fill(problem, whyNot(own));
        button.disabled = false;
        button.focus();
      }
    };
    const button = build(
      'button',
      { type: 'button', class: 'secondary', on: { click: () => void withdraw() } },
      own.withdraw,
    );
    return build('div', { class: 'part-way' }, button, problem);
  }
}
