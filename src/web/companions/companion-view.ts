import { build, fill } from '../app/dom.ts';
import { ViewElement } from '../app/view-element.ts';
import type { CartridgeSummary, ConversationView, LearnerView } from '../protocol-types.ts';
import type { CompanionPage } from './companion-page.ts';
import { isMissing, isSignedOut } from '../client/problem.ts';
import { entryOf } from './entry.ts';
import { homeLink, isStaffRole } from './home-link.ts';
import { MemoryPanel } from './memory-panel.ts';
import { PastList } from './past-list.ts';
import { type About, aboutNothing, aboutOf, type Place, readPlace, writePlace } from './place.ts';
import { ProfilePanel } from './profile-panel.ts';
import { recallSection } from './recall-section.ts';
import { offerLearners, offerProjects } from './subject-offers.ts';
import type { SubjectPicker } from './subject-picker.ts';
import { TalkView } from './talk-view.ts';

/** One companion's page: the conversation, and beside it whom it is about, what is remembered, and what was before. */
export class CompanionView extends ViewElement {
  readonly #page: CompanionPage;
  readonly #companion: CartridgeSummary;
  readonly #subjectsPlace = build('div', { class: 'side-part' });
  readonly #profilePlace = build('div', { class: 'side-part' });
  readonly #memoryPlace = build('div', { class: 'side-part' });
  readonly #talkPlace = build('div', { class: 'talk-place' });
  readonly #about = build('p', { class: 'bar-about' });
  readonly #past: PastList;
  #toggle: HTMLButtonElement | null = null;
  #learners: LearnerView[] = [];
  #picker: SubjectPicker | null = null;
  #memory: MemoryPanel | null = null;
  #profile: ProfilePanel | null = null;
  #talk: TalkView | null = null;
  /** Which opening counts: an earlier one that comes in late is thrown away. */
  #opening = 0;

