import type { Client } from '../client/client.ts';
import type { Me } from '../protocol-types.ts';
import type { Texts } from '../texts/texts.ts';
import type { Notebook } from './notebook.ts';
import type { Route } from './router.ts';
import type { Store } from './store.ts';

export type AppState = {
  /** Null while nobody has joined. */
  me: Me | null;
  /** The language the page speaks: the lesson's while one is open. */
  language: string;
  /** A reply's line broke and is being mended. */
  reconnecting: boolean;
};

/** What a page's parts are given, whichever page they are on. */
export interface Page {
  readonly notebook: Notebook;
  readonly store: Store<AppState>;
  /** The texts of the language the page speaks now. */
  texts(): Texts;
  /** Speaks the page in `language`, or in the learner's own for null. */
  speak(language: string | null): void;
  /** Says something once to whoever listens instead of looking. */
  announce(text: string): void;
  /** Shows the door: the learner's token no longer counts. */
  expire(): void;
  /** Names what is on the page, for the tab and for screen readers. */
  entitle(...parts: string[]): void;
}

/** What every part of the student's page is given. */
export interface App extends Page {
  readonly client: Client;
  go(route: Route): void;
}
