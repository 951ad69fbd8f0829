import type { Page } from '../app.ts';
import { build, fill } from '../dom.ts';
import { ViewElement } from '../view-element.ts';

/** Says when there is no network, or the line is being mended; nothing while all is well. */
export class ConnectionBanner extends ViewElement {
  readonly #app: Page;

  constructor(app: Page) {
    super();
    this.#app = app;
  }

  connectedCallback(): void {
    this.setAttribute('role', 'status');
    const render = () => this.#render();
    globalThis.addEventListener('online', render, { signal: this.lifetime });
    globalThis.addEventListener('offline', render, { signal: this.lifetime });
    this.#app.store.watch(render, this.lifetime);
    render();
  }

  #render(): void {
    const { connection, chat } = this.#app.texts();
    const mending = this.#app.store.state.reconnecting ? chat.reconnecting : null;
    const text = navigator.onLine ? mending : connection.offline;
    if (this.textContent !== (text ?? '')) fill(this, text !== null && build('p', { class: 'banner' }, text));
  }
}
