import { build, fill } from '../app/dom.ts';
import { PageElement } from '../app/page-element.ts';
import { ProblemError } from '../client/problem.ts';
import { createStudentsClient } from '../client/students-client.ts';
import { studentsTextsOf } from '../texts/students-texts.ts';
import { textsOf } from '../texts/texts.ts';
import { type StudentPage, studentOf } from './student-page.ts';
import { StudentView } from './student-view.ts';

/** One student's page for staff: finds out who is here, and shows the student that the address names. */
export class StudentsApp extends PageElement implements StudentPage {
  readonly client = createStudentsClient();

  override texts() {
    const { language } = this.store.state;
    return { ...textsOf(language), students: studentsTextsOf(language) };
  }

  override expire(): void {
    this.store.update({ me: null });
    const { students, brand } = this.texts();
    this.showDeadEnd(brand, build('p', { role: 'alert' }, students.signedOut));
  }

  protected override async begin(): Promise<void> {
    const { students: texts } = this.texts();
    this.showLoading();
    this.entitle(texts.student);
    try {
      const me = await this.client.me();
      if (!me) return this.expire();
      this.store.update({ me });
      const isStaff = me.role === 'teacher' || me.role === 'facilitator' || me.role === 'admin';
      if (!isStaff) return this.showDeadEnd(texts.student, build('p', { role: 'alert' }, texts.notForYou));
      const student = await this.client.student(studentOf(location.pathname) ?? '');
      fill(this.place, new StudentView(this, student));
    } catch (error) {
      const status = error instanceof ProblemError ? error.status : null;
      if (status === 401) return this.expire();
      if (status === 404) {
        const home = build('a', { class: 'primary button', href: '/teacher' }, texts.back);
        return this.showDeadEnd(texts.student, build('p', { role: 'alert' }, texts.missing), home);
      }
      this.showUnreachable(texts.student);
    }
  }
}
