import { createClient } from '../../client/client.ts';
import type { Me } from '../../protocol-types.ts';
import { textsOf } from '../../texts/texts.ts';
import type { App } from '../app.ts';
import { fill } from '../dom.ts';
import { fitKeyboard } from '../fit-keyboard.ts';
import { readRoute, type Route, writeRoute } from '../router.ts';
import { PageElement } from '../page-element.ts';
import { JoinForm } from './join-form.ts';
import { LessonList } from './lesson-list.ts';
import { LessonView } from './lesson-view.ts';

/** The student's page: finds out who is here, and shows what the address names. */
export class TricksterApp extends PageElement implements App {
  readonly client = createClient();
  #expired = false;

  override connectedCallback(): void {
    super.connectedCallback();
    globalThis.addEventListener('hashchange', () => this.#render(), { signal: this.lifetime });
    fitKeyboard(this.lifetime);
  }

  override texts() {
    return textsOf(this.store.state.language);
  }

  go(route: Route): void {
    if (location.hash === writeRoute(route)) this.#render();
    else location.hash = writeRoute(route);
  }

  override expire(): void {
    this.#expired = true;
    this.store.update({ me: null });
    this.#render();
  }

  protected override async begin(): Promise<void> {
    try {
      this.store.update({ me: await this.client.me() });
      this.#render();
    } catch {
      this.showUnreachable(null);
    }
  }

  #render(): void {
    const route = readRoute(location.hash);
    const moved = this.place.childElementCount > 0;
    this.store.update({ reconnecting: false });
    this.speak(null);
    fill(this.place, this.#viewOf(route));
    if (moved) this.place.querySelector('h1')?.focus();
  }

  #viewOf(route: Route): HTMLElement {
    const { me } = this.store.state;
    if (!me || route.kind === 'join') return new JoinForm(this, this.#expired, (joined) => this.#joined(joined));
    return route.kind === 'lesson' ? new LessonView(this, route.sessionId) : new LessonList(this);
  }

  #joined(me: Me): void {
    if (this.store.state.me?.user_id !== me.user_id) this.notebook.forgetLearner();
    this.#expired = false;
    this.store.update({ me });
    this.go({ kind: 'lessons' });
  }
}
