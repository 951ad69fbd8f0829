import { describe, expect, it } from 'vitest';
import { parsePhrase, withoutOptional } from './pattern.ts';
import { APOSTROPHE, DIGIT_ZERO } from './symbols.ts';

const paradigms = { noun_as: ['as', 'o', 'ui'] };

/** Each word's forms, as text. */
function words(phrase: string): string[][] | string {
  const parsed = parsePhrase(phrase, paradigms);
  if (parsed.kind === 'error') return parsed.message;
  return parsed.words.map(({ forms }) => forms.map(spell));
}

const spell = (form: readonly number[]) =>
  form
    .map((symbol) =>
      symbol < 26 ? String.fromCharCode(97 + symbol) : symbol === APOSTROPHE ? "'" : String(symbol - DIGIT_ZERO),
    )
    .join('');

describe('a phrase', () => {
  it('is words, alternatives, and stems with endings', () => {
    expect(words('kill|end your life')).toEqual([['kill', 'end'], ['your'], ['life']]);
    expect(words('nusižud~{yti,ysiu,ė}')).toEqual([['nusizudyti', 'nusizudysiu', 'nusizude']]);
    expect(words('vaik~noun_as|tėv~noun_as')).toEqual([['vaikas', 'vaiko', 'vaikui', 'tevas', 'tevo', 'tevui']]);
    expect(words('slut~{,s}')).toEqual([['slut', 'sluts']]);
    expect(words('self-harm')).toEqual([['self'], ['harm']]);
  });

  it('is found with and without its apostrophes', () => {
    expect(words("I'll|don’t")).toEqual([["i'll", 'ill', "don't", 'dont']]);
  });

  it.each([
    ['', 'a phrase needs at least one word'],
    ['a? b?', 'a phrase needs at least one word'],
    ['vaik~noun_is', 'there is no paradigm "noun_is"'],
    ['kill*', 'is not a word'],
    ['ж', 'is not a word'],
    ['a b c d e f g h i j k', 'at most 10 words'],
    ['x~toString', 'there is no paradigm'],
  ])('that cannot be read says why: %j', (phrase, message) => {
    expect(words(phrase)).toContain(message);
  });

  it('with optional words stands for every choice of them, those at its ends left out', () => {
    const parsed = parsePhrase('oh? kill the? big? dog now?', {});
    if (parsed.kind === 'error') throw new Error(parsed.message);
    const variants = withoutOptional(parsed.words).map((variant) =>
      variant.map(({ forms }) => spell(forms[0] ?? [])).join(' '),
    );
    expect(variants.toSorted()).toEqual(['kill big dog', 'kill dog', 'kill the big dog', 'kill the dog']);
  });
});
