import type { TurnEvent } from '../../client/turn-event.ts';
import type { StreamOptions } from '../../client/turn-stream.ts';
import type { ExchangeView, SessionView } from '../../protocol-types.ts';
import type { App } from '../app.ts';
import { Bubble } from '../bubble.ts';
import { build, fill } from '../dom.ts';
import { forgottenNotice, keptWords } from '../kept-words.ts';
import { playTurn } from '../play-turn.ts';
import { prose } from '../prose.ts';
import { writeRoute } from '../router.ts';
import { tricksterFace } from '../trickster-face.ts';
import { ViewElement } from '../view-element.ts';
import type { LessonSteps } from './lesson-steps.ts';

/** A lesson's end: how it came out, the Trickster without the mask, and what to take along. */
export class RevealView extends ViewElement {
  readonly #app: App;
  readonly #view: SessionView;
  readonly #steps: LessonSteps;
  readonly #debrief = build('section', { class: 'debrief' });

  constructor(app: App, view: SessionView, steps: LessonSteps) {
    super();
    this.#app = app;
    this.#view = view;
    this.#steps = steps;
  }

  connectedCallback(): void {
    const { reveal } = this.#app.texts();
    const lesson = this.#view.reveal;
    const resources = (lesson?.additional_resources ?? []).flatMap((resource) => resourceItem(resource) ?? []);
    fill(
      this,
      this.#debrief,
      lesson && build('section', { class: 'key-lesson' }, build('h3', {}, reveal.keyLesson), prose(lesson.key_lesson)),
      resources.length > 0 &&
        build('section', { class: 'resources' }, build('h3', {}, reveal.resources), build('ul', {}, resources)),
      this.#earlier(),
      build(
        'div',
        { class: 'onward' },
        build('a', { class: 'primary button', href: writeRoute({ kind: 'lessons' }) }, reveal.done),
        build(
          'button',
          { type: 'button', class: 'secondary', on: { click: () => void this.#steps.restart() } },
          reveal.again,
        ),
      ),
    );
    this.#openDebrief();
  }

  #openDebrief(): void {
    const { session_id: sessionId, active_turn_id: turnId, available_actions: actions } = this.#view;
    const given = this.#view.exchanges.find((exchange) => this.#isDebrief(exchange));
    if (turnId !== null) void this.#play((options) => this.#app.client.follow(sessionId, turnId, options));
    else if (given) this.#showGiven(given);
    else if (actions.includes('debrief')) this.#offer();
    else this.#debrief.remove();
  }

  #isDebrief(exchange: ExchangeView): boolean {
    return exchange.role === 'trickster' && exchange.phase === this.#view.current_phase;
  }

  #showGiven(given: ExchangeView): void {
    if (given.content === '') {
      const { reveal, chat } = this.#app.texts();
      const log = build('ol', { class: 'log', role: 'list' }, forgottenNotice(chat.forgotten));
      return fill(this.#debrief, build('h3', { tabindex: -1 }, reveal.debrief), log);
    }
    const bubble = this.#bubble();
    bubble.say(given.content);
    if (given.redacted) bubble.withdraw(given.content);
  }

  #offer(): void {
    const { reveal } = this.#app.texts();
    const ask = build(
      'button',
      { type: 'button', class: 'primary', disabled: this.#view.frozen, on: { click: () => void this.#ask() } },
      reveal.ask,
    );
    fill(this.#debrief, build('p', { class: 'lead' }, reveal.askHint), ask);
  }

  async #ask(): Promise<void> {
    await this.#play((options) => this.#app.client.debrief(this.#view.session_id, options));
  }

  async #play(open: (options: StreamOptions) => AsyncIterable<TurnEvent>): Promise<void> {
    const { chat, reveal, retry } = this.#app.texts();
    const bubble = this.#bubble();
    this.#debrief.querySelector('h3')?.focus();
    const onConnection: StreamOptions['onConnection'] = (state) => {
      if (state.kind === 'waiting') this.#app.store.update({ reconnecting: true });
      if (state.kind === 'open') this.#app.store.update({ reconnecting: false });
    };
    const end = await playTurn(open({ signal: this.lifetime, onConnection }), bubble, {
      signal: this.lifetime,
      onShown: () => {},
    });
    if (end.kind === 'left') return;
    this.#app.store.update({ reconnecting: false });
    if (end.kind === 'done' || end.kind === 'redacted')
      return this.#app.announce(`${chat.trickster}: ${bubble.text.trim()}`);
    if (end.kind === 'refused' && end.problem.status < 500 && end.problem.code !== 'RATE_LIMITED') {
      return this.#steps.recover(end.problem);
    }
    const again = build('button', { type: 'button', class: 'secondary', on: { click: () => void this.#ask() } }, retry);
    bubble.note(end.kind === 'lost' ? chat.lost : chat.failed, again);
    this.#app.announce(reveal.debrief);
  }

  #bubble(): Bubble {
    const { reveal } = this.#app.texts();
    const bubble = new Bubble('trickster', this.#app.texts(), () => tricksterFace('off'));
    const log = build('ol', { class: 'log', role: 'list', lang: this.#view.language }, bubble.element);
    fill(this.#debrief, build('h3', { tabindex: -1 }, reveal.debrief), log);
    return bubble;
  }

  /** Everything that was said on the way, for looking back. */
  #earlier(): HTMLElement | null {
    const texts = this.#app.texts();
    const { said, isForgotten } = keptWords(this.#view.exchanges.filter((exchange) => !this.#isDebrief(exchange)));
    if (said.length === 0 && !isForgotten) return null;
    const items = said.map(({ role, content, redacted }) => {
      const bubble = new Bubble(role === 'student' ? 'student' : 'trickster', texts);
      bubble.say(content);
      if (redacted) bubble.withdraw(content);
      return bubble.element;
    });
    const log = build('ol', { class: 'log', role: 'list', lang: this.#view.language }, items);
    if (isForgotten) log.prepend(forgottenNotice(texts.chat.forgotten));
    return build('details', { class: 'earlier' }, build('summary', {}, texts.chat.earlier), log);
  }
}

/** A resource as authored: a text, or an object with a title and an address. Only web addresses become links. */
function resourceItem(resource: unknown): HTMLElement | null {
  if (typeof resource === 'string') return build('li', {}, linked(resource, webAddress(resource)));
  if (typeof resource !== 'object' || resource === null) return null;
  const field = (name: string): string => {
    const value: unknown = Reflect.get(resource, name);
    return typeof value === 'string' ? value : '';
  };
  const address = webAddress(field('url'));
  const title = field('title') || field('url');
  const more = field('description');
  return title === ''
    ? null
    : build('li', {}, linked(title, address), more !== '' && build('p', { class: 'hint' }, more));
}

function linked(text: string, address: string | null): HTMLElement | string {
  return address === null ? text : build('a', { href: address, rel: 'noopener noreferrer', target: '_blank' }, text);
}

function webAddress(text: string): string | null {
  return /^https?:\/\/\S+$/u.test(text) ? text : null;
}
