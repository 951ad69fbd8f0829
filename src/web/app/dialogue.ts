import type { Client } from '../client/client.ts';
import type { ProblemError } from '../client/problem.ts';
import { newMessageId } from '../client/surroundings.ts';
import type { DoneEvent, TurnEvent } from '../client/turn-event.ts';
import type { ConnectionState, StreamOptions } from '../client/turn-stream.ts';
import type { Page } from './app.ts';
import { Bubble, type Speaker } from './bubble.ts';
import type { ChatScroll } from './chat-scroll.ts';
import { build } from './dom.ts';
import { MessageComposer } from './elements/message-composer.ts';
import type { PendingMessage } from './notebook.ts';
import { playTurn, type TurnEnd } from './play-turn.ts';
import type { ViewElement } from './view-element.ts';

export type DialogueOptions = {
  page: Page;
  client: Pick<Client, 'respond' | 'follow' | 'stop'>;
  /** The element it is part of: its work ends with that. */
  view: ViewElement;
  scroll: ChatScroll;
  /** Whose conversation it is; null until the first message begins one. */
  sessionId: string | null;
  /** What the draft is kept under. */
  draftKey: string;
  face?: () => Element;
  calls: DialogueCalls;
};

/** What the view around it does. */
export type DialogueCalls = {
  /** Begins a conversation and gives its id; null where that failed, of which the reader has been told. */
  begin?: () => Promise<string | null>;
  /** A reply begins to be made, or has ended. */
  turned?: (isLive: boolean) => void;
  /** Something was said and answered, also by a fallback. */
  answered?: () => void;
  done: (event: DoneEvent, bubble: Bubble) => void;
  /** A message was not taken, and its words are where they were written; true where the reader is told why. */
  refused: (problem: ProblemError) => Promise<boolean>;
};

type Sent = { pending: PendingMessage | null; words: Bubble | null };

/** Where a page cut into a conversation: the live reply, or what was said last and has no reply. */
export type Interrupted = {
  turnId: string | null;
  unanswered: string | null;
  /** What the server has of the conversation: a message that is not there goes back to where it was written. */
  exchanges: readonly { content: string }[];
};

/**
 * What was said and where to write: sends, shows the reply as it comes, stops it, and offers to try again whatever was
 * lost. A message is kept in the notebook until its turn has ended, so that a reload sends the same one again.
 */
export class Dialogue {
  readonly log = build('ol', { class: 'log', role: 'list' });
  readonly composer: MessageComposer;
  readonly #options: DialogueOptions;
  #sessionId: string | null;
  /** The live turn: its id once the server has named it, and whether the reader wants it stopped. */
  #live: { turnId: string | null; stopWanted: boolean } | null = null;
  #lastWords: Bubble | null = null;

  constructor(options: DialogueOptions) {
    this.#options = options;
    this.#sessionId = options.sessionId;
    const { page, draftKey } = options;
    this.composer = new MessageComposer(page, page.notebook.draft(draftKey), {
      send: (message) => void this.#send({ message, clientMessageId: newMessageId() }, null),
      stop: () => this.#stop(),
      keep: (draft) => page.notebook.keepDraft(draftKey, draft),
    });
  }

  get sessionId(): string | null {
    return this.#sessionId;
  }

  /** Whether a reply is being made. */
  get isLive(): boolean {
    return this.#live !== null;
  }

  /** One more message at the end. */
  add(speaker: Speaker, text: string): Bubble {
    const bubble = new Bubble(speaker, this.#options.page.texts(), this.#options.face);
    if (text !== '') bubble.say(text);
    this.log.append(bubble.element);
    if (speaker === 'student') this.#lastWords = bubble;
    return bubble;
  }

  /** A line of the page's own in the conversation. */
  say(text: string, action?: HTMLElement): void {
    this.log.append(build('li', { class: 'notice' }, build('p', {}, text), action));
    this.#options.page.announce(text);
    this.#options.scroll.toEnd();
  }

  /** Goes on where a reload cut in: the live reply, or a message that has no reply yet. */
  resume({ turnId, unanswered, exchanges }: Interrupted): void {
    const { page, client } = this.#options;
    const sessionId = this.#sessionId;
    if (sessionId === null) return;
    const pending = page.notebook.pending(sessionId);
    if (turnId !== null)
      void this.#play((options) => client.follow(sessionId, turnId, options), { pending, words: null });
    else if (pending && unanswered === pending.message)
      this.#offerRetry(page.texts().chat.interrupted, { pending, words: null });
    else if (pending) {
      page.notebook.keepPending(sessionId, null);
      if (!exchanges.some(({ content }) => content === pending.message)) this.composer.restore(pending.message);
    }
  }

  async #send(pending: PendingMessage, shown: Bubble | null): Promise<void> {
    const { client, page, scroll } = this.#options;
    for (const notice of this.log.querySelectorAll('.notice')) notice.remove();
    const words = shown ?? this.add('student', pending.message);
    words.clearNotes();
    scroll.toEnd();
    const sessionId = this.#sessionId ?? (await this.#begin(pending, words));
    if (sessionId === null) return;
    page.notebook.keepPending(sessionId, pending);
    await this.#play((options) => client.respond(sessionId, pending, options), { pending, words });
  }

