import { ProblemError } from '../../client/problem.ts';
import type { BlockView, InvestigationInteraction, SearchProgress, SessionView } from '../../protocol-types.ts';
import type { App } from '../app.ts';
import { searchResult } from '../blocks/search-result.ts';
import { textField } from '../blocks/fields.ts';
import { build, fill } from '../dom.ts';
import { ViewElement } from '../view-element.ts';
import type { LessonSteps } from './lesson-steps.ts';

/** An investigation: a search box, what one could search for, and everything found so far, newest first. */
export class SearchView extends ViewElement {
  readonly #app: App;
  readonly #view: SessionView;
  readonly #steps: LessonSteps;
  readonly #target: string;
  #progress: SearchProgress;
  readonly #suggestions = build('div', { class: 'suggestions' });
  readonly #findings = build('div', { class: 'findings' });
  readonly #status = build('p', { class: 'hint' });
  readonly #results = build('div', { class: 'results' });
  readonly #input: HTMLInputElement;
  readonly #submit: HTMLButtonElement;

  constructor(app: App, view: SessionView, interaction: InvestigationInteraction, steps: LessonSteps) {
    super();
    this.#app = app;
    this.#view = view;
    this.#steps = steps;
    this.#target = interaction.submit_target;
    this.#progress = interaction;
    const { search } = app.texts();
    this.#input = build('input', {
      id: 'search-words',
      type: 'search',
      autocomplete: 'off',
      maxlength: 500,
      disabled: view.frozen,
    });
    this.#submit = build('button', { type: 'submit', class: 'secondary', disabled: view.frozen }, search.submit);
  }

  connectedCallback(): void {
    const { search } = this.#app.texts();
    const onSubmit = (event: Event) => {
      event.preventDefault();
      const query = this.#input.value.trim();
      if (query !== '') void this.#search(query);
    };
    fill(
      this,
      build(
        'form',
        { role: 'search', class: 'search-form', on: { submit: onSubmit } },
        build('label', { for: 'search-words' }, search.label),
        build('div', { class: 'search-row' }, this.#input, this.#submit),
      ),
      this.#suggestions,
      this.#status,
      this.#findings,
      this.#results,
    );
    const found = this.#view.content.filter((block) => block.type === 'search_result');
    for (const query of this.#progress.searched_queries) {
      const results = found.filter((block) => sameWords(textField(block, 'query'), query));
      if (results.length > 0) this.#showResults(query, results);
    }
    this.#showProgress();
  }

  async #search(query: string): Promise<void> {
    const { search } = this.#app.texts();
    this.#submit.disabled = true;
    fill(this.#status, search.searching);
    try {
      const answer = await this.#app.client.investigate(this.#view.session_id, query, { signal: this.lifetime });
      this.#progress = answer;
      this.#input.value = '';
      fill(this.#status, answer.results.length === 0 && search.nothing);
      if (answer.results.length > 0) this.#showResults(query, answer.results);
      this.#showProgress();
      const { key_findings_found: keys, min_key_findings: needed, results } = answer;
      const found = `${search.found(query, results.length)}. ${search.findings(keys, needed)}`;
      this.#app.announce(results.length === 0 ? search.nothing : found);
      // The button that was pressed may be gone: the reader goes on at the results.
      this.#results.querySelector('h3')?.focus();
    } catch (error) {
      if (this.lifetime.aborted) return;
      fill(this.#status, search.failed);
      this.#app.announce(search.failed);
      if (error instanceof ProblemError) await this.#steps.recover(error);
    } finally {
      this.#submit.disabled = this.#view.frozen;
    }
  }

  #showResults(query: string, results: readonly BlockView[]): void {
    for (const group of this.#results.children) {
      if (group instanceof HTMLElement && sameWords(group.dataset['query'] ?? '', query)) group.remove();
    }
    const { search } = this.#app.texts();
    this.#results.prepend(
      build(
        'section',
        { class: 'result-group', 'data-query': query },
        build('h3', { tabindex: -1 }, search.resultsFor(query)),
        results.map(searchResult),
      ),
    );
  }

  #showProgress(): void {
    const { search } = this.#app.texts();
    const {
      available_queries: available,
      searched_queries: searched,
      key_findings_found: keys,
      min_key_findings: needed,
    } = this.#progress;
    const open = available.filter((query) => !searched.some((other) => sameWords(other, query)));
    const suggest = (query: string) =>
      build(
        'button',
        { type: 'button', class: 'chip', disabled: this.#view.frozen, on: { click: () => void this.#search(query) } },
        query,
      );
    const finish = build(
      'button',
      {
        type: 'button',
        class: 'primary',
        disabled: this.#view.frozen || !this.#progress.can_submit,
        on: { click: () => void this.#steps.choose({ targetPhase: this.#target }) },
      },
      search.finish,
    );
    fill(
      this.#suggestions,
      open.length > 0 && [
        build('p', { id: 'suggestions-title', class: 'label' }, search.suggestions),
        build(
          'ul',
          { role: 'list', 'aria-labelledby': 'suggestions-title' },
          open.map((query) => build('li', {}, suggest(query))),
        ),
      ],
    );
    fill(
      this.#findings,
      needed > 0 && build('p', { class: 'findings-count' }, search.findings(Math.min(keys, needed), needed)),
      this.#progress.can_submit && build('p', { class: 'hint' }, search.enough),
      finish,
    );
  }
}

function sameWords(one: string, other: string): boolean {
  const plain = (text: string) => text.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase();
  return plain(one) === plain(other);
}
