import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import { ProblemError, isSignedOut } from '../client/problem.ts';
import { type MinePage, type Reader, whyNot } from './mine-page.ts';

const fileName = 'trickster-export.json';
/** How long the browser may take to begin to keep the file. */
const keepMs = 60_000;

/** Everything held about the caller, as a file to take along. */
export class CopySection extends ViewElement {
  readonly #page: MinePage;
  readonly #reader: Reader;
  readonly #heading = build('h2', { id: 'copy' });
  readonly #holds = build('p');
  readonly #format = build('p', { class: 'hint' });
  readonly #status = build('p', { class: 'saved', role: 'status' });
  readonly #problem = build('p', { class: 'field-problem', role: 'alert' });
  readonly #button: HTMLButtonElement;
  #isGathering = false;

  constructor(page: MinePage, reader: Reader) {
    super();
    this.#page = page;
    this.#reader = reader;
    const click = () => void (this.#isGathering || this.#download());
    this.#button = build('button', { type: 'button', class: 'primary', on: { click } });
  }

  connectedCallback(): void {
    fill(
      this,
      build(
        'section',
        { class: 'part', 'aria-labelledby': 'copy' },
        this.#heading,
        this.#holds,
        this.#format,
        build('div', { class: 'part-way' }, this.#button, this.#status, this.#problem),
      ),
    );
  }

  speak(): void {
    const { copy } = this.#page.texts().mine;
    fill(this.#heading, copy.title);
    fill(this.#holds, copy.holds[this.#reader]);
    fill(this.#format, copy.format);
    fill(this.#button, copy.download);
    this.#say('', '');
  }

  async #download(): Promise<void> {
    const { copy } = this.#page.texts().mine;
    this.#isGathering = true;
    this.#say(copy.gathering, '');
    try {
      handOver(await this.#page.client.export({ signal: this.lifetime }));
      this.#say(this.#page.texts().mine.copy.done(fileName), '');
    } catch (error) {
      if (this.lifetime.aborted) return;
      if (isSignedOut(error)) return this.#page.expire();
      this.#say('', this.#whyNot(error));
    } finally {
      this.#isGathering = false;
    }
  }

  #whyNot(error: unknown): string {
    const { copy } = this.#page.texts().mine;
    if (!(error instanceof ProblemError) || error.status !== 429) return whyNot(copy);
    return copy.tooMany(Math.max(1, Math.ceil((error.retryAfterMs ?? keepMs) / 1000)));
  }

  #say(status: string, problem: string): void {
    fill(this.#status, status);
    fill(this.#problem, problem);
  }
}

/** Has the browser keep the file, as it keeps any download. */
function handOver(file: Blob): void {
  const href = URL.createObjectURL(file);
  build('a', { href, download: fileName }).click();
  setTimeout(() => URL.revokeObjectURL(href), keepMs);
}
