import { ProblemError } from '../../client/problem.ts';
import type { CartridgeSummary } from '../../protocol-types.ts';
import type { App } from '../app.ts';
import { build, fill } from '../dom.ts';
import { writeRoute } from '../router.ts';
import { tricksterFace } from '../trickster-face.ts';
import { ViewElement } from '../view-element.ts';
import { languageSwitch } from './language-switch.ts';

/** The lessons of the class; one that was begun goes on where it was left. */
export class LessonList extends ViewElement {
  readonly #app: App;
  #lessons: CartridgeSummary[] | null = null;
  #hasCompanions = false;

  constructor(app: App) {
    super();
    this.#app = app;
  }

  connectedCallback(): void {
    this.#render();
    void this.#load();
  }

  async #load(): Promise<void> {
    try {
      const cartridges = await this.#app.client.cartridges({ signal: this.lifetime });
      this.#lessons = cartridges.filter((cartridge) => cartridge.kind === 'lesson');
      this.#hasCompanions = cartridges.some((cartridge) => cartridge.kind === 'companion');
      this.#render();
    } catch (error) {
      if (this.lifetime.aborted) return;
      if (error instanceof ProblemError && error.status === 401) return this.#app.expire();
      this.#renderFailure();
    }
  }

  #render(): void {
    const { brand, lessons, loading } = this.#app.texts();
    const name = this.#app.store.state.me?.display_name;
    this.#app.entitle(lessons.title);
    const list = this.#lessons?.map((lesson) => build('li', {}, this.#card(lesson)));
    fill(
      this,
      build(
        'header',
        { class: 'hero' },
        build('p', { class: 'brand' }, tricksterFace(), brand),
        build('h1', { tabindex: -1 }, name ? lessons.greeting(name) : lessons.title),
        build('p', { class: 'lead' }, lessons.intro),
      ),
      build(
        'main',
        { class: 'lessons-main' },
        !list && build('p', { class: 'hint', 'aria-busy': 'true' }, loading),
        this.#hasCompanions &&
          build(
            'p',
            { class: 'beside' },
            build('a', { class: 'button', href: '/companions' }, this.#app.texts().lessons.companions),
          ),
        list?.length === 0 && build('p', { class: 'hint' }, lessons.none),
        list && list.length > 0 && build('ul', { class: 'cards', role: 'list' }, list),
      ),
      build(
        'footer',
        { class: 'page-foot' },
        build('a', { href: writeRoute({ kind: 'join' }) }, lessons.someoneElse),
        build('a', { href: '/me' }, this.#app.texts().ownData),
        languageSwitch(this.#app, () => this.#render()),
      ),
    );
  }

  /** A lesson to begin. Its description is for teachers: it may say what the trick is, or that there is none. */
  #card(lesson: CartridgeSummary): HTMLElement {
    const texts = this.#app.texts();
    const userId = this.#app.store.state.me?.user_id ?? '';
    const begun = this.#app.notebook.session(userId, lesson.id);
    const heading = `lesson-${lesson.id}`;
    const problem = build('p', { class: 'field-problem', role: 'alert' });
    const open = build(
      'button',
      {
        type: 'button',
        class: 'primary',
        'aria-describedby': heading,
        on: { click: () => void this.#open(lesson, begun, { open, problem }) },
      },
      begun ? texts.lessons.resume : texts.lessons.start,
    );
    const facts = [texts.minutes(lesson.time_minutes ?? 0), languageName(lesson.language, texts.language)];
    return build(
      'article',
      { class: 'card' },
      build('h2', { id: heading, lang: lesson.language }, lesson.title),
      build('div', { class: 'card-foot' }, build('p', { class: 'facts' }, facts.join(' · ')), open),
      problem,
    );
  }

  async #open(
    lesson: CartridgeSummary,
    begun: string | null,
    { open, problem }: { open: HTMLButtonElement; problem: HTMLElement },
  ): Promise<void> {
    if (begun) return this.#app.go({ kind: 'lesson', sessionId: begun });
    open.disabled = true;
    try {
      const view = await this.#app.client.createSession(lesson.id);
      const userId = this.#app.store.state.me?.user_id ?? '';
      this.#app.notebook.keepSession(userId, lesson.id, view.session_id);
      this.#app.go({ kind: 'lesson', sessionId: view.session_id });
    } catch (error) {
      if (error instanceof ProblemError && error.status === 401) return this.#app.expire();
      fill(problem, this.#app.texts().connection.unreachable);
      open.disabled = false;
    }
  }

  #renderFailure(): void {
    const { connection, retry } = this.#app.texts();
    const again = build(
      'button',
      { type: 'button', class: 'secondary', on: { click: () => void this.#load() } },
      retry,
    );
    this.querySelector('[aria-busy]')?.replaceWith(
      build('div', { class: 'notice', role: 'alert' }, build('p', {}, connection.unreachable), again),
    );
  }
}

/** A language's name in another language; its code where the browser knows no name. */
function languageName(code: string, inLanguage: string): string {
  try {
    return new Intl.DisplayNames([inLanguage], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}
