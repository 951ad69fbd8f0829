import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import type { ConsentView } from '../protocol-types.ts';
import { ConsentSwitch } from './consent-switch.ts';
import type { MinePage } from './mine-page.ts';
import { NoteList } from './note-list.ts';

export type ChildCalls = {
  /** Which of the children without a name this is, from 1; 0 where the word for a child is enough. */
  number: number;
  /** An answer was saved: these are all the consents that stand now. */
  changed: (consents: readonly ConsentView[]) => void;
  /** What is shown may be out of date. */
  reload: () => void;
};

/** One child of a guardian: what is agreed to, and the notes. */
export class ChildSection extends ViewElement {
  readonly #page: MinePage;
  readonly #calls: ChildCalls;
  readonly #heading: HTMLElement;
  readonly #switch: ConsentSwitch;
  readonly #notes: NoteList;
  #consent: ConsentView;

  constructor(page: MinePage, consent: ConsentView, calls: ChildCalls) {
    super();
    this.#page = page;
    this.#calls = calls;
    this.#consent = consent;
    this.#heading = build('h2', { id: `child-${consent.student_id}` });
    this.#switch = new ConsentSwitch(page, consent, calls.changed);
    this.#notes = new NoteList(page, consent.student_id, calls.reload);
  }

  connectedCallback(): void {
    const labelledBy = this.#heading.id;
    fill(
      this,
      build('section', { class: 'child', 'aria-labelledby': labelledBy }, this.#heading, this.#switch, this.#notes),
    );
    this.speak();
    void this.#notes.show(this.#consent.granted);
  }

  speak(): void {
    const { guardian } = this.#page.texts().mine;
    const { number } = this.#calls;
    fill(this.#heading, this.#consent.student_name || (number > 0 ? guardian.childNumber(number) : guardian.child));
    this.#switch.speak();
    this.#notes.speak();
  }

  /** Takes over what stands now, wherever it was answered. */
  learn(consents: readonly ConsentView[]): void {
    const { student_id: studentId, kind, granted } = this.#consent;
    const now = consents.find((each) => each.student_id === studentId && each.kind === kind);
    if (!now) return;
    this.#consent = now;
    this.#switch.learn(now);
    if (now.granted !== granted) void this.#notes.show(now.granted);
  }
}
