/** What has come for one reader and waits for it; then that nothing more will, or why not. */
export class Inbox<T> {
  #waiting: T[] = [];
  #end: { error: Error | null } | null = null;
  #wake = () => {};

  get isOver(): boolean {
    return this.#end !== null;
  }

  put(item: T): void {
    if (this.#end) return;
    this.#waiting.push(item);
    this.#wake();
  }

  /** Nothing more comes, or `error` in its place. What has come already is read first. */
  end(error: Error | null = null): void {
    this.#end ??= { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      const come = this.#waiting;
      this.#waiting = [];
      yield* come;
      if (this.#waiting.length > 0) continue;
      if (this.#end?.error) throw this.#end.error;
      if (this.#end) return;
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }
}
