const nearTheEnd = 96;
const sideBySide = '(min-width: 64rem)';

/**
 * Scrolling of a conversation: it follows what is new only while the reader is at the end. Which box scrolls depends
 * on the width: the whole on a phone, the conversation alone where it stands beside the material.
 */
export class ChatScroll {
  readonly #root: HTMLElement;
  #atEnd = true;

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  /** Begins to watch where the reader is, until the signal aborts. */
  use(signal: AbortSignal): void {
    const query = matchMedia(sideBySide);
    query.addEventListener('change', () => this.#makeReachable(), { signal });
    this.#root.addEventListener('scroll', () => (this.#atEnd = this.#distance() < nearTheEnd), {
      capture: true,
      signal,
    });
    // A keyboard that slides in, or a long draft, takes room away: whoever was at the end stays there.
    const observer = new ResizeObserver(() => this.follow());
    for (const box of this.#root.querySelectorAll('.chat-body, .chat-talk')) observer.observe(box);
    signal.addEventListener('abort', () => observer.disconnect());
    this.#makeReachable();
    this.#atEnd = this.#distance() < nearTheEnd;
  }

  /** Keeps the end in view if it was. */
  follow(): void {
    if (this.#atEnd) this.toEnd();
  }

  toEnd(): void {
    const box = this.#box();
    if (box) box.scrollTop = box.scrollHeight;
    this.#atEnd = true;
  }

  #distance(): number {
    const box = this.#box();
    return box ? box.scrollHeight - box.scrollTop - box.clientHeight : 0;
  }

  #box(): HTMLElement | null {
    return this.#root.querySelector(matchMedia(sideBySide).matches ? '.chat-talk' : '.chat-body');
  }

  /** What scrolls can be reached with the keyboard. */
  #makeReachable(): void {
    for (const box of this.#root.querySelectorAll('.chat-body, .chat-talk, .material')) box.removeAttribute('tabindex');
    this.#box()?.setAttribute('tabindex', '0');
    if (matchMedia(sideBySide).matches) this.#root.querySelector('.material')?.setAttribute('tabindex', '0');
  }
}
