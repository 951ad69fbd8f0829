import { foldWord } from './fold.ts';
import { APOSTROPHE } from './symbols.ts';

/** One word of a phrase: every form it may have, folded; `optional` where the phrase also holds without it. */
export type WordForms = { forms: readonly (readonly number[])[]; optional: boolean };

export type ParsedPhrase = { kind: 'parsed'; words: readonly WordForms[] } | { kind: 'error'; message: string };

const maxWords = 10;
const maxForms = 4_000;

/**
 * Reads a lexicon phrase: words separated by single spaces, each a literal (`kill`), alternatives (`kill|end`), or a stem
 * with endings, listed (`nusižud~{yti,ė}`) or by the name of a paradigm (`nusižud~verb_yti`); a trailing `?` makes the
 * word optional. A hyphen in a word (`self-harm`) parts it as a space does.
 */
export function parsePhrase(phrase: string, paradigms: Readonly<Record<string, readonly string[]>>): ParsedPhrase {
  const words: WordForms[] = [];
  const parts = splitWords(phrase);
  for (const part of parts) {
    const parsed = parseWord(part, paradigms);
    if (typeof parsed === 'string') return { kind: 'error', message: parsed };
    words.push(parsed);
  }
  if (words.every((word) => word.optional)) {
    return { kind: 'error', message: 'a phrase needs at least one word that is not optional' };
  }
  if (words.length > maxWords) return { kind: 'error', message: `a phrase may have at most ${maxWords} words` };
  return { kind: 'parsed', words };
}

/**
 * The phrase with every choice of its optional words made. Those before its first and after its last needed word are
 * left out: it is found without them, and would only be waited for with them.
 */
export function withoutOptional(words: readonly WordForms[]): (readonly WordForms[])[] {
  const first = words.findIndex((word) => !word.optional);
  const last = words.findLastIndex((word) => !word.optional);
  let variants: WordForms[][] = [[]];
  for (const word of words.slice(first, last + 1)) {
    const longer = variants.map((variant) => [...variant, word]);
    variants = word.optional ? [...longer, ...variants] : longer;
  }
  return variants;
}

function splitWords(phrase: string): string[] {
  return phrase
    .trim()
    .split(/\s+/u)
    .flatMap((word) => (/^[\p{L}\p{N}'’]+(-[\p{L}\p{N}'’]+)+$/u.test(word) ? word.split('-') : [word]))
    .filter((word) => word !== '');
}

function parseWord(source: string, paradigms: Readonly<Record<string, readonly string[]>>): WordForms | string {
  const optional = source.endsWith('?');
  const body = stripBrackets(optional ? source.slice(0, -1) : source);
  const forms = new Map<string, readonly number[]>();
  for (const alternative of splitAlternatives(body)) {
    const spellings = spell(alternative, paradigms);
    if (typeof spellings === 'string') return spellings;
    for (const spelling of spellings) {
      const folded = /^[\p{L}\p{M}\p{N}'’_]+$/u.test(spelling) ? foldWord(spelling) : null;
      if (folded === null || folded.length === 0) {
        return `"${spelling}" is not a word: letters, digits and apostrophes only`;
      }
      forms.set(folded.join(), folded);
      const bare = folded.filter((symbol) => symbol !== APOSTROPHE);
      if (bare.length > 0) forms.set(bare.join(), bare);
    }
  }
  if (forms.size > maxForms) return `"${source}" has ${forms.size} forms, more than ${maxForms}`;
  return { forms: [...forms.values()], optional };
}

function stripBrackets(body: string): string {
  return body.startsWith('(') && body.endsWith(')') ? body.slice(1, -1) : body;
}

/** Splits at `|`, but not inside the braces of listed endings. */
function splitAlternatives(body: string): string[] {
  return body.split(/\|(?![^{]*\})/u);
}

function spell(alternative: string, paradigms: Readonly<Record<string, readonly string[]>>): string[] | string {
  const at = alternative.indexOf('~');
  if (at < 0) return [alternative];
  const stem = alternative.slice(0, at);
  const tail = alternative.slice(at + 1);
  if (tail.startsWith('{') && tail.endsWith('}')) {
    return tail
      .slice(1, -1)
      .split(/[,|]/u)
      .map((ending) => stem + ending.trim());
  }
  const endings = Object.hasOwn(paradigms, tail) ? paradigms[tail] : undefined;
  return endings ? endings.map((ending) => stem + ending) : `there is no paradigm "${tail}"`;
}
