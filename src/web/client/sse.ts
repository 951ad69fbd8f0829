/** One event of a `text/event-stream`: its name (`message` where it has none), its data and the last id seen. */
export type SseFrame = { event: string; data: string; id: string };

/** Puts events together from text that arrives in any pieces; lines may end in LF, CR or CRLF. */
export class SseParser {
  /** The `retry:` the server last named, in milliseconds. */
  retryMs: number | null = null;
  #rest = '';
  #swallowLineFeed = false;
  #event = '';
  #data: string[] = [];
  #id = '';

  /** Takes the next piece and gives the events that it completes. */
  push(piece: string): SseFrame[] {
    if (piece === '') return [];
    // A CR that ended the last piece has ended its line already; this LF is its other half.
    const text = this.#rest + (this.#swallowLineFeed && piece.startsWith('\n') ? piece.slice(1) : piece);
    this.#swallowLineFeed = text.endsWith('\r');
    const lines = text.split(/\r\n|\n|\r/u);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#take(line) ?? []);
  }

  #take(line: string): SseFrame | null {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return null;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line.charAt(colon + 1) === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') this.#event = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    else if (field === 'retry' && /^\d+$/u.test(value)) this.retryMs = Number(value);
    return null;
  }

  #dispatch(): SseFrame | null {
    const frame = { event: this.#event || 'message', data: this.#data.join('\n'), id: this.#id };
    const empty = this.#data.length === 0;
    this.#event = '';
    this.#data = [];
    return empty ? null : frame;
  }
}
