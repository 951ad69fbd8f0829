import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import { isSignedOut } from '../client/problem.ts';
import { day } from '../app/when.ts';
import type { ConsentView } from '../protocol-types.ts';
import { type MinePage, whoAnswered } from './mine-page.ts';

type Standing =
  | { kind: 'still' }
  | { kind: 'saving' }
  | { kind: 'saved' }
  | { kind: 'failed'; wanted: boolean; offline: boolean };

/** Agreeing to notes and taking it back: saved at once, and put back where that did not get through. */
export class ConsentSwitch extends ViewElement {
  readonly #page: MinePage;
  readonly #changed: (consents: readonly ConsentView[]) => void;
  readonly #input: HTMLInputElement;
  readonly #label = build('span');
  readonly #aboutTitle = build('summary');
  readonly #meaning: HTMLElement;
  readonly #about: HTMLElement;
  readonly #said: HTMLElement;
  readonly #status = build('p', { class: 'saved', role: 'status' });
  readonly #problem = build('div', { class: 'not-saved', role: 'alert' });
  #consent: ConsentView;
  #standing: Standing = { kind: 'still' };

  constructor(page: MinePage, consent: ConsentView, changed: (consents: readonly ConsentView[]) => void) {
    super();
    this.#page = page;
    this.#consent = consent;
    this.#changed = changed;
    const id = `consent-${consent.student_id}`;
    this.#meaning = build('ul', { class: 'meaning', id: `${id}-meaning` });
    // Who has agreed comes for the notes; who has not needs to know what it is about.
    this.#about = build('details', { open: !consent.granted }, this.#aboutTitle, this.#meaning);
    this.#said = build('p', { class: 'hint', id: `${id}-said` });
    this.#input = build('input', {
      type: 'checkbox',
      role: 'switch',
      class: 'switch',
      'aria-describedby': `${id}-said ${id}-meaning`,
      on: {
        click: (event) => {
          // The answer before is still on its way; disabled, the switch would lose the focus.
          if (this.#standing.kind === 'saving') event.preventDefault();
        },
        change: () => void this.#save(this.#input.checked),
      },
    });
    this.#input.checked = consent.granted;
  }

  connectedCallback(): void {
    fill(
      this,
      build('label', { class: 'switch-line' }, this.#input, this.#label),
      this.#said,
      this.#status,
      this.#problem,
      this.#about,
    );
  }

  speak(): void {
    const { consent } = this.#page.texts().mine;
    fill(this.#label, consent.label);
    fill(this.#aboutTitle, consent.about);
    fill(
      this.#meaning,
      consent.meaning.map((line) => build('li', {}, line)),
    );
    this.#render();
  }

  /** Takes over what stands now. */
  learn(consent: ConsentView): void {
    this.#consent = consent;
    if (this.#standing.kind !== 'saving') this.#input.checked = consent.granted;
    this.#render();
  }

  async #save(granted: boolean): Promise<void> {
    const { student_id: studentId, kind } = this.#consent;
    this.#stand({ kind: 'saving' });
    try {
      const consents = await this.#page.client.answerConsent({ studentId, kind, granted });
      this.#changed(consents);
      this.#stand({ kind: 'saved' });
    } catch (error) {
      if (this.lifetime.aborted) return;
      if (isSignedOut(error)) return this.#page.expire();
      this.#input.checked = this.#consent.granted;
      this.#stand({ kind: 'failed', wanted: granted, offline: !navigator.onLine });
    }
  }

  #stand(standing: Standing): void {
    this.#standing = standing;
    this.#render();
  }

  #render(): void {
    const { retry, mine } = this.#page.texts();
    const { consent } = mine;
    const { granted } = this.#consent;
    const standing = this.#standing;
    if (this.#said.textContent !== this.#saidText()) fill(this.#said, this.#saidText());
    const saved = granted ? consent.savedOn : consent.savedOff;
    const status = { still: '', saving: consent.saving, saved, failed: '' }[standing.kind];
    if (this.#status.textContent !== status) fill(this.#status, status);
    if (standing.kind !== 'failed') return fill(this.#problem);
    const again = () => {
      this.#input.focus();
      this.#input.checked = standing.wanted;
      void this.#save(standing.wanted);
    };
    fill(
      this.#problem,
      build('p', { class: 'field-problem' }, standing.offline ? consent.offline : consent.failed),
      build('button', { type: 'button', class: 'secondary', on: { click: again } }, retry),
    );
  }

  /** Who answered last, and when. */
  #saidText(): string {
    const { mine, language } = this.#page.texts();
    const { consent } = mine;
    const { granted, changed_at: changedAt } = this.#consent;
    if (changedAt === null) return consent.nobody;
    const who = whoAnswered(this.#consent, this.#page.store.state.me?.user_id ?? '');
    const date = day(changedAt, language);
    if (!granted) return consent.withdrawn[who](date);
    return who === 'you' ? consent.agreed.you(date) : consent.agreed.other(date);
  }
}
