import { LeakBody } from './leak-body.ts';
import { type LeakStart, readLeakStart } from './leak-grammar.ts';
import { readLeakedCall } from './leaked-call.ts';
import type { LeakedCall } from './reply-filter.ts';

/** Takes tool calls that a model wrote as text out of its prose. Text in by any chunks; prose out at once. */
export class ToolLeakFilter {
  readonly calls: LeakedCall[] = [];
  readonly #toolNames: readonly string[];
  readonly #triggers = new Uint8Array(128);
  /** The letters a tool's name can go on with, and what may stand between them. */
  readonly #seconds = new Uint8Array(128);
  /** What may become a call, from its first character on. */
  #held = '';
  #head = '';
  #body: LeakBody | null = null;
  #previousIsWord = false;

  /** `toolNames` are those whose bare call (`name(…)`) is recognised; calls in a model's own markup always are. */
  constructor(toolNames: readonly string[]) {
    this.#toolNames = toolNames;
    for (const character of ['{', '[', '<', '`']) this.#triggers[character.charCodeAt(0)] = 1;
    for (const name of toolNames) {
      for (const written of [name.toLowerCase(), name.toUpperCase()]) {
        this.#triggers[written.charCodeAt(0) & 127] = 2;
        for (const second of [written.charAt(1), '_', '-', '\\']) this.#seconds[second.charCodeAt(0) & 127] = 1;
      }
    }
  }

  /** The prose that is known to be prose. */
  push(chunk: string): string {
    const text = this.#held === '' ? chunk : this.#held + chunk;
    this.#held = '';
    return this.#run(text, false);
  }

  /** The reply is over: what might have become a call and did not. A call that is not whole is dropped. */
  end(): string {
    const text = this.#held;
    this.#held = '';
    const out = this.#run(text, true);
    if (this.#body) this.#close();
    return out;
  }

  #run(text: string, final: boolean): string {
    let out = '';
    let from = 0;
    let index = 0;
    if (this.#body) {
      from = this.#swallow(text, 0);
      index = from;
    }
    for (;;) {
      index = this.#nextTrigger(text, index);
      if (index >= text.length) break;
      const start = readLeakStart(text, index, this.#toolNames);
      if (start.kind === 'prose' || (start.kind === 'unsure' && final && !start.likely)) {
        this.#previousIsWord = isWordCharacter(text.charCodeAt(index));
        index++;
        continue;
      }
      out += text.slice(from, index);
      if (start.kind === 'unsure') {
        if (!final) this.#held = text.slice(index);
        return out;
      }
      this.#open(text, index, start);
      from = this.#swallow(text, start.body);
      index = from;
    }
    return from === 0 ? text : out + text.slice(from);
  }

  /** The next place where a call may begin. A name begins only where a word does. */
  #nextTrigger(text: string, at: number): number {
    const triggers = this.#triggers;
    let previousIsWord = this.#previousIsWord;
    for (let index = at; index < text.length; index++) {
      const code = text.charCodeAt(index);
      const trigger = code < 128 ? (triggers[code] ?? 0) : 0;
      if (trigger === 1 || (trigger === 2 && !previousIsWord && this.#goesOn(text.charCodeAt(index + 1)))) {
        this.#previousIsWord = previousIsWord;
        return index;
      }
      previousIsWord = isWordCharacter(code);
    }
    this.#previousIsWord = previousIsWord;
    return text.length;
  }

  /** Whether a name can go on with this code unit; yes where there is none yet. */
  #goesOn(code: number): boolean {
    return Number.isNaN(code) || this.#seconds[code] === 1;
  }

  #open(text: string, at: number, start: Extract<LeakStart, { kind: 'leak' }>): void {
    this.#head = text.slice(at, start.body);
    this.#body = new LeakBody(start.opening, start.fence);
  }

  /** Where prose goes on behind the call under way; the end of the text where it does not. */
  #swallow(text: string, at: number): number {
    const body = this.#body;
    if (!body) return at;
    const after = body.take(text, at);
    if (body.done) this.#close();
    return after;
  }

  #close(): void {
    const body = this.#body;
    this.#body = null;
    this.#previousIsWord = false;
    if (body?.text && this.#toolNames.length > 0)
      this.calls.push(readLeakedCall(this.#head + body.text, this.#toolNames));
  }
}

/** Whether a letter, digit or `_` stands there; every letter beyond ASCII is taken for one. */
function isWordCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code > 191
  );
}