  async #begin(pending: PendingMessage, words: Bubble): Promise<string | null> {
    this.composer.setBusy(true);
    const begun = (await this.#options.calls.begin?.()) ?? null;
    this.composer.setBusy(false);
    if (this.#options.view.lifetime.aborted) return null;
    this.#sessionId = begun;
    if (begun !== null) return begun;
    words.element.remove();
    this.composer.restore(pending.message);
    return null;
  }

  async #play(open: (options: StreamOptions) => AsyncIterable<TurnEvent>, sent: Sent): Promise<void> {
    const { page, view, scroll, calls } = this.#options;
    const { chat } = page.texts();
    this.#live = { turnId: null, stopWanted: false };
    this.composer.setBusy(true);
    calls.turned?.(true);
    const bubble = this.add('trickster', '');
    const signal = view.lifetime;
    const events = open({ signal, onConnection: (state) => this.#watch(state) });
    const end = await playTurn(events, bubble, { signal, onShown: () => scroll.follow() });
    if (end.kind === 'left') return;
    this.#live = null;
    page.store.update({ reconnecting: false });
    this.composer.setBusy(false);
    calls.turned?.(false);
    if (end.kind === 'done' || end.kind === 'redacted') {
      this.#forgetPending();
      page.announce(`${chat.trickster}: ${bubble.text.trim()}`);
      calls.answered?.();
    } else bubble.element.remove();
    await this.#settle(end, bubble, sent);
    scroll.follow();
  }

  async #settle(end: TurnEnd, bubble: Bubble, sent: Sent): Promise<void> {
    const { chat } = this.#options.page.texts();
    if (end.kind === 'done') {
      if (end.event.stopped) bubble.note(chat.stopped);
      if (bubble.text === '') bubble.element.remove();
      this.#options.calls.done(end.event, bubble);
    } else if (end.kind === 'failed' && end.retryable) {
      this.#offerRetry(end.code === 'INTERRUPTED' ? chat.interrupted : chat.failed, sent);
    } else if (end.kind === 'failed') {
      this.#forgetPending();
      this.say(chat.failed);
    } else if (end.kind === 'lost') this.#offerRetry(chat.lost, sent);
    else if (end.kind === 'refused') await this.#refused(end.problem, sent);
  }

  async #refused(problem: ProblemError, { pending, words }: Sent): Promise<void> {
    const { chat } = this.#options.page.texts();
    if (problem.status >= 500) return this.#offerRetry(chat.failed, { pending, words });
    // What was refused was not kept by the server: the words go back to where they were written.
    words?.element.remove();
    this.#forgetPending();
    if (pending) this.composer.restore(pending.message);
    if (problem.code === 'RATE_LIMITED') this.say(chat.tooMany(Math.ceil((problem.retryAfterMs ?? 60_000) / 1000)));
    else if (!(await this.#options.calls.refused(problem))) this.say(chat.notSent);
  }

  #forgetPending(): void {
    if (this.#sessionId !== null) this.#options.page.notebook.keepPending(this.#sessionId, null);
  }

  #watch(state: ConnectionState): void {
    const { store } = this.#options.page;
    if (state.kind === 'waiting') store.update({ reconnecting: true });
    if (state.kind !== 'open' || !this.#live) return;
    store.update({ reconnecting: false });
    this.#live.turnId = state.turn_id;
    if (this.#live.stopWanted) this.#stop();
  }

  #stop(): void {
    if (!this.#live) return;
    this.#live.stopWanted = true;
    this.composer.setStopping();
    const { turnId } = this.#live;
    if (turnId === null || this.#sessionId === null) return;
    this.#options.client.stop(this.#sessionId, turnId).catch(() => this.composer.setBusy(this.#live !== null));
  }

  #offerRetry(text: string, { pending, words }: Sent): void {
    if (!pending) return this.say(text);
    const click = () => {
      this.composer.focusInput();
      void this.#send(pending, words ?? this.#lastWords);
    };
    const { retry } = this.#options.page.texts();
    this.say(text, build('button', { type: 'button', class: 'secondary', on: { click } }, retry));
  }
}
