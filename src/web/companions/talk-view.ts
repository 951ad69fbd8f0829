import type { Bubble } from '../app/bubble.ts';
import { ChatScroll } from '../app/chat-scroll.ts';
import { Dialogue } from '../app/dialogue.ts';
import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import type { DoneEvent } from '../client/turn-event.ts';
import type { ConversationView, WidgetView } from '../protocol-types.ts';
import { companionFace } from './companion-face.ts';
import type { CompanionPage } from './companion-page.ts';
import { isSignedOut, type ProblemError } from '../client/problem.ts';
import { endedNote, rememberedLine } from './ended-note.ts';
import type { About } from './place.ts';
import { recallReplies } from './recall-replies.ts';
import { technicalDetails } from './technical-details.ts';
import { WidgetCard } from './widget-card.ts';

export type TalkOptions = {
  name: string;
  language: string;
  /** Null while nothing was said: the conversation begins with the first message. */
  view: ConversationView | null;
  greeting: string;
  cartridgeId: string;
  about: About;
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

/** A conversation with a companion: what was said, what was shown to confirm, and where to write. */
export class TalkView extends ViewElement {
  readonly #page: CompanionPage;
  readonly #options: TalkOptions;
  readonly #foot = build('div', { class: 'chat-foot' });
  readonly #scroll: ChatScroll;
  readonly #dialogue: Dialogue;
  readonly #end: HTMLButtonElement;
  readonly #note = build('p', { class: 'chat-note' });

  constructor(page: CompanionPage, options: TalkOptions) {
    super();
    this.#page = page;
    this.#options = options;
    const { cartridgeId } = options;
    const { learnerId, projectId } = options.about;
    this.#scroll = new ChatScroll(this);
    this.#dialogue = new Dialogue({
      page,
      client: page.client,
      view: this,
      scroll: this.#scroll,
      sessionId: options.view?.id ?? null,
      draftKey: [page.store.state.me?.user_id, cartridgeId, learnerId ?? projectId ?? ''].join('.'),
      face: () => companionFace(options.name),
      calls: {
        begin: () => this.#begin(),
        turned: (isLive) => {
          this.#end.hidden = isLive;
        },
        answered: options.answered,
        done: (event, bubble) => this.#attach(bubble, event, widgetsOf(event)),
        refused: (problem) => this.#refused(problem),
      },
    });
    this.#end = build(
      'button',
      { type: 'button', class: 'quiet', on: { click: () => void this.#endConversation() } },
      page.texts().companions.talkView.end,
    );
  }

  get conversationId(): string | null {
    return this.#dialogue.sessionId;
  }

  connectedCallback(): void {
    const { view, greeting, language } = this.#options;
    const { log } = this.#dialogue;
    const texts = this.#page.texts();
    log.setAttribute('aria-label', texts.chat.conversation);
    log.lang = view?.language ?? language;
    fill(this, build('div', { class: 'chat-body' }, build('div', { class: 'chat-talk' }, log)), this.#foot);
    // It is made of what is remembered now; of a conversation that is over it would tell what came after.
    if (view?.active !== false) this.#dialogue.add('trickster', greeting);
    const bubbles = new Map<string, Bubble>();
    for (const { role, content, redacted, turn_id: turnId } of view?.exchanges ?? []) {
      const bubble = this.#dialogue.add(role === 'user' ? 'student' : 'trickster', content);
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
  say(text: string): void {
    this.#dialogue.say(text);
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
    fill(this.#foot, this.#dialogue.composer, build('div', { class: 'talk-note' }, this.#note, this.#end));
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
    for (const widget of left.values()) this.#dialogue.log.append(this.#widgetItem(widget));
    this.#scroll.follow();
  }

  #resume({ active_turn_id: turnId, exchanges }: ConversationView): void {
    const last = exchanges.at(-1);
    this.#dialogue.resume({
      turnId,
      unanswered: last?.role === 'user' ? last.content : null,
      exchanges,
    });
  }

  async #begin(): Promise<string | null> {
    try {
      const begun = await this.#options.begin();
      this.#sayWhoAnswers(begun);
      return begun.id;
    } catch (error) {
      if (isSignedOut(error)) this.#page.expire();
      else if (!this.lifetime.aborted) this.say(this.#page.texts().companions.talkView.beginFailed);
      return null;
    }
  }

  async #refused({ status, code }: ProblemError): Promise<boolean> {
    const { talkView } = this.#page.texts().companions;
    if (status === 401) this.#page.expire();
    else if (code === 'SESSION_FROZEN') this.say(talkView.paused);
    else if (code === 'SESSION_ENDED') await this.#options.reload(talkView.endedMeanwhile);
    else if (code === 'TURN_IN_PROGRESS') await this.#options.reload(talkView.elsewhere);
    else return false;
    return true;
  }

  async #endConversation(): Promise<void> {
    const { talkView } = this.#page.texts().companions;
    const id = this.#dialogue.sessionId;
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
    const id = this.#dialogue.sessionId;
    if (document.visibilityState !== 'visible' || this.#dialogue.isLive || id === null) return;
    const said = this.#dialogue.log.querySelectorAll('.message').length - 1;
    const now = await this.#page.client.conversation(id, { signal: this.lifetime }).catch(() => null);
    if (!now || this.#dialogue.isLive || this.lifetime.aborted) return;
    if (!now.active || now.active_turn_id !== null || now.exchanges.length > said) await this.#options.reload(null);
  }

  #attach(bubble: Bubble, event: DoneEvent, widgets: readonly WidgetView[]): void {
    const details = technicalDetails(event, this.#page.texts());
    if (details) bubble.attach(details);
    let last: HTMLElement = bubble.element;
    for (const widget of widgets) {
      const item = this.#widgetItem(widget);
      if (last.isConnected) last.after(item);
      else this.#dialogue.log.append(item);
      last = item;
    }
    this.#scroll.follow();
  }

  #widgetItem(widget: WidgetView): HTMLElement {
    const { client } = this.#page;
    const id = this.#dialogue.sessionId ?? '';
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
}

/** The server's word is taken for the shape of what it shows. */
function widgetsOf({ widgets = [] }: DoneEvent): readonly WidgetView[] {
  return widgets as readonly WidgetView[];
}
