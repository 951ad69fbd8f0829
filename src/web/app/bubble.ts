import type { Texts } from '../texts/texts.ts';
import { build, fill } from './dom.ts';
import { Prose } from './prose.ts';
import { tricksterFace } from './trickster-face.ts';

export type Speaker = 'student' | 'trickster';

/** One message of a conversation, as a list item; it may still be growing. */
export class Bubble {
  readonly element: HTMLLIElement;
  readonly #texts: Texts;
  readonly #prose = new Prose();
  readonly #notes = build('div', { class: 'bubble-notes' });
  readonly #more = build('div', { class: 'bubble-more' });
  readonly #writing: HTMLElement;
  #text = '';

  /** `face` is shown beside what the character says. */
  constructor(speaker: Speaker, texts: Texts, face: () => Element = tricksterFace) {
    this.#texts = texts;
    this.#writing = build(
      'p',
      { class: 'writing', hidden: true },
      build('span', { class: 'visually-hidden' }, texts.chat.writing),
    );
    this.#writing.append(...[0, 1, 2].map(() => build('span', { class: 'writing-dot', 'aria-hidden': 'true' })));
    const name = speaker === 'student' ? texts.chat.you : texts.chat.trickster;
    this.element = build(
      'li',
      { class: `message from-${speaker}` },
      speaker === 'trickster' && face(),
      build(
        'div',
        { class: 'bubble' },
        build('p', { class: 'visually-hidden' }, `${name}:`),
        this.#prose.element,
        this.#writing,
        this.#notes,
        this.#more,
      ),
    );
  }

  get text(): string {
    return this.#text;
  }

  /** Shows `text` in place of what was there. */
  say(text: string): void {
    this.#text = text;
    this.#prose.set(text);
    this.#writing.hidden = this.#writing.hidden || text !== '';
  }

  /** Shows that a reply is being made, until there is some of it. */
  startWriting(): void {
    this.#writing.hidden = false;
    this.element.classList.add('is-writing');
  }

  stopWriting(): void {
    this.#writing.hidden = true;
    this.element.classList.remove('is-writing');
  }

  /** Throws away what was shown and shows `fallback`, saying calmly that something was taken back. */
  withdraw(fallback: string): void {
    this.say(fallback);
    this.note(this.#texts.chat.redacted);
    this.element.classList.add('withdrawn');
  }

  /** A line below the message: what became of it, and perhaps a way on. */
  note(text: string, action?: HTMLElement): void {
    fill(this.#notes, build('p', {}, text), action);
  }

  /** What belongs to the message and is no part of its text. */
  attach(...more: HTMLElement[]): void {
    fill(this.#more, more);
  }

  clearNotes(): void {
    fill(this.#notes);
  }
}
