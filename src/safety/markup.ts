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

const named: Readonly<Record<string, number>> = {
  ...{ amp: 38, lt: 60, gt: 62, quot: 34, apos: 39, nbsp: 160, shy: 173, ensp: 8194, emsp: 8195, thinsp: 8201 },
  ...{ zwnj: 8204, zwj: 8205, lrm: 8206, rlm: 8207, period: 46, comma: 44, hyphen: 45, dash: 8208, excl: 33, num: 35 },
  ...{ commat: 64, dollar: 36, verbar: 124, ast: 42, lowbar: 95, grave: 96, colon: 58, semi: 59, sol: 47, Tab: 9 },
  ...{ scaron: 353, Scaron: 352, zcaron: 382, Zcaron: 381, ccaron: 269, Ccaron: 268, eogon: 281, aogon: 261 },
  ...{ iogon: 303, uogon: 371, umacr: 363, edot: 279, eacute: 233, aacute: 225, iacute: 237, oacute: 243, uacute: 250 },
};
const names = Object.keys(named);

const partingTags = new Set(
  'br p div li ul ol dl dt dd td th tr table tbody thead hr h1 h2 h3 h4 h5 h6 section article pre blockquote'.split(
    ' ',
  ),
);
const inlineTags =
  'a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr img'.split(
    ' ',
  );
const tags = [...partingTags, ...inlineTags];

const none: Markup = { kind: 'none' };
const incomplete: Markup = { kind: 'incomplete' };

/** Reads a character reference at the `&` at `at`. Looks at no more than a dozen code units. */
export function readReference(text: string, at: number): Markup {
  if (at + 1 >= text.length) return incomplete;
  if (text[at + 1] === '#') return readNumeric(text, at);
  for (let length = 1; ; length++) {
    const index = at + length;
    if (index >= text.length) return incomplete;
    const name = text.slice(at + 1, index + 1);
    if (text[index] === ';') {
      const point = Object.hasOwn(named, name.slice(0, -1)) ? named[name.slice(0, -1)] : undefined;
      return point === undefined ? none : { kind: 'character', point, length: length + 1 };
    }
    if (!names.some((known) => known.startsWith(name))) return none;
  }
}

function readNumeric(text: string, at: number): Markup {
  const hex = text[at + 2] === 'x' || text[at + 2] === 'X';
  const from = at + (hex ? 3 : 2);
  const pattern = hex ? /[0-9a-f]/iu : /[0-9]/u;
  let index = from;
  while (index < text.length && index - from <= longestDigits && pattern.test(text.charAt(index))) index++;
  if (index - from > longestDigits) return none;
  if (index >= text.length) return incomplete;
  if (index === from) return none;
  const point = Number.parseInt(text.slice(from, index), hex ? 16 : 10);
  if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return none;
  return { kind: 'character', point, length: index - at + (text[index] === ';' ? 1 : 0) };
}

/** Reads an HTML tag or comment at the `<` at `at`. Looks at no more than a hundred code units. */
export function readTag(text: string, at: number): Markup {
  let index = at + 1;
  if (text[index] === '!') return readComment(text, at);
  if (text[index] === '/') index++;
  const from = index;
  while (index < text.length && index - from < 12 && /[a-z0-9]/iu.test(text.charAt(index))) index++;
  const name = text.slice(from, index).toLowerCase();
  if (index >= text.length) return tags.some((tag) => tag.startsWith(name)) ? incomplete : none;
  if (!tags.includes(name) || !/[\s/>]/u.test(text.charAt(index))) return none;
  for (; index < at + longestTag; index++) {
    if (index >= text.length) return incomplete;
    if (text[index] === '>') return { kind: 'tag', length: index - at + 1, parts: partingTags.has(name) };
    if (text[index] === '<') return none;
  }
  return none;
}

function readComment(text: string, at: number): Markup {
  const opening = '<!--';
  const seen = text.slice(at, at + opening.length);
  if (seen !== opening) return opening.startsWith(seen) && at + seen.length === text.length ? incomplete : none;
  const close = text.indexOf('-->', at + opening.length);
  if (close >= 0 && close - at < longestTag) return { kind: 'tag', length: close - at + 3, parts: false };
  return text.length - at < longestTag ? incomplete : none;
}
