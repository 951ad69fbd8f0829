import type { Page } from '../app/app.ts';
import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import { ProblemError } from '../client/problem.ts';
import type { StudentsClient } from '../client/students-client.ts';
import { dayAndTime } from '../app/when.ts';
import type { ProfileView } from '../protocol-types.ts';
import { profileTextsOf } from '../texts/students-texts.ts';
import { conflictNote } from './conflict-note.ts';
import { type Draft, draftOf, isSame, readDraft } from './profile-draft.ts';
import { type ProfileFields, profileFields } from './profile-fields.ts';
import { fieldProblems } from './profile-problems.ts';

/** A student's profile, to read and to change. What was typed is never lost without being asked about. */
export class ProfileForm extends ViewElement {
  readonly #page: Page;
  readonly #client: StudentsClient;
  readonly #userId: string;
  readonly #note = build('div', { class: 'profile-note' });
  readonly #fieldsPlace = build('div', { class: 'profile-fields' });
  readonly #status = build('p', { class: 'profile-status', role: 'status' });
  readonly #save = build('button', { type: 'submit', class: 'primary' });
  readonly #discard = build('button', { type: 'button', class: 'secondary', on: { click: () => this.#undo() } });
  /** What the server has, as far as is known here; null before it was seen. */
  #kept: ProfileView | null = null;
  /** What somebody else saved while something was typed here; null where nobody did. */
  #theirs: ProfileView | null = null;
  #fields: ProfileFields | null = null;
  #isSaving = false;

  constructor(page: Page, client: StudentsClient, userId: string) {
    super();
    this.#page = page;
    this.#client = client;
    this.#userId = userId;
  }

  /** Whether something was typed that is not saved. */
  get isDirty(): boolean {
    return this.#kept !== null && this.#fields !== null && !isSame(this.#fields.read(), draftOf(this.#kept.profile));
  }