  constructor(page: CompanionPage, companion: CartridgeSummary) {
    super();
    this.#page = page;
    this.#companion = companion;
    this.#past = new PastList(page, companion.id, ({ learnerId, projectId }) =>
      learnerId === null ? projectId : this.#nameOf(learnerId),
    );
  }

  connectedCallback(): void {
    const { title, language } = this.#companion;
    const { companions } = this.#page.texts();
    this.#page.entitle(title);
    const back = build('a', { class: 'back', href: '/companions', 'aria-label': companions.back });
    back.append(build('span', { class: 'back-arrow', 'aria-hidden': 'true' }));
    const toggle = build(
      'button',
      {
        type: 'button',
        class: 'quiet side-toggle',
        'aria-expanded': 'false',
        on: { click: () => this.#showSide(this.dataset['side'] !== 'open') },
      },
      companions.showSide,
    );
    this.#toggle = toggle;
    fill(
      this,
      build(
        'header',
        { class: 'bar lesson-bar' },
        back,
        build(
          'div',
          { class: 'bar-names' },
          build('h1', { class: 'bar-title', tabindex: -1, lang: language }, title),
          this.#about,
        ),
        toggle,
      ),
      build(
        'main',
        { class: 'companion-main' },
        build(
          'section',
          { class: 'side', 'aria-label': companions.side, tabindex: 0 },
          this.#subjectsPlace,
          this.#profilePlace,
          this.#memoryPlace,
          this.#past,
          build('p', { class: 'side-part' }, homeLink(this.#page)),
        ),
        this.#talkPlace,
      ),
    );
    globalThis.addEventListener('hashchange', () => void this.#open(readPlace(location.hash)), {
      signal: this.lifetime,
    });
    void this.#prepare().then(() => this.#open(readPlace(location.hash)));
  }

  /** Puts beside the conversation what this companion has to show: the profile it reads, its notes, whom it is about. */
  async #prepare(): Promise<void> {
    const options = { signal: this.lifetime };
    const { client, store } = this.#page;
    const { me } = store.state;
    if (this.#companion.uses_profile && me?.role === 'student') {
      this.#profile = new ProfilePanel(this.#page, me.user_id);
      fill(this.#profilePlace, this.#profile);
    }
    if (this.#companion.uses_projects) {
      const choose = (projectId: string | null) => this.#go({ kind: 'about', ...aboutNothing, projectId });
      const picker = await offerProjects(this.#page, this.#companion.id, { choose, signal: this.lifetime });
      return this.lifetime.aborted ? undefined : this.#offer(picker);
    }
    // Notes that are made when a conversation has ended are shown as what is recalled of it.
    if (this.#companion.rolling_memory !== 'exchange') return;
    this.#memory = new MemoryPanel(this.#page, this.#companion.id, (id) => this.#nameOf(id));
    fill(this.#memoryPlace, this.#memory);
    if (!isStaffRole(me?.role)) return;
    this.#learners = await client.learners(options).catch(() => []);
    if (this.lifetime.aborted) return;
    const choose = (learnerId: string | null) => this.#go({ kind: 'about', ...aboutNothing, learnerId });
    this.#offer(
      offerLearners(this.#page, this.#learners, {
        choose,
        added: (learner) => {
          this.#learners = [...this.#learners, learner];
          choose(learner.id);
        },
      }),
    );
  }

  #offer(picker: SubjectPicker): void {
    this.#picker = picker;
    fill(this.#subjectsPlace, picker);
  }

  async #open(place: Place): Promise<void> {
    const opening = (this.#opening += 1);
    const { client } = this.#page;
    const options = { signal: this.lifetime };
    try {
      const view =
        place.kind === 'conversation' ? await client.conversation(place.id, options) : await this.#goingOn(place);
      const about = view ? aboutOf(view) : place.kind === 'about' ? place : aboutNothing;
      const scope = { cartridgeId: this.#companion.id, learnerId: about.learnerId };
      const greeting =
        view?.greeting ?? (await client.greeting({ ...scope, language: this.#language() }, options)).greeting;
      if (opening === this.#opening && !this.lifetime.aborted) this.#show(view, { about, greeting });
    } catch (error) {
      if (opening !== this.#opening || this.lifetime.aborted) return;
      if (isSignedOut(error)) this.#page.expire();
      else this.#dead(place, isMissing(error));
    }
  }

  /** The caller's conversation about the same that has not ended; null where there is none. */
  async #goingOn({ learnerId, projectId }: About): Promise<ConversationView | null> {
    const { client } = this.#page;
    const options = { signal: this.lifetime };
    const { items } = await client.conversations(
      { cartridgeId: this.#companion.id, active: true, limit: 100 },
      options,
    );
    const found = items.find((item) => {
      const about = aboutOf(item);
      return about.learnerId === learnerId && about.projectId === projectId;
    });
    return found ? client.conversation(found.id, options) : null;
  }

  #show(view: ConversationView | null, { about, greeting }: { about: About; greeting: string }): void {
    const { client } = this.#page;
    const { learnerId, projectId } = about;
    const scope = { cartridgeId: this.#companion.id, learnerId };
    this.#talk = new TalkView(this.#page, {
      name: this.#companion.title,
      language: this.#language(),
      view,
      greeting,
      cartridgeId: this.#companion.id,
      about,
      begin: async () => {
        const entry = entryOf({ href: location.href, referrer: document.referrer }) ?? undefined;
        const begun = await client.begin({ ...scope, projectId, language: this.#language(), entry });
        void this.#past.load(begun.id);
        return begun;
      },
      // What was confirmed in the conversation may stand in the profile now.
      widgetChanged: () => void this.#profile?.refresh(),
      answered: () => {
        void this.#past.load(this.#talk?.conversationId ?? null);
        void this.#memory?.expectChange();
        void this.#profile?.refresh();
      },
      reload: async (notice) => {
        const id = this.#talk?.conversationId;
        await this.#open(id ? { kind: 'conversation', id } : readPlace(location.hash));
        if (notice !== null) this.#talk?.say(notice);
      },
      ended: (id) => {
        const place: Place = { kind: 'conversation', id };
        history.replaceState(null, '', writePlace(place));
        return this.#openAndFocus(place);
      },
      startNew: () => {
        const place: Place = { kind: 'about', learnerId, projectId };
        history.pushState(null, '', writePlace(place));
        void this.#openAndFocus(place);
      },
    });
    fill(this.#talkPlace, this.#talk);
    const wasAside = this.dataset['side'] === 'open';
    this.#showSide(false);
    // What had the focus in the notes is no longer seen.
    if (wasAside) this.querySelector('h1')?.focus();
    this.#picker?.show(learnerId ?? projectId);
    if (this.#picker) fill(this.#about, this.#aboutText(about));
    void this.#memory?.show(learnerId);
    if (!this.#memory) fill(this.#memoryPlace, recallSection(this.#page.texts(), view?.memory ?? null));
    if (!this.#memory && !view) void this.#recall();
    void this.#past.load(view?.id ?? null);
  }

  #aboutText({ learnerId, projectId }: About): string {
    const { learner, project } = this.#page.texts().companions;
    if (learnerId !== null) return learner.about(this.#nameOf(learnerId));
    if (projectId !== null) return project.about(projectId);
    return this.#companion.uses_projects ? project.whole : learner.whole;
  }

  /** Opens a place and goes on where one would: at the box to write in, or at the way on. */
  async #openAndFocus(place: Place): Promise<void> {
    await this.#open(place);
    this.#talkPlace.querySelector<HTMLElement>('textarea, .part-over button')?.focus();
  }

  /** What earlier conversations left, where none has been begun that would tell. */
  async #recall(): Promise<void> {
    const memory = await this.#page.client
      .recalled({ cartridgeId: this.#companion.id, learnerId: null }, { signal: this.lifetime })
      .catch(() => null);
    if (memory && !this.lifetime.aborted) fill(this.#memoryPlace, recallSection(this.#page.texts(), memory));
  }

  #dead(place: Place, missing: boolean): void {
    const { companions, connection, retry } = this.#page.texts();
    const action = missing
      ? { text: companions.talkView.startNew, click: () => this.#go({ kind: 'about', ...aboutNothing }) }
      : { text: retry, click: () => void this.#open(place) };
    fill(
      this.#talkPlace,
      build(
        'div',
        { class: 'dead-end' },
        build('p', { role: 'alert' }, missing ? companions.conversationMissing : connection.unreachable),
        build('button', { type: 'button', class: 'primary', on: { click: action.click } }, action.text),
      ),
    );
  }

  #go(place: Place): void {
    if (location.hash === writePlace(place)) void this.#open(place);
    else location.hash = writePlace(place);
  }

  /** On a phone the notes and the conversation take turns; beside each other there is nothing to switch. */
  #showSide(open: boolean): void {
    const { companions } = this.#page.texts();
    this.dataset['side'] = open ? 'open' : 'closed';
    this.#toggle?.setAttribute('aria-expanded', String(open));
    if (this.#toggle) fill(this.#toggle, open ? companions.showTalk : companions.showSide);
  }

  #nameOf(learnerId: string): string {
    return this.#learners.find(({ id }) => id === learnerId)?.name ?? this.#page.texts().companions.learner.unknown;
  }

  /** The page's language where the companion speaks it, else the companion's own. */
  #language(): string {
    const { language, available_languages: others } = this.#companion;
    const own = this.#page.store.state.language;
    return [language, ...others].includes(own) ? own : language;
  }
}
