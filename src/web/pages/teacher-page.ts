import { html } from 'hono/html';
import type { Assets } from '../assets.ts';
import { textsOf, type Texts } from '../texts/texts.ts';
import { renderPage } from './page-shell.ts';

/** What the teacher's page shows. */
export type TeacherView = {
  class: { title: string; join_code: string };
  /** The address that students open, as they would type it: `http://192.168.1.20:3000`. */
  join_url: string;
  lessons: readonly TeacherLesson[];
  /** Who joined the class, the last first: all, or as many as are shown of `student_count`. */
  students: readonly TeacherStudent[];
  student_count: number;
  findings: readonly TeacherFinding[];
  /** How many companions there are for the teacher. */
  companions: number;
  /** `offline` where no model is set up. */
  ai: 'model' | 'offline';
  /** The school's, as IANA names it. */
  time_zone: string;
};

export type TeacherLesson = {
  title: string;
  description: string;
  language: string;
  time_minutes: number;
  task_type: string;
  technique: string;
};

/** `joined_at` in ISO 8601. */
export type TeacherStudent = { user_id: string; display_name: string | null; joined_at: string };

/** Something a lesson's author should look at: `place` is `cartridge.json:12:3`, `text` what is wrong. */
export type TeacherFinding = { severity: 'error' | 'warning'; cartridge_id: string; place: string; text: string };

/** The class on the projector, then its lessons and what is wrong with them; null is a visitor who is no teacher. */
export function teacherPage(assets: Assets, language: string, view: TeacherView | null) {
  const texts = textsOf(language);
  return renderPage({
    language,
    title: view ? `${view.class.title} – ${texts.brand}` : texts.brand,
    assets,
    script: null,
    body: view ? classPage(view, texts) : html`<main class="dead-end"><p>${texts.teacher.signedOut}</p></main>`,
  });
}

function classPage(view: TeacherView, texts: Texts) {
  const { teacher } = texts;
  return html`<header class="code-stage">
      <h1>${view.class.title}</h1>
      <p>${teacher.goTo}</p>
      <p class="address">${view.join_url.replace(/^https?:\/\//u, '').replace(/\/$/u, '')}</p>
      <p>${teacher.typeCode}</p>
      <p class="join-code" role="img" aria-label="${Array.from(view.class.join_code).join(' ')}">
        ${Array.from(view.class.join_code, (letter) => html`<span>${letter}</span>`)}
      </p>
    </header>
    <main class="teacher-main">
      ${isLoopback(view.join_url) ? html`<p class="paused">${teacher.onlyHere}</p>` : ''}
      ${view.ai === 'offline' ? html`<p class="paused">${teacher.noAi}</p>` : ''}
      ${studentsSection(view, texts)}
      <section aria-labelledby="lessons">
        <h2 id="lessons">${view.lessons.length === 0 ? teacher.lessons : teacher.lessonCount(view.lessons.length)}</h2>
        ${
          view.lessons.length === 0
            ? html`<p>${teacher.noLessons}</p>`
            : html`<ul class="cards" role="list">
              ${view.lessons.map((lesson) => lessonCard(lesson, texts))}
            </ul>`
        }
      </section>
      ${
        view.companions === 0
          ? ''
          : html`<section aria-labelledby="companions">
              <h2 id="companions">${teacher.companions}</h2>
              <p>${teacher.companionsHint}</p>
              <p><a class="primary button" href="/companions">${teacher.toCompanions}</a></p>
            </section>`
      }
      <section aria-labelledby="findings">
        <h2 id="findings">${teacher.findings}</h2>
        ${
          view.findings.length === 0
            ? html`<p>${teacher.noFindings}</p>`
            : html`<ul class="finding-list" role="list">
              ${view.findings.map((finding) => findingItem(finding, texts))}
            </ul>`
        }
      </section>
    </main>
    <footer class="page-foot"><a href="/me">${texts.ownData}</a></footer>`;
}

function studentsSection({ students, student_count: count, time_zone: timeZone }: TeacherView, texts: Texts) {
  const { teacher } = texts;
  const collator = new Intl.Collator(texts.language, { sensitivity: 'base', numeric: true });
  const moment = new Intl.DateTimeFormat(texts.language === 'en' ? 'en-GB' : texts.language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  });
  const nameOf = ({ display_name: name }: TeacherStudent) => name ?? teacher.nameless;
  // Those without a name come last.
  const sorted = students.toSorted(
    (one, other) =>
      Number(one.display_name === null) - Number(other.display_name === null) ||
      collator.compare(nameOf(one), nameOf(other)),
  );
  // Only what a name does not tell apart needs more than the name.
  const isAmbiguous = (student: TeacherStudent) =>
    student.display_name === null || students.some((each) => each !== student && nameOf(each) === nameOf(student));
  const left = count - students.length;
  return html`<section aria-labelledby="students">
    <h2 id="students">${count === 0 ? teacher.students : teacher.studentCount(count)}</h2>
    ${
      count === 0
        ? html`<p>${teacher.noStudents}</p>`
        : html`<p>${teacher.studentsHint}</p>
            <ul class="student-list" role="list">
              ${sorted.map(
                (student) =>
                  html`<li>
                    <a href="/students/${encodeURIComponent(student.user_id)}">
                      <bdi class="student-name">${nameOf(student)}</bdi>
                      ${
                        isAmbiguous(student)
                          ? html`<span class="facts">${teacher.joined(moment.format(new Date(student.joined_at)))}</span>`
                          : ''
                      }
                    </a>
                  </li>`,
              )}
            </ul>
            ${left > 0 ? html`<p class="hint">${teacher.moreStudents(left)}</p>` : ''}`
    }
  </section>`;
}

function lessonCard(lesson: TeacherLesson, texts: Texts) {
  const languageName = new Intl.DisplayNames([texts.language], { type: 'language' }).of(lesson.language);
  const facts = [
    texts.teacher.kinds[lesson.task_type] ?? lesson.task_type,
    languageName,
    texts.minutes(lesson.time_minutes),
  ];
  return html`<li>
    <article class="card">
      <h3 lang="${lesson.language}">${lesson.title}</h3>
      <p class="card-text" lang="${lesson.language}">${lesson.description}</p>
      <p class="facts">${facts.join(' · ')}<br />${texts.teacher.technique}: ${lesson.technique.replaceAll('_', ' ')}</p>
    </article>
  </li>`;
}

function findingItem({ severity, cartridge_id: id, place, text }: TeacherFinding, texts: Texts) {
  return html`<li class="finding finding-${severity}">
    <p><strong>${severity === 'error' ? texts.teacher.error : texts.teacher.warning}</strong> · ${id}</p>
    <p class="finding-place">${place}</p>
    <p>${text}</p>
  </li>`;
}

/** Whether an address leads back to the machine it is opened on. */
function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/u.test(new URL(url).hostname);
}
