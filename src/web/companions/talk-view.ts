import { Bubble } from '../app/bubble.ts';
import { ChatScroll } from '../app/chat-scroll.ts';
import { build, fill } from '../app/dom.ts';
import { MessageComposer } from '../app/elements/message-composer.ts';
import type { PendingMessage } from '../app/notebook.ts';
import { playTurn, type TurnEnd } from '../app/play-turn.ts';
import { ViewElement } from '../app/view-element.ts';
import type { MemoryScope } from '../client/companion-client.ts';
import { newMessageId } from '../client/surroundings.ts';
import type { DoneEvent, TurnEvent } from '../client/turn-event.ts';
import type { ConnectionState, StreamOptions } from '../client/turn-stream.ts';
import type { ConversationView, WidgetView } from '../protocol-types.ts';
import { companionFace } from './companion-face.ts';
import type { CompanionPage } from './companion-page.ts';
import { isSignedOut } from '../client/problem.ts';
import { endedNote, rememberedLine } from './ended-note.ts';
import { recallReplies } from './recall-replies.ts';
import { technicalDetails } from './technical-details.ts';
import { WidgetCard } from './widget-card.ts';

export type TalkOptions = {
  name: string;
  language: string;
  /** Null while nothing was said: the conversation begins with the first message. */
  view: ConversationView | null;
  greeting: string;
  scope: MemoryScope;
  begin: () => Promise<ConversationView>;
  /** Something that was shown is answered now, here or elsewhere. */
  widgetChanged: () => void;
  /** Something was said and answered. */
  answered: () => void;
  /** Shows the conversation as the server has it now, with a word on why. */
  reload: (notice: string | null) => Promise<void>;
  ended: (conversationId: string) => Promise<void>;
  startNew: () => void;
};

type Sent = { pending: PendingMessage | null; words: Bubble | null };

/** A conversation with a companion: what was said, what was shown to confirm, and where to write. */
export class TalkView extends ViewElement {
  readonly #page: CompanionPage;
  readonly #options: TalkOptions;
  readonly #log = build('ol', { class: 'log', role: 'list' });
  readonly #foot = build('div', { class: 'chat-foot' });
  readonly #composer: MessageComposer;
  readonly #scroll: ChatScroll;
  readonly #draftKey: string;
  readonly #end: HTMLButtonElement;
  readonly #note = build('p', { class: 'chat-note' });
  #id: string | null;
  #live: { turnId: string | null; stopWanted: boolean } | null = null;
  #lastWords: Bubble | null = null;

  constructor(page: CompanionPage, options: TalkOptions) {
    super();
    this.#page = page;
    this.#options = options;
    this.#id = options.view?.id ?? null;
    const { cartridgeId, learnerId } = options.scope;
    this.#draftKey = [page.store.state.me?.user_id, cartridgeId, learnerId ?? ''].join('.');
    this.#scroll = new ChatScroll(this);
    this.#composer = new MessageComposer(page, page.notebook.draft(this.#draftKey), {
      send: (message) => void this.#send({ message, clientMessageId: newMessageId() }, null),
      stop: () => this.#stop(),
      keep: (draft) => page.notebook.keepDraft(this.#draftKey, draft),
    });
    this.#end = build(
      'button',
      { type: 'button', class: 'quiet', on: { click: () => void this.#endConversation() } },
      page.texts().companions.talkView.end,
    );
  }

  get conversationId(): string | null {
    return this.#id;
  }

