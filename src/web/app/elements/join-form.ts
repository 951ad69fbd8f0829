import { ProblemError } from '../../client/problem.ts';
import type { Me } from '../../protocol-types.ts';
import type { App } from '../app.ts';
import { build, fill } from '../dom.ts';
import { tricksterFace } from '../trickster-face.ts';
import { ViewElement } from '../view-element.ts';
import { languageSwitch } from './language-switch.ts';

/** Joins a class by its code. Calls `joined` with who the learner is now. */
export class JoinForm extends ViewElement {
  readonly #app: App;
  readonly #expired: boolean;
  readonly #joined: (me: Me) => void;
  #code = '';
  #name = '';

  constructor(app: App, expired: boolean, joined: (me: Me) => void) {
    super();
    this.#app = app;
    this.#expired = expired;
    this.#joined = joined;
    this.#code = new URLSearchParams(location.search).get('code') ?? '';
  }

  connectedCallback(): void {
    const texts = this.#app.texts();
    this.#app.entitle(texts.join.title);
    const code = build('input', {
      id: 'join-code',
      name: 'code',
      class: 'code-input',
      value: this.#code,
      autocomplete: 'off',
      autocapitalize: 'characters',
      autocorrect: 'off',
      spellcheck: 'false',
      maxlength: 16,
      required: true,
      'aria-describedby': 'join-problem',
      on: { input: () => (this.#code = code.value) },
    });
    const name = build('input', {
      id: 'join-name',
      name: 'display_name',
      value: this.#name,
      autocomplete: 'given-name',
      maxlength: 40,
      'aria-describedby': 'join-name-hint',
      on: { input: () => (this.#name = name.value) },
    });
    const problem = build('p', { id: 'join-problem', class: 'field-problem', role: 'alert' });
    const submit = build('button', { type: 'submit', class: 'primary wide' }, texts.join.submit);
    const send = async () => {
      code.removeAttribute('aria-invalid');
      fill(problem);
      submit.disabled = true;
      const failure = await this.#join(code.value.trim(), name.value.trim()).finally(() => (submit.disabled = false));
      if (failure === null) return;
      fill(problem, failure);
      code.setAttribute('aria-invalid', 'true');
      code.focus();
    };
    const form = build(
      'form',
      {
        novalidate: true,
        class: 'join-fields',
        on: {
          submit(event) {
            event.preventDefault();
            void send();
          },
        },
      },
      build('div', { class: 'field' }, build('label', { for: 'join-code' }, texts.join.code), code, problem),
      build(
        'div',
        { class: 'field' },
        build('label', { for: 'join-name' }, texts.join.name),
        name,
        build('p', { id: 'join-name-hint', class: 'hint' }, texts.join.nameHint),
      ),
      submit,
    );
    fill(
      this,
      build(
        'header',
        { class: 'poster' },
        tricksterFace(),
        build('p', { class: 'poster-name' }, texts.brand),
        build('p', { class: 'poster-line' }, texts.tagline),
      ),
      build(
        'main',
        { class: 'join-main' },
        build('h1', { tabindex: -1 }, texts.join.title),
        build('p', { class: 'lead' }, this.#expired ? texts.join.expired : texts.join.intro),
        form,
        languageSwitch(this.#app, () => this.connectedCallback()),
      ),
    );
  }

  /** What went wrong, in words; null where nothing did. */
  async #join(code: string, name: string): Promise<string | null> {
    const { join, connection } = this.#app.texts();
    if (code === '') return join.codeMissing;
    try {
      await this.#app.client.join(code, name);
      const me = await this.#app.client.me();
      if (!me) return connection.unreachable;
      this.#joined(me);
      return null;
    } catch (error) {
      if (!(error instanceof ProblemError)) return connection.unreachable;
      const seconds = Math.ceil((error.retryAfterMs ?? 60_000) / 1000);
      return error.code === 'RATE_LIMITED' ? this.#app.texts().chat.tooMany(seconds) : join.codeWrong;
    }
  }
}
