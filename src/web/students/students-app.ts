import type { AppState } from '../app/app.ts';
import { build, fill } from '../app/dom.ts';
import { ConnectionBanner } from '../app/elements/connection-banner.ts';
import { browserStorage, Notebook } from '../app/notebook.ts';
import { Store } from '../app/store.ts';
import { ViewElement } from '../app/view-element.ts';
import { ProblemError } from '../client/problem.ts';
import { createStudentsClient } from '../client/students-client.ts';
import { studentsTextsOf } from '../texts/students-texts.ts';
import { chooseLanguage, textsOf } from '../texts/texts.ts';
import { type StudentPage, studentOf } from './student-page.ts';
import { StudentView } from './student-view.ts';

const announcementMs = 8000;

/** One student's page for staff: finds out who is here, and shows the student that the address names. */
export class StudentsApp extends ViewElement implements StudentPage {
  readonly client = createStudentsClient();
  readonly notebook = new Notebook(browserStorage());
  readonly store = new Store<AppState>({ me: null, language: this.#ownLanguage(), reconnecting: false });
  readonly #place = build('div', { class: 'place' });
  readonly #voice = build('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });

  connectedCallback(): void {
    this.speak(null);
    fill(this, new ConnectionBanner(this), this.#place, this.#voice);
    void this.#begin();
  }

  texts() {
    const { language } = this.store.state;
    return { ...textsOf(language), students: studentsTextsOf(language) };
  }

  speak(language: string | null): void {
    const own = this.#ownLanguage();
    const chosen = language === null ? own : chooseLanguage([language, own]);
    document.documentElement.lang = chosen;
    this.store.update({ language: chosen });
  }

  announce(text: string): void {
    const said = build('p', {}, text);
    this.#voice.append(said);
    // What was said once is not found again by a reader who walks through the page.
    setTimeout(() => said.remove(), announcementMs);
  }

  expire(): void {
    this.store.update({ me: null });
    const { students, brand } = this.texts();
    this.entitle();
    this.#dead(brand, build('p', { role: 'alert' }, students.signedOut));
  }

  entitle(...parts: string[]): void {
    document.title = [...parts, this.texts().brand].join(' – ');
  }

  async #begin(): Promise<void> {
    const { loading, connection, retry, students: texts } = this.texts();
    fill(this.#place, build('main', { class: 'dead-end' }, build('p', { 'aria-busy': 'true' }, loading)));
    this.entitle(texts.student);
    try {
      const me = await this.client.me();
      if (!me) return this.expire();
      this.store.update({ me });
      const isStaff = me.role === 'teacher' || me.role === 'facilitator' || me.role === 'admin';
      if (!isStaff) return this.#dead(texts.student, build('p', { role: 'alert' }, texts.notForYou));
      const student = await this.client.student(studentOf(location.pathname) ?? '');
      fill(this.#place, new StudentView(this, student));
    } catch (error) {
      const status = error instanceof ProblemError ? error.status : null;
      if (status === 401) return this.expire();
      if (status === 404) {
        const home = build('a', { class: 'primary button', href: '/teacher' }, texts.back);
        return this.#dead(texts.student, build('p', { role: 'alert' }, texts.missing), home);
      }
      const click = () => void this.#begin();
      const again = build('button', { type: 'button', class: 'primary', on: { click } }, retry);
      this.#dead(texts.student, build('p', { role: 'alert' }, connection.unreachable), again);
    }
  }

  #dead(title: string, ...content: HTMLElement[]): void {
    fill(this.#place, build('main', { class: 'dead-end' }, build('h1', {}, title), content));
  }

  #ownLanguage(): string {
    const chosen = this.notebook.language;
    return chooseLanguage(chosen === null ? navigator.languages : [chosen]);
  }
}
