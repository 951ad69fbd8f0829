/** Reads one text field out of a JSON object while the object is still arriving. */
export interface FieldReader {
  /** The field's text that became readable with this chunk, unescaped; '' where there is none. */
  push(chunk: string): string;
  /** The reply is over: what was held back of a character that never became whole. Call once. */
  end(): string;
  /** All that came, up to `longest` characters. */
  readonly raw: string;
  /** More came than is kept: the reply is not whole. */
  readonly isOverlong: boolean;
  /** What came breaks off within the field's text. */
  readonly isCut: boolean;
}

const simpleEscapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/**
 * A reader of the text field `field` of the top-level object, `longest` characters kept at most. Every character is
 * looked at once. What stands before the object (a fence, a word or two) is passed over; a field of that name deeper
 * down, a second one, and one that is no text are not read. RFC 8259.
 */
export function createFieldReader(field: string, longest = 64_000): FieldReader {
  const scanner = new Scanner(field);
  let raw = '';
  let isOverlong = false;
  return {
    push(chunk) {
      if (raw.length + chunk.length > longest) isOverlong = true;
      if (isOverlong) return '';
      raw += chunk;
      return scanner.push(chunk);
    },
    end: () => scanner.end(),
    get raw() {
      return raw;
    },
    get isOverlong() {
      return isOverlong;
    },
    get isCut() {
      return isOverlong || scanner.isCut;
    },
  };
}

class Scanner {
  readonly #field: string;
  #depth = 0;
  /** In the top-level object: the next string is a key. */
  #isKeyNext = false;
  #isInString = false;
  #isKey = false;
  #key = '';
  /** The value that comes next, or is being read, is the field's. */
  #isWanted = false;
  #isRead = false;
  #isOver = false;
  /** '' or what has come of an escape: `\`, `\u`, `\u0`, … */
  #escape = '';
  #high = '';

  constructor(field: string) {
    this.#field = field;
  }

  push(chunk: string): string {
    let out = '';
    for (let index = 0; index < chunk.length; index += 1) {
      const character = chunk.charAt(index);
      if (!this.#isInString) {
        if (!this.#isOver) this.#structure(character);
        continue;
      }
      const decoded = this.#inString(character);
      if (decoded === '') continue;
      if (this.#isKey) this.#key += decoded;
      else if (this.#isWanted) out += this.#wellFormed(decoded);
    }
    return out;
  }

  get isCut(): boolean {
    return this.#isInString && this.#isWanted && !this.#isKey;
  }

  end(): string {
    const lone = this.#high === '' ? '' : '\uFFFD';
    this.#high = '';
    return lone;
  }

  #structure(character: string): void {
    if (this.#depth === 0 && character !== '{') return;
    switch (character) {
      case '{':
      case '[':
        this.#depth += 1;
        if (this.#depth === 1) this.#isKeyNext = true;
        this.#isWanted = false;
        return;
      case '}':
      case ']':
        this.#depth -= 1;
        this.#isOver = this.#depth === 0;
        return;
      case ',':
        if (this.#depth === 1) this.#isKeyNext = true;
        return;
      case '"':
        this.#isInString = true;
        this.#isKey = this.#depth === 1 && this.#isKeyNext;
        if (this.#isKey) this.#key = '';
        return;
    }
  }

  /** The text that a character of a string stands for; '' where it is the end, or part of an escape. */
  #inString(character: string): string {
    if (this.#escape !== '') return this.#inEscape(character);
    if (character === '\\') {
      this.#escape = character;
      return '';
    }
    if (character !== '"') return character;
    this.#isInString = false;
    if (this.#isKey) {
      this.#isKeyNext = false;
      this.#isWanted = !this.#isRead && this.#key === this.#field;
    } else if (this.#isWanted && this.#depth === 1) {
      this.#isRead = true;
      this.#isWanted = false;
    }
    return '';
  }

  #inEscape(character: string): string {
    this.#escape += character;
    if (this.#escape === '\\u' || (this.#escape.startsWith('\\u') && this.#escape.length < 6)) return '';
    const escape = this.#escape;
    this.#escape = '';
    if (!escape.startsWith('\\u')) return simpleEscapes[character] ?? character;
    const code = Number.parseInt(escape.slice(2), 16);
    return Number.isNaN(code) ? '\uFFFD' : String.fromCharCode(code);
  }

  /** Text whose surrogates come in pairs: a high one waits for its other half, a lone one becomes U+FFFD. */
  #wellFormed(unit: string): string {
    const code = unit.charCodeAt(0);
    const isLow = code >= 0xdc00 && code <= 0xdfff;
    const high = this.#high;
    this.#high = code >= 0xd800 && code <= 0xdbff ? unit : '';
    if (high !== '') return isLow ? high + unit : `\uFFFD${this.#high === '' ? unit : ''}`;
    if (isLow) return '\uFFFD';
    return this.#high === '' ? unit : '';
  }
}
