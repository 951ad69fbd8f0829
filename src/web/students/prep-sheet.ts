import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import { ProblemError } from '../client/problem.ts';
import { dayAndTime } from '../app/when.ts';
import type { ObjectivesView, StudentView } from '../protocol-types.ts';
import type { StudentPage } from './student-page.ts';

const lookMs = 2_000;
/** A minute: the work waits for its turn, and the model for its. */
const looks = 30;

type Companion = StudentView['companions'][number];
type Status = 'quiet' | 'onItsWay' | 'isNew' | 'late' | 'failed' | 'signedOut';

/** What the companions mean to bring up with a student, and a way to have it made anew. */
export class PrepSheet extends ViewElement {
  readonly #page: StudentPage;
  readonly #student: StudentView;
  readonly #title = build('h2', { id: 'sheet-title', tabindex: -1 });
  readonly #hint = build('p', { class: 'hint' });
  readonly #content = build('div', { class: 'sheets' });
  readonly #status = build('p', { class: 'sheet-status', role: 'status' });
  readonly #button = build('button', { type: 'button', class: 'secondary', on: { click: () => void this.#act() } });
  /** Null before they were seen. */
  #items: ObjectivesView[] | null = null;
  #now: Status = 'quiet';
  #watching = 0;

  constructor(page: StudentPage, student: StudentView) {
    super();
    this.#page = page;
    this.#student = student;
  }

  connectedCallback(): void {
    fill(
      this,
      build(
        'section',
        { class: 'panel', 'aria-labelledby': 'sheet-title' },
        this.#title,
        this.#hint,
        this.#content,
        build('div', { class: 'sheet-foot' }, this.#button, this.#status),
      ),
    );
    this.redraw();
    void this.#load();
  }

  /** Draws it in the language that the page now speaks. */
  redraw(): void {
    const { students, loading } = this.#page.texts();
    const { sheet } = students;
    const { companions } = this.#student;
    fill(this.#title, sheet.title);
    fill(this.#hint, sheet.hint);
    const isKnown = this.#items !== null;
    this.#button.hidden = !isKnown || companions.length === 0;
    fill(this.#button, this.#buttonText());
    const words = { ...sheet, quiet: '', signedOut: students.signedOut };
    const said = words[this.#now];
    if (this.#status.textContent !== said) fill(this.#status, said);
    this.#status.dataset['status'] = this.#now;
    if (this.#items === null) return fill(this.#content, build('p', { class: 'hint', 'aria-busy': 'true' }, loading));
    const known = new Set(companions.map(({ id }) => id));
    const others = this.#items.filter((item) => !known.has(item.cartridge_id)).map(unknownCompanion);
    const shown = [...companions, ...others];
    fill(
      this.#content,
      shown.length === 0 ? build('p', {}, sheet.noCompanions) : shown.map((companion) => this.#sheet(companion)),
    );
  }

  #buttonText(): string {
    const { sheet } = this.#page.texts().students;
    if (this.#now === 'late') return sheet.lookAgain;
    return this.#items?.length === 0 ? sheet.prepare : sheet.refresh;
  }

  #sheet({ id, title, language }: Companion): HTMLElement {
    const { students, language: own } = this.#page.texts();
    const { sheet } = students;
    const item = this.#items?.find((each) => each.cartridge_id === id);
    const heading = build('h3', { lang: language }, title);
    if (!item) return build('article', { class: 'sheet' }, heading, build('p', {}, sheet.none));
    const { priority_questions: questions, check_on: checkOn, updates_to_share: updates } = item.objectives;
    const list = (name: string, lines: readonly string[]) =>
      lines.length > 0 && [
        build('h4', {}, name),
        build(
          'ul',
          { lang: language },
          lines.map((line) => build('li', { dir: 'auto' }, line)),
        ),
      ];
    const reason = sheet.reasons[item.reason] ?? item.reason;
    return build(
      'article',
      { class: 'sheet' },
      heading,
      build('p', { class: 'facts' }, sheet.made(dayAndTime(item.generated_at, own), reason)),
      questions.length + checkOn.length + updates.length === 0 && build('p', {}, sheet.nothing),
      list(sheet.questions, questions),
      list(sheet.checkOn, checkOn),
      list(sheet.updates, updates),
    );
  }

  async #load(): Promise<void> {
    const { client } = this.#page;
    try {
      this.#items = await client.objectives(this.#student.user_id, { signal: this.lifetime });
      this.redraw();
    } catch (error) {
      if (this.lifetime.aborted) return;
      if (error instanceof ProblemError && error.status === 401) return this.#page.expire();
      const { students, retry } = this.#page.texts();
      const again = () => void this.#load();
      fill(
        this.#content,
        build('p', { class: 'hint', role: 'alert' }, students.sheet.unreachable),
        build('button', { type: 'button', class: 'secondary', on: { click: again } }, retry),
      );
    }
  }

  /** Asks for a new one, or (where one that was asked for is late) looks for it again. */
  async #act(): Promise<void> {
    if (this.#now === 'onItsWay') return;
    const wasLate = this.#now === 'late';
    const before = this.#times();
    this.#say('onItsWay');
    try {
      if (!wasLate) await this.#page.client.refreshObjectives(this.#student.user_id);
      await this.#watch(before);
    } catch (error) {
      if (this.lifetime.aborted) return;
      this.#say(error instanceof ProblemError && error.status === 401 ? 'signedOut' : 'failed');
    }
  }

  /** Looks until every companion's sheet is another than before, or for as long as is worth it. */
  async #watch(before: ReadonlyMap<string, string>): Promise<void> {
    const watching = (this.#watching += 1);
    for (let look = 0; look < looks; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, lookMs));
      if (watching !== this.#watching || this.lifetime.aborted) return;
      const items = await this.#page.client
        .objectives(this.#student.user_id, { signal: this.lifetime })
        .catch(() => null);
      if (!items) continue;
      this.#items = items;
      const times = this.#times();
      if (this.#student.companions.every(({ id }) => times.has(id) && times.get(id) !== before.get(id)))
        return this.#say('isNew');
      this.redraw();
    }
    this.#say('late');
  }

  #times(): Map<string, string> {
    return new Map((this.#items ?? []).map((item) => [item.cartridge_id, item.generated_at]));
  }

  #say(now: Status): void {
    this.#now = now;
    this.redraw();
  }
}

/** A sheet of a companion that is no longer there is shown under its id. */
function unknownCompanion({ cartridge_id: id }: ObjectivesView): Companion {
  return { id, title: id, language: '' };
}
