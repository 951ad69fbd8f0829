/** What a `&` or `<` turned out to begin. `incomplete`: more text is needed to tell. */
export type Markup =
  | { kind: 'none' }
  | { kind: 'incomplete' }
  /** A character reference: the character, and how many code units were written for it. */
  | { kind: 'character'; point: number; length: number }
  /** An HTML tag or comment; `parts` where it parts words, as a line break does. */
  | { kind: 'tag'; length: number; parts: boolean };

const longestTag = 96;
const longestDigits = 8;
const [HASH, SEMICOLON, SLASH, GREATER, LESS, EXCLAMATION] = [35, 59, 47, 62, 60, 33];

const named = new Map(
  [
    'amp 38,lt 60,gt 62,quot 34,apos 39,nbsp 160,shy 173,ensp 8194,emsp 8195,thinsp 8201,zwnj 8204,zwj 8205,lrm 8206',
    'rlm 8207,period 46,comma 44,hyphen 45,dash 8208,excl 33,commat 64,dollar 36,verbar 124,ast 42,lowbar 95,grave 96',
    'colon 58,semi 59,sol 47,num 35,Tab 9,scaron 353,Scaron 352,zcaron 382,Zcaron 381,ccaron 269,Ccaron 268,eogon 281',
    'aogon 261,iogon 303,uogon 371,umacr 363,edot 279,eacute 233,aacute 225,iacute 237,oacute 243',
  ]
    .join()
    .split(',')
    .map((pair) => pair.split(' '))
    .map(([name = '', point]) => [name, Number(point)] as const),
);
const partingTags = new Set(
  'br p div li ul ol dl dt dd td th tr table tbody thead hr h1 h2 h3 h4 h5 h6 section article pre blockquote'.split(
    ' ',
  ),
);
const tags = new Set([
  ...partingTags,
  ...'a abbr b bdi bdo big cite code data del dfn em font i img ins kbd label mark q s samp small span'.split(' '),
  ...'strike strong sub sup time tt u var wbr'.split(' '),
]);
const nameStarts = startsOf(named.keys());
const tagStarts = startsOf(tags);

const none: Markup = { kind: 'none' };
const incomplete: Markup = { kind: 'incomplete' };

/** Whether the `&` or `<` at `at` can open a reference or tag, by a glance at what follows. */
export function opensMarkup(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  if (Number.isNaN(next) || ((next | 32) >= 97 && (next | 32) <= 122)) return true;
  if (text.charCodeAt(at) === LESS) return next === SLASH || next === EXCLAMATION;
  const digit = text.charCodeAt(at + 2);
  return next === HASH && (Number.isNaN(digit) || (digit | 32) === 120 || digitValue(digit, false) >= 0);
}

/** Reads a character reference at the `&` at `at`. Looks at no more than a dozen code units. */
export function readReference(text: string, at: number): Markup {
  if (at + 1 >= text.length) return incomplete;
  if (text.charCodeAt(at + 1) === HASH) return readNumeric(text, at);
  for (let index = at + 1; ; index++) {
    const name = text.slice(at + 1, index);
    if (index >= text.length) return incomplete;
    if (text.charCodeAt(index) === SEMICOLON) {
      const point = named.get(name);
      return point === undefined ? none : { kind: 'character', point, length: index - at + 1 };
    }
    if (!nameStarts.has(text.slice(at + 1, index + 1))) return none;
  }
}

function readNumeric(text: string, at: number): Markup {
  const hex = (text.charCodeAt(at + 2) | 32) === 120;
  const from = at + (hex ? 3 : 2);
  let index = from;
  let point = 0;
  for (; index < text.length && index - from <= longestDigits; index++) {
    const value = digitValue(text.charCodeAt(index), hex);
    if (value < 0) break;
    point = point * (hex ? 16 : 10) + value;
  }
  if (index - from > longestDigits) return none;
  if (index >= text.length) return incomplete;
  if (index === from || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return none;
  return { kind: 'character', point, length: index - at + (text.charCodeAt(index) === SEMICOLON ? 1 : 0) };
}

function digitValue(code: number, hex: boolean): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = (code | 32) - 97;
  return hex && letter >= 0 && letter < 6 ? letter + 10 : -1;
}

/** Reads an HTML tag or comment at the `<` at `at`. Looks at no more than a hundred code units. */
export function readTag(text: string, at: number): Markup {
  const first = text.charCodeAt(at + 1);
  if (first === EXCLAMATION) return readComment(text, at);
  const from = at + (first === SLASH ? 2 : 1);
  let index = from;
  while (index < text.length && isTagLetter(text.charCodeAt(index)) && index - from < 12) index++;
  const name = text.slice(from, index).toLowerCase();
  if (index >= text.length) return name === '' || tagStarts.has(name) ? incomplete : none;
  const after = text.charCodeAt(index);
  if (!(after === GREATER || after === SLASH || after <= 32) || !tags.has(name)) return none;
  for (; index < at + longestTag; index++) {
    if (index >= text.length) return incomplete;
    const code = text.charCodeAt(index);
    if (code === GREATER) return { kind: 'tag', length: index - at + 1, parts: partingTags.has(name) };
    if (code === LESS) return none;
  }
  return none;
}

function isTagLetter(code: number): boolean {
  return (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122);
}

function readComment(text: string, at: number): Markup {
  const opening = '<!--';
  const seen = text.slice(at, at + opening.length);
  if (seen !== opening) return opening.startsWith(seen) && at + seen.length === text.length ? incomplete : none;
  const within = text.slice(at, at + longestTag);
  const close = within.indexOf('-->', opening.length);
  if (close >= 0) return { kind: 'tag', length: close + 3, parts: false };
  return text.length - at < longestTag ? incomplete : none;
}

/** Every beginning of every word. */
function startsOf(words: Iterable<string>): ReadonlySet<string> {
  return new Set(Array.from(words, (word) => Array.from(word, (_, index) => word.slice(0, index + 1))).flat());
}