  connectedCallback(): void {
    const leave = (event: BeforeUnloadEvent) => {
      if (this.isDirty) event.preventDefault();
    };
    globalThis.addEventListener('beforeunload', leave, { signal: this.lifetime });
    this.addEventListener('input', () => this.#showState(), { signal: this.lifetime });
    void this.load();
  }

  /** Draws the form in the language that the page now speaks, with what was typed. */
  redraw(): void {
    if (!this.#kept) return;
    this.#render(this.#fields?.read() ?? draftOf(this.#kept.profile));
    this.#drawNote();
  }

  /** Brings in what was saved elsewhere, unless something is typed here. */
  async refresh(): Promise<void> {
    if (this.isDirty || this.#isSaving) return;
    const kept = await this.#client.profile(this.#userId, { signal: this.lifetime }).catch(() => null);
    if (!kept || kept.version === this.#kept?.version || this.isDirty || this.lifetime.aborted) return;
    // Nobody's place is lost: a form that somebody is in stays as it is, and a save of it is told of the other.
    if (this.contains(document.activeElement)) return;
    this.#show(kept);
  }

  async load(): Promise<void> {
    const { loading, retry } = this.#page.texts();
    fill(this, build('p', { class: 'hint', 'aria-busy': 'true' }, loading));
    try {
      this.#show(await this.#client.profile(this.#userId, { signal: this.lifetime }));
    } catch (error) {
      if (this.lifetime.aborted) return;
      if (error instanceof ProblemError && error.status === 401) return this.#page.expire();
      fill(
        this,
        build('p', { class: 'hint', role: 'alert' }, this.#texts.unreachable),
        build('button', { type: 'button', class: 'secondary', on: { click: () => void this.load() } }, retry),
      );
    }
  }

  get #texts() {
    return profileTextsOf(this.#page.texts().language);
  }

  #show(kept: ProfileView): void {
    this.#keep(kept);
    this.#render(draftOf(kept.profile));
  }

  #keep(kept: ProfileView): void {
    this.#kept = kept;
    this.#theirs = null;
    fill(this.#note);
  }

  #render(draft: Draft): void {
    const texts = this.#texts;
    this.#fields = profileFields(draft, {
      texts,
      changed: () => this.#showState(),
      say: (text) => this.#page.announce(text),
    });
    fill(this.#fieldsPlace, this.#fields.element);
    const submit = (event: Event) => {
      event.preventDefault();
      void this.#send(this.#kept?.version ?? 0);
    };
    fill(this.#discard, texts.discard);
    fill(
      this,
      build(
        'form',
        { class: 'profile', novalidate: true, on: { submit } },
        this.#fieldsPlace,
        this.#note,
        build(
          'div',
          { class: 'profile-foot' },
          this.#status,
          build('div', { class: 'buttons' }, this.#save, this.#discard),
        ),
      ),
    );
    this.#showState();
  }

  /** `done`: what was just done, said in the place of what there is to do. */
  #showState(done?: string): void {
    const texts = this.#texts;
    const isDirty = this.isDirty;
    const updated = this.#kept?.updated_at;
    const usual = updated ? texts.updated(dayAndTime(updated, this.#page.texts().language)) : texts.empty;
    const text = done ?? (isDirty ? texts.unsaved : usual);
    if (this.#status.textContent !== text) fill(this.#status, text);
    fill(this.#save, this.#isSaving ? texts.saving : texts.save);
    this.#status.dataset['failed'] = 'false';
    this.#discard.hidden = !isDirty;
    this.dataset['dirty'] = String(isDirty);
  }

  #showFailure(text: string): void {
    this.#showState(text);
    this.#status.dataset['failed'] = 'true';
  }

  async #send(version: number): Promise<void> {
    if (this.#isSaving || !this.#fields) return;
    const fields = this.#fields;
    const draft = fields.read();
    const sent = readDraft(draft);
    fields.complain(new Map());
    this.#isSaving = true;
    this.#showState();
    try {
      const kept = await this.#client.saveProfile(this.#userId, { profile: sent.profile, version });
      this.#isSaving = false;
      this.#keep(kept);
      // What was typed while it was on its way stays, and is not saved yet.
      if (isSame(fields.read(), draft)) this.#render(draftOf(kept.profile));
      this.#showState(this.isDirty ? undefined : this.#texts.saved);
    } catch (error) {
      this.#isSaving = false;
      if (this.lifetime.aborted) return;
      if (!(error instanceof ProblemError)) return this.#showFailure(this.#texts.failed);
      // The door is not shown: what was typed stands here, and can be saved once somebody is signed in again.
      if (error.status === 401) return this.#showFailure(this.#texts.signedOut);
      if (error.code === 'CHANGED_MEANWHILE') return this.#meetOther();
      const problems = fieldProblems(error, sent, this.#texts.problems);
      const count = fields.complain(problems);
      const other = problems.get('') ?? this.#texts.failed;
      this.#showFailure(count > 0 ? this.#texts.wrong(count) : other);
    }
  }

  /** Somebody else saved in between: shows that they did, and lets the person choose which of the two counts. */
  async #meetOther(): Promise<void> {
    const theirs = await this.#client.profile(this.#userId, { signal: this.lifetime }).catch(() => null);
    if (this.lifetime.aborted) return;
    if (!theirs) return this.#showFailure(this.#texts.failed);
    this.#theirs = theirs;
    this.#showState();
    this.#drawNote()?.focus();
  }

  #drawNote(): HTMLElement | null {
    const theirs = this.#theirs;
    if (!theirs || !this.#fields) return null;
    const shown = { mine: this.#fields.read(), theirs, when: this.#when(theirs) };
    const note = conflictNote(this.#texts, shown, {
      load: () => {
        this.#show(theirs);
        this.#save.focus();
      },
      overwrite: () => {
        this.#save.focus();
        void this.#send(theirs.version);
      },
    });
    fill(this.#note, note);
    return note;
  }

  #when({ updated_at: updated }: ProfileView): string | null {
    return updated === null ? null : dayAndTime(updated, this.#page.texts().language);
  }

  #undo(): void {
    if (!this.#kept) return;
    this.#show(this.#kept);
    this.#save.focus();
  }
}
