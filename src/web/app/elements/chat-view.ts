import type { ProblemError } from '../../client/problem.ts';
import type { FreeformInteraction, SessionView } from '../../protocol-types.ts';
import type { App } from '../app.ts';
import { ChatScroll } from '../chat-scroll.ts';
import { Dialogue } from '../dialogue.ts';
import { build, fill } from '../dom.ts';
import { forgottenNotice, keptWords } from '../kept-words.ts';
import { ViewElement } from '../view-element.ts';
import type { LessonSteps } from './lesson-steps.ts';

/** A conversation with the Trickster: the phase's material, what was said, and where to write. */
export class ChatView extends ViewElement {
  readonly #app: App;
  readonly #view: SessionView;
  readonly #opening: string;
  readonly #steps: LessonSteps;
  readonly #foot = build('div', { class: 'chat-foot' });
  readonly #scroll: ChatScroll;
  readonly #dialogue: Dialogue;
  /** The phase ended with the last reply; the learner goes on when it is read. */
  #over = false;

  constructor(app: App, view: SessionView, interaction: FreeformInteraction, steps: LessonSteps) {
    super();
    this.#app = app;
    this.#view = view;
    this.#opening = interaction.trickster_opening;
    this.#steps = steps;
    this.#scroll = new ChatScroll(this);
    const { session_id: sessionId } = view;
    this.#dialogue = new Dialogue({
      page: app,
      client: app.client,
      view: this,
      scroll: this.#scroll,
      sessionId,
      draftKey: sessionId,
      calls: {
        done: (event) => {
          if (event.next_phase) this.#offerNextPhase();
        },
        refused: (problem) => this.#refused(problem),
      },
    });
  }

  /** Shows the conversation beside or below `material`, the phase's own content. */
  open(material: HTMLElement): void {
    const { chat, lesson } = this.#app.texts();
    const { log, composer } = this.#dialogue;
    log.setAttribute('aria-label', chat.conversation);
    log.lang = this.#view.language;
    const talk = build('div', { class: 'chat-talk' }, log);
    const note = this.#view.ai === 'offline' ? chat.noAi : chat.ai;
    fill(
      this.#foot,
      this.#view.frozen && build('p', { class: 'paused', role: 'status' }, lesson.paused),
      composer,
      build('p', { class: 'chat-note' }, note),
    );
    fill(this, build('div', { class: 'chat-body' }, material, talk), this.#foot);
    this.#scroll.use(this.lifetime);
    if (this.#opening !== '') this.#dialogue.add('trickster', this.#opening);
    const { active_turn_id: turnId, current_phase: phase, exchanges, frozen } = this.#view;
    const { said, isForgotten } = keptWords(exchanges.filter((exchange) => exchange.phase === phase));
    if (isForgotten) log.append(forgottenNotice(chat.forgotten));
    for (const { role, content, redacted } of said) {
      const bubble = this.#dialogue.add(role === 'student' ? 'student' : 'trickster', content);
      if (redacted) bubble.withdraw(content);
    }
    if (said.length > 0) this.#scroll.toEnd();
    composer.setPaused(frozen);
    const last = said.at(-1);
    this.#dialogue.resume({
      turnId,
      unanswered: last?.role === 'student' ? last.content : null,
      exchanges,
    });
  }

  /** Whether a reply is being made, or the last one is still being read. */
  get busy(): boolean {
    return this.#dialogue.isLive || this.#over;
  }

  async #refused(problem: ProblemError): Promise<boolean> {
    if (problem.status === 413 || problem.code === 'INVALID_REQUEST') return false;
    await this.#steps.recover(problem);
    return true;
  }

  #offerNextPhase(): void {
    this.#over = true;
    const { chat } = this.#app.texts();
    const onward = build(
      'button',
      { type: 'button', class: 'primary', on: { click: () => void this.#steps.reload() } },
      chat.goOn,
    );
    fill(this.#foot, build('div', { class: 'part-over' }, build('p', {}, chat.partOver), onward));
    this.#app.announce(chat.partOver);
    onward.focus();
  }
}
