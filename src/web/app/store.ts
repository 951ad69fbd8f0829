/** A value that several parts of the page look at. */
export class Store<State extends object> {
  #state: State;
  readonly #listeners = new Set<(state: State) => void>();

  constructor(initial: State) {
    this.#state = initial;
  }

  get state(): State {
    return this.#state;
  }

  /** Changes the fields named and tells everyone who watches. */
  update(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener(this.#state);
  }

  /** Calls `listener` at every change until the signal aborts. */
  watch(listener: (state: State) => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener('abort', () => this.#listeners.delete(listener));
  }
}
