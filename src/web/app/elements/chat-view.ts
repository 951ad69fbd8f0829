import type { ConnectionState, StreamOptions } from '../../client/turn-stream.ts';
import type { TurnEvent } from '../../client/turn-event.ts';
import { newMessageId } from '../../client/surroundings.ts';
import type { FreeformInteraction, SessionView } from '../../protocol-types.ts';
import type { App } from '../app.ts';
import { Bubble } from '../bubble.ts';
import { build, fill } from '../dom.ts';
import { forgottenNotice, keptWords } from '../kept-words.ts';
import type { PendingMessage } from '../notebook.ts';
import { playTurn, type TurnEnd } from '../play-turn.ts';
import { ViewElement } from '../view-element.ts';
import { ChatScroll } from '../chat-scroll.ts';
import type { LessonSteps } from './lesson-steps.ts';
import { MessageComposer } from './message-composer.ts';

/** A conversation with the Trickster: the phase's material, what was said, and where to write. */
export class ChatView extends ViewElement {
  readonly #app: App;
  readonly #view: SessionView;
  readonly #opening: string;
  readonly #steps: LessonSteps;
  readonly #log = build('ol', { class: 'log', role: 'list' });
  readonly #foot = build('div', { class: 'chat-foot' });
  readonly #composer: MessageComposer;
  readonly #scroll: ChatScroll;
  /** The live turn: its id once the server has named it, and whether the learner wants it stopped. */
  #live: { turnId: string | null; stopWanted: boolean } | null = null;

  #lastWords: Bubble | null = null;
  /** The phase ended with the last reply; the learner goes on when it is read. */
  #over = false;

