import { build, fill } from '../app/dom.ts';
import { languageSwitch } from '../app/elements/language-switch.ts';
import { ViewElement } from '../app/view-element.ts';
import { day } from '../app/when.ts';
import type { StudentView as Student } from '../protocol-types.ts';
import { GuardianLinks } from './guardian-links.ts';
import { PrepSheet } from './prep-sheet.ts';
import { ProfileForm } from './profile-form.ts';
import type { StudentPage } from './student-page.ts';

/** One student: what to bring up with them, what is known of them, and a way in for a guardian. */
export class StudentView extends ViewElement {
  readonly #page: StudentPage;
  readonly #student: Student;
  readonly #sheet: PrepSheet;
  readonly #profile: ProfileForm;
  readonly #guardian: GuardianLinks | null;

  constructor(page: StudentPage, student: Student) {
    super();
    this.#page = page;
    this.#student = student;
    this.#sheet = new PrepSheet(page, student);
    this.#profile = new ProfileForm(page, page.client, student.user_id);
    const [first] = student.classes;
    this.#guardian = first ? new GuardianLinks(page, { classId: first.id, studentId: student.user_id }) : null;
  }

  connectedCallback(): void {
    const header = build('header', { class: 'bar lesson-bar' });
    const profileTitle = build('h2', { id: 'profile-title' });
    const profileHint = build('p', { class: 'hint' });
    const foot = build('footer', { class: 'page-foot' });
    // The parts stay where they are when the language changes: what was typed in them is not lost.
    const speak = () => {
      const { students: texts } = this.#page.texts();
      this.#fillHeader(header);
      fill(profileTitle, texts.profile.title);
      fill(profileHint, texts.profile.hint);
      fill(
        foot,
        languageSwitch(this.#page, () => {
          speak();
          this.#sheet.redraw();
          this.#profile.redraw();
          this.#guardian?.redraw();
          foot.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
        }),
      );
    };
    speak();
    fill(
      this,
      header,
      build(
        'main',
        { class: 'student-main' },
        this.#sheet,
        build(
          'section',
          { class: 'panel', 'aria-labelledby': 'profile-title' },
          profileTitle,
          profileHint,
          this.#profile,
        ),
        this.#guardian,
      ),
      foot,
    );
  }

  #fillHeader(header: HTMLElement): void {
    const { students: texts, language } = this.#page.texts();
    const { display_name: name, classes } = this.#student;
    const title = name ?? texts.nameless;
    this.#page.entitle(title);
    fill(
      header,
      build(
        'a',
        { class: 'back', href: '/teacher', 'aria-label': texts.back },
        build('span', { class: 'back-arrow', 'aria-hidden': 'true' }),
      ),
      build(
        'div',
        { class: 'bar-names' },
        build('h1', { class: 'bar-title', tabindex: -1 }, build('bdi', {}, title)),
        build(
          'p',
          { class: 'bar-about' },
          classes.map((each) => texts.joined(each.title, day(each.joined_at, language))).join(' · '),
        ),
      ),
    );
  }
}
