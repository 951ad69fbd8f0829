import { ProblemError } from '../../client/problem.ts';
import type { SessionView } from '../../protocol-types.ts';
import type { App } from '../app.ts';
import { renderBlocks } from '../blocks/blocks.ts';
import { build, fill } from '../dom.ts';
import { prose } from '../prose.ts';
import { tricksterFace } from '../trickster-face.ts';
import { ViewElement } from '../view-element.ts';
import { ChatView } from './chat-view.ts';
import { choiceList } from './choice-list.ts';
import type { LessonSteps } from './lesson-steps.ts';
import { lessonBar } from './page-bar.ts';
import { RevealView } from './reveal-view.ts';
import { SearchView } from './search-view.ts';

const pausedLookMs = 10_000;

/** A session of a lesson: shows the phase it stands in, and moves from one to the next. */
export class LessonView extends ViewElement implements LessonSteps {
  readonly #app: App;
  readonly #sessionId: string;
  readonly #problem = build('p', { class: 'field-problem', role: 'alert' });
  #view: SessionView | null = null;
  #chat: ChatView | null = null;

  constructor(app: App, sessionId: string) {
    super();
    this.#app = app;
    this.#sessionId = sessionId;
  }

  connectedCallback(): void {
    const { loading } = this.#app.texts();
    this.#place(this.#app.texts().brand, build('p', { class: 'hint', 'aria-busy': 'true' }, loading));
    void this.reload();
    const look = () => {
      if (document.visibilityState === 'visible') void this.#lookAgain();
    };
    document.addEventListener('visibilitychange', look, { signal: this.lifetime });
    const paused = setInterval(() => {
      if (this.#view?.frozen === true) look();
    }, pausedLookMs);
    this.lifetime.addEventListener('abort', () => clearInterval(paused));
  }

  async reload(): Promise<void> {
    try {
      this.show(await this.#app.client.session(this.#sessionId, { signal: this.lifetime }));
    } catch (error) {
      if (this.lifetime.aborted) return;
      if (error instanceof ProblemError) this.#showRefusal(error);
      else this.#dead(this.#app.texts().connection.unreachable, this.#again());
    }
  }

  async choose(way: { choice: number } | { targetPhase: string }): Promise<void> {
    fill(this.#problem);
    try {
      this.show(await this.#app.client.choose(this.#sessionId, way));
    } catch (error) {
      if (this.lifetime.aborted) return;
      if (error instanceof ProblemError && error.status < 500) await this.recover(error);
      else fill(this.#problem, this.#app.texts().lesson.choiceFailed);
    }
  }

  async restart(): Promise<void> {
    const { me } = this.#app.store.state;
    const cartridgeId = this.#view?.cartridge_id;
    if (cartridgeId === undefined || !me) return;
    try {
      const { session_id: sessionId } = await this.#app.client.createSession(cartridgeId);
      this.#app.notebook.keepSession(me.user_id, cartridgeId, sessionId);
      this.#app.go({ kind: 'lesson', sessionId });
    } catch (error) {
      if (error instanceof ProblemError && error.status === 401) this.#app.expire();
      else fill(this.#problem, this.#app.texts().lesson.choiceFailed);
    }
  }

  async recover(problem: ProblemError): Promise<void> {
    if (problem.status === 401 || problem.code === 'CARTRIDGE_CHANGED') this.#showRefusal(problem);
    else await this.reload();
  }

  show(view: SessionView): void {
    const first = this.#view === null;
    const moved = this.#view?.current_phase !== view.current_phase;
    this.#view = view;
    this.#app.speak(view.language);
    this.#app.entitle(view.title, view.cartridge_title);
    this.#chat = null;
    const heading = build('h2', { tabindex: -1, class: 'phase-title' }, view.title);
    const { interaction } = view;
    const talks = view.frozen || view.available_actions.includes('respond');
    if (interaction && 'trickster_opening' in interaction && talks) {
      const material = this.#material(view, heading);
      const chat = new ChatView(this.#app, view, interaction, this);
      this.#chat = chat;
      this.#place(view.cartridge_title, chat);
      this.dataset['mode'] = 'chat';
      chat.open(material);
    } else {
      const paused = view.frozen && build('p', { class: 'paused', role: 'status' }, this.#app.texts().lesson.paused);
      this.#place(view.cartridge_title, this.#material(view, heading), paused, this.#wayOn(view), this.#problem);
      this.dataset['mode'] = 'reading';
    }
    if (!moved) return;
    scrollTo(0, 0);
    if (!first) heading.focus({ preventScroll: true });
  }

  /** What the phase shows before the learner acts: its title, what the Trickster says to it, its blocks. */
  #material(view: SessionView, heading: HTMLElement): HTMLElement {
    const texts = this.#app.texts();
    const searching = view.interaction !== null && 'submit_target' in view.interaction;
    // What was found in an investigation is shown where one searches.
    const blocks = view.content.filter((block) => !(searching && block.type === 'search_result'));
    const outcome = view.is_terminal ? view.evaluation_outcome : null;
    return build(
      'div',
      { class: 'material', lang: view.language },
      outcome && build('p', { class: `outcome outcome-${outcome}` }, texts.reveal.outcome[outcome]),
      heading,
      outcome && build('p', { class: 'lead' }, texts.reveal.outcomeText[outcome]),
      view.trickster_intro !== null &&
        view.trickster_intro.trim() !== '' &&
        build('div', { class: 'speech' }, tricksterFace(view.is_terminal ? 'off' : 'on'), prose(view.trickster_intro)),
      renderBlocks(blocks, texts),
    );
  }

  #wayOn(view: SessionView): HTMLElement | null {
    const { interaction } = view;
    if (view.is_terminal) return new RevealView(this.#app, view, this);
    if (!interaction) return null;
    if ('choices' in interaction) {
      return choiceList(this.#app, interaction, { paused: view.frozen, choose: (choice) => this.choose({ choice }) });
    }
    if ('submit_target' in interaction) return new SearchView(this.#app, view, interaction, this);
    return build('p', { class: 'notice' }, this.#app.texts().lesson.unknownInteraction);
  }

  /** Fetches the session when the learner comes back, and shows it where the teacher has moved or paused it. */
  async #lookAgain(): Promise<void> {
    const before = this.#view;
    if (!before || this.#isTalking()) return;
    const now = await this.#app.client.session(this.#sessionId, { signal: this.lifetime }).catch(() => null);
    if (!now || this.#view !== before || this.#isTalking()) return;
    if (now.current_phase !== before.current_phase || now.frozen !== before.frozen) this.show(now);
  }

  #isTalking(): boolean {
    return this.#chat?.busy ?? false;
  }

  #showRefusal(problem: ProblemError): void {
    const { lesson, connection } = this.#app.texts();
    const target = problem.problem.initial_phase;
    if (problem.status === 401) return this.#app.expire();
    if (problem.code === 'CARTRIDGE_CHANGED' && target !== undefined) {
      const onward = build(
        'button',
        { type: 'button', class: 'primary', on: { click: () => void this.choose({ targetPhase: target }) } },
        lesson.changedGoOn,
      );
      this.#dead(lesson.changed, onward, lesson.changedTitle);
    } else if (problem.status === 404) {
      // The list then offers to begin the lesson anew.
      this.#app.notebook.forgetSession(this.#sessionId);
      this.#dead(lesson.gone);
    } else {
      this.#dead(connection.unreachable, this.#again());
    }
  }

  #again(): HTMLElement {
    const { retry } = this.#app.texts();
    return build('button', { type: 'button', class: 'primary', on: { click: () => void this.reload() } }, retry);
  }

  #dead(text: string, action?: HTMLElement, title?: string): void {
    delete this.dataset['mode'];
    this.#view = null;
    this.#place(
      this.#app.texts().brand,
      build(
        'div',
        { class: 'dead-end' },
        tricksterFace(),
        title && build('h2', {}, title),
        build('p', { role: 'alert' }, text),
        action,
      ),
      this.#problem,
    );
  }

  #place(title: string, ...content: (HTMLElement | null | false)[]): void {
    fill(this, lessonBar(this.#app, title), build('main', { class: 'lesson-main' }, content));
  }
}
