import type { LeakOpening } from './leak-grammar.ts';

/** A model that never closes its call must not be waited for without end; this much is kept to read its arguments. */
const mostKept = 8_000;

/** Swallows the body of a call written as text, piece by piece, up to where prose goes on. */
export class LeakBody {
  /** What was swallowed, as far as it is kept. */
  text = '';
  readonly #opening: LeakOpening;
  readonly #fence: string;
  #stack: string[] = [];
  #quote = '';
  #escaped = false;
  /** A quote that closes its string if a comma, bracket or the like follows. */
  #doubtful = false;
  /** Where we are: in the body, behind it (looking for the fence that closes it), or in the rest of a closing tag. */
  #stage: 'body' | 'tag_end' | 'fence' | 'done' = 'body';
  #tail = '';

  constructor(opening: LeakOpening, fence: string) {
    this.#opening = opening;
    this.#fence = fence;
  }

  get done(): boolean {
    return this.#stage === 'done';
  }

  /** Takes characters of `text` from `at` on; returns the index of the first that is prose again. */
  take(text: string, at: number): number {
    let index = at;
    while (index < text.length && this.#stage !== 'done') {
      const character = text.charAt(index);
      const taken = this.#stage === 'body' ? this.#body(character) : this.#after(character);
      if (!taken) return Math.max(at, index - this.#unfenced());
      if (this.text.length < mostKept) this.text += character;
      index++;
    }
    return index;
  }

  #body(character: string): boolean {
    switch (this.#opening.kind) {
      case 'line':
        if (character !== '\n') return true;
        this.#stage = 'done';
        return false;
      case 'brackets':
        this.#brackets(character);
        return true;
      case 'tag':
        this.#tagged(character, this.#opening.close);
        return true;
      case 'none':
        this.#stage = 'done';
        return false;
    }
  }

  #brackets(character: string): void {
    if (this.#quote !== '') {
      this.#inString(character);
      if (this.#quote !== '' || character === '"' || character === "'") return;
    }
    if (character === '"' || (character === "'" && this.#stack.length > 0)) this.#quote = character;
    else if ('([{'.includes(character)) this.#stack.push(character);
    else if (')]}'.includes(character)) {
      this.#stack.pop();
      if (this.#stack.length === 0) this.#stage = this.#fence === '' ? 'done' : 'fence';
    }
  }

  /** A single quote inside a word („don't“) closes nothing: what follows tells. */
  #inString(character: string): void {
    if (this.#doubtful) {
      this.#doubtful = false;
      if (/[\s,:;)\]}]/u.test(character)) {
        this.#quote = '';
        return;
      }
    }
    if (this.#escaped) this.#escaped = false;
    else if (character === '\\') this.#escaped = true;
    else if (character === this.#quote) {
      if (character === "'") this.#doubtful = true;
      else this.#quote = '';
    }
  }

  #tagged(character: string, close: string): void {
    this.#tail = (this.#tail + character).slice(-close.length);
    if (this.#tail.toLowerCase() === close) this.#stage = close.startsWith('<') ? 'tag_end' : 'done';
  }

  #after(character: string): boolean {
    if (this.#stage === 'tag_end') {
      if (character === '>') this.#stage = 'done';
      return true;
    }
    const wanted = this.#fence[this.#tail.trim().length];
    if (character === wanted) {
      this.#tail += character;
      if (this.#tail.trim() === this.#fence) this.#stage = 'done';
      return true;
    }
    if (/[\s);]/u.test(character) && this.#tail === '') return true;
    this.#stage = 'done';
    return false;
  }

  /** Backticks taken for the fence's that were not. */
  #unfenced(): number {
    return this.#stage === 'done' && this.#tail.startsWith('`') ? this.#tail.length : 0;
  }
}