  connectedCallback(): void {
    const { view, greeting, language } = this.#options;
    const texts = this.#page.texts();
    this.#log.setAttribute('aria-label', texts.chat.conversation);
    this.#log.lang = view?.language ?? language;
    fill(this, build('div', { class: 'chat-body' }, build('div', { class: 'chat-talk' }, this.#log)), this.#foot);
    // It is made of what is remembered now; of a conversation that is over it would tell what came after.
    if (view?.active !== false) this.#add('trickster', greeting);
    const bubbles = new Map<string, Bubble>();
    for (const { role, content, redacted, turn_id: turnId } of view?.exchanges ?? []) {
      const bubble = this.#add(role === 'user' ? 'student' : 'trickster', content);
      if (redacted) bubble.withdraw(content);
      if (role === 'assistant') bubbles.set(turnId, bubble);
    }
    this.#showFoot();
    this.#scroll.use(this.lifetime);
    this.#scroll.toEnd();
    if (view) void this.#recall(view, bubbles);
    if (view?.active === false) return;
    if (view) this.#resume(view);
    document.addEventListener('visibilitychange', () => void this.#lookAgain(), { signal: this.lifetime });
  }

  /** A line of the page's own in the conversation. */
  say(text: string, action?: HTMLElement): void {
    this.#log.append(build('li', { class: 'notice' }, build('p', {}, text), action));
    this.#page.announce(text);
    this.#scroll.toEnd();
  }

  #showFoot(): void {
    const { view, startNew } = this.#options;
    const texts = this.#page.texts();
    if (view && !view.active) {
      const remembered = rememberedLine(this.#page, view, this.lifetime);
      return fill(this.#foot, endedNote(texts, remembered, startNew));
    }
    this.#end.hidden = view === null || view.exchanges.length === 0;
    this.#sayWhoAnswers(view);
    fill(this.#foot, this.#composer, build('div', { class: 'talk-note' }, this.#note, this.#end));
  }

  #sayWhoAnswers(view: ConversationView | null): void {
    const { chat } = this.#page.texts();
    fill(this.#note, view?.ai === 'offline' ? chat.noAi : chat.ai);
  }

  /** Brings back beside each reply what was shown with it. What finds no place any more stands at the end. */
  async #recall(view: ConversationView, bubbles: ReadonlyMap<string, Bubble>): Promise<void> {
    const left = new Map(view.widgets.map((widget) => [widget.id, widget]));
    const options = { client: this.#page.client, signal: this.lifetime, wants: () => left.size > 0 };
    for await (const event of recallReplies(view, options)) {
      const bubble = bubbles.get(event.turn_id);
      if (!bubble) continue;
      const shown = widgetsOf(event).flatMap(({ id }) => left.get(id) ?? []);
      for (const { id } of shown) left.delete(id);
      this.#attach(bubble, event, shown);
    }
    if (this.lifetime.aborted) return;
    for (const widget of left.values()) this.#log.append(this.#widgetItem(widget));
    this.#scroll.follow();
  }

  /** Goes on where a reload cut in: the live reply, or a message that has no reply yet. */
  #resume({ id, active_turn_id: turnId, exchanges }: ConversationView): void {
    const { notebook, client } = this.#page;
    const pending = notebook.pending(id);
    const last = exchanges.at(-1);
    const isUnanswered = last?.role === 'user' && last.content === pending?.message;
    if (turnId !== null) void this.#play((options) => client.follow(id, turnId, options), { pending, words: null });
    else if (pending && isUnanswered) this.#offerRetry(this.#page.texts().chat.interrupted, { pending, words: null });
    else if (pending) {
      notebook.keepPending(id, null);
      if (!exchanges.some(({ content }) => content === pending.message)) this.#composer.restore(pending.message);
    }
  }

  async #send(pending: PendingMessage, shown: Bubble | null): Promise<void> {
    const { client, notebook } = this.#page;
    for (const notice of this.#log.querySelectorAll('.notice')) notice.remove();
    const words = shown ?? this.#add('student', pending.message);
    words.clearNotes();
    this.#scroll.toEnd();
    if (this.#id === null) {
      this.#composer.setBusy(true);
      const begun = await this.#options.begin().catch((error: unknown) => this.#failBeginning(error, pending, words));
      this.#composer.setBusy(false);
      if (!begun || this.lifetime.aborted) return;
      this.#id = begun.id;
      this.#sayWhoAnswers(begun);
    }
    const id = this.#id;
    notebook.keepPending(id, pending);
    await this.#play((options) => client.respond(id, pending, options), { pending, words });
  }

  #failBeginning(error: unknown, pending: PendingMessage, words: Bubble): void {
    words.element.remove();
    this.#composer.restore(pending.message);
    if (isSignedOut(error)) this.#page.expire();
    else if (!this.lifetime.aborted) this.say(this.#page.texts().companions.talkView.beginFailed);
  }

  async #play(open: (options: StreamOptions) => AsyncIterable<TurnEvent>, sent: Sent): Promise<void> {
    const { chat } = this.#page.texts();
    this.#live = { turnId: null, stopWanted: false };
    this.#composer.setBusy(true);
    this.#end.hidden = true;
    const bubble = this.#add('trickster', '');
    const signal = this.lifetime;
    const events = open({ signal, onConnection: (state) => this.#watch(state) });
    const end = await playTurn(events, bubble, { signal, onShown: () => this.#scroll.follow() });
    if (end.kind === 'left') return;
    this.#live = null;
    this.#page.store.update({ reconnecting: false });
    this.#composer.setBusy(false);
    this.#end.hidden = false;
    if (end.kind === 'done' || end.kind === 'redacted') {
      if (this.#id !== null) this.#page.notebook.keepPending(this.#id, null);
      this.#page.announce(`${chat.trickster}: ${bubble.text.trim()}`);
      this.#options.answered();
    } else bubble.element.remove();
    await this.#settle(end, bubble, sent);
    this.#scroll.follow();
  }

  async #settle(end: TurnEnd, bubble: Bubble, sent: Sent): Promise<void> {
    const { chat } = this.#page.texts();
    if (end.kind === 'done') {
      if (end.event.stopped) bubble.note(chat.stopped);
      if (bubble.text === '') bubble.element.remove();
      this.#attach(bubble, end.event, widgetsOf(end.event));
    } else if (end.kind === 'failed' && end.retryable) {
      this.#offerRetry(end.code === 'INTERRUPTED' ? chat.interrupted : chat.failed, sent);
    } else if (end.kind === 'failed') {
      if (this.#id !== null) this.#page.notebook.keepPending(this.#id, null);
      this.say(chat.failed);
    } else if (end.kind === 'lost') this.#offerRetry(chat.lost, sent);
    else if (end.kind === 'refused') await this.#refused(end, sent);
  }

  async #refused({ problem }: Extract<TurnEnd, { kind: 'refused' }>, { pending, words }: Sent): Promise<void> {
    const { chat, companions } = this.#page.texts();
    if (problem.status >= 500) return this.#offerRetry(chat.failed, { pending, words });
    // What was refused was not kept by the server: the words go back to where they were written.
    words?.element.remove();
    if (this.#id !== null) this.#page.notebook.keepPending(this.#id, null);
    if (pending) this.#composer.restore(pending.message);
    if (problem.status === 401) this.#page.expire();
    else if (problem.code === 'RATE_LIMITED')
      this.say(chat.tooMany(Math.ceil((problem.retryAfterMs ?? 60_000) / 1000)));
    else if (problem.code === 'SESSION_FROZEN') this.say(companions.talkView.paused);
    else if (problem.code === 'SESSION_ENDED') await this.#options.reload(companions.talkView.endedMeanwhile);
    else if (problem.code === 'TURN_IN_PROGRESS') await this.#options.reload(companions.talkView.elsewhere);
    else this.say(chat.notSent);
  }

  #watch(state: ConnectionState): void {
    const { store } = this.#page;
    if (state.kind === 'waiting') store.update({ reconnecting: true });
    if (state.kind !== 'open' || !this.#live) return;
    store.update({ reconnecting: false });
    this.#live.turnId = state.turn_id;
    if (this.#live.stopWanted) this.#stop();
  }

  #stop(): void {
    if (!this.#live) return;
    this.#live.stopWanted = true;
    this.#composer.setStopping();
    const { turnId } = this.#live;
    if (turnId === null || this.#id === null) return;
    this.#page.client.stop(this.#id, turnId).catch(() => this.#composer.setBusy(this.#live !== null));
  }

  #offerRetry(text: string, { pending, words }: Sent): void {
    if (!pending) return this.say(text);
    const click = () => {
      this.#composer.focusInput();
      void this.#send(pending, words ?? this.#lastWords);
    };
    this.say(text, build('button', { type: 'button', class: 'secondary', on: { click } }, this.#page.texts().retry));
  }

  async #endConversation(): Promise<void> {
    const { talkView } = this.#page.texts().companions;
    const id = this.#id;
    if (id === null) return;
    this.#end.disabled = true;
    fill(this.#end, talkView.ending);
    try {
      await this.#page.client.end(id);
      this.#page.announce(talkView.ended);
      await this.#options.ended(id);
    } catch {
      if (this.lifetime.aborted) return;
      this.#end.disabled = false;
      fill(this.#end, talkView.end);
      this.say(talkView.endFailed);
    }
  }

  /** Looks whether another window went on with the conversation while this one was not looked at. */
  async #lookAgain(): Promise<void> {
    if (document.visibilityState !== 'visible' || this.#live || this.#id === null) return;
    const said = this.#log.querySelectorAll('.message').length - 1;
    const now = await this.#page.client.conversation(this.#id, { signal: this.lifetime }).catch(() => null);
    if (!now || this.#live || this.lifetime.aborted) return;
    if (!now.active || now.active_turn_id !== null || now.exchanges.length > said) await this.#options.reload(null);
  }

  #attach(bubble: Bubble, event: DoneEvent, widgets: readonly WidgetView[]): void {
    const details = technicalDetails(event, this.#page.texts());
    if (details) bubble.attach(details);
    let last: HTMLElement = bubble.element;
    for (const widget of widgets) {
      const item = this.#widgetItem(widget);
      if (last.isConnected) last.after(item);
      else this.#log.append(item);
      last = item;
    }
    this.#scroll.follow();
  }

  #widgetItem(widget: WidgetView): HTMLElement {
    const { client } = this.#page;
    const id = this.#id ?? '';
    const told = <T>(answered: T): T => {
      this.#options.widgetChanged();
      return answered;
    };
    const card = new WidgetCard(this.#page, widget, {
      isOpen: this.#options.view?.active ?? true,
      answer: async (answer) => told(await client.answerWidget(id, widget.id, answer)),
      look: async () => told((await client.conversation(id)).widgets.find((each) => each.id === widget.id) ?? null),
    });
    return build('li', { class: 'widget-item' }, card);
  }

  #add(speaker: 'student' | 'trickster', text: string): Bubble {
    const bubble = new Bubble(speaker, this.#page.texts(), () => companionFace(this.#options.name));
    if (text !== '') bubble.say(text);
    this.#log.append(bubble.element);
    if (speaker === 'student') this.#lastWords = bubble;
    return bubble;
  }
}

/** The server's word is taken for the shape of what it shows. */
function widgetsOf({ widgets = [] }: DoneEvent): readonly WidgetView[] {
  return widgets as readonly WidgetView[];
}
