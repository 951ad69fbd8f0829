import type { App } from '../app.ts';
import { build, fill } from '../dom.ts';
import { ViewElement } from '../view-element.ts';

/** Says when there is no network, or the line is being mended; nothing while all is well. */
export class ConnectionBanner extends ViewElement {
  readonly #app: App;

  constructor(app: App) {
    super();
    this.#app = app;
  }

  connectedCallback(): void {
    this.setAttribute('role', 'status');
    const tell = () => this.#app.store.update({ trouble: navigator.onLine ? null : 'offline' });
    globalThis.addEventListener('online', tell, { signal: this.lifetime });
    globalThis.addEventListener('offline', tell, { signal: this.lifetime });
    this.#app.store.watch(() => this.#render(), this.lifetime);
    tell();
  }

  #render(): void {
    const { trouble } = this.#app.store.state;
    const { connection, chat } = this.#app.texts();
    const text = trouble === 'offline' || !navigator.onLine ? connection.offline : chat.reconnecting;
    fill(this, trouble !== null && build('p', { class: 'banner' }, text));
  }
}