  constructor(app: App, view: SessionView, interaction: FreeformInteraction, steps: LessonSteps) {
    super();
    this.#app = app;
    this.#view = view;
    this.#opening = interaction.trickster_opening;
    this.#steps = steps;
    this.#scroll = new ChatScroll(this);
    this.#composer = new MessageComposer(app, app.notebook.draft(view.session_id), {
      send: (message) => void this.#send({ message, clientMessageId: newMessageId() }, null),
      stop: () => this.#stop(),
      keep: (draft) => app.notebook.keepDraft(view.session_id, draft),
    });
  }

  /** Shows the conversation beside or below `material`, the phase's own content. */
  open(material: HTMLElement): void {
    const { chat, lesson } = this.#app.texts();
    this.#log.setAttribute('aria-label', chat.conversation);
    this.#log.lang = this.#view.language;
    const talk = build('div', { class: 'chat-talk' }, this.#log);
    const note = this.#view.ai === 'offline' ? chat.noAi : chat.ai;
    fill(
      this.#foot,
      this.#view.frozen && build('p', { class: 'paused', role: 'status' }, lesson.paused),
      this.#composer,
      build('p', { class: 'chat-note' }, note),
    );
    fill(this, build('div', { class: 'chat-body' }, material, talk), this.#foot);
    this.#scroll.use(this.lifetime);
    if (this.#opening !== '') this.#add('trickster', this.#opening);
    const { said, isForgotten } = keptWords(
      this.#view.exchanges.filter((exchange) => exchange.phase === this.#view.current_phase),
    );
    if (isForgotten) this.#log.append(forgottenNotice(chat.forgotten));
    for (const { role, content, redacted } of said) {
      const bubble = this.#add(role === 'student' ? 'student' : 'trickster', content);
      if (redacted) bubble.withdraw(content);
    }
    if (said.length > 0) this.#scroll.toEnd();
    this.#composer.setPaused(this.#view.frozen);
    this.#resume(said.at(-1)?.role === 'student' ? (said.at(-1)?.content ?? null) : null);
  }

  /** Whether a reply is being made, or the last one is still being read. */
  get busy(): boolean {
    return this.#live !== null || this.#over;
  }

  /** Goes on where a reload cut in: the live reply, or a message that has no reply yet. */
  #resume(unanswered: string | null): void {
    const { session_id: sessionId, active_turn_id: turnId } = this.#view;
    const pending = this.#app.notebook.pending(sessionId);
    if (turnId !== null) {
      void this.#play((options) => this.#app.client.follow(sessionId, turnId, options), pending);
    } else if (pending && unanswered === pending.message) {
      this.#offerRetry(this.#app.texts().chat.interrupted, pending);
    } else if (pending) {
      this.#app.notebook.keepPending(sessionId, null);
      const arrived = this.#view.exchanges.some((exchange) => exchange.content === pending.message);
      if (!arrived) this.#composer.restore(pending.message);
    }
  }

  async #send(pending: PendingMessage, shown: Bubble | null): Promise<void> {
    const { session_id: sessionId } = this.#view;
    this.#app.notebook.keepPending(sessionId, pending);
    for (const notice of this.#log.querySelectorAll('.notice')) notice.remove();
    const words = shown ?? this.#add('student', pending.message);
    words.clearNotes();
    this.#scroll.toEnd();
    await this.#play((options) => this.#app.client.respond(sessionId, pending, options), pending, words);
  }

  async #play(
    open: (options: StreamOptions) => AsyncIterable<TurnEvent>,
    pending: PendingMessage | null,
    words: Bubble | null = null,
  ): Promise<void> {
    const { chat } = this.#app.texts();
    const live = { turnId: null, stopWanted: false };
    this.#live = live;
    this.#composer.setBusy(true);
    const bubble = this.#add('trickster', '');
    const onConnection = (state: ConnectionState) => this.#watch(state);
    const events = open({ signal: this.lifetime, onConnection });
    const end = await playTurn(events, bubble, { signal: this.lifetime, onShown: () => this.#scroll.follow() });
    if (end.kind === 'left') return;
    this.#live = null;
    this.#app.store.update({ reconnecting: false });
    this.#composer.setBusy(false);
    if (end.kind === 'done' || end.kind === 'redacted') {
      this.#app.notebook.keepPending(this.#view.session_id, null);
      this.#app.announce(`${chat.trickster}: ${bubble.text.trim()}`);
    } else {
      bubble.element.remove();
    }
    this.#settle(end, bubble, { pending, words });
    this.#scroll.follow();
  }

  #settle(end: TurnEnd, bubble: Bubble, sent: { pending: PendingMessage | null; words: Bubble | null }): void {
    const { chat } = this.#app.texts();
    if (end.kind === 'done') {
      if (end.event.stopped) bubble.note(chat.stopped);
      if (bubble.text === '') bubble.element.remove();
      if (end.event.next_phase) this.#offerNextPhase();
    } else if (end.kind === 'failed' && end.retryable) {
      this.#offerRetry(end.code === 'INTERRUPTED' ? chat.interrupted : chat.failed, sent.pending, sent.words);
    } else if (end.kind === 'failed') {
      this.#app.notebook.keepPending(this.#view.session_id, null);
      this.#offerRetry(chat.failed, null);
    } else if (end.kind === 'lost') {
      this.#offerRetry(chat.lost, sent.pending, sent.words);
    } else if (end.kind === 'refused') {
      void this.#refused(end, sent);
    }
  }

  async #refused(
    { problem }: Extract<TurnEnd, { kind: 'refused' }>,
    { pending, words }: { pending: PendingMessage | null; words: Bubble | null },
  ): Promise<void> {
    const { chat } = this.#app.texts();
    if (problem.status >= 500) return this.#offerRetry(chat.failed, pending, words);
    // What was refused was not kept by the server: the words go back to where they were written.
    words?.element.remove();
    this.#app.notebook.keepPending(this.#view.session_id, null);
    if (pending) this.#composer.restore(pending.message);
    if (problem.code === 'RATE_LIMITED') this.#say(chat.tooMany(Math.ceil((problem.retryAfterMs ?? 60_000) / 1000)));
    else if (problem.status === 413 || problem.code === 'INVALID_REQUEST') this.#say(chat.notSent);
    else await this.#steps.recover(problem);
  }

  #watch(state: ConnectionState): void {
    const { store, client } = this.#app;
    if (state.kind === 'waiting') store.update({ reconnecting: true });
    if (state.kind !== 'open' || !this.#live) return;
    store.update({ reconnecting: false });
    this.#live.turnId = state.turn_id;
    if (this.#live.stopWanted && state.turn_id) void client.stop(this.#view.session_id, state.turn_id).catch(() => {});
  }

  #stop(): void {
    if (!this.#live) return;
    this.#live.stopWanted = true;
    this.#composer.setStopping();
    const { turnId } = this.#live;
    if (turnId === null) return;
    this.#app.client.stop(this.#view.session_id, turnId).catch(() => this.#composer.setBusy(this.#live !== null));
  }

  #offerRetry(text: string, pending: PendingMessage | null, words: Bubble | null = null): void {
    if (!pending) {
      this.#say(text);
      return;
    }
    const last = words ?? this.#lastWords;
    const again = build(
      'button',
      {
        type: 'button',
        class: 'secondary',
        on: {
          click: () => {
            this.#composer.focusInput();
            void this.#send(pending, last);
          },
        },
      },
      this.#app.texts().retry,
    );
    this.#say(text, again);
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

  /** A line of the page's own in the conversation. */
  #say(text: string, action?: HTMLElement): void {
    this.#log.append(build('li', { class: 'notice' }, build('p', {}, text), action));
    this.#app.announce(text);
    this.#scroll.toEnd();
  }

  #add(speaker: 'student' | 'trickster', text: string): Bubble {
    const bubble = new Bubble(speaker, this.#app.texts());
    if (text !== '') bubble.say(text);
    this.#log.append(bubble.element);
    if (speaker === 'student') this.#lastWords = bubble;
    return bubble;
  }
}
