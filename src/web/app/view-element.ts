/** A custom element whose work (listeners, requests, timers) ends when it leaves the page. */
export abstract class ViewElement extends HTMLElement {
  readonly #lifetime = new AbortController();

  /** Aborted when the element leaves the page. */
  get lifetime(): AbortSignal {
    return this.#lifetime.signal;
  }

  disconnectedCallback(): void {
    this.#lifetime.abort();
  }
}
