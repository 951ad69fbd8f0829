import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import { createStudentsClient } from '../client/students-client.ts';
import { ProfileForm } from '../students/profile-form.ts';
import { profileTextsOf } from '../texts/students-texts.ts';
import type { CompanionPage } from './companion-page.ts';

/** What the caller has told a companion of themselves, to look through and to put right; closed until it is wanted. */
export class ProfilePanel extends ViewElement {
  readonly #page: CompanionPage;
  readonly #form: ProfileForm;

  constructor(page: CompanionPage, userId: string) {
    super();
    this.#page = page;
    this.#form = new ProfileForm(page, createStudentsClient(), userId);
  }

  connectedCallback(): void {
    const profile = profileTextsOf(this.#page.texts().language);
    fill(
      this,
      build(
        'details',
        {},
        build('summary', {}, build('h2', {}, profile.ownTitle)),
        build('p', { class: 'hint' }, profile.ownHint),
        this.#form,
      ),
    );
  }

  /** Brings in what was saved elsewhere: by a teacher, or by something confirmed in the conversation. */
  async refresh(): Promise<void> {
    await this.#form.refresh();
  }
}
