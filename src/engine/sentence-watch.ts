import type { Clock } from '../core/clock.ts';
import type { SentenceJudge } from './ports/sentence-judge.ts';

export type WatchOptions = {
  judge: SentenceJudge;
  clock: Clock;
  about: { language: string; boundaries: readonly string[] };
};

const sentenceEnd = /[.!?…]["'”»“)\]]*(?=\s)|\n/gu;

/** Hands each sentence that was said to a judge, and keeps the first verdict against one. */
export class SentenceWatch implements Disposable {
  readonly #options: WatchOptions;
  readonly #leaving = new AbortController();
  readonly #against = new AbortController();
  readonly #pending = new Set<Promise<void>>();
  #unjudged = '';
  #verdict: string | null = null;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** The boundary that was found crossed; null so far. */
  get verdict(): string | null {
    return this.#verdict;
  }

  /** Aborted as soon as there is a verdict. */
  get against(): AbortSignal {
    return this.#against.signal;
  }

  /** Takes what was said; judges the sentences that are complete with it. */
  hear(text: string): void {
    this.#unjudged += text;
    let from = 0;
    for (const end of this.#unjudged.matchAll(sentenceEnd)) {
      const until = end.index + end[0].length;
      this.#ask(this.#unjudged.slice(from, until));
      from = until;
    }
    if (from > 0) this.#unjudged = this.#unjudged.slice(from);
  }

  /** Judges what is left and waits for the verdicts that are out, each no longer than its deadline. */
  async settle(): Promise<string | null> {
    this.#ask(this.#unjudged);
    this.#unjudged = '';
    while (this.#pending.size > 0 && this.#verdict === null) await Promise.race(this.#pending);
    return this.#verdict;
  }

  [Symbol.dispose](): void {
    this.#leaving.abort();
  }

  #ask(sentence: string): void {
    if (sentence.trim() === '' || this.#verdict !== null) return;
    const asked = this.#judge(sentence.trim())
      .catch(() => {})
      .finally(() => this.#pending.delete(asked));
    this.#pending.add(asked);
  }

  async #judge(sentence: string): Promise<void> {
    const { judge, clock, about } = this.#options;
    const deadline = new AbortController();
    using _timer = clock.after(judge.deadlineMs, () => deadline.abort());
    const signal = AbortSignal.any([deadline.signal, this.#leaving.signal]);
    const late = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
    const verdict = await Promise.race([judge.judge(sentence, about, signal).catch(() => null), late]);
    if (verdict === null || this.#verdict !== null) return;
    this.#verdict = verdict;
    this.#against.abort();
  }
}
