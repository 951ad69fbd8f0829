import type { Page } from '../app.ts';
import { build, fill } from '../dom.ts';
import { ViewElement } from '../view-element.ts';

export type ComposerCalls = {
  send(message: string): void;
  stop(): void;
  /** The draft changed. */
  keep(draft: string): void;
};

const longestMessage = 8000;
const nearlyLongest = 7500;

/** Where the learner writes. Enter sends where there is a keyboard; on a phone it makes a new line. */
export class MessageComposer extends ViewElement {
  readonly #app: Page;
  readonly #calls: ComposerCalls;
  readonly #input: HTMLTextAreaElement;
  readonly #count = build('p', { class: 'composer-count', id: 'message-count', role: 'status' });
  readonly #send: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  #busy = false;

  constructor(app: Page, draft: string, calls: ComposerCalls) {
    super();
    this.#app = app;
    this.#calls = calls;
    const { chat } = app.texts();
    const hasKeyboard = matchMedia('(hover: hover) and (pointer: fine)').matches;
    this.#input = build('textarea', {
      id: 'message',
      rows: 1,
      placeholder: chat.placeholder,
      enterkeyhint: hasKeyboard ? 'send' : 'enter',
      'aria-describedby': 'message-count',
      on: {
        input: () => {
          this.#calls.keep(this.#input.value);
          this.#measure();
        },
        keydown: (event) => {
          const sends = event.key === 'Enter' && !event.isComposing && !event.shiftKey;
          if (!sends || !(hasKeyboard || event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          this.#submit();
        },
      },
    });
    this.#input.value = draft;
    this.#send = build('button', { type: 'submit', class: 'primary composer-send' }, chat.send);
    this.#stop = build(
      'button',
      {
        type: 'button',
        class: 'secondary composer-stop',
        'aria-label': chat.stopLong,
        hidden: true,
        on: { click: () => this.#calls.stop() },
      },
      build('span', { class: 'stop-mark', 'aria-hidden': 'true' }),
      chat.stop,
    );
  }

  connectedCallback(): void {
    const onSubmit = (event: Event) => {
      event.preventDefault();
      this.#submit();
    };
    fill(
      this,
      build(
        'form',
        { class: 'composer-form', on: { submit: onSubmit } },
        build('label', { for: 'message', class: 'visually-hidden' }, this.#app.texts().chat.message),
        this.#input,
        this.#send,
        this.#stop,
      ),
      this.#count,
    );
    this.#measure();
  }

  /** While a reply is made there is a stop button in the send button's place; writing on is allowed. */
  setBusy(busy: boolean): void {
    const stopHadFocus = document.activeElement === this.#stop;
    this.#busy = busy;
    this.#send.hidden = busy;
    this.#stop.hidden = !busy;
    if (!busy) this.#stop.disabled = false;
    if (stopHadFocus && !busy) this.#input.focus();
    this.#measure();
  }

  setStopping(): void {
    this.#stop.disabled = true;
  }

  /** Closes the composer while the lesson is paused. */
  setPaused(paused: boolean): void {
    this.#input.disabled = paused;
    this.#send.disabled = paused;
  }

  /** Puts words back that were not sent, before whatever was written since. */
  restore(message: string): void {
    const since = this.#input.value.trim();
    this.#input.value = since === '' || since === message ? message : `${message}\n\n${since}`;
    this.#calls.keep(this.#input.value);
    this.#measure();
  }

  focusInput(): void {
    this.#input.focus();
  }

  #submit(): void {
    const message = this.#input.value.trim();
    if (this.#busy || this.#input.disabled || message === '' || message.length > longestMessage) return;
    this.#input.value = '';
    this.#calls.keep('');
    this.#measure();
    this.#calls.send(message);
  }

  /** Fits the box to its text, and counts what is left once that is little. */
  #measure(): void {
    const { chat } = this.#app.texts();
    this.#input.style.height = 'auto';
    this.#input.style.height = `${this.#input.scrollHeight + 2}px`;
    const { length } = this.#input.value.trim();
    const over = length - longestMessage;
    this.#count.classList.toggle('over', over > 0);
    this.#input.setAttribute('aria-invalid', String(over > 0));
    fill(this.#count, length < nearlyLongest ? null : over > 0 ? chat.over(over) : chat.left(-over));
  }
}
